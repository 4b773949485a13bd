//! PHP.

use tree_sitter::Node;

use super::ChunkKind::*;
use super::grammar::Context::{Implement, Inherit, Type as TypeContext};
use super::grammar::Mention::{
    self, Ask as Look, Call, Import as Imports, Inside, Member, Name as AName, New, Path, TypeIn,
};
use super::grammar::Name::{By, Field as NAMED};
use super::grammar::Role::{self, *};
use super::grammar::{Context, Grammar, Named, Privacy, Rules};
use super::imports::{Import, text_of};
use super::naming::named_child;

pub static PHP: Grammar = Grammar::of(Rules {
    roles: &[
        ("namespace_definition", Ask(namespace)),
        ("class_declaration", Container(Class, NAMED)),
        ("anonymous_class", Container(Class, NAMED)),
        ("interface_declaration", Compact(Interface, NAMED)),
        ("trait_declaration", Container(Trait, NAMED)),
        ("enum_declaration", Compact(Enum, NAMED)),
        ("declaration_list", Body),
        ("enum_declaration_list", Body),
        ("compound_statement", Body),
        ("function_definition", Definition(Function, NAMED)),
        ("method_declaration", Definition(Method, NAMED)),
        ("property_declaration", Binding),
        ("property_element", Declarator(Field, By(property))),
        ("const_declaration", Binding),
        ("const_element", Declarator(Constant, By(first))),
        ("enum_case", Definition(Constant, NAMED)),
        ("expression_statement", Wrapper),
        ("assignment_expression", Declarator(Variable, By(assigned))),
        ("function_call_expression", Ask(defined)),
        ("anonymous_function", Value(Function)),
        ("arrow_function", Value(Function)),
        ("if_statement", Branch),
        ("else_clause", Branch),
        ("else_if_clause", Branch),
        ("attribute_list", Annotation),
        ("comment", Comment),
    ],
    mentions: &[
        ("function_call_expression", Call("function")),
        ("member_call_expression", Call("name")),
        ("nullsafe_member_call_expression", Call("name")),
        ("scoped_call_expression", Call("name")),
        ("object_creation_expression", Look(created)),
        ("member_access_expression", Member),
        ("nullsafe_member_access_expression", Member),
        ("scoped_property_access_expression", Member),
        ("class_constant_access_expression", Look(constant)),
        ("name", AName),
        ("qualified_name", Path),
        ("named_type", Look(named_type)),
        ("type_list", Inside(TypeContext)),
        ("base_clause", Inside(Inherit)),
        ("class_interface_clause", Inside(Implement)),
        ("use_declaration", Inside(Inherit)),
        ("use_list", Inside(Context::Value)),
        ("attribute", Inside(Context::Annotation)),
        ("arguments", Inside(Context::Value)),
        ("declaration_list", Inside(Context::Value)),
        ("namespace_use_declaration", Imports(uses)),
        ("namespace_use_clause", Inside(Context::Callee)),
        ("require_expression", Imports(requires)),
        ("require_once_expression", Imports(requires)),
        ("include_expression", Imports(requires)),
        ("include_once_expression", Imports(requires)),
    ],
    fields: &[
        ("scoped_call_expression", "scope", TypeContext),
        ("scoped_property_access_expression", "scope", TypeContext),
        ("attribute", "parameters", Context::Value),
    ],
    privacy: Privacy::Open,
    tests: &["test"],
    ..Rules::new(tree_sitter_php::LANGUAGE_PHP, "tree-sitter-php", "0.25.1")
});

/// `namespace A { … }` holds its members, `namespace A;` names what follows.
fn namespace(node: Node<'_>, _: &str) -> Role {
    match node.child_by_field_name("body") {
        Some(_) => Container(Namespace, NAMED),
        None => Scope(Namespace, NAMED),
    }
}

/// Without the dollar sign, as members are used: `$this->name`.
fn property<'t>(node: Node<'t>, _: &str) -> Option<Named<'t>> {
    Some(Named { owner: None, node: node.child_by_field_name("name")?.named_child(0)? })
}

fn first<'t>(node: Node<'t>, _: &str) -> Option<Named<'t>> {
    Some(Named { owner: None, node: node.named_child(0)? })
}

/// Only plain variables: `$a->b = 1` and `$a[0] = 1` declare nothing.
fn assigned<'t>(node: Node<'t>, _: &str) -> Option<Named<'t>> {
    let left = node.child_by_field_name("left").filter(|left| left.kind() == "variable_name")?;
    Some(Named { owner: None, node: left })
}

/// `define('NAME', value)`
fn defined(node: Node<'_>, text: &str) -> Role {
    match text_of(node.child_by_field_name("function"), text) {
        "define" => Definition(Constant, By(define_name)),
        _ => Plain,
    }
}

fn define_name<'t>(node: Node<'t>, _: &str) -> Option<Named<'t>> {
    let argument = node.child_by_field_name("arguments")?.named_child(0)?;
    Some(Named { owner: None, node: named_child(argument, "string")? })
}

/// `new A(…)`; a class without a name is a definition, no use of one.
fn created(node: Node<'_>, text: &str) -> Mention {
    match node.named_child(0) {
        Some(name) if matches!(name.kind(), "name" | "qualified_name") && !is_own(name, text) => New(""),
        _ => Mention::Nothing,
    }
}

fn named_type(node: Node<'_>, text: &str) -> Mention {
    Inside(if is_own(node, text) { Context::Callee } else { TypeContext })
}

/// The class around, which is no use of it.
fn is_own(node: Node<'_>, text: &str) -> bool {
    matches!(text_of(Some(node), text), "self" | "static" | "parent")
}

/// `A::class` is the type itself, `A::B` one of its constants.
fn constant(node: Node<'_>, text: &str) -> Mention {
    if text_of(Some(node), text).ends_with("::class") { TypeIn("") } else { Member }
}

/// `use A\B as C;`, `use A\{B, C as D};`, `use function A\b;`
fn uses(node: Node<'_>, text: &str, out: &mut Vec<Import>) {
    let prefix = text_of(named_child(node, "namespace_name"), text);
    let list = node.child_by_field_name("body").unwrap_or(node);
    for clause in list.named_children(&mut list.walk()).filter(|c| c.kind() == "namespace_use_clause") {
        let mut cursor = clause.walk();
        let path = clause.named_children(&mut cursor).find(|c| matches!(c.kind(), "name" | "qualified_name"));
        let path = text_of(path, text).trim_start_matches('\\');
        let alias = clause.child_by_field_name("alias").map(|alias| text_of(Some(alias), text));
        let (inner, name) = path.rsplit_once('\\').unwrap_or(("", path));
        let separator = if prefix.is_empty() || inner.is_empty() { "" } else { "\\" };
        let module = format!("{prefix}{separator}{inner}");
        out.push(match module.as_str() {
            "" => Import::new(clause, name).alias(alias),
            module => Import::new(clause, module).named(name).alias(alias),
        });
    }
}

/// `require __DIR__ . '/a.php'`: the file, without what is computed.
fn requires(node: Node<'_>, text: &str, out: &mut Vec<Import>) {
    let Some(mut path) = node.named_child(0) else { return };
    for _ in 0..4 {
        path = match path.kind() {
            "binary_expression" => path.child_by_field_name("right").unwrap_or(path),
            "parenthesized_expression" => path.named_child(0).unwrap_or(path),
            _ => break,
        };
    }
    if matches!(path.kind(), "string" | "encapsed_string") {
        out.push(Import::new(node, text_of(Some(path), text)));
    }
}
