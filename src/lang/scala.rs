//! Scala.

use super::grammar::{Grammar, Rules};

pub static SCALA: Grammar =
    Grammar::of(Rules { ..Rules::new(tree_sitter_scala::LANGUAGE, "tree-sitter-scala", "0.26.4") });
