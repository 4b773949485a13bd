//! JSON, with comments and with several values: a file of lines is a list of records.

use tree_sitter::Node;

use super::ChunkKind::Key;
use super::entries::{ends_text, record_name};
use super::grammar::Name::{By, In};
use super::grammar::Role::*;
use super::grammar::{Grammar, Named, Role, Rules};

pub static JSON: Grammar = Grammar::of(Rules {
    roles: &[
        ("object", Ask(object)),
        ("array", Group),
        ("pair", Compact(Key, In("key"))),
        ("comment", Comment),
    ],
    is_data: true,
    depth: 2,
    ..Rules::new(tree_sitter_json::LANGUAGE, "tree-sitter-json", "0.24.8")
});

/// The one object that a file consists of has no name: its entries are the top level.
fn object(node: Node<'_>, text: &str) -> Role {
    if ends_text(node, text) && is_only_value(node) { Group } else { Entry(Key, By(named)) }
}

fn is_only_value(node: Node<'_>) -> bool {
    let Some(parent) = node.parent().filter(|parent| parent.kind() == "document") else { return false };
    let mut cursor = parent.walk();
    parent.named_children(&mut cursor).filter(|child| child.kind() != "comment").take(2).count() == 1
}

fn named<'t>(object: Node<'t>, text: &str) -> Option<Named<'t>> {
    let mut cursor = object.walk();
    let pairs = object.named_children(&mut cursor).filter(|child| child.kind() == "pair");
    let entries = pairs.filter_map(|pair| {
        let value = pair.child_by_field_name("value");
        let value = value.filter(|value| matches!(value.kind(), "string" | "number"));
        Some((pair.child_by_field_name("key")?, value))
    });
    Some(Named { owner: None, node: record_name(entries, text)? })
}
