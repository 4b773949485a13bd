//! Cuts a range of lines into parts that fit, at the cheapest boundaries.

use std::cmp::Reverse;
use std::ops::Range;

use super::lines::{Lines, is_ink};

/// The cost of a line before which nothing is cut unless the block it is in does not fit by itself.
pub const NEVER: u32 = 1 << 20;

/// Splits `range` into consecutive parts of at most `limit` weight each. `cost` says how bad it is to begin a
/// part at a line; the cheapest line in the second half of what fits is taken, the latest among equals. A line
/// that is itself above the limit becomes a part of its own.
pub fn pack(
    lines: &Lines<'_>,
    range: Range<u32>,
    limit: u32,
    cost: impl Fn(u32) -> u32,
    mut emit: impl FnMut(Range<u32>),
) {
    let limit = limit.max(1);
    let mut start = range.start;
    loop {
        let rest = lines.weight(start..range.end);
        if rest <= limit || start >= range.end {
            break;
        }
        // Leave a last part that is worth having.
        let reach = limit.min(rest.saturating_sub(limit / 4)).max(1);
        let last = lines.furthest(start, reach).min(range.end - 1);
        let first = lines.furthest(start, limit / 2).max(start) + 1;
        let cut = if last <= start {
            start + 1
        } else {
            let cheapest =
                (first.min(last)..=last).min_by_key(|line| (cost(*line), Reverse(*line))).unwrap_or(last);
            match cost(cheapest) < NEVER {
                true => cheapest,
                // A block that reaches over the limit: before it, however early that is.
                false => (start + 1..first).rev().find(|line| cost(*line) < NEVER).unwrap_or(cheapest),
            }
        };
        emit(start..cut);
        start = cut;
    }
    if start < range.end {
        emit(start..range.end);
    }
}

/// Splits one overlong line into byte ranges of at most `limit` weight each, between characters.
pub fn cut_line(line: &str, limit: u32, mut emit: impl FnMut(Range<usize>)) {
    // In eighths, so that space counts as it does in `Lines`; one is for the line break.
    let limit = limit.saturating_sub(1).max(1).saturating_mul(8);
    let (mut start, mut weight) = (0, 0u32);
    for (at, c) in line.char_indices() {
        let own = if c.is_ascii() && !is_ink(c as u8) { 1 } else { 8 * c.len_utf8() as u32 };
        if weight + own > limit && at > start {
            emit(start..at);
            (start, weight) = (at, 0);
        }
        weight += own;
    }
    if start < line.len() {
        emit(start..line.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str, limit: u32, cost: impl Fn(u32) -> u32) -> Vec<Range<u32>> {
        let lines = Lines::new(text);
        let mut out = Vec::new();
        pack(&lines, 0..lines.count(), limit, cost, |part| out.push(part));
        out
    }

    #[test]
    fn what_fits_stays_whole() {
        let whole = parts("a\nb\nc\n", 6, |_| 0);
        assert_eq!((whole.len(), &whole[0]), (1, &(0..3)));
    }

    #[test]
    fn the_cheapest_line_wins_within_the_second_half() {
        let text = "a\n".repeat(20);
        assert_eq!(parts(&text, 20, |line| u32::from(line != 7))[0], 0..7);
        // Line 2 is cheap too, but would leave a part less than half full.
        assert_eq!(parts(&text, 20, |line| u32::from(line != 2))[0], 0..10);
    }

    #[test]
    fn a_block_that_fits_by_itself_is_not_cut() {
        let text = "a\n".repeat(20);
        let in_block = |line: u32| if (3..12).contains(&line) { NEVER } else { 0 };
        assert_eq!(parts(&text, 20, in_block)[0], 0..2);
        assert_eq!(parts(&text, 20, |line| if line > 0 { NEVER } else { 0 })[0], 0..10);
    }

    #[test]
    fn the_last_part_is_not_a_crumb() {
        let text = "a\n".repeat(11);
        assert_eq!(parts(&text, 20, |_| 0), [0..8, 8..11]);
    }

    #[test]
    fn an_overlong_line_stands_alone() {
        assert_eq!(parts("a\nbbbbbbbbbbbb\nc\n", 4, |_| 0), [0..1, 1..2, 2..3]);
    }

    #[test]
    fn a_line_is_cut_between_characters() {
        let line = "ééééé";
        let mut out = Vec::new();
        cut_line(line, 5, |part| out.push(&line[part]));
        assert_eq!(out, ["éé", "éé", "é"]);
    }
}
