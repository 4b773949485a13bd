//! Style sheets.

use tree_sitter::Node;

use super::ChunkKind::Rule;
use super::grammar::Mention::Import as Imports;
use super::grammar::Name::{Child, Made};
use super::grammar::Role::*;
use super::grammar::{Grammar, Rules};
use super::imports::{Import, text_of};
use super::naming::named_child;

pub static CSS: Grammar = Grammar::of(Rules {
    roles: &[
        ("rule_set", Compact(Rule, Child("selectors"))),
        ("media_statement", Compact(Rule, Made(prelude))),
        ("supports_statement", Compact(Rule, Made(prelude))),
        ("scope_statement", Compact(Rule, Made(prelude))),
        ("at_rule", Compact(Rule, Made(prelude))),
        ("keyframes_statement", Compact(Rule, Made(prelude))),
        ("block", Body),
        ("keyframe_block_list", Body),
        ("comment", Comment),
    ],
    mentions: &[("import_statement", Imports(imports))],
    ..Rules::new(tree_sitter_css::LANGUAGE, "tree-sitter-css", "0.25.0")
});

/// All that is before the block: `@media (min-width: 40em)`.
fn prelude(node: Node<'_>, text: &str) -> Option<String> {
    let mut cursor = node.walk();
    let mut children = node.named_children(&mut cursor);
    let block = children.find(|child| matches!(child.kind(), "block" | "keyframe_block_list"));
    let end = block.map_or(node.end_byte(), |block| block.start_byte());
    Some(text.get(node.start_byte()..end)?.trim_end_matches([';', ' ']).to_owned())
}

/// `@import url("a.css") screen;`, `@import "a.css";`
fn imports(node: Node<'_>, text: &str, out: &mut Vec<Import>) {
    let Some(target) = node.named_child(0) else { return };
    let inside = named_child(target, "arguments").and_then(|arguments| arguments.named_child(0));
    out.push(Import::new(node, text_of(inside.or(Some(target)), text)));
}
