//! HCL. Blocks are named as other blocks refer to them: `aws_instance.web`, `data.aws_ami.base`, `var.region`.

use tree_sitter::Node;

use super::ChunkKind::Key;
use super::entries::unquoted;
use super::grammar::Mention::Import as Imports;
use super::grammar::Name::{Child, Made};
use super::grammar::Role::*;
use super::grammar::{Grammar, Rules};
use super::imports::{Import, text_of};
use super::naming::named_child;

pub static HCL: Grammar = Grammar::of(Rules {
    roles: &[
        ("block", Compact(Key, Made(block))),
        ("body", Group),
        ("attribute", Compact(Key, Child("identifier"))),
        ("comment", Comment),
    ],
    mentions: &[("block", Imports(modules))],
    is_data: true,
    depth: 2,
    ..Rules::new(tree_sitter_hcl::LANGUAGE, "tree-sitter-hcl", "1.1.0")
});

/// The type of a block and its labels.
fn words(block: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = block.walk();
    let words = block.named_children(&mut cursor);
    words.take_while(|child| matches!(child.kind(), "identifier" | "string_lit")).take(8).collect()
}

fn block(node: Node<'_>, text: &str) -> Option<String> {
    let mut words: Vec<&str> = words(node).into_iter().map(|word| unquoted(Some(word), text)).collect();
    match words[..] {
        // The one type that references leave out.
        ["resource", _, _] => drop(words.remove(0)),
        ["variable", _] => words[0] = "var",
        _ => {}
    }
    Some(words.join("."))
}

/// `module "x" { source = "…" }`
fn modules(node: Node<'_>, text: &str, out: &mut Vec<Import>) {
    let [kind, name] = words(node)[..] else { return };
    if text_of(Some(kind), text) != "module" {
        return;
    }
    let Some(body) = named_child(node, "body") else { return };
    let mut cursor = body.walk();
    let mut attributes = body.named_children(&mut cursor).take(8);
    let source = attributes.find(|attribute| text_of(attribute.named_child(0), text) == "source");
    if let Some(value) = source.and_then(|source| source.named_child(1)) {
        let import = Import::new(node, text_of(Some(value), text));
        out.push(import.alias(Some(unquoted(Some(name), text))));
    }
}
