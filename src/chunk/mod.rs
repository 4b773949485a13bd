//! Cuts a file into chunks: a pure function of its text and language.
//!
//! What holds for every text in every language: chunks are sorted, never overlap, begin and end at line borders
//! (except the parts of a line that is itself too long) and cover every line that is not blank. Nothing here
//! reads a file, fails or panics; what cannot be parsed is cut by lines.
//!
//! Data flow: `guard` says whether bytes are text; the facts of its syntax tree and `outline` (or `document`)
//! find pieces, `merge` joins the small ones, `split` and `pack` cut the large ones.

pub mod guard;

mod document;
#[cfg(test)]
mod fuzz;
mod generated;
mod lines;
mod markup;
mod merge;
mod outline;
mod pack;
mod piece;
mod recipe;
mod split;
#[cfg(test)]
mod tests;

pub use crate::lang::{ChunkKind, ParseStatus};
pub use generated::is_generated;
pub use guard::{Content, SkipReason, inspect};
pub use lines::estimate_tokens;
pub use recipe::recipe;

use std::borrow::Cow;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::facts::{self, Facts};
use crate::lang::grammar::Grammar;
use crate::lang::{Language, Shape, parse};
use lines::{Lines, TOKEN};
use merge::Sizes;
use piece::Piece;

/// Sizes that chunks are made to fit. Tokens are estimated (see [`estimate_tokens`]): a third of the non-space
/// bytes, a little more for space and line breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Siblings smaller than this are joined.
    pub min_tokens: usize,
    /// What is larger is cut.
    pub max_tokens: usize,
    /// Bytes of a file above which its structure is not looked at.
    pub fixed_interval_above: usize,
}

/// Small ones, so that small texts show what large ones do; the real defaults are the configuration's.
#[cfg(test)]
impl Default for Limits {
    fn default() -> Self {
        Limits { min_tokens: 64, max_tokens: 512, fixed_interval_above: 1 << 20 }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chunk {
    pub kind: ChunkKind,
    pub name: Option<String>,
    /// The declaration up to its body, on one line.
    pub signature: Option<String>,
    /// The names it stands in, outermost first: `Namespace.Class`, for documents `Chapter > Section`.
    pub parent: Option<String>,
    /// The definition that it is, or is called after: an index into the facts of the file.
    pub definition: Option<u32>,
    /// The first line, counted from 1.
    pub start_line: u32,
    /// The last line, inclusive.
    pub end_line: u32,
    pub start_byte: u32,
    /// Exclusive; the last line's break is left out.
    pub end_byte: u32,
}

impl Chunk {
    pub fn bytes(&self) -> Range<usize> {
        self.start_byte as usize..self.end_byte as usize
    }

    /// What is embedded and indexed: the chunk's text, and behind it what it stands in. A method alone does not say of
    /// which class it is. Measured on 38 public repositories with 755 questions: with it NDCG@10 is 0.856, without 0.848.
    /// A list of a type's members behind its header, or an overview of each file as a chunk of its own, cost 0.003 and 0.002.
    pub fn passage<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let own = &text[self.bytes()];
        match &self.parent {
            Some(parent) => Cow::Owned(format!("{own}\nin {parent}")),
            None => Cow::Borrowed(own),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunked {
    pub chunks: Vec<Chunk>,
    pub facts: Facts,
    pub status: ParseStatus,
}

/// Cuts `text` into chunks. Offsets are `u32`: of a text above 4 GiB only the first 4 GiB are seen.
pub fn chunk(text: &str, language: Language, limits: &Limits) -> Chunked {
    let text = &text[..text.floor_char_boundary(u32::MAX as usize)];
    let fits = |tokens: usize| u32::try_from(tokens).unwrap_or(u32::MAX).clamp(1, u32::MAX / TOKEN);
    let max_tokens = fits(limits.max_tokens);
    let job = Job { lines: &Lines::new(text), max_tokens, min_tokens: fits(limits.min_tokens) };
    if text.len() > limits.fixed_interval_above {
        return Chunked::plain(job.at_line_ends(language), ParseStatus::FixedInterval);
    }
    if let Some(grammar) = language.grammar() {
        return job.by_syntax(language, grammar);
    }
    match language.shape() {
        Shape::Code | Shape::Prose => Chunked::plain(job.by_shape(language), ParseStatus::Text),
        shape => job.by_headings(shape),
    }
}

impl Chunked {
    fn plain(chunks: Vec<Chunk>, status: ParseStatus) -> Chunked {
        Chunked { chunks, facts: Facts::default(), status }
    }
}

struct Job<'a, 't> {
    lines: &'a Lines<'t>,
    min_tokens: u32,
    max_tokens: u32,
}

impl Job<'_, '_> {
    fn by_syntax(&self, language: Language, grammar: &'static Grammar) -> Chunked {
        let Some(tree) = parse::parse(self.lines.text, grammar) else {
            return Chunked::plain(self.by_shape(language), ParseStatus::Fallback);
        };
        let facts = facts::extract(&tree, grammar.compiled(), self.lines.text);
        let sizes = Sizes::new(self.min_tokens, self.max_tokens);
        let pieces = outline::outline(&tree, grammar.compiled(), &facts, self.lines, &sizes);
        let pieces = merge::merge(pieces, self.lines, &sizes);
        let limit = self.max_tokens * TOKEN;
        let mut chunks = Vec::with_capacity(pieces.len());
        for piece in pieces {
            let range = self.lines.trim(piece.first..piece.end);
            if self.lines.weight(range.clone()) <= limit {
                self.emit(&piece, range, &mut chunks);
                continue;
            }
            let costs = split::syntax_costs(&tree, grammar.compiled(), self.lines, range.clone(), limit / 8);
            let cost = |line: u32| costs[(line - range.start) as usize];
            pack::pack(self.lines, range.clone(), limit, cost, |part| self.emit(&piece, part, &mut chunks));
        }
        let errors = tree.root_node().has_error();
        Chunked { chunks, facts, status: if errors { ParseStatus::Errors } else { ParseStatus::Parsed } }
    }

    fn by_headings(&self, shape: Shape) -> Chunked {
        let (headings, held) = markup::read(shape, self.lines);
        let (pieces, facts) = document::sections(self.lines, &headings);
        let pieces = merge::merge(pieces, self.lines, &Sizes::new(self.min_tokens, self.max_tokens));
        let cost = document::costs(self.lines, &held);
        let mut chunks = Vec::with_capacity(pieces.len());
        for piece in pieces {
            let range = self.lines.trim(piece.first..piece.end);
            pack::pack(self.lines, range, self.max_tokens * TOKEN, &cost, |part| {
                self.emit(&piece, part, &mut chunks);
            });
        }
        Chunked { chunks, facts, status: ParseStatus::Text }
    }

    /// Toward three quarters of the limit, so that there is a choice of places to cut.
    fn by_shape(&self, language: Language) -> Vec<Chunk> {
        let limit = self.max_tokens * TOKEN / 4 * 3;
        self.whole(language, limit, |line| split::shape_cost(self.lines, line))
    }

    fn at_line_ends(&self, language: Language) -> Vec<Chunk> {
        self.whole(language, self.max_tokens * TOKEN, |_| 0)
    }

    fn whole(&self, language: Language, limit: u32, cost: impl Fn(u32) -> u32) -> Vec<Chunk> {
        let kind = match language.shape() {
            Shape::Code => ChunkKind::Block,
            _ => ChunkKind::Text,
        };
        let piece = Piece::plain(kind, 0, None);
        let mut chunks = Vec::new();
        let range = self.lines.trim(0..self.lines.count());
        pack::pack(self.lines, range, limit, cost, |part| self.emit(&piece, part, &mut chunks));
        chunks
    }

    /// Makes chunks of some lines of a piece: one, or several if it is a single line above the limit.
    fn emit(&self, piece: &Piece, part: Range<u32>, chunks: &mut Vec<Chunk>) {
        let part = self.lines.trim(part);
        if part.is_empty() {
            return;
        }
        let bytes = self.lines.bytes(part.clone());
        let limit = self.max_tokens * TOKEN;
        if part.len() > 1 || self.lines.weight(part.clone()) <= limit {
            chunks.push(to_chunk(piece, &part, bytes));
            return;
        }
        let line = self.lines.line(part.start);
        pack::cut_line(line, limit, |inside| {
            if !line[inside.clone()].trim().is_empty() {
                chunks.push(to_chunk(piece, &part, bytes.start + inside.start..bytes.start + inside.end));
            }
        });
    }
}

fn to_chunk(piece: &Piece, lines: &Range<u32>, bytes: Range<usize>) -> Chunk {
    Chunk {
        kind: piece.kind,
        name: piece.name.clone(),
        signature: piece.signature.clone(),
        parent: piece.parent.as_deref().map(str::to_owned),
        definition: piece.definition,
        start_line: lines.start + 1,
        end_line: lines.end,
        start_byte: bytes.start as u32,
        end_byte: bytes.end as u32,
    }
}
