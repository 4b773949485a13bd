//! Python.

use tree_sitter::Node;

use super::ChunkKind::*;
use super::grammar::Context::{Inherit, Type as TypeContext};
use super::grammar::Mention::{Call, Import as Imports, Inside, Member, Name as AName};
use super::grammar::Name::{By, Field as NAMED};
use super::grammar::Role::*;
use super::grammar::{Context, Grammar, Named, Privacy, Rules};
use super::imports::{Import, text_of};

pub static PYTHON: Grammar = Grammar::of(Rules {
    roles: &[
        ("class_definition", Container(Class, NAMED)),
        ("block", Body),
        ("function_definition", Definition(Function, NAMED)),
        ("type_alias_statement", Definition(Type, By(alias))),
        ("decorated_definition", Wrapper),
        ("expression_statement", Wrapper),
        ("assignment", Declarator(Variable, By(assigned))),
        ("lambda", Value(Function)),
        ("decorator", Annotation),
        ("comment", Comment),
        ("if_statement", Branch),
        ("elif_clause", Branch),
        ("else_clause", Branch),
        ("try_statement", Branch),
        ("except_clause", Branch),
        ("finally_clause", Branch),
        ("with_statement", Branch),
    ],
    mentions: &[
        ("call", Call("function")),
        ("attribute", Member),
        ("identifier", AName),
        ("type", Inside(TypeContext)),
        ("decorator", Inside(Context::Annotation)),
        ("keyword_argument", Inside(Context::Value)),
        ("import_statement", Imports(imports)),
        ("import_from_statement", Imports(imports_from)),
        ("future_import_statement", Imports(imports_from)),
    ],
    fields: &[("class_definition", "superclasses", Inherit)],
    privacy: Privacy::Underscore,
    tests: &["test_"],
    docstring: Some(docstring),
    ..Rules::new(tree_sitter_python::LANGUAGE, "tree-sitter-python", "0.25.0")
});

/// Only plain names: `a.b = 1` and `a[0] = 1` declare nothing.
fn assigned<'t>(node: Node<'t>, _: &str) -> Option<Named<'t>> {
    let left = node.child_by_field_name("left").filter(|left| left.kind() == "identifier")?;
    Some(Named { owner: None, node: left })
}

fn alias<'t>(node: Node<'t>, _: &str) -> Option<Named<'t>> {
    Some(Named { owner: None, node: node.child_by_field_name("left")?.named_child(0)? })
}

/// The string that a body begins with.
fn docstring<'t>(declaration: Node<'t>, _: &str) -> Option<Node<'t>> {
    let first = declaration.child_by_field_name("body")?.named_child(0)?;
    let string = if first.kind() == "expression_statement" { first.named_child(0)? } else { first };
    (string.kind() == "string").then_some(string)
}

/// `import a.b as c, d`
fn imports(node: Node<'_>, text: &str, out: &mut Vec<Import>) {
    for item in node.children_by_field_name("name", &mut node.walk()) {
        let (module, alias) = aliased(item, text);
        out.push(Import::new(node, module).alias(alias));
    }
}

/// `from .a import b as c, d`, `from a import *`
fn imports_from(node: Node<'_>, text: &str, out: &mut Vec<Import>) {
    let module = match node.child_by_field_name("module_name") {
        Some(module) => text_of(Some(module), text),
        None => "__future__",
    };
    let mut items = 0;
    for item in node.children_by_field_name("name", &mut node.walk()) {
        let (name, alias) = aliased(item, text);
        out.push(Import::new(item, module).named(name).alias(alias));
        items += 1;
    }
    if items == 0 {
        out.push(Import::new(node, module).named("*"));
    }
}

fn aliased<'t>(item: Node<'_>, text: &'t str) -> (&'t str, Option<&'t str>) {
    match item.child_by_field_name("alias") {
        Some(alias) => (text_of(item.child_by_field_name("name"), text), Some(text_of(Some(alias), text))),
        None => (text_of(Some(item), text), None),
    }
}
