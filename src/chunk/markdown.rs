//! Sections of a Markdown document. Headings inside code fences are code, and fences are cut only when one is
//! too large for a chunk by itself.

use std::rc::Rc;

use super::lines::Lines;
use super::outline::{Piece, close};
use super::split::shape_cost;
use crate::lang::ChunkKind;
use crate::lang::naming::collapse;

const MAX_HEADING: usize = 120;
const IN_FENCE: u32 = 512;

/// One piece for each heading, named after it; its parents are the headings above, outermost first.
pub fn sections(lines: &Lines<'_>) -> Vec<Piece> {
    let fenced = fenced_lines(lines);
    // The headings that are open, each with its level, its qualified name and its piece.
    let mut path: Vec<(u8, Rc<str>, usize)> = Vec::new();
    let mut pieces = Vec::new();
    if lines.count() > 0 {
        pieces.push(Piece::plain(ChunkKind::Text, 0, None));
    }
    for line in (0..lines.count()).filter(|line| !fenced[*line as usize]) {
        let Some((level, title)) = heading(lines, line) else { continue };
        while let Some((_, _, piece)) = path.pop_if(|(above, ..)| *above >= level) {
            pieces[piece].members_end = line;
        }
        let parent = path.last().map(|(_, qualified, _)| qualified.clone());
        let name = collapse(title, MAX_HEADING);
        let qualified: Rc<str> = match &parent {
            Some(parent) => format!("{parent} > {name}").into(),
            None => name.as_str().into(),
        };
        if line == 0 {
            pieces.clear();
        }
        path.push((level, qualified, pieces.len()));
        let plain = Piece::plain(ChunkKind::Section, line, parent);
        pieces.push(Piece { name: Some(name), members_end: lines.count(), ..plain });
    }
    close(pieces, lines.count())
}

/// Costs for cutting a section: as for other text, but hardly ever inside a fence.
pub fn costs(lines: &Lines<'_>) -> impl Fn(u32) -> u32 {
    let fenced = fenced_lines(lines);
    move |line| {
        let inside = line > 0 && fenced[line as usize] && fenced[line as usize - 1];
        shape_cost(lines, line) + if inside { IN_FENCE } else { 0 }
    }
}

/// The level and title of a heading that begins on this line.
fn heading<'t>(lines: &Lines<'t>, line: u32) -> Option<(u8, &'t str)> {
    let text = lines.line(line);
    if text.len() - text.trim_start_matches(' ').len() > 3 {
        return None;
    }
    let text = text.trim();
    let level = text.bytes().take_while(|b| *b == b'#').count();
    if level > 0 {
        let title = &text[level..];
        let is_heading = level <= 6 && (title.is_empty() || title.starts_with([' ', '\t']));
        return is_heading.then(|| (level as u8, title.trim_end_matches('#').trim()));
    }
    // Setext: a line of text over a line of `=` or `-`, and not the second line of a paragraph.
    let opens_paragraph = line == 0 || lines.is_blank(line - 1);
    if text.is_empty() || !opens_paragraph || line + 1 >= lines.count() {
        return None;
    }
    let under = lines.line(line + 1).trim_end();
    let all = |c: char| under.len() >= 3 && under.chars().all(|u| u == c);
    match () {
        () if all('=') => Some((1, text)),
        () if all('-') && !text.starts_with(['-', '|', '>']) => Some((2, text)),
        () => None,
    }
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
    use super::*;

    fn outline(text: &str) -> Vec<(String, Option<String>, u32)> {
        let lines = Lines::new(text);
        let pieces = sections(&lines).into_iter();
        pieces.map(|p| (p.name.unwrap_or_default(), p.parent.map(|p| p.to_string()), p.first)).collect()
    }

    #[test]
    fn headings_nest() {
        let text = "intro\n\n# A\n\n## B ##\ntext\n\n# C\n";
        let b = ("B".to_owned(), Some("A".to_owned()), 4);
        let expected = [(String::new(), None, 0), ("A".to_owned(), None, 2), b, ("C".to_owned(), None, 7)];
        assert_eq!(outline(text), expected);
    }

    #[test]
    fn fences_and_front_matter_hold_no_headings() {
        let text = "---\n# no\n---\n# yes\n```sh\n# no\n```\n~~~\n```\n# no\n~~~\n    # no\n#no\n";
        let names: Vec<_> = outline(text).into_iter().map(|(name, ..)| name).collect();
        assert_eq!(names, ["", "yes"]);
    }

    #[test]
    fn underlined_headings() {
        let names: Vec<_> = outline("Title\n=====\n\nPart\n----\ntext\n\n- a\n---\n").into_iter().collect();
        assert_eq!(names.len(), 2);
        assert_eq!(names[1], ("Part".to_owned(), Some("Title".to_owned()), 3));
    }
}
