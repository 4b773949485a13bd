//! SQL.

use super::grammar::{Grammar, Rules};

pub static SQL: Grammar =
    Grammar::of(Rules { ..Rules::new(tree_sitter_sequel::LANGUAGE, "tree-sitter-sequel", "0.3.11") });
