//! Swift.

use tree_sitter::Node;

use super::ChunkKind::*;
use super::grammar::Context::{Inherit, Type as TypeContext};
use super::grammar::Mention::{
    self, Ask as Look, Call, Import as Imports, Inside, Member, New, Type as TypeName,
};
use super::grammar::Name::{By, Each, Field as NAMED, Fixed};
use super::grammar::Role::{self, *};
use super::grammar::{Context, Grammar, Named, Privacy, Rules};
use super::imports::{Import, text_of};
use super::naming::named_child;

pub static SWIFT: Grammar = Grammar::of(Rules {
    roles: &[
        ("class_declaration", Ask(declared)),
        ("protocol_declaration", Compact(Interface, NAMED)),
        ("class_body", Body),
        ("enum_class_body", Body),
        ("protocol_body", Body),
        ("function_declaration", Ask(function)),
        ("protocol_function_declaration", Ask(function)),
        ("init_declaration", Definition(Constructor, Fixed("init"))),
        ("deinit_declaration", Definition(Method, Fixed("deinit"))),
        ("subscript_declaration", Definition(Property, Fixed("subscript"))),
        ("property_declaration", Ask(property)),
        ("protocol_property_declaration", Definition(Property, By(bound))),
        ("typealias_declaration", Definition(Type, NAMED)),
        ("associatedtype_declaration", Definition(Type, NAMED)),
        ("enum_entry", Definition(Constant, Each(cases))),
        ("macro_declaration", Definition(Macro, By(macro_name))),
        ("computed_property", Body),
        ("willset_didset_block", Value(Function)),
        ("lambda_literal", Value(Function)),
        ("attribute", Annotation),
        ("comment", Comment),
        ("multiline_comment", Comment),
    ],
    mentions: &[
        ("call_expression", Look(called)),
        ("constructor_expression", New("constructed_type")),
        ("navigation_expression", Member),
        ("type_identifier", TypeName),
        ("type_arguments", Inside(TypeContext)),
        ("inheritance_specifier", Inside(Inherit)),
        ("attribute", Inside(Context::Annotation)),
        ("import_declaration", Imports(imports)),
    ],
    privacy: Privacy::Package,
    tests: &["test"],
    ..Rules::new(tree_sitter_swift::LANGUAGE, "tree-sitter-swift", "0.7.4")
});

/// Classes, structs, enums, actors and extensions are one node type.
fn declared(node: Node<'_>, text: &str) -> Role {
    match text_of(node.child_by_field_name("declaration_kind"), text) {
        "struct" => Container(Struct, NAMED),
        "enum" => Container(Enum, NAMED),
        "extension" => Container(Impl, NAMED),
        _ => Container(Class, NAMED),
    }
}

fn function(node: Node<'_>, _: &str) -> Role {
    match node.child_by_field_name("name") {
        Some(name) if name.kind() == "simple_identifier" => Definition(Function, NAMED),
        _ => Definition(Operator, NAMED),
    }
}

/// What is computed is a property, what is stored a field or variable.
fn property(node: Node<'_>, _: &str) -> Role {
    let is_computed = node.child_by_field_name("computed_value").is_some();
    Definition(if is_computed { Property } else { Variable }, Each(names))
}

/// The names before the first value: `let a, b: Int`.
fn names(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    let parts = node.named_children(&mut cursor);
    let head = parts.take_while(|part| !matches!(part.kind(), "computed_property" | "lambda_literal"));
    let patterns = head.filter(|part| part.kind() == "pattern");
    let mut names: Vec<_> = patterns.filter_map(|p| p.child_by_field_name("bound_identifier")).collect();
    if let Some(value) = node.child_by_field_name("value") {
        names.retain(|name| name.start_byte() < value.start_byte());
    }
    names
}

fn bound<'t>(node: Node<'t>, _: &str) -> Option<Named<'t>> {
    let pattern = node.child_by_field_name("name")?;
    Some(Named { owner: None, node: pattern.child_by_field_name("bound_identifier")? })
}

/// `case a(Int), b`
fn cases(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    let names = node.children_by_field_name("name", &mut cursor);
    names.filter(|name| name.kind() == "simple_identifier").collect()
}

fn macro_name<'t>(node: Node<'t>, _: &str) -> Option<Named<'t>> {
    Some(Named { owner: None, node: named_child(node, "simple_identifier")? })
}

/// `Type(…)` makes an object; `values[…]` is written as a call, but is none.
fn called(node: Node<'_>, text: &str) -> Mention {
    let suffix = text_of(named_child(node, "call_suffix"), text);
    let Some(callee) = node.named_child(0) else { return Mention::Nothing };
    let is_type = callee.kind() == "simple_identifier"
        && text_of(Some(callee), text).starts_with(char::is_uppercase)
        && !text_of(Some(callee), text).starts_with("XCT");
    match suffix.starts_with('[') {
        true => Mention::Nothing,
        false if is_type => New(""),
        false => Call(""),
    }
}

/// `import A`, `@testable import A`, `import struct A.B`
fn imports(node: Node<'_>, text: &str, out: &mut Vec<Import>) {
    let Some(path) = named_child(node, "identifier") else { return };
    let written = text_of(Some(path), text);
    let before = text.get(node.start_byte()..path.start_byte()).unwrap_or_default();
    let takes_one = !before.trim_end().ends_with("import");
    out.push(match written.rsplit_once('.').filter(|_| takes_one) {
        Some((module, name)) => Import::new(node, module).named(name),
        None => Import::new(node, written).named("*"),
    });
}
