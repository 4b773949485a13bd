//! Ruby.

use super::grammar::{Grammar, Rules};

pub static RUBY: Grammar =
    Grammar::of(Rules { ..Rules::new(tree_sitter_ruby::LANGUAGE, "tree-sitter-ruby", "0.23.1") });
