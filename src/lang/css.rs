//! CSS.

use super::grammar::{Grammar, Rules};

pub static CSS: Grammar =
    Grammar::of(Rules { ..Rules::new(tree_sitter_css::LANGUAGE, "tree-sitter-css", "0.25.0") });
