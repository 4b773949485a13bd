//! Markdown: `#` and underlined headings, code fences, front matter.

use super::super::lines::Lines;
use super::{Heading, drawn_with};

pub fn read<'t>(lines: &Lines<'t>) -> (Vec<Heading<'t>>, Vec<bool>) {
    let fenced = fenced_lines(lines);
    let open = (0..lines.count()).filter(|line| !fenced[*line as usize]);
    let headings = open.filter_map(|line| heading(lines, line)).collect();
    let held = (0..fenced.len()).map(|line| line > 0 && fenced[line] && fenced[line - 1]).collect();
    (headings, held)
}

fn heading<'t>(lines: &Lines<'t>, line: u32) -> Option<Heading<'t>> {
    let text = lines.line(line);
    if text.len() - text.trim_start_matches(' ').len() > 3 {
        return None;
    }
    let text = text.trim();
    let level = text.bytes().take_while(|b| *b == b'#').count();
    if level > 0 {
        let title = &text[level..];
        let is_heading = level <= 6 && (title.is_empty() || title.starts_with([' ', '\t']));
        return is_heading.then(|| Heading::line(line, level, title.trim_end_matches('#').trim()));
    }
    // Setext: a line of text over a line of `=` or `-`, and not the second line of a paragraph.
    let opens_paragraph = line == 0 || lines.is_blank(line - 1);
    if text.is_empty() || !opens_paragraph || line + 1 >= lines.count() {
        return None;
    }
    let under = lines.line(line + 1).trim_end();
    let level = match drawn_with(under).filter(|_| under.len() >= 3)? {
        '=' => 1,
        '-' if !text.starts_with(['-', '|', '>']) => 2,
        _ => return None,
    };
    Some(Heading { lines: 2, ..Heading::line(line, level, text) })
}

/// Which lines are part of a code fence (or of front matter), its markers included.
fn fenced_lines(lines: &Lines<'_>) -> Vec<bool> {
    let mut fenced = vec![false; lines.count() as usize];
    let mut open: Option<(char, usize)> = None;
    for (line, inside) in fenced.iter_mut().enumerate() {
        let text = lines.line(line as u32).trim();
        if line == 0 && text == "---" {
            open = Some(('-', 3));
        } else if let Some((mark, length)) = open {
            let run = text.chars().take_while(|c| *c == mark).count();
            if run >= length && run == text.chars().count() {
                open = None;
            }
        } else {
            let mark = text.chars().next().filter(|c| matches!(c, '`' | '~'));
            let run = text.chars().take_while(|c| Some(*c) == mark).count();
            // "```code```" on one line is inline code.
            open = mark.filter(|m| run >= 3 && !text[run..].contains(*m)).map(|m| (m, run));
            *inside = open.is_some();
            continue;
        }
        *inside = true;
    }
    fenced
}

#[cfg(test)]
mod tests {
    use super::super::{held, titles};
    use crate::lang::Shape::Markdown;

    #[test]
    fn fences_and_front_matter_hold_no_headings() {
        let text = "---\n# no\n---\n# yes\n```sh\n# no\n```\n~~~\n```\n# no\n~~~\n    # no\n#no\n";
        assert_eq!(titles(Markdown, text), [(1, "yes".to_owned())]);
        assert!(held(Markdown, text).contains(&5) && !held(Markdown, text).contains(&4));
    }

    #[test]
    fn underlined_headings() {
        let titles = titles(Markdown, "Title\n=====\n\nPart\n----\ntext\n\n- a\n---\n");
        assert_eq!(titles, [(1, "Title".to_owned()), (2, "Part".to_owned())]);
    }
}
