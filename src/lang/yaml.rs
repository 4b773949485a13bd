//! YAML. Documents that say what they are, as those of Kubernetes do, are named `kind.name`.

use tree_sitter::Node;

use super::ChunkKind::Key;
use super::entries::{mask_templates, record_name, unquoted};
use super::grammar::Name::{By, In, Made};
use super::grammar::Role::*;
use super::grammar::{Grammar, Named, Role, Rules};
use super::hazard;
use super::imports::text_of;
use super::naming::named_child;

pub static YAML: Grammar = Grammar::of(Rules {
    roles: &[
        ("document", Ask(document)),
        ("block_node", Group),
        ("block_mapping", Group),
        ("block_sequence", Group),
        ("flow_node", Group),
        ("flow_mapping", Group),
        ("flow_sequence", Group),
        ("block_mapping_pair", Compact(Key, In("key"))),
        ("flow_pair", Compact(Key, In("key"))),
        ("block_sequence_item", Entry(Key, By(item))),
        ("comment", Comment),
    ],
    is_data: true,
    mask: Some(mask_templates),
    depth: 2,
    hazard: Some(hazard::yaml),
    ..Rules::new(tree_sitter_yaml::LANGUAGE, "tree-sitter-yaml", "0.7.2")
});

fn document(node: Node<'_>, text: &str) -> Role {
    if resource(node, text).is_some() { Item(Key, Made(resource)) } else { Group }
}

/// `kind: Service` and `metadata:` with a `name:`.
fn resource(document: Node<'_>, text: &str) -> Option<String> {
    let top = mapping(named_child(document, "block_node")?)?;
    let kind = value_of(top, "kind", text).and_then(scalar)?;
    let metadata = mapping(value_of(top, "metadata", text)?)?;
    let name = value_of(metadata, "name", text).and_then(scalar)?;
    Some(format!("{}.{}", unquoted(Some(kind), text), unquoted(Some(name), text)))
}

/// `- name: x`
fn item<'t>(item: Node<'t>, text: &str) -> Option<Named<'t>> {
    let mapping = mapping(item.named_child(0)?)?;
    let mut cursor = mapping.walk();
    let entries = mapping.named_children(&mut cursor).filter_map(|pair| {
        let value = pair.child_by_field_name("value").and_then(scalar);
        Some((pair.child_by_field_name("key")?, value))
    });
    Some(Named { owner: None, node: record_name(entries, text)? })
}

fn mapping(node: Node<'_>) -> Option<Node<'_>> {
    named_child(node, "block_mapping")
        .or_else(|| named_child(named_child(node, "block_node")?, "block_mapping"))
}

/// The value of a key among the first few.
fn value_of<'t>(mapping: Node<'t>, key: &str, text: &str) -> Option<Node<'t>> {
    let mut cursor = mapping.walk();
    let mut pairs = mapping.named_children(&mut cursor).take(8);
    let pair = pairs.find(|pair| text_of(pair.child_by_field_name("key"), text) == key)?;
    pair.child_by_field_name("value")
}

/// A value on one line that is no list and no mapping.
fn scalar(value: Node<'_>) -> Option<Node<'_>> {
    let inside = value.named_child(0).filter(|_| value.kind() == "flow_node")?;
    matches!(inside.kind(), "plain_scalar" | "double_quote_scalar" | "single_quote_scalar").then_some(inside)
}
