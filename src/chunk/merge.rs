//! Joins pieces that are too small to stand alone with their siblings.

use super::lines::{Lines, TOKEN};
use super::outline::Piece;
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
                let bare = is_bare_heading(last, lines);
                join(last, piece, bare);
            }
            _ => merged.push(piece),
        }
    }
    merged
}

fn joins(last: &Piece, next: &Piece, lines: &Lines<'_>, sizes: &Sizes) -> bool {
    let is_member = next.first < last.members_end;
    if !is_member && next.parent != last.parent {
        return false;
    }
    let own = lines.weight(last.first..last.end);
    let added = lines.weight(next.first..next.end);
    // A type that is not small as a whole stays with its members, unless there is only its namespace before it.
    let opens_namespace = is_member && rank(last.kind) == 0;
    let whole_end = if next.kind.is_type() && !opens_namespace { next.members_end } else { 0 };
    let other = lines.weight(next.first..next.end.max(whole_end));
    if own < sizes.small && other < sizes.small {
        return true;
    }
    let stands_whole = next.members_end == 0 || other < sizes.small;
    let limit = match (last.kind, next.kind) {
        (ChunkKind::Section, ChunkKind::Section) if is_member && is_bare_heading(last, lines) => sizes.max,
        (before, after) if is_plain(before) && is_plain(after) => sizes.run,
        // A namespace's own line says little: it goes with the imports above it.
        (before, ChunkKind::Namespace) if is_plain(before) => sizes.run,
        (ChunkKind::Namespace, after) if is_member && is_plain(after) => sizes.run,
        // So does the bare opening of the first type in it.
        (_, after) if opens_namespace && after.is_type() && added < sizes.small / 4 => sizes.run,
        (header, after) if is_member && header.is_type() && !after.is_callable() && stands_whole => sizes.run,
        _ => 0,
    };
    own + added <= limit
}

fn is_plain(kind: ChunkKind) -> bool {
    matches!(kind, ChunkKind::Block | ChunkKind::Variable | ChunkKind::Field | ChunkKind::Constant)
}

/// What the joined piece is called after: the first of the most telling ones.
fn rank(kind: ChunkKind) -> u8 {
    match kind {
        kind if kind.is_type() => 3,
        ChunkKind::Block | ChunkKind::Namespace | ChunkKind::Module | ChunkKind::Text => 0,
        ChunkKind::Field | ChunkKind::Variable | ChunkKind::Constant => 1,
        _ => 2,
    }
}

/// A heading without text, which the section below it speaks for.
fn is_bare_heading(piece: &Piece, lines: &Lines<'_>) -> bool {
    piece.kind == ChunkKind::Section && lines.trim(piece.first..piece.end).len() == 1
}

fn join(last: &mut Piece, next: Piece, bare: bool) {
    let (first, end, members_end) = (last.first, next.end, last.members_end);
    let mixed = next.kind != last.kind;
    let speaks = rank(next.kind) > rank(last.kind) || bare;
    if speaks || members_end == 0 {
        let members_end = next.members_end;
        if speaks {
            *last = next;
        }
        last.members_end = members_end;
    }
    // A run of values has no name of its own, and with other statements between them no kind either.
    if rank(last.kind) == 1 {
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
