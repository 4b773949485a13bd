//! TOML.

use tree_sitter::Node;

use super::ChunkKind::Key;
use super::entries::{record_name, unquoted};
use super::grammar::Name::{By, Made};
use super::grammar::Role::*;
use super::grammar::{Grammar, Named, Rules};
use super::imports::text_of;

pub static TOML: Grammar = Grammar::of(Rules {
    roles: &[
        ("table", Item(Key, By(key))),
        ("table_array_element", Entry(Key, Made(element))),
        ("pair", Compact(Key, By(key))),
        ("array", Group),
        ("inline_table", Group),
        ("comment", Comment),
    ],
    is_data: true,
    depth: 2,
    ..Rules::new(tree_sitter_toml_ng::LANGUAGE, "tree-sitter-toml-ng", "0.7.0")
});

fn key<'t>(node: Node<'t>, _: &str) -> Option<Named<'t>> {
    Some(Named { owner: None, node: node.named_child(0)? })
}

/// `[[bin]]` with `name = "x"` is `bin.x`.
fn element(node: Node<'_>, text: &str) -> Option<String> {
    let list = node.named_child(0)?;
    let mut cursor = node.walk();
    let pairs = node.named_children(&mut cursor).filter(|child| child.kind() == "pair");
    let entries = pairs.filter_map(|pair| {
        let value = pair.named_child(1).filter(|value| matches!(value.kind(), "string" | "integer"));
        Some((pair.named_child(0)?, value))
    });
    let list = text_of(Some(list), text);
    match record_name(entries, text) {
        Some(name) => Some(format!("{list}.{}", unquoted(Some(name), text))),
        None => Some(list.to_owned()),
    }
}
