//! Sections of a document, whatever its markup: one piece and one definition for each heading. Headings inside
//! of code are code, and blocks of code are cut only when one is too large for a chunk by itself.

use std::rc::Rc;

use super::lines::Lines;
use super::markup::Heading;
use super::pack::NEVER;
use super::piece::{MAX_PATH, Piece, close};
use super::split::shape_cost;
use crate::facts::{Definition, Facts, Flags, Visibility};
use crate::lang::ChunkKind;
use crate::lang::naming::collapse;

const MAX_HEADING: usize = 120;

/// A heading under which lines still stand.
struct Open {
    level: usize,
    qualified: Rc<str>,
    piece: usize,
    definition: Option<u32>,
}

struct Sections<'a, 't> {
    lines: &'a Lines<'t>,
    open: Vec<Open>,
    pieces: Vec<Piece>,
    /// Of each piece, how many lines its heading has.
    heading_lines: Vec<usize>,
    facts: Facts,
}

/// One piece for each heading, named after it; its parents are the headings above, outermost first.
pub fn sections(lines: &Lines<'_>, headings: &[Heading<'_>]) -> (Vec<Piece>, Facts) {
    let mut sections = Sections {
        lines,
        open: Vec::new(),
        pieces: Vec::new(),
        heading_lines: Vec::new(),
        facts: Facts::default(),
    };
    if lines.count() > 0 && headings.first().is_none_or(|first| first.line > 0) {
        sections.pieces.push(Piece::plain(ChunkKind::Text, 0, None));
        sections.heading_lines.push(0);
    }
    for heading in headings {
        sections.add(heading);
    }
    sections.close_from(0, lines.count());
    let mut pieces = close(sections.pieces, lines.count());
    for (piece, own) in pieces.iter_mut().zip(sections.heading_lines) {
        piece.is_line = lines.trim(piece.first..piece.end).len() <= own;
    }
    (pieces, sections.facts)
}

impl Sections<'_, '_> {
    fn add(&mut self, heading: &Heading<'_>) {
        self.close_from(heading.level, heading.line);
        let parent = self.open.last().map(|open| open.qualified.clone());
        let name = collapse(heading.title, MAX_HEADING);
        let qualified: Rc<str> = match &parent {
            Some(parent) if parent.len() > MAX_PATH || name.is_empty() => parent.clone(),
            Some(parent) => format!("{parent} > {name}").into(),
            None => name.as_str().into(),
        };
        let definition = (!name.is_empty()).then(|| self.define(heading, &name));
        let piece = Piece {
            name: (!name.is_empty()).then_some(name),
            definition,
            members_end: self.lines.count(),
            ..Piece::plain(ChunkKind::Section, heading.line, parent)
        };
        self.open.push(Open { level: heading.level, qualified, piece: self.pieces.len(), definition });
        self.pieces.push(piece);
        self.heading_lines.push(heading.lines as usize);
    }

    fn define(&mut self, heading: &Heading<'_>, name: &str) -> u32 {
        let bytes = self.lines.bytes(heading.line..heading.line + heading.lines);
        self.facts.definitions.push(Definition {
            kind: ChunkKind::Section,
            name: name.to_owned(),
            owner: None,
            parent: self.open.iter().rev().find_map(|open| open.definition),
            signature: collapse(self.lines.line(heading.text_line()), 2 * MAX_HEADING),
            visibility: Visibility::Public,
            flags: Flags::default(),
            start_line: heading.line + 1,
            end_line: heading.line + heading.lines,
            start_byte: bytes.start as u32,
            end_byte: bytes.end as u32,
            at: bytes.start as u32,
            doc: None,
            props: None,
        });
        self.facts.definitions.len() as u32 - 1
    }

    /// Ends all sections of this level and below before a line.
    fn close_from(&mut self, level: usize, line: u32) {
        while let Some(open) = self.open.pop_if(|open| open.level >= level) {
            self.pieces[open.piece].members_end = line;
            let Some(definition) = open.definition.and_then(|at| self.facts.definitions.get_mut(at as usize))
            else {
                continue;
            };
            let own = self.lines.trim(definition.start_line - 1..line);
            definition.end_line = own.end.max(definition.end_line);
            definition.end_byte = self.lines.bytes(own).end.max(definition.end_byte as usize) as u32;
        }
    }
}

/// Costs for cutting a section: as for other text, but never inside of a block if that can be helped.
pub fn costs(lines: &Lines<'_>, held: &[bool]) -> impl Fn(u32) -> u32 {
    move |line| if held[line as usize] { NEVER } else { shape_cost(lines, line) }
}

#[cfg(test)]
mod tests {
    use super::super::markup::read;
    use super::*;
    use crate::lang::Shape;

    fn outline(text: &str) -> Vec<(String, Option<String>, u32)> {
        let lines = Lines::new(text);
        let (headings, _) = read(Shape::Markdown, &lines);
        let (pieces, _) = sections(&lines, &headings);
        let of = |p: Piece| (p.name.unwrap_or_default(), p.parent.as_deref().map(str::to_owned), p.first);
        pieces.into_iter().map(of).collect()
    }

    #[test]
    fn headings_nest_by_level() {
        let text = "intro\n\n# A\n\n## B\ntext\n\n# C #\n";
        let b = ("B".to_owned(), Some("A".to_owned()), 4);
        let expected = [(String::new(), None, 0), ("A".to_owned(), None, 2), b, ("C".to_owned(), None, 7)];
        assert_eq!(outline(text), expected);
    }

    #[test]
    fn sections_are_definitions_that_hold_what_is_below_them() {
        let text = "# A\n\n## B\ntext\n\n\n# C\n";
        let lines = Lines::new(text);
        let (headings, _) = read(Shape::Markdown, &lines);
        let facts = sections(&lines, &headings).1;
        let spans: Vec<_> = facts.definitions.iter().map(|d| (d.start_line, d.end_line, d.parent)).collect();
        assert_eq!(spans, [(1, 4, None), (3, 4, Some(0)), (7, 7, None)]);
        assert_eq!(facts.qualified_name(&facts.definitions[1]), "A > B");
        assert_eq!(&text[facts.definitions[0].bytes()], "# A\n\n## B\ntext");
        assert_eq!(facts.definitions[1].signature, "## B");
    }
}
