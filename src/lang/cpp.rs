//! C++.

use super::grammar::{Grammar, Rules};

pub static CPP: Grammar =
    Grammar::of(Rules { ..Rules::new(tree_sitter_cpp::LANGUAGE, "tree-sitter-cpp", "0.23.4") });
