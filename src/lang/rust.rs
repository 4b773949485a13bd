//! Rust.

use super::grammar::{Grammar, Rules};

pub static RUST: Grammar =
    Grammar::of(Rules { ..Rules::new(tree_sitter_rust::LANGUAGE, "tree-sitter-rust", "0.24.2") });
