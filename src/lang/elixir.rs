//! Elixir.

use super::grammar::{Grammar, Rules};

pub static ELIXIR: Grammar =
    Grammar::of(Rules { ..Rules::new(tree_sitter_elixir::LANGUAGE, "tree-sitter-elixir", "0.3.5") });
