//! The lines of a text with their sizes. Chunking works on line numbers; bytes come back only at the end.
//!
//! Sizes are *weights*: the non-space bytes, an eighth of the space, and one for the line break. Three weight
//! units are taken for one token, which is on the safe side for code under the usual subword vocabularies
//! (between 3 and 4 bytes each) and for text in three-byte scripts. Counting space at all keeps a chunk's bytes
//! bounded by its tokens.

use std::ops::Range;

/// Weight of one token.
pub const TOKEN: u32 = 3;

/// The estimated number of tokens in `text`.
pub fn estimate_tokens(text: &str) -> usize {
    let lines = Lines::new(text);
    lines.weight(0..lines.count()).div_ceil(TOKEN) as usize
}

pub struct Lines<'t> {
    pub text: &'t str,
    /// Byte offset of each line's start, and of the text's end.
    starts: Vec<u32>,
    /// Weight of everything before each line, and of the whole text.
    weights: Vec<u32>,
    blank: Vec<bool>,
}

impl<'t> Lines<'t> {
    /// `text` must be shorter than 4 GiB.
    pub fn new(text: &'t str) -> Self {
        let guess = text.len() / 32 + 2;
        let mut lines = Lines {
            text,
            starts: Vec::with_capacity(guess),
            weights: Vec::with_capacity(guess),
            blank: Vec::with_capacity(guess),
        };
        let bytes = text.as_bytes();
        let mut start = 0;
        let mut weight = 0u32;
        let ends = memchr::memchr_iter(b'\n', bytes).map(|at| at + 1).chain([bytes.len()]);
        for end in ends {
            // The end of the text repeats the last line break, or the start of an empty text.
            if end == start {
                continue;
            }
            let line = &bytes[start..end];
            let ink = line.iter().filter(|b| is_ink(**b)).count();
            let space = without_break(line).len() - ink;
            lines.starts.push(start as u32);
            lines.weights.push(weight);
            lines.blank.push(ink == 0);
            weight = weight.saturating_add((ink + space / 8 + 1) as u32);
            start = end;
        }
        lines.starts.push(bytes.len() as u32);
        lines.weights.push(weight);
        lines
    }

    pub fn count(&self) -> u32 {
        self.blank.len() as u32
    }

    pub fn is_blank(&self, line: u32) -> bool {
        self.blank.get(line as usize).copied().unwrap_or(true)
    }

    pub fn weight(&self, lines: Range<u32>) -> u32 {
        let last = self.weights.len() - 1;
        let at = |line: u32| self.weights[(line as usize).min(last)];
        at(lines.end).saturating_sub(at(lines.start))
    }

    /// The last line to which a range from `start` can extend (exclusive) without weighing more than `weight`.
    pub fn furthest(&self, start: u32, weight: u32) -> u32 {
        let base = self.weights[(start as usize).min(self.weights.len() - 1)];
        let reach = base.saturating_add(weight);
        (self.weights.partition_point(|w| *w <= reach) as u32).saturating_sub(1).max(start)
    }

    /// The bytes of some lines, without the last line break.
    pub fn bytes(&self, lines: Range<u32>) -> Range<usize> {
        let last = self.starts.len() - 1;
        let start = self.starts[(lines.start as usize).min(last)] as usize;
        let end = self.starts[(lines.end as usize).min(last)] as usize;
        let inside = &self.text.as_bytes()[start.min(end)..end];
        start..start + without_break(inside).len()
    }

    pub fn line(&self, line: u32) -> &'t str {
        // Lines begin and end next to ASCII bytes, so the range is always on character boundaries.
        self.text.get(self.bytes(line..line + 1)).unwrap_or("")
    }

    /// Without the blank lines at either end; empty if all are blank.
    pub fn trim(&self, mut lines: Range<u32>) -> Range<u32> {
        while lines.start < lines.end && self.is_blank(lines.start) {
            lines.start += 1;
        }
        while lines.start < lines.end && self.is_blank(lines.end - 1) {
            lines.end -= 1;
        }
        lines
    }
}

/// The same for both line endings, so that they make no difference to where a text is cut.
fn without_break(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

pub fn is_ink(byte: u8) -> bool {
    !matches!(byte, b'\t'..=b'\r' | b' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_lines_and_finds_their_bytes() {
        let lines = Lines::new("a\r\n\n  b c");
        assert_eq!(lines.count(), 3);
        assert_eq!((lines.line(0), lines.line(1), lines.line(2)), ("a", "", "  b c"));
        assert!(lines.is_blank(1) && !lines.is_blank(2) && lines.is_blank(3));
        assert_eq!(lines.trim(1..3), 2..3);
        assert_eq!(lines.bytes(0..3), 0..9);
    }

    #[test]
    fn a_text_without_lines() {
        let lines = Lines::new("");
        assert_eq!(lines.count(), 0);
        assert_eq!(lines.weight(0..0), 0);
        assert_eq!(lines.bytes(0..0), 0..0);
    }

    #[test]
    fn furthest_stays_within_the_weight() {
        let lines = Lines::new("aa\nbb\ncc\n");
        assert_eq!(lines.weight(0..2), 6);
        assert_eq!(lines.furthest(0, 6), 2);
        assert_eq!(lines.furthest(0, 8), 2);
        assert_eq!(lines.furthest(0, 2), 0);
        assert_eq!(lines.furthest(1, 100), 3);
    }

    #[test]
    fn space_alone_still_weighs() {
        let padded = format!("x{}\n", " ".repeat(8000));
        assert!(Lines::new(&padded).weight(0..1) >= 1000);
        assert_eq!(estimate_tokens("foo(bar)\n"), 3);
    }
}
