//! Bash and its relatives.

use super::grammar::{Grammar, Rules};

pub static BASH: Grammar =
    Grammar::of(Rules { ..Rules::new(tree_sitter_bash::LANGUAGE, "tree-sitter-bash", "0.25.1") });
