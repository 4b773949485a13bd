//! Dockerfiles: one stage for each image that is built on.

use tree_sitter::Node;

use super::ChunkKind::Stage;
use super::grammar::Mention::Import as Imports;
use super::grammar::Name::By;
use super::grammar::Role::*;
use super::grammar::{Grammar, Named, Rules};
use super::imports::{Import, text_of};
use super::naming::named_child;

pub static DOCKERFILE: Grammar = Grammar::of(Rules {
    roles: &[("from_instruction", Scope(Stage, By(stage))), ("comment", Comment)],
    mentions: &[("from_instruction", Imports(base))],
    is_data: true,
    ..Rules::new(tree_sitter_containerfile::LANGUAGE, "tree-sitter-containerfile", "0.9.2")
});

/// `FROM image AS name`; without a name it is called after the image.
fn stage<'t>(from: Node<'t>, _: &str) -> Option<Named<'t>> {
    let node = from.child_by_field_name("as").or_else(|| named_child(from, "image_spec"))?;
    Some(Named { owner: None, node })
}

fn base(from: Node<'_>, text: &str, out: &mut Vec<Import>) {
    let alias = from.child_by_field_name("as").map(|alias| text_of(Some(alias), text));
    if let Some(image) = named_child(from, "image_spec") {
        out.push(Import::new(from, text_of(Some(image), text)).alias(alias));
    }
}
