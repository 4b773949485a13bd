//! WordPiece: a word is the longest token it starts with, then the longest continuation of the rest, and so on.
//! A word with a part that is no token is unknown as a whole and says nothing.
//!
//! The tokens lie in an open-addressing hash table that is part of the model's data. The hash is computed for all
//! prefixes in one pass, so a word that is a token costs one probe.

use super::data::{Data, MAX_TOKEN_BYTES};

const START: u32 = 0x811C_9DC5;
const CONTINUATION: u32 = 0x050C_5D1F;
const PRIME: u32 = 0x0100_0193;

/// A slot is `fingerprint:13 continuation:1 (id + 1):18`; the fingerprint is the top of the token's hash.
const ID_BITS: u32 = 18;
const FINGERPRINT_SHIFT: u32 = 19;

/// Appends the tokens of `word` to `ids`, or nothing.
pub(super) fn push_tokens(data: &Data, word: &[u8], ids: &mut Vec<u32>) {
    let known = ids.len();
    let mut from = 0;
    while from < word.len() {
        let Some((id, length)) = longest_token(data, &word[from..], from > 0) else {
            ids.truncate(known);
            return;
        };
        ids.push(id);
        from += length;
    }
}

/// The longest token that `rest` starts with, and its length in bytes. A prefix that ends inside a character
/// matches nothing, because tokens are whole characters.
#[inline]
fn longest_token(data: &Data, rest: &[u8], continuation: bool) -> Option<(u32, usize)> {
    let mut hashes = [0_u32; MAX_TOKEN_BYTES];
    let mut hash = if continuation { CONTINUATION } else { START };
    let candidates = rest.len().min(data.longest_token).min(hashes.len());
    for (slot, &byte) in hashes.iter_mut().zip(&rest[..candidates]) {
        hash = (hash ^ u32::from(byte)).wrapping_mul(PRIME);
        *slot = hash;
    }
    (1..=candidates).rev().find_map(|length| {
        let hash = hashes[length - 1];
        find(data, &rest[..length], continuation, hash ^ (hash >> 15)).map(|id| (id, length))
    })
}

/// The packer leaves half of the slots empty, so a search for a missing token ends after a slot or two; the
/// bound on the loop only matters for damaged data.
#[inline]
fn find(data: &Data, token: &[u8], continuation: bool, hash: u32) -> Option<u32> {
    let mask = data.slots.len() - 1;
    let mut at = hash as usize & mask;
    let wanted = (hash >> FINGERPRINT_SHIFT << 1) | u32::from(continuation);
    for _ in 0..=mask {
        let slot = data.slots.get(at)?;
        let id = (slot & ((1 << ID_BITS) - 1)).checked_sub(1)?;
        if slot >> ID_BITS == wanted && data.token(id) == Some(token) {
            return Some(id);
        }
        at = (at + 1) & mask;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::embed::builtin::words::for_each_word;

    fn ids(text: &str) -> Vec<u32> {
        let data = Data::embedded().expect("embedded");
        let mut ids = Vec::new();
        for_each_word(&data, text, |word| push_tokens(&data, word, &mut ids));
        ids
    }

    #[test]
    fn every_token_is_found_as_what_it_is() {
        let data = Data::embedded().expect("embedded");
        let (mut starts, mut continuations) = (0, 0);
        for id in 2..data.scales.len() as u32 {
            let token = data.token(id).expect("a token");
            let as_start = longest_token(&data, token, false) == Some((id, token.len()));
            let as_continuation = longest_token(&data, token, true) == Some((id, token.len()));
            assert!(as_start != as_continuation, "token {id}");
            starts += u32::from(as_start);
            continuations += u32::from(as_continuation);
        }
        assert!(starts > 10_000 && continuations > 1_000);
    }

    #[test]
    fn a_word_with_an_unknown_part_is_dropped_whole() {
        assert!(ids("日本語abc").is_empty());
        assert_eq!(ids("get 日本語abc response"), ids("get response"));
    }

    /// Inputs and the ids that the tokenizer of the training gave for them, without padding and unknown words.
    #[test]
    fn tokens_agree_with_the_tokenizer_of_the_training() {
        let fixture = include_str!("../../../fixtures/embed/tokens.json");
        let cases: Vec<(String, Vec<u32>)> = serde_json::from_str(fixture).expect("a list of pairs");
        assert!(cases.len() >= 100);
        for (text, expected) in cases {
            assert_eq!(ids(&text), expected, "{text:?}");
        }
    }
}
