//! A run of lines that is not yet a chunk.

use std::rc::Rc;

use crate::lang::ChunkKind;

/// The longest path of names that is still extended.
pub const MAX_PATH: usize = 300;

pub struct Piece {
    pub kind: ChunkKind,
    pub name: Option<String>,
    pub signature: Option<String>,
    pub parent: Option<Rc<str>>,
    /// The definition that the piece is, or is called after.
    pub definition: Option<u32>,
    pub first: u32,
    pub end: u32,
    /// For a header: the line behind the last of its members. Pieces that begin before it are members.
    pub members_end: u32,
    /// The declaration itself, without what is before and behind it, stands on one line; of a section there
    /// is only its heading.
    pub is_line: bool,
}

impl Piece {
    pub fn plain(kind: ChunkKind, first: u32, parent: Option<Rc<str>>) -> Self {
        let (name, signature, definition) = (None, None, None);
        Piece { kind, name, signature, parent, definition, first, end: first, members_end: 0, is_line: false }
    }
}

/// Gives each piece its end: the next one's start. The first reaches back to the first line.
pub fn close(mut pieces: Vec<Piece>, end: u32) -> Vec<Piece> {
    if pieces.is_empty() {
        pieces.push(Piece::plain(ChunkKind::Block, 0, None));
    }
    pieces[0].first = 0;
    let mut next = end;
    for piece in pieces.iter_mut().rev() {
        piece.end = next;
        next = piece.first;
    }
    pieces
}

/// Paths end where they get too long: under thousands of levels each would be as long as the levels are many.
pub fn qualify(parent: Option<&str>, name: Option<&str>) -> Option<Rc<str>> {
    match (parent, name) {
        (Some(parent), Some(_)) if parent.len() > MAX_PATH => Some(parent.into()),
        (Some(parent), Some(name)) => Some(format!("{parent}.{name}").into()),
        (one, other) => one.or(other).map(Rc::from),
    }
}
