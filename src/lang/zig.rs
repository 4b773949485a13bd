//! Zig.

use tree_sitter::Node;

use super::ChunkKind::*;
use super::grammar::Context::Type as TypeContext;
use super::grammar::Mention::{self, Ask as Look, Call, Import as Imports, Member, Name as AName, New};
use super::grammar::Name::{By, Child, Field as NAMED};
use super::grammar::Role::{self, *};
use super::grammar::{Grammar, Named, Privacy, Rules};
use super::imports::{Import, text_of};
use super::naming::named_child;

pub static ZIG: Grammar = Grammar::of(Rules {
    roles: &[
        ("variable_declaration", Ask(variable)),
        ("function_declaration", Ask(function)),
        ("test_declaration", Definition(Test, By(title))),
        ("container_field", Ask(field)),
        ("struct_declaration", Body),
        ("enum_declaration", Body),
        ("union_declaration", Body),
        ("opaque_declaration", Body),
        ("block", Body),
        ("expression_statement", Ask(statement)),
        ("return_expression", Branch),
        ("comment", Comment),
    ],
    mentions: &[
        ("call_expression", Call("function")),
        ("struct_initializer", New("")),
        ("field_expression", Look(member)),
        ("builtin_function", Look(builtin)),
        ("identifier", AName),
        ("variable_declaration", Imports(bound)),
    ],
    fields: &[("*", "type", TypeContext)],
    privacy: Privacy::Marked,
    ..Rules::new(tree_sitter_zig::LANGUAGE, "tree-sitter-zig", "1.1.2")
});

const BOUND: super::grammar::Name = Child("identifier");

/// `const Name = struct { … }` declares a type, `const name = @import(…)` nothing of its own. Assignments are of
/// the same node type.
fn variable(node: Node<'_>, text: &str) -> Role {
    let mut cursor = node.walk();
    let word = node.children(&mut cursor).find(|child| matches!(child.kind(), "const" | "var"));
    let (Some(word), Some(value)) = (word, value(node)) else { return Plain };
    match value.kind() {
        "struct_declaration" | "union_declaration" | "opaque_declaration" => Container(Struct, BOUND),
        "enum_declaration" => Container(Enum, BOUND),
        "error_set_declaration" => Definition(Enum, BOUND),
        "builtin_function" if text_of(Some(value), text).starts_with("@This") => Plain,
        _ if import_in(value, text).is_some() => Plain,
        _ => Definition(if word.kind() == "const" { Constant } else { Variable }, BOUND),
    }
}

fn value(node: Node<'_>) -> Option<Node<'_>> {
    let last = node.named_child(node.named_child_count().checked_sub(1)? as u32)?;
    Some(last)
}

/// A function that returns a type stands for the type.
fn function(node: Node<'_>, _: &str) -> Role {
    let last = node.child_by_field_name("body").and_then(value);
    let makes_type = last.and_then(returned_type).is_some();
    if makes_type { Container(Struct, NAMED) } else { Definition(Function, NAMED) }
}

/// `return struct { … };`
fn returned_type(statement: Node<'_>) -> Option<Node<'_>> {
    let value = named_child(statement, "return_expression")?.named_child(0)?;
    matches!(value.kind(), "struct_declaration" | "union_declaration" | "enum_declaration").then_some(value)
}

fn statement(node: Node<'_>, _: &str) -> Role {
    if returned_type(node).is_some() { Branch } else { Plain }
}

/// Fields have types, the names in an enum have none.
fn field(node: Node<'_>, _: &str) -> Role {
    match node.child_by_field_name("type") {
        Some(_) => Definition(Variable, NAMED),
        None => Definition(Constant, NAMED),
    }
}

fn title<'t>(node: Node<'t>, _: &str) -> Option<Named<'t>> {
    let title = node.named_child(0).filter(|first| matches!(first.kind(), "string" | "identifier"))?;
    Some(Named { owner: None, node: title })
}

/// `.name` is a literal, not a member of something.
fn member(node: Node<'_>, _: &str) -> Mention {
    if node.child_by_field_name("object").is_some() { Member } else { Mention::Nothing }
}

fn builtin(node: Node<'_>, text: &str) -> Mention {
    if text_of(Some(node), text).starts_with("@import") { Imports(imports) } else { Mention::Nothing }
}

/// The `@import(…)` at the beginning of `@import("a").b.c`.
fn import_in<'t>(value: Node<'t>, text: &str) -> Option<Node<'t>> {
    let mut node = value;
    for _ in 0..4 {
        node = match node.kind() {
            "field_expression" => node.child_by_field_name("object")?,
            _ => break,
        };
    }
    let is_import = node.kind() == "builtin_function" && text_of(Some(node), text).starts_with("@import");
    is_import.then_some(node)
}

/// `const alias = @import("module").name;`
fn bound(node: Node<'_>, text: &str, out: &mut Vec<Import>) {
    let Some((value, call)) = value(node).and_then(|value| Some((value, import_in(value, text)?))) else {
        return;
    };
    let before = out.len();
    imports(call, text, out);
    let Some(import) = out.get_mut(before) else { return };
    if value.kind() == "field_expression" {
        import.name = Some(text_of(value.child_by_field_name("member"), text).to_owned());
    }
    let alias = text_of(named_child(node, "identifier"), text);
    if import.local_name() != alias {
        import.alias = Some(alias.to_owned());
    }
}

/// Each call is seen twice where its value has a name: the first counts.
fn imports(node: Node<'_>, text: &str, out: &mut Vec<Import>) {
    let module = named_child(node, "arguments").and_then(|arguments| named_child(arguments, "string"));
    let Some(module) = module else { return };
    let import = Import::new(node, text_of(Some(module), text));
    if out.last().is_none_or(|last| (last.line, &last.module) != (import.line, &import.module)) {
        out.push(import);
    }
}
