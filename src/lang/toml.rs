//! TOML.

use super::grammar::{Grammar, Rules};

pub static TOML: Grammar =
    Grammar::of(Rules { ..Rules::new(tree_sitter_toml_ng::LANGUAGE, "tree-sitter-toml-ng", "0.7.0") });
