//! Swift.

use super::grammar::{Grammar, Rules};

pub static SWIFT: Grammar =
    Grammar::of(Rules { ..Rules::new(tree_sitter_swift::LANGUAGE, "tree-sitter-swift", "0.7.4") });
