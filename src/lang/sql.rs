//! SQL: what a schema consists of; every other statement is a statement.

use tree_sitter::Node;

use super::ChunkKind::*;
use super::grammar::Mention::{Call, Inside, Name as AName};
use super::grammar::Name::{By, Child, Field as NAMED, In};
use super::grammar::Role::*;
use super::grammar::{Context, Grammar, Named, Rules};
use super::imports::text_of;
use super::naming::named_child;

pub static SQL: Grammar = Grammar::of(Rules {
    roles: &[
        ("statement", Wrapper),
        ("create_table", Definition(Table, By(created))),
        ("column_definitions", Body),
        ("column_definition", Definition(Field, NAMED)),
        ("create_view", Definition(View, By(created))),
        ("create_materialized_view", Definition(View, By(created))),
        ("create_query", Body),
        ("create_function", Definition(Function, By(created))),
        ("function_body", Body),
        ("create_trigger", Definition(Function, By(created))),
        ("create_index", Definition(Key, In("column"))),
        ("create_type", Definition(Type, By(created))),
        ("create_sequence", Definition(Key, By(created))),
        ("create_schema", Definition(Namespace, Child("identifier"))),
        ("transaction", Group),
        ("comment", Comment),
        ("marginalia", Comment),
    ],
    mentions: &[("invocation", Call("")), ("relation", Inside(Context::Type)), ("object_reference", AName)],
    is_data: true,
    ..Rules::new(tree_sitter_sequel::LANGUAGE, "tree-sitter-sequel", "0.3.11")
});

/// `schema.name`
fn created<'t>(node: Node<'t>, text: &str) -> Option<Named<'t>> {
    let reference = named_child(node, "object_reference")?;
    let owner = reference.child_by_field_name("schema").map(|schema| text_of(Some(schema), text).to_owned());
    Some(Named { owner, node: reference.child_by_field_name("name")? })
}
