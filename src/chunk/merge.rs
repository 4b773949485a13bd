//! Joins pieces that are too small to stand alone with their siblings.

use super::lines::{Lines, TOKEN};
use super::piece::Piece;
use crate::lang::ChunkKind;

/// Weights between which pieces are joined.
pub struct Sizes {
    /// A piece of at least this weight is joined with no sibling.
    pub small: u32,
    /// How far plain statements and the fields of a type run together.
    pub run: u32,
    /// What no chunk exceeds.
    pub max: u32,
}

impl Sizes {
    /// `max_tokens` times a token's weight must fit.
    pub fn new(min_tokens: u32, max_tokens: u32) -> Self {
        Sizes {
            small: min_tokens.min(max_tokens) * TOKEN,
            run: max_tokens / 2 * TOKEN,
            max: max_tokens * TOKEN,
        }
    }
}

pub fn merge(pieces: Vec<Piece>, lines: &Lines<'_>, sizes: &Sizes) -> Vec<Piece> {
    let mut merged: Vec<Piece> = Vec::with_capacity(pieces.len());
    for piece in pieces {
        match merged.last_mut() {
            Some(last) if joins(last, &piece, lines, sizes) => {
                let speaks = speaks(last, &piece, lines, sizes);
                join(last, piece, speaks);
            }
            _ => merged.push(piece),
        }
    }
    merged
}

/// The joined piece is called after `next`.
fn speaks(last: &Piece, next: &Piece, lines: &Lines<'_>, sizes: &Sizes) -> bool {
    let (own, added) = (weight(last, lines), weight(next, lines));
    // A small entry does not speak for all the values before it.
    let is_telling = rank(last) != 1 || !is_entry(next.kind) || added >= own;
    is_bare_heading(last)
        || opens_entry(last, next, lines, sizes) && added >= sizes.small
        || rank(next) > rank(last) && is_telling
}

fn weight(piece: &Piece, lines: &Lines<'_>) -> u32 {
    lines.weight(piece.first..piece.end)
}

fn joins(last: &Piece, next: &Piece, lines: &Lines<'_>, sizes: &Sizes) -> bool {
    let is_member = next.first < last.members_end;
    let next_stage = last.kind == ChunkKind::Stage && next.kind == ChunkKind::Stage;
    if next_stage || !is_member && next.parent != last.parent {
        return false;
    }
    let own = weight(last, lines);
    let added = weight(next, lines);
    // A type that is not small as a whole stays with its members, unless there is only its namespace before it.
    let opens_namespace = is_member && rank(last) == 0;
    let whole_end = if next.kind.is_type() && !opens_namespace { next.members_end } else { 0 };
    let other = lines.weight(next.first..next.end.max(whole_end));
    if own < sizes.small && other < sizes.small {
        return true;
    }
    let stands_whole = next.members_end == 0 || other < sizes.small;
    let limit = match (last.kind, next.kind) {
        (ChunkKind::Section, ChunkKind::Section) if is_member && is_bare_heading(last) => sizes.max,
        // A line or two before the first heading.
        (ChunkKind::Text, ChunkKind::Section) if own < sizes.small / 4 => sizes.max,
        // The line that opens the file, `<Project>`.
        (ChunkKind::Block, after) if is_entry(after) && own < sizes.small / 4 => sizes.max,
        _ if opens_entry(last, next, lines, sizes) => sizes.max,
        // What is done in a stage stays with the image that it begins with.
        (ChunkKind::Stage, ChunkKind::Block) if is_member => sizes.max,
        _ if is_plain(last) && is_plain(next) => sizes.run,
        // A namespace's own line says little: it goes with the imports above it.
        (_, ChunkKind::Namespace) if is_plain(last) => sizes.run,
        (ChunkKind::Namespace, _) if is_member && is_plain(next) => sizes.run,
        // So does the bare opening of the first type in it.
        (_, after) if opens_namespace && after.is_type() && added < sizes.small / 4 => sizes.run,
        (header, after) if is_member && header.is_type() && !after.is_callable() && stands_whole => sizes.run,
        (header, _) if is_member && is_entry(header) && is_plain(next) => sizes.run,
        _ => 0,
    };
    own + added <= limit
}

/// The bare opening of an entry, `"paths": {`, goes with the first of its members.
fn opens_entry(last: &Piece, next: &Piece, lines: &Lines<'_>, sizes: &Sizes) -> bool {
    is_entry(last.kind) && next.first < last.members_end && weight(last, lines) < sizes.small / 2
}

fn is_entry(kind: ChunkKind) -> bool {
    matches!(kind, ChunkKind::Key | ChunkKind::Element | ChunkKind::Rule)
}

fn is_plain(piece: &Piece) -> bool {
    rank(piece) == 1 || piece.kind == ChunkKind::Block
}

/// What the joined piece is called after: the first of the most telling ones.
fn rank(piece: &Piece) -> u8 {
    match piece.kind {
        kind if kind.is_type() => 3,
        ChunkKind::Block | ChunkKind::Namespace | ChunkKind::Module | ChunkKind::Text => 0,
        ChunkKind::Field | ChunkKind::Variable | ChunkKind::Constant => 1,
        // An entry on one line, or one of many without a name, is a value like others.
        ChunkKind::Key | ChunkKind::Element
            if piece.members_end == 0 && (piece.name.is_none() || piece.is_line) =>
        {
            1
        }
        _ => 2,
    }
}

/// A heading without text, which the section below it speaks for.
fn is_bare_heading(piece: &Piece) -> bool {
    piece.kind == ChunkKind::Section && piece.is_line
}

fn join(last: &mut Piece, next: Piece, speaks: bool) {
    let (first, end, members_end) = (last.first, next.end, last.members_end);
    let mixed = next.kind != last.kind;
    let is_run = rank(last).max(rank(&next)) == 1 || rank(last) == 1 && !speaks;
    if speaks || members_end == 0 {
        let members_end = next.members_end;
        if speaks {
            *last = next;
        }
        last.members_end = members_end;
    }
    // A run of values has no name of its own, and with other statements between them no kind either.
    if is_run {
        last.kind = if mixed { ChunkKind::Block } else { last.kind };
        (last.name, last.signature, last.definition) = (None, None, None);
    }
    (last.first, last.end) = (first, end);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(kind: ChunkKind, name: &str, parent: Option<&str>, lines: std::ops::Range<u32>) -> Piece {
        let plain = Piece::plain(kind, lines.start, parent.map(Into::into));
        Piece { name: Some(name.to_owned()), end: lines.end, ..plain }
    }

    fn merged(pieces: Vec<Piece>) -> Vec<(String, u32)> {
        let text = "xx\n".repeat(100);
        let lines = Lines::new(&text);
        let sizes = Sizes { small: 30, run: 90, max: 150 };
        merge(pieces, &lines, &sizes).into_iter().map(|p| (p.name.unwrap_or_default(), p.end)).collect()
    }

    #[test]
    fn small_siblings_join_until_they_are_big_enough() {
        let small = |n: u32| piece(ChunkKind::Method, &format!("m{n}"), Some("C"), n * 5..n * 5 + 5);
        assert_eq!(
            merged((0..5).map(small).collect()),
            [("m0".into(), 10), ("m2".into(), 20), ("m4".into(), 25)]
        );
    }

    #[test]
    fn a_big_function_joins_nothing() {
        let pieces = vec![
            piece(ChunkKind::Function, "small", None, 0..2),
            piece(ChunkKind::Function, "big", None, 2..40),
            piece(ChunkKind::Function, "tail", None, 40..42),
        ];
        assert_eq!(merged(pieces), [("small".into(), 2), ("big".into(), 40), ("tail".into(), 42)]);
    }

    #[test]
    fn members_of_another_type_stay_apart() {
        let a = piece(ChunkKind::Method, "a", Some("A"), 0..2);
        let b = piece(ChunkKind::Method, "b", Some("B"), 2..4);
        assert_eq!(merged(vec![a, b]).len(), 2);
    }

    #[test]
    fn a_header_takes_its_fields_and_is_called_after_the_type() {
        let namespace = piece(ChunkKind::Namespace, "N", None, 0..1);
        let namespace = Piece { members_end: 50, ..namespace };
        let class = piece(ChunkKind::Class, "C", Some("N"), 1..8);
        let class = Piece { members_end: 40, ..class };
        let field = piece(ChunkKind::Field, "f", Some("N.C"), 8..20);
        let method = piece(ChunkKind::Method, "m", Some("N.C"), 20..40);
        assert_eq!(merged(vec![namespace, class, field, method]), [("C".into(), 20), ("m".into(), 40)]);
    }
}
