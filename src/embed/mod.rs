//! Text to vectors.
//!
//! An [`Embedder`] is a pure function: the same text in the same mode gives the same bits, on every machine and
//! in every batch. Vectors are therefore stored once under the hash of their text, and [`SpaceIdentity`] says
//! which stored vectors a new one may be compared with.

mod builtin;
pub mod quant;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// The name under which [`open`] knows the model that is part of the binary.
pub const BUILTIN: &str = "builtin";

/// What a text is for. Models may treat questions and answers differently; both land in one space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    Query,
    Passage,
}

/// What makes two vectors comparable. It is stored beside them, and equality of all fields decides: a vector of
/// any other identity is never read, so every field that can move a vector must be here.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SpaceIdentity {
    pub model: String,
    /// Which weights: a hash of the model's data or the publisher's revision.
    pub revision: String,
    pub dims: u32,
    /// How the vectors of tokens become one, `mean` for instance.
    pub pooling: String,
    /// How text becomes tokens where the weights do not say it: the version of our own tokenizer, prompts put
    /// before queries or passages, a limit on length.
    pub input: String,
}

pub trait Embedder: Send + Sync {
    fn identity(&self) -> &SpaceIdentity;

    fn dims(&self) -> usize {
        self.identity().dims as usize
    }

    /// Row-major, `texts.len()` rows of [`dims`](Embedder::dims) values. A row has length 1, or is all zero when
    /// the model knows nothing in the text.
    fn embed(&self, mode: Mode, texts: &[&str]) -> Result<Vec<f32>>;
}

/// The model called `model`, ready to use.
pub fn open(model: &str) -> Result<Arc<dyn Embedder>> {
    match model {
        BUILTIN => Ok(Arc::new(builtin::StaticModel::load()?)),
        _ => Err(Error::usage(format!("there is no embedding model called `{model}`"))
            .with_hint(format!("the models that exist: `{BUILTIN}`"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;

    #[test]
    fn an_unknown_model_is_a_usage_error_that_names_what_exists() {
        let error = open("word2vec").err().expect("no such model");
        assert_eq!(error.kind(), ErrorKind::Usage);
        assert!(error.to_string().contains("word2vec"));
        assert!(error.hint().is_some_and(|hint| hint.contains(BUILTIN)));
    }

    #[test]
    fn the_builtin_model_opens_and_its_identity_survives_storage() {
        let model = open(BUILTIN).expect("it is part of the binary");
        assert_eq!(model.dims(), model.identity().dims as usize);
        let stored = serde_json::to_string(model.identity()).expect("plain data");
        let read: SpaceIdentity = serde_json::from_str(&stored).expect("what was just written");
        assert_eq!(&read, model.identity());
    }
}
