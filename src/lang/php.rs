//! PHP.

use super::grammar::{Grammar, Rules};

pub static PHP: Grammar =
    Grammar::of(Rules { ..Rules::new(tree_sitter_php::LANGUAGE_PHP, "tree-sitter-php", "0.25.1") });
