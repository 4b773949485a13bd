//! AsciiDoc: `== Title`, and blocks between equal lines.

use super::super::lines::Lines;
use super::{Heading, drawn_with};

pub fn read<'t>(lines: &Lines<'t>) -> (Vec<Heading<'t>>, Vec<bool>) {
    let mut held = vec![false; lines.count() as usize];
    let mut headings = Vec::new();
    let mut open: Option<&str> = None;
    for line in 0..lines.count() {
        let text = lines.line(line).trim_end();
        if let Some(delimiter) = open {
            held[line as usize] = true;
            open = open.filter(|_| text != delimiter);
        } else if is_delimiter(text) {
            open = Some(text);
            // Its attributes and its title stand on the lines before it.
            let above = if line > 0 { lines.line(line - 1) } else { "" };
            held[line as usize] = above.starts_with('[') || above.starts_with('.');
        } else {
            headings.extend(heading(line, text));
        }
    }
    (headings, held)
}

fn is_delimiter(text: &str) -> bool {
    let is_drawn = text.len() >= 4 && drawn_with(text).is_some_and(|mark| "-.=*_+/".contains(mark));
    is_drawn || text == "|===" || text.starts_with("```")
}

fn heading(line: u32, text: &str) -> Option<Heading<'_>> {
    let level = text.bytes().take_while(|b| *b == b'=').count();
    let title = text[level..].strip_prefix(' ').map(str::trim).filter(|title| !title.is_empty())?;
    (1..=6).contains(&level).then(|| Heading::line(line, level, title))
}

#[cfg(test)]
mod tests {
    use super::super::{held, titles};
    use crate::lang::Shape::AsciiDoc;

    #[test]
    fn blocks_hold_no_headings() {
        let text = "= Book\n\n== Part\n[source,sh]\n----\n== no\n----\n====\n=== no\n====\n=== Deep\n==no\n";
        let expected = [(1, "Book"), (2, "Part"), (3, "Deep")];
        assert_eq!(titles(AsciiDoc, text), expected.map(|(level, title)| (level, title.to_owned())));
        assert_eq!(held(AsciiDoc, text), [4, 5, 6, 8, 9]);
    }
}
