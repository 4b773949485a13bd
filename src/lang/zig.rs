//! Zig.

use super::grammar::{Grammar, Rules};

pub static ZIG: Grammar =
    Grammar::of(Rules { ..Rules::new(tree_sitter_zig::LANGUAGE, "tree-sitter-zig", "1.1.2") });
