//! Python.

use tree_sitter::Node;

use super::ChunkKind::{self, *};
use super::grammar::Context::{Inherit, Type as TypeContext};
use super::grammar::Mention::{Call, Import as Imports, Inside, Member, Name as AName};
use super::grammar::Name::{By, Field as NAMED};
use super::grammar::Role::{self, *};
use super::grammar::{Context, Grammar, Named, Privacy, Rules};
use super::hazard;
use super::imports::{Import, text_of};

pub static PYTHON: Grammar = Grammar::of(Rules {
    roles: &[
        ("class_definition", Ask(class)),
        ("block", Body),
        ("function_definition", Definition(Function, NAMED)),
        ("type_alias_statement", Definition(Type, By(alias))),
        ("decorated_definition", Wrapper),
        ("expression_statement", Ask(statement)),
        ("assignment", Ask(assignment)),
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
        ("for_statement", Branch),
        ("while_statement", Branch),
        ("match_statement", Branch),
        ("case_clause", Branch),
    ],
    mentions: &[
        ("call", Call("function")),
        ("attribute", Member),
        ("identifier", AName),
        ("type", Inside(TypeContext)),
        ("as_pattern_target", Inside(Context::Value)),
        ("decorator", Inside(Context::Annotation)),
        ("keyword_argument", Inside(Context::Value)),
        ("import_statement", Imports(imports)),
        ("import_from_statement", Imports(imports_from)),
        ("future_import_statement", Imports(imports_from)),
        ("assignment", Imports(exports)),
        ("augmented_assignment", Imports(exports)),
    ],
    fields: &[
        ("class_definition", "superclasses", Inherit),
        ("subscript", "subscript", Context::Argument),
        ("except_clause", "value", TypeContext),
    ],
    privacy: Privacy::Underscore,
    tests: &["test"],
    common: &[
        "int",
        "str",
        "bool",
        "float",
        "bytes",
        "None",
        "object",
        "list",
        "dict",
        "tuple",
        "set",
        "frozenset",
        "type",
        "complex",
    ],
    docstring: Some(docstring),
    hazard: Some(hazard::python),
    ..Rules::new(tree_sitter_python::LANGUAGE, "tree-sitter-python", "0.25.0")
});

/// Enums and protocols are classes with such a base.
fn class(node: Node<'_>, text: &str) -> Role {
    let bases = text_of(node.child_by_field_name("superclasses"), text);
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let of = bases.split(|c| !is_word(c)).find_map(|base| match base {
        "Enum" | "IntEnum" | "StrEnum" | "Flag" | "IntFlag" => Some(Enum),
        "Protocol" => Some(Interface),
        _ => None,
    });
    Container(of.unwrap_or(Class), NAMED)
}

/// Types may be made by an assignment; such names begin with a capital.
fn assignment(node: Node<'_>, text: &str) -> Role {
    let is_capital = text.as_bytes().get(node.start_byte()).is_some_and(u8::is_ascii_uppercase);
    let of = if is_capital { assigned_type(node, text) } else { None };
    Declarator(of.unwrap_or(Variable), By(assigned))
}

fn assigned_type(node: Node<'_>, text: &str) -> Option<ChunkKind> {
    if text_of(node.child_by_field_name("type"), text).ends_with("TypeAlias") {
        return Some(Type);
    }
    let right = node.child_by_field_name("right")?;
    let head = match right.kind() {
        "call" => text_of(right.child_by_field_name("function"), text),
        "subscript" => text_of(right.child_by_field_name("value"), text),
        _ => return None,
    };
    match (right.kind(), head.rsplit('.').next().unwrap_or(head)) {
        ("call", "TypeVar" | "ParamSpec" | "TypeVarTuple" | "NewType") => Some(Type),
        ("call", "namedtuple" | "NamedTuple" | "TypedDict") => Some(Class),
        ("subscript", "Union" | "Optional" | "Callable" | "Literal" | "Annotated" | "Dict" | "List") => {
            Some(Type)
        }
        ("subscript", "Tuple" | "Type" | "Set" | "dict" | "list" | "tuple" | "type" | "set") => Some(Type),
        _ => None,
    }
}

/// `__all__ = ["a", "b"]`
fn exports(node: Node<'_>, text: &str, out: &mut Vec<Import>) {
    if text_of(node.child(0), text) != "__all__" {
        return;
    }
    let Some(list) = node.child_by_field_name("right") else { return };
    for item in list.named_children(&mut list.walk()).filter(|item| item.kind() == "string") {
        out.push(Import::new(item, "").named(text_of(item.named_child(1), text)).export(true));
    }
}

/// Only plain names: `a.b = 1` and `a[0] = 1` declare nothing.
fn assigned<'t>(node: Node<'t>, _: &str) -> Option<Named<'t>> {
    let left = node.child_by_field_name("left").filter(|left| left.kind() == "identifier")?;
    Some(Named { owner: None, node: left })
}

fn alias<'t>(node: Node<'t>, _: &str) -> Option<Named<'t>> {
    let name = node.child_by_field_name("left")?.named_child(0)?;
    // `type Pairs[K] = …`
    let node = if name.kind() == "generic_type" { name.named_child(0)? } else { name };
    Some(Named { owner: None, node })
}

/// The string that a body begins with.
fn docstring<'t>(declaration: Node<'t>, _: &str) -> Option<Node<'t>> {
    let first = declaration.child_by_field_name("body")?.named_child(0)?;
    let string = if first.kind() == "expression_statement" { first.named_child(0)? } else { first };
    (string.kind() == "string").then_some(string)
}

/// A string in a class is about the class, or the field before it.
fn statement(node: Node<'_>, _: &str) -> Role {
    let is_string = node.named_child(0).is_some_and(|child| child.kind() == "string");
    let is_inside = is_string && node.parent().is_some_and(|parent| parent.kind() == "block");
    if is_inside { Trailing } else { Wrapper }
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
