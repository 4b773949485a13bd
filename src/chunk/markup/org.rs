//! Org: `** Title`, `#+BEGIN_…` to `#+END_…`, drawers.

use super::super::lines::Lines;
use super::Heading;

pub fn read<'t>(lines: &Lines<'t>) -> (Vec<Heading<'t>>, Vec<bool>) {
    let mut held = vec![false; lines.count() as usize];
    let mut headings = Vec::new();
    // What ends the block that is open.
    let mut open: Option<&str> = None;
    for line in 0..lines.count() {
        let text = lines.line(line);
        let word = text.trim();
        match open {
            Some(end) => {
                held[line as usize] = true;
                open = open.filter(|_| !begins_with(word, end));
            }
            None if begins_with(word, "#+begin_") => open = Some("#+end_"),
            None if begins_with(word, ":properties:") => {
                held[line as usize] = true;
                open = Some(":end:");
            }
            None => headings.extend(heading(line, text)),
        }
    }
    (headings, held)
}

fn begins_with(text: &str, what: &str) -> bool {
    text.get(..what.len()).is_some_and(|start| start.eq_ignore_ascii_case(what))
}

/// Without the state and the tags of a task: `** TODO Title :tag:`.
fn heading(line: u32, text: &str) -> Option<Heading<'_>> {
    let level = text.bytes().take_while(|b| *b == b'*').count();
    let title = text[level..].strip_prefix(' ').filter(|_| level > 0)?.trim();
    let title = ["TODO ", "DONE "].iter().find_map(|state| title.strip_prefix(state)).unwrap_or(title);
    let title = match title.rsplit_once(char::is_whitespace) {
        Some((before, tags)) if tags.len() > 2 && tags.starts_with(':') && tags.ends_with(':') => {
            before.trim()
        }
        _ => title,
    };
    Some(Heading::line(line, level, title.trim()))
}

#[cfg(test)]
mod tests {
    use super::super::{held, titles};
    use crate::lang::Shape::Org;

    #[test]
    fn tasks_blocks_and_drawers() {
        let text = "* TODO Plan :home:\n:PROPERTIES:\n:ID: x\n:END:\n** Part\n#+begin_src sh\n* no\n#+END_SRC\n*bold*\n";
        assert_eq!(titles(Org, text), [(1, "Plan".to_owned()), (2, "Part".to_owned())]);
        assert_eq!(held(Org, text), [1, 2, 3, 6, 7]);
    }
}
