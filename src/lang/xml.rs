//! XML: project files, resources, configuration. The root element is the file; what it holds is the top level.

use tree_sitter::Node;

use super::ChunkKind::Element;
use super::entries::ends_text;
use super::grammar::Name::By;
use super::grammar::Role::*;
use super::grammar::{Grammar, Named, Role, Rules};
use super::imports::text_of;
use super::naming::named_child;

/// The attributes that name an element, best first.
const NAMES: [&str; 12] =
    ["name", "Name", "x:Name", "id", "Id", "ID", "key", "Key", "Include", "Update", "Label", "x:Key"];

pub static XML: Grammar = Grammar::of(Rules {
    roles: &[("element", Ask(element)), ("content", Group), ("prolog", Group), ("Comment", Comment)],
    is_data: true,
    depth: 2,
    ..Rules::new(tree_sitter_xml::LANGUAGE_XML, "tree-sitter-xml", "0.7.0")
});

fn element(node: Node<'_>, text: &str) -> Role {
    if ends_text(node, text) { Group } else { Compact(Element, By(named)) }
}

/// By an attribute that identifies it, else by its tag.
fn named<'t>(element: Node<'t>, text: &str) -> Option<Named<'t>> {
    let tag = element.named_child(0)?;
    let mut cursor = tag.walk();
    let attributes = tag.named_children(&mut cursor).filter(|child| child.kind() == "Attribute").take(8);
    let mut best: Option<(usize, Node<'t>)> = None;
    for attribute in attributes {
        let name = text_of(attribute.named_child(0), text);
        let rank = NAMES.iter().position(|known| *known == name);
        if let (Some(rank), Some(value)) = (rank, named_child(attribute, "AttValue"))
            && best.is_none_or(|(known, _)| rank < known)
            && value.byte_range().len() > 2
        {
            best = Some((rank, value));
        }
    }
    let node = best.map(|(_, value)| value).or_else(|| named_child(tag, "Name"))?;
    Some(Named { owner: None, node })
}
