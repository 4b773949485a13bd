//! HCL: Terraform and the like.

use super::grammar::{Grammar, Rules};

pub static HCL: Grammar =
    Grammar::of(Rules { ..Rules::new(tree_sitter_hcl::LANGUAGE, "tree-sitter-hcl", "1.1.0") });
