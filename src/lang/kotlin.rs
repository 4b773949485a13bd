//! Kotlin.

use super::grammar::{Grammar, Rules};

pub static KOTLIN: Grammar =
    Grammar::of(Rules { ..Rules::new(tree_sitter_kotlin_ng::LANGUAGE, "tree-sitter-kotlin-ng", "1.1.0") });
