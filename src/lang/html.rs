//! HTML. Elements are named by what a reader would call them: their heading, their id, the part of a page that
//! their tag stands for. All others only hold what is in them.

use tree_sitter::Node;

use super::ChunkKind::Element;
use super::grammar::Mention::Import as Imports;
use super::grammar::Name::By;
use super::grammar::Role::*;
use super::grammar::{Grammar, Named, Role, Rules};
use super::imports::{Import, text_of};
use super::naming::named_child;

/// Tags that are a part of a page by themselves.
const PARTS: [&str; 16] = [
    "head", "main", "header", "footer", "nav", "aside", "article", "section", "form", "table", "dialog",
    "template", "script", "style", "fieldset", "svg",
];

/// How far into a part its heading may stand.
const BEFORE_HEADING: usize = 4;

pub static HTML: Grammar = Grammar::of(Rules {
    roles: &[
        ("element", Ask(element)),
        ("script_element", Definition(Element, By(named))),
        ("style_element", Definition(Element, By(named))),
        ("end_tag", Trailing),
        ("doctype", Annotation),
        ("comment", Comment),
    ],
    mentions: &[("element", Imports(links)), ("script_element", Imports(links))],
    is_data: true,
    ..Rules::new(tree_sitter_html::LANGUAGE, "tree-sitter-html", "0.23.2")
});

fn element(node: Node<'_>, text: &str) -> Role {
    match text_of(tag_name(node), text) {
        "html" | "body" => Group,
        _ => Item(Element, By(named)),
    }
}

fn tag(element: Node<'_>) -> Option<Node<'_>> {
    element.named_child(0).filter(|child| matches!(child.kind(), "start_tag" | "self_closing_tag"))
}

fn tag_name(element: Node<'_>) -> Option<Node<'_>> {
    tag(element)?.named_child(0)
}

fn named<'t>(element: Node<'t>, text: &str) -> Option<Named<'t>> {
    let name = tag_name(element)?;
    let written = text_of(Some(name), text);
    let is_part = PARTS.contains(&written);
    let heading = if is_part { heading(element, text) } else { None };
    let node = heading
        .or_else(|| own_heading(element, written))
        .or_else(|| attribute(element, &["id"], text))
        .or(Some(name).filter(|_| is_part))?;
    Some(Named { owner: None, node })
}

/// The text of the first heading that a part begins with.
fn heading<'t>(part: Node<'t>, text: &str) -> Option<Node<'t>> {
    let mut cursor = part.walk();
    let mut children = part.named_children(&mut cursor).skip(1).take(BEFORE_HEADING);
    children.find_map(|child| own_heading(child, text_of(tag_name(child), text)))
}

/// The text of a heading.
fn own_heading<'t>(element: Node<'t>, tag: &str) -> Option<Node<'t>> {
    let is_heading = matches!(tag, "h1" | "h2" | "h3" | "h4" | "h5" | "h6");
    named_child(element, "text").filter(|_| is_heading)
}

fn attribute<'t>(element: Node<'t>, names: &[&str], text: &str) -> Option<Node<'t>> {
    let tag = tag(element)?;
    let mut cursor = tag.walk();
    let mut attributes = tag.named_children(&mut cursor).filter(|child| child.kind() == "attribute").take(16);
    let found = attributes.find(|attribute| names.contains(&text_of(attribute.named_child(0), text)))?;
    let value = found.named_child(1)?;
    Some(named_child(value, "attribute_value").unwrap_or(value))
}

/// `<script src>`, `<link href>`
fn links(node: Node<'_>, text: &str, out: &mut Vec<Import>) {
    let wanted: &[&str] = match text_of(tag_name(node), text) {
        "script" => &["src"],
        "link" => &["href"],
        _ => return,
    };
    if let Some(target) = attribute(node, wanted, text) {
        out.push(Import::new(node, text_of(Some(target), text)));
    }
}
