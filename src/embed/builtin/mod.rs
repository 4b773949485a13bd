//! The model inside the binary: one vector a token, a text is the mean of its tokens.
//!
//! Nothing here depends on the machine: tokens come from fixed tables, sums run in the order of token ids in plain `f32` (Rust
//! never contracts to fused operations), and the square root is correctly rounded by IEEE 754.

mod data;
mod vocab;
mod words;

use super::{BUILTIN, Embedder, Mode, SpaceIdentity};
use crate::error::Result;
use data::Data;

/// The first 16 hex digits of the BLAKE3 hash of `../model/builtin.bin`; a test compares.
const REVISION: &str = "ab049089cd6eb427";

/// The version of `words.rs` and `vocab.rs` together; a change that moves any token needs the next number.
/// 1: letters and ASCII digits, cut at case changes, lower-cased; WordPiece, unknown words dropped.
const INPUT: &str = "words-1";

pub(super) struct StaticModel {
    data: Data,
    identity: SpaceIdentity,
}

impl StaticModel {
    pub fn load() -> Result<Self> {
        let data = Data::embedded()?;
        let identity = SpaceIdentity {
            model: BUILTIN.to_owned(),
            revision: REVISION.to_owned(),
            dims: data.dims as u32,
            pooling: "mean".to_owned(),
            input: INPUT.to_owned(),
        };
        Ok(StaticModel { data, identity })
    }

    /// Adds the rows of `ids` into `sum`, repeated tokens at once, then brings it to length 1. The mean needs no
    /// division: only the direction is kept. `ids` comes back sorted.
    fn pool(&self, ids: &mut [u32], sum: &mut [f32]) {
        ids.sort_unstable();
        for same in ids.chunk_by(|a, b| a == b) {
            let Some((scale, row)) = self.data.row(same[0]) else { continue };
            let scale = scale * same.len() as f32;
            for (value, &byte) in sum.iter_mut().zip(row) {
                *value += scale * f32::from(byte as i8);
            }
        }
        normalize(sum);
    }
}

impl Embedder for StaticModel {
    fn identity(&self) -> &SpaceIdentity {
        &self.identity
    }

    fn embed(&self, _mode: Mode, texts: &[&str]) -> Result<Vec<f32>> {
        let mut vectors = vec![0.0; texts.len() * self.data.dims];
        let mut ids = Vec::new();
        for (text, vector) in texts.iter().zip(vectors.chunks_exact_mut(self.data.dims)) {
            ids.clear();
            words::for_each_word(&self.data, text, |word| vocab::push_tokens(&self.data, word, &mut ids));
            self.pool(&mut ids, vector);
        }
        Ok(vectors)
    }
}

/// Brings `vector` to length 1; one that has no direction (all zero, or too small to have a length) becomes zero.
fn normalize(vector: &mut [f32]) {
    let square: f64 = vector.iter().map(|&value| f64::from(value) * f64::from(value)).sum();
    let factor = 1.0 / square.sqrt();
    if !factor.is_finite() {
        vector.fill(0.0);
        return;
    }
    for value in vector {
        *value = (f64::from(*value) * factor) as f32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn model() -> StaticModel {
        StaticModel::load().expect("embedded")
    }

    fn embed(text: &str) -> Vec<f32> {
        model().embed(Mode::Passage, &[text]).expect("embedding cannot fail")
    }

    fn dot(a: &[f32], b: &[f32]) -> f32 {
        a.iter().zip(b).map(|(x, y)| x * y).sum()
    }

    #[test]
    fn the_revision_is_the_hash_of_the_data() {
        assert_eq!(model().identity().revision, data::tests::revision());
    }

    #[test]
    fn text_without_a_known_token_is_zero() {
        for text in ["", "   ", "{}();", "日本語", "😀"] {
            assert!(embed(text).iter().all(|&value| value == 0.0), "{text:?}");
        }
    }

    #[test]
    fn meaning_is_nearer_than_noise() {
        let query = embed("read a configuration file");
        let near = embed("fn load_config(path: &Path) -> Config { parse(fs::read_to_string(path)) }");
        let far = embed("class TriangleMesh { void drawShaded(Camera camera, Light sun); }");
        assert!(dot(&query, &near) > dot(&query, &far) + 0.1);
    }

    /// Pinned to the bit: a platform or compiler that sums otherwise would mix two spaces under one identity.
    #[test]
    fn vectors_have_the_same_bits_everywhere() {
        let text = "pub fn parseHTTPHeader(input: &[u8]) -> Result<Header, ParseError>";
        let bytes: Vec<u8> = embed(text).iter().flat_map(|value| value.to_le_bytes()).collect();
        assert_eq!(&blake3::hash(&bytes).to_hex()[..16], "8fe25a700007a719");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn rows_have_length_one_or_zero_and_do_not_depend_on_the_batch(texts in prop::collection::vec(".{0,80}", 0..6)) {
            let model = model();
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let batch = model.embed(Mode::Query, &texts).expect("embedding cannot fail");
            prop_assert_eq!(batch.len(), texts.len() * model.dims());
            for (row, text) in batch.chunks_exact(model.dims()).zip(&texts) {
                let length = dot(row, row).sqrt();
                prop_assert!(length == 0.0 || (length - 1.0).abs() < 1e-5);
                prop_assert_eq!(row, &embed(text)[..]);
            }
        }
    }
}
