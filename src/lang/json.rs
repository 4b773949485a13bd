//! JSON.

use super::grammar::{Grammar, Rules};

pub static JSON: Grammar =
    Grammar::of(Rules { ..Rules::new(tree_sitter_json::LANGUAGE, "tree-sitter-json", "0.24.8") });
