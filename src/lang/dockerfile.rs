//! Dockerfiles.

use super::grammar::{Grammar, Rules};

pub static DOCKERFILE: Grammar = Grammar::of(Rules {
    ..Rules::new(tree_sitter_containerfile::LANGUAGE, "tree-sitter-containerfile", "0.9.2")
});
