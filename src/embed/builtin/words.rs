//! Text to the words that WordPiece works on.
//!
//! Runs of letters and runs of ASCII digits, lower-cased, cut where an ASCII identifier changes case
//! (`parseHTTPHeader` is `parse http header`); everything else only separates. This repeats, to the last code
//! point, the normalizer and the pre-tokenizer that the model was trained with: a word cut elsewhere is a word
//! the model has never seen. `fixtures/embed/tokens.json` pins it.

use super::data::Data;

/// Words of more characters are unknown as a whole; the model was trained so.
pub(super) const MAX_CHARS: usize = 40;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Lower,
    Upper,
    Digit,
    /// An ASCII byte that is part of no word.
    Gap,
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
            0x80.. => Kind::Wide,
            _ => Kind::Gap,
        };
        byte += 1;
    }
    kinds
};

/// Calls `word` with the UTF-8 of every word of at most [`MAX_CHARS`] characters.
pub(super) fn for_each_word(data: &Data, text: &str, mut word: impl FnMut(&[u8])) {
    let bytes = text.as_bytes();
    let kind_at = |at: usize| bytes.get(at).map_or(Kind::Gap, |&byte| KINDS[byte as usize]);
    let mut current = Word::default();
    let (mut at, mut before) = (0, Kind::Gap);
    while at < bytes.len() {
        let kind = kind_at(at);
        match kind {
            Kind::Lower => {
                if before == Kind::Digit {
                    current.end(&mut word);
                }
                current.push_ascii(bytes[at]);
            }
            Kind::Upper => {
                let acronym_ends = before == Kind::Upper && kind_at(at + 1) == Kind::Lower;
                if acronym_ends || matches!(before, Kind::Lower | Kind::Digit) {
                    current.end(&mut word);
                }
                current.push_ascii(bytes[at].to_ascii_lowercase());
            }
            Kind::Digit => {
                if before != Kind::Digit {
                    current.end(&mut word);
                }
                current.push_ascii(bytes[at]);
            }
            Kind::Gap => current.end(&mut word),
            Kind::Wide => {
                if before == Kind::Digit {
                    current.end(&mut word);
                }
                at += push_wide(data, &text[at..], &mut current, &mut word);
                before = kind;
                continue;
            }
        }
        before = kind;
        at += 1;
    }
    current.end(&mut word);
}

/// Takes the first character of `rest` and returns its length. Lower-casing comes first, as in training: it can
/// turn one character into several, of which some (the dot of `İ`) are no letters.
fn push_wide(data: &Data, rest: &str, current: &mut Word, word: &mut impl FnMut(&[u8])) -> usize {
    let Some(c) = rest.chars().next() else { return 1 };
    for lower in c.to_lowercase() {
        if data.is_letter(lower) {
            current.push(lower);
        } else {
            current.end(word);
        }
    }
    c.len_utf8()
}

/// The word being read. Bytes past the limit are counted, not kept.
#[derive(Default)]
struct Word {
    bytes: Vec<u8>,
    chars: usize,
}

impl Word {
    #[inline]
    fn push_ascii(&mut self, byte: u8) {
        self.chars += 1;
        if self.chars <= MAX_CHARS {
            self.bytes.push(byte);
        }
    }

    fn push(&mut self, c: char) {
        self.chars += 1;
        if self.chars <= MAX_CHARS {
            self.bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
        }
    }

    #[inline]
    fn end(&mut self, word: &mut impl FnMut(&[u8])) {
        if self.chars > 0 && self.chars <= MAX_CHARS {
            word(&self.bytes);
        }
        self.bytes.clear();
        self.chars = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let data = Data::embedded().expect("embedded");
        let mut found = Vec::new();
        for_each_word(&data, text, |word| {
            found.push(String::from_utf8(word.to_vec()).expect("whole characters"))
        });
        found
    }

    #[test]
    fn identifiers_are_cut_where_case_or_kind_changes() {
        assert_eq!(words("getHTTPResponse my_func2"), ["get", "http", "response", "my", "func", "2"]);
        assert_eq!(words("aB1c2D ABc"), ["a", "b", "1", "c", "2", "d", "a", "bc"]);
    }

    #[test]
    fn case_past_ascii_cuts_nothing() {
        assert_eq!(words("äB AÄb éA1"), ["äb", "aäb", "éa", "1"]);
        assert_eq!(words("İx 1é ΣΑΣ"), ["i", "x", "1", "é", "σασ"]);
    }

    #[test]
    fn a_word_of_forty_characters_is_kept_and_a_longer_one_dropped() {
        assert_eq!(words(&"x".repeat(40)), ["x".repeat(40)]);
        assert_eq!(words(&format!("{} y", "x".repeat(41))), ["y"]);
        assert_eq!(words(&"é".repeat(40)), ["é".repeat(40)]);
        assert!(words(&"é".repeat(41)).is_empty());
    }
}
