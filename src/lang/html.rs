//! HTML.

use super::grammar::{Grammar, Rules};

pub static HTML: Grammar =
    Grammar::of(Rules { ..Rules::new(tree_sitter_html::LANGUAGE, "tree-sitter-html", "0.23.2") });
