//! reStructuredText: headings are drawn, and rank in the order in which their drawings appear.

use super::super::lines::Lines;
use super::{Heading, drawn_with, indent};

pub fn read<'t>(lines: &Lines<'t>) -> (Vec<Heading<'t>>, Vec<bool>) {
    let held = literal_lines(lines);
    // Every way to draw a heading, outermost first: the character, and whether it is also above.
    let mut drawings: Vec<(char, bool)> = Vec::new();
    let mut headings = Vec::new();
    let mut line = 0;
    while line < lines.count() {
        let found = if held[line as usize] { None } else { heading(lines, line) };
        let Some((mark, mut heading)) = found else {
            line += 1;
            continue;
        };
        let drawing = (mark, heading.lines == 3);
        heading.level = drawings.iter().position(|known| *known == drawing).unwrap_or(drawings.len());
        if heading.level == drawings.len() {
            drawings.push(drawing);
        }
        line += heading.lines;
        headings.push(heading);
    }
    (headings, held)
}

/// A heading that begins on this line, with what it is drawn with.
fn heading<'t>(lines: &Lines<'t>, line: u32) -> Option<(char, Heading<'t>)> {
    let begins = line == 0 || lines.is_blank(line - 1) || lines.line(line - 1).starts_with("..");
    let first = lines.line(line);
    if !begins || first.trim().is_empty() {
        return None;
    }
    if let Some(mark) = drawing(first) {
        let (title, under) = (lines.line(line + 1), lines.line(line + 2));
        let is_heading = drawing(under) == Some(mark) && drawing(title).is_none() && !title.trim().is_empty();
        return is_heading.then(|| (mark, Heading { lines: 3, ..Heading::line(line, 0, title.trim()) }));
    }
    let under = lines.line(line + 1).trim_end();
    let mark = drawing(under)?;
    // A short underline is a mistake that is forgiven from four characters on.
    let reaches = under.len() >= first.trim_end().chars().count().min(4);
    (indent(first) == 0 && reaches)
        .then(|| (mark, Heading { lines: 2, ..Heading::line(line, 0, first.trim()) }))
}

fn drawing(line: &str) -> Option<char> {
    let is_long = line.trim_end().len() >= 2;
    drawn_with(line).filter(|mark| is_long && mark.is_ascii_punctuation() && !line.starts_with("::"))
}

/// The lines below `::` and below a directive that are indented further than it, and blank ones between them.
fn literal_lines(lines: &Lines<'_>) -> Vec<bool> {
    let mut held = vec![false; lines.count() as usize];
    let mut line = 0;
    while line < lines.count() {
        let text = lines.line(line);
        let opens = text.trim_end().ends_with("::") || is_directive(text.trim_start());
        let opener = indent(text);
        line += 1;
        if !opens {
            continue;
        }
        let first = line;
        while line < lines.count() && (lines.is_blank(line) || indent(lines.line(line)) > opener) {
            line += 1;
        }
        // Blank lines behind the block are not of it.
        let block = lines.trim(first..line);
        if !block.is_empty() {
            held[first as usize..block.end as usize].fill(true);
        }
    }
    held
}

/// `.. code-block:: rust`, but no comment and no target.
fn is_directive(text: &str) -> bool {
    let name = text.strip_prefix(".. ").and_then(|rest| rest.split_once("::"));
    name.is_some_and(|(name, _)| !name.is_empty() && !name.contains(char::is_whitespace))
}

#[cfg(test)]
mod tests {
    use super::super::{held, titles};
    use crate::lang::Shape::Rst;

    #[test]
    fn drawings_rank_in_the_order_of_their_appearance() {
        let text = "=====\nTitle\n=====\n\nPart\n====\n\ntext\n\nDeep\n~~~~\n\nOther\n=====\n\n----\n";
        let expected = [(0, "Title"), (1, "Part"), (2, "Deep"), (1, "Other")];
        assert_eq!(titles(Rst, text), expected.map(|(level, title)| (level, title.to_owned())));
    }

    #[test]
    fn literal_blocks_and_directives_stay_whole() {
        let text = "Do::\n\n    a\n\n    b\n\nend\n\n.. code-block:: sh\n   :linenos:\n\n   c\n\nend\n.. _target:\n\nT\n-\n";
        assert_eq!(held(Rst, text), [1, 2, 3, 4, 9, 10, 11]);
        assert!(titles(Rst, "Do::\n\n  T\n  ===\n\nNo heading\nEnd\n===\n").is_empty());
    }
}
