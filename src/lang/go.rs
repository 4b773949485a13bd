//! Go.

use super::grammar::{Grammar, Rules};

pub static GO: Grammar =
    Grammar::of(Rules { ..Rules::new(tree_sitter_go::LANGUAGE, "tree-sitter-go", "0.25.0") });
