//! One word: folded to lower case while it is read, cut into parts, given out as terms when it ends.

use super::MAX_TERM_BYTES;
use super::stem::stem;

#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Kind {
    /// No part of a word.
    #[default]
    Gap,
    Lower,
    Upper,
    Digit,
    /// `_`: joins parts without being in one.
    Joint,
    /// A byte of a character past ASCII.
    Wide,
}

const KINDS: [Kind; 256] = {
    let mut kinds = [Kind::Gap; 256];
    let mut byte = 0;
    while byte < 256 {
        kinds[byte] = match byte as u8 {
            b'a'..=b'z' => Kind::Lower,
            b'A'..=b'Z' => Kind::Upper,
            b'0'..=b'9' => Kind::Digit,
            b'_' => Kind::Joint,
            0x80.. => Kind::Wide,
            _ => Kind::Gap,
        };
        byte += 1;
    }
    kinds
};

#[inline]
pub(super) fn kind_of(byte: u8) -> Kind {
    KINDS[byte as usize]
}

/// Characters of scripts that are written without spaces between words: Han, kana, hangul.
pub(super) fn is_unspaced(c: char) -> bool {
    matches!(c as u32, 0x3040..=0x30FF | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xAC00..=0xD7AF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF)
        && c.is_alphanumeric()
}

/// Accents that stand after their letter. They are left out of words instead of ending them.
pub(super) fn is_combining(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}')
}

/// A word with at least this many parts, of under 3 bytes on average, is no name.
const CRUMBS: usize = 8;

const MAX_DIGITS: usize = 20;

#[derive(Default)]
pub(super) struct Word {
    /// The word so far, lower-cased and without joints.
    folded: String,
    /// Where parts start in `folded`, ascending; 0 is the first as soon as there is a character.
    starts: Vec<usize>,
    /// Where the last character starts in `folded`.
    last: usize,
    before: Kind,
    /// The unspaced character just before, for the next pair.
    unspaced: Option<char>,
    /// The term being given out; a field only to keep its memory.
    term: String,
}

impl Word {
    #[inline]
    pub fn push_ascii(&mut self, byte: u8, kind: Kind, next_is_lower: impl FnOnce() -> bool) {
        self.unspaced = None;
        if kind != Kind::Joint {
            self.cut(kind, || byte == b's' && !next_is_lower());
            self.last = self.folded.len();
            self.folded.push(byte.to_ascii_lowercase() as char);
        }
        self.before = kind;
    }

    /// `c` is a letter or digit past ASCII; all that are not upper case count as lower case.
    pub fn push_wide(&mut self, c: char) {
        self.unspaced = None;
        let kind = if c.is_uppercase() { Kind::Upper } else { Kind::Lower };
        self.cut(kind, || false);
        self.last = self.folded.len();
        self.folded.extend(c.to_lowercase().filter(|&lower| !is_combining(lower)));
        self.before = kind;
    }

    /// Ends the word before `c` and gives out `c`, alone and with its neighbour.
    pub fn push_unspaced(&mut self, c: char, f: &mut impl FnMut(&str)) {
        let neighbour = self.unspaced;
        self.end(f);
        self.term.clear();
        if let Some(neighbour) = neighbour {
            self.term.push(neighbour);
            self.term.push(c);
            f(&self.term);
            self.term.clear();
        }
        self.term.push(c);
        f(&self.term);
        self.unspaced = Some(c);
    }

    /// Starts a part where a character of `kind` does not continue the one before. The last capital of several
    /// belongs to the lower-case letters after it (`HTTPServer`), unless those are a plural's (`URLs`).
    #[inline]
    fn cut(&mut self, kind: Kind, is_plural: impl FnOnce() -> bool) {
        let part = self.starts.last().copied();
        let at = match (self.before, kind) {
            (Kind::Upper, Kind::Lower) if part.is_some_and(|start| start < self.last) && !is_plural() => {
                self.last
            }
            (Kind::Upper, Kind::Lower | Kind::Upper)
            | (Kind::Lower, Kind::Lower)
            | (Kind::Digit, Kind::Digit) => {
                return;
            }
            _ => self.folded.len(),
        };
        if part != Some(at) {
            self.starts.push(at);
        }
    }

    /// Gives out the terms of the word, if there is one, and forgets it.
    #[inline]
    pub fn end(&mut self, f: &mut impl FnMut(&str)) {
        if !self.folded.is_empty() {
            self.give_out(f);
            self.folded.clear();
            self.starts.clear();
        }
        self.before = Kind::Gap;
        self.unspaced = None;
    }

    fn give_out(&mut self, f: &mut impl FnMut(&str)) {
        let Word { folded, starts, term, .. } = self;
        let crumbs = starts.len() >= CRUMBS && 3 * starts.len() > folded.len();
        let is_number = || folded.bytes().all(|byte| byte.is_ascii_digit());
        if starts.len() > 1 && !crumbs && !is_number() {
            let ends = starts[1..].iter().copied().chain([folded.len()]);
            for (&start, end) in starts.iter().zip(ends) {
                give(&folded[start..end], term, f);
            }
        }
        give(folded, term, f);
    }
}

/// Gives out one part or whole word, in its final form, if it is worth a term.
#[inline]
fn give(word: &str, term: &mut String, f: &mut impl FnMut(&str)) {
    let first_is_digit = word.as_bytes().first().is_some_and(u8::is_ascii_digit);
    let too_short = word.len() < 2;
    if too_short
        || (first_is_digit && word.len() > MAX_DIGITS && word.bytes().all(|byte| byte.is_ascii_digit()))
    {
        return;
    }
    term.clear();
    term.push_str(word);
    stem(term);
    if term.len() > MAX_TERM_BYTES {
        shorten(term);
    }
    f(term);
}

/// Replaces the end of a long term by 16 hex digits of its hash.
fn shorten(term: &mut String) {
    let hash = blake3::hash(term.as_bytes()).to_hex();
    let mut keep = MAX_TERM_BYTES - 16;
    while !term.is_char_boundary(keep) {
        keep -= 1;
    }
    term.truncate(keep);
    term.push_str(&hash[..16]);
}
