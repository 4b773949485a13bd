//! YAML.

use super::grammar::{Grammar, Rules};

pub static YAML: Grammar =
    Grammar::of(Rules { ..Rules::new(tree_sitter_yaml::LANGUAGE, "tree-sitter-yaml", "0.7.2") });
