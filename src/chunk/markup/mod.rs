//! The markups that documents are written in: where their headings are, and which lines belong together.

mod asciidoc;
mod markdown;
mod org;
mod rst;

use super::lines::Lines;
use crate::lang::Shape;

#[derive(Debug, PartialEq, Eq)]
pub struct Heading<'t> {
    /// The first line of it.
    pub line: u32,
    /// How many lines it has, with those that are drawn over and under it.
    pub lines: u32,
    /// Smaller is further out.
    pub level: usize,
    pub title: &'t str,
}

impl<'t> Heading<'t> {
    fn line(line: u32, level: usize, title: &'t str) -> Self {
        Heading { line, lines: 1, level, title }
    }

    /// The line that says it: of three the second.
    pub fn text_line(&self) -> u32 {
        self.line + self.lines / 3
    }
}

/// The headings of a document in order, and of each line whether it goes on with the block before it.
pub fn read<'t>(shape: Shape, lines: &Lines<'t>) -> (Vec<Heading<'t>>, Vec<bool>) {
    match shape {
        Shape::Markdown => markdown::read(lines),
        Shape::Rst => rst::read(lines),
        Shape::AsciiDoc => asciidoc::read(lines),
        Shape::Org => org::read(lines),
        Shape::Code | Shape::Prose => (Vec::new(), vec![false; lines.count() as usize]),
    }
}

/// The only character of a line, if there is only one.
fn drawn_with(line: &str) -> Option<char> {
    let mut letters = line.trim_end().chars();
    let mark = letters.next()?;
    letters.all(|c| c == mark).then_some(mark)
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

#[cfg(test)]
fn titles(shape: Shape, text: &str) -> Vec<(usize, String)> {
    let lines = Lines::new(text);
    let (headings, _) = read(shape, &lines);
    headings.into_iter().map(|heading| (heading.level, heading.title.to_owned())).collect()
}

#[cfg(test)]
fn held(shape: Shape, text: &str) -> Vec<u32> {
    let lines = Lines::new(text);
    let (_, held) = read(shape, &lines);
    (0..lines.count()).filter(|line| held[*line as usize]).collect()
}
