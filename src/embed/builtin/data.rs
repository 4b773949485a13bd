//! The packed model as it lies in the binary: borrowed slices of `../model/builtin.bin`, nothing is copied or
//! built at start-up. `../model/pack.py` documents the layout.
//!
//! Numbers are decoded where they are used (`from_le_bytes`), so neither alignment nor byte order of the machine
//! matters.

use crate::error::{Error, Result};

static PACKED: &[u8] = include_bytes!("../model/builtin.bin");
const MAGIC: &[u8] = b"CAEMBED1";

/// No model may have a longer token.
pub(super) const MAX_TOKEN_BYTES: usize = 48;

#[derive(Debug, Clone, Copy)]
pub(super) struct Data {
    pub dims: usize,
    /// One row of `dims` int8 values a token.
    pub rows: &'static [u8],
    /// The factor of each row.
    pub scales: Words,
    /// Token `id` is `text[offsets[id]..offsets[id + 1]]`, without its continuation mark.
    pub offsets: Words,
    pub text: &'static [u8],
    /// Hash slots; their number is a power of two.
    pub slots: Words,
    /// `first, last` of the ranges of letters past ASCII, ascending.
    pub letters: Words,
    pub longest_token: usize,
}

impl Data {
    pub fn embedded() -> Result<Data> {
        Data::parse(PACKED).ok_or_else(|| {
            Error::failed("the built-in model is damaged").with_hint("install codeagent again")
        })
    }

    /// `None` unless every section is there in full, nothing is left over and the limits are kept.
    fn parse(packed: &'static [u8]) -> Option<Data> {
        let mut rest = packed.strip_prefix(MAGIC)?;
        let header = Words(take(&mut rest, 6, 4)?);
        let field = |index| header.get(index).map(|value| value as usize);
        let (vocabulary, dims) = (field(0)?, field(1)?);
        let slots = 1_usize.checked_shl(header.get(2)?)?;
        let data = Data {
            dims,
            rows: take(&mut rest, vocabulary, dims)?,
            scales: Words(take(&mut rest, vocabulary, 4)?),
            offsets: Words(take(&mut rest, vocabulary.checked_add(1)?, 4)?),
            text: take(&mut rest, field(4)?, 1)?,
            slots: Words(take(&mut rest, slots, 4)?),
            letters: Words(take(&mut rest, field(3)?, 8)?),
            longest_token: field(5)?,
        };
        (rest.is_empty() && dims > 0 && data.longest_token <= MAX_TOKEN_BYTES).then_some(data)
    }

    pub fn token(&self, id: u32) -> Option<&'static [u8]> {
        let id = id as usize;
        self.text.get(self.offsets.get(id)? as usize..self.offsets.get(id + 1)? as usize)
    }

    pub fn row(&self, id: u32) -> Option<(f32, &'static [u8])> {
        let scale = f32::from_bits(self.scales.get(id as usize)?);
        let start = id as usize * self.dims;
        Some((scale, self.rows.get(start..start + self.dims)?))
    }

    /// Whether the tokenizer that the model was trained with calls `c` a letter.
    pub fn is_letter(&self, c: char) -> bool {
        if c.is_ascii() {
            return c.is_ascii_alphabetic();
        }
        let (mut low, mut high) = (0, self.letters.len() / 2);
        while low < high {
            let middle = low + (high - low) / 2;
            match self.letters.get(2 * middle + 1) {
                Some(last) if last < c as u32 => low = middle + 1,
                _ => high = middle,
            }
        }
        self.letters.get(2 * low).is_some_and(|first| first <= c as u32)
    }
}

/// Little-endian 32-bit words in unaligned bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Words(&'static [u8]);

impl Words {
    pub fn len(&self) -> usize {
        self.0.len() / 4
    }

    #[inline]
    pub fn get(&self, index: usize) -> Option<u32> {
        let bytes = self.0.get(4 * index..4 * index + 4)?;
        Some(u32::from_le_bytes(bytes.try_into().ok()?))
    }
}

fn take(rest: &mut &'static [u8], count: usize, size: usize) -> Option<&'static [u8]> {
    let (section, after) = rest.split_at_checked(count.checked_mul(size)?)?;
    *rest = after;
    Some(section)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// The revision that `SpaceIdentity` must carry for these bytes.
    pub fn revision() -> String {
        blake3::hash(PACKED).to_hex()[..16].to_owned()
    }

    #[test]
    fn a_shortened_or_foreign_file_is_refused() {
        assert!(Data::parse(PACKED).is_some());
        for broken in [&[][..], &PACKED[1..], &PACKED[..20], &PACKED[..PACKED.len() - 1]] {
            assert!(Data::parse(broken).is_none());
        }
    }

    #[test]
    fn tokens_tile_the_text_and_none_is_longer_than_said() {
        let data = Data::embedded().expect("embedded");
        let mut longest = 0;
        for id in 0..data.scales.len() as u32 {
            let token = data.token(id).expect("offsets ascend inside the text");
            assert!(std::str::from_utf8(token).is_ok());
            longest = longest.max(token.len());
        }
        assert_eq!(longest, data.longest_token);
        assert_eq!(data.offsets.get(data.scales.len()).expect("one more offset") as usize, data.text.len());
    }

    #[test]
    fn scales_are_finite_and_positive() {
        let data = Data::embedded().expect("embedded");
        for id in 0..data.scales.len() as u32 {
            let (scale, row) = data.row(id).expect("a row a token");
            assert!(scale.is_finite() && scale > 0.0);
            assert_eq!(row.len(), data.dims);
        }
    }

    #[test]
    fn letters_are_general_category_l() {
        let data = Data::embedded().expect("embedded");
        for letter in ['a', 'Z', 'é', 'ß', 'Ω', 'й', '語', 'ª', 'ʰ', '한', '𠀀', 'ა'] {
            assert!(data.is_letter(letter), "{letter}");
        }
        // Alphabetic by Unicode's wider property, but numbers or marks by category.
        for other in ['1', '_', ' ', 'Ⅷ', '²', '\u{301}', '\u{93e}', '١', '😀', '\u{10ffff}', '\u{80}']
        {
            assert!(!data.is_letter(other), "{other}");
        }
    }
}
