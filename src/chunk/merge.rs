//! Joins pieces that are too small to stand alone with their siblings.

use super::kind::ChunkKind;
use super::lines::{Lines, TOKEN};
use super::outline::Piece;

/// Weights between which pieces are joined.
pub struct Sizes {
    /// A piece of at least this weight is joined with no sibling.
    pub small: u32,
    /// How far plain statements and the fields of a type run together.
    pub run: u32,
}

impl Sizes {
    pub fn new(min_tokens: u32, max_tokens: u32) -> Self {
        Sizes { small: min_tokens.saturating_mul(TOKEN), run: (max_tokens / 2).saturating_mul(TOKEN) }
    }
}

pub fn merge(pieces: Vec<Piece>, lines: &Lines<'_>, sizes: &Sizes) -> Vec<Piece> {
    let mut merged: Vec<Piece> = Vec::with_capacity(pieces.len());
    for piece in pieces {
        match merged.last_mut() {
            Some(last) if joins(last, &piece, lines, sizes) => join(last, piece),
            _ => merged.push(piece),
        }
    }
    merged
}

fn joins(last: &Piece, next: &Piece, lines: &Lines<'_>, sizes: &Sizes) -> bool {
    let is_member = last.opens.is_some() && next.parent == last.opens;
    if !is_member && next.parent != last.parent {
        return false;
    }
    let own = lines.weight(last.first..last.end);
    let other = lines.weight(next.first..next.end);
    if own < sizes.small && other < sizes.small {
        return true;
    }
    let runs_on = (is_plain(last.kind) && is_plain(next.kind))
        || (is_member && last.kind.is_type() && !next.kind.is_callable() && next.opens.is_none());
    runs_on && own + other <= sizes.run
}

fn is_plain(kind: ChunkKind) -> bool {
    matches!(kind, ChunkKind::Block | ChunkKind::Variable | ChunkKind::Field)
}

/// What the joined piece is called after: the first of the most telling ones.
fn rank(kind: ChunkKind) -> u8 {
    match kind {
        kind if kind.is_type() => 3,
        ChunkKind::Block | ChunkKind::Namespace | ChunkKind::Text => 0,
        ChunkKind::Field | ChunkKind::Variable => 1,
        _ => 2,
    }
}

fn join(last: &mut Piece, next: Piece) {
    let (first, end) = (last.first, next.end);
    let opens = next.opens.clone().or_else(|| last.opens.clone());
    let mixed = next.kind != last.kind;
    if rank(next.kind) > rank(last.kind) {
        *last = next;
    }
    // A run of values has no name of its own, and with other statements between them no kind either.
    if rank(last.kind) == 1 {
        let kind = if mixed { ChunkKind::Block } else { last.kind };
        *last = Piece::plain(kind, first, last.parent.take());
    }
    (last.first, last.end, last.opens) = (first, end, opens);
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
        let sizes = Sizes { small: 30, run: 90 };
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
        let block = piece(ChunkKind::Namespace, "N", None, 0..1);
        let block = Piece { opens: Some("N".into()), ..block };
        let class = piece(ChunkKind::Class, "C", Some("N"), 1..8);
        let class = Piece { opens: Some("N.C".into()), ..class };
        let field = piece(ChunkKind::Field, "f", Some("N.C"), 8..20);
        let method = piece(ChunkKind::Method, "m", Some("N.C"), 20..40);
        assert_eq!(merged(vec![block, class, field, method]), [("C".into(), 20), ("m".into(), 40)]);
    }
}
