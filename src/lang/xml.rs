//! XML.

use super::grammar::{Grammar, Rules};

pub static XML: Grammar =
    Grammar::of(Rules { ..Rules::new(tree_sitter_xml::LANGUAGE_XML, "tree-sitter-xml", "0.7.0") });
