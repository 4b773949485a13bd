//! Haskell.

use super::grammar::{Grammar, Rules};

pub static HASKELL: Grammar =
    Grammar::of(Rules { ..Rules::new(tree_sitter_haskell::LANGUAGE, "tree-sitter-haskell", "0.24.1") });
