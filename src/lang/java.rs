//! Java.

use super::grammar::{Grammar, Rules};

pub static JAVA: Grammar =
    Grammar::of(Rules { ..Rules::new(tree_sitter_java::LANGUAGE, "tree-sitter-java", "0.23.5") });
