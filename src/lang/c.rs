//! C.

use super::grammar::{Grammar, Rules};

pub static C: Grammar =
    Grammar::of(Rules { ..Rules::new(tree_sitter_c::LANGUAGE, "tree-sitter-c", "0.24.2") });
