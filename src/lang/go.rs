//! Go.

use tree_sitter::Node;

use super::ChunkKind::*;
use super::grammar::Context::{Inherit, Type as TypeContext, Value as ValueContext};
use super::grammar::Mention::{
    Call, Import as Imports, Inside, Member, Name as AName, New, Nothing, PathIn, Type as TypeName,
};
use super::grammar::Name::{By, Child, Each, Field as NAMED};
use super::grammar::Role::{self, *};
use super::grammar::{Grammar, Mention, Named, Privacy, Rules};
use super::imports::{Import, text_of};
use super::naming::{all_names, named_child};

pub static GO: Grammar = Grammar::of(Rules {
    roles: &[
        ("package_clause", Scope(Namespace, Child("package_identifier"))),
        ("function_declaration", Definition(Function, NAMED)),
        ("method_declaration", Definition(Method, By(method))),
        ("type_declaration", Ask(group)),
        ("type_spec", Ask(type_spec)),
        ("type_alias", Definition(Type, NAMED)),
        ("struct_type", Body),
        ("field_declaration_list", Transparent),
        ("field_declaration", Definition(Field, Each(all_names))),
        ("interface_type", Body),
        ("method_elem", Definition(Method, NAMED)),
        ("const_declaration", Ask(group)),
        ("const_spec", Declarator(Constant, Each(all_names))),
        ("var_declaration", Ask(group)),
        ("var_spec_list", Transparent),
        ("var_spec", Declarator(Variable, Each(all_names))),
        ("comment", Ask(comment)),
    ],
    mentions: &[
        ("call_expression", Call("function")),
        ("composite_literal", New("type")),
        ("selector_expression", Member),
        ("identifier", AName),
        ("type_identifier", TypeName),
        ("qualified_type", PathIn(TypeContext)),
        ("type_parameter_list", Inside(ValueContext)),
        ("interface_type", Inside(Inherit)),
        ("method_elem", Inside(ValueContext)),
        ("field_declaration", Mention::Ask(embedded)),
        ("import_spec", Imports(imports)),
    ],
    privacy: Privacy::Capital,
    tests: &["Test", "Benchmark", "Fuzz"],
    tests_take: "*testing.",
    common: &[
        "any",
        "append",
        "bool",
        "byte",
        "cap",
        "clear",
        "close",
        "comparable",
        "complex128",
        "complex64",
        "copy",
        "delete",
        "error",
        "float32",
        "float64",
        "int",
        "int16",
        "int32",
        "int64",
        "int8",
        "len",
        "make",
        "max",
        "min",
        "new",
        "panic",
        "print",
        "println",
        "recover",
        "rune",
        "string",
        "uint",
        "uint16",
        "uint32",
        "uint64",
        "uint8",
        "uintptr",
    ],
    ..Rules::new(tree_sitter_go::LANGUAGE, "tree-sitter-go", "0.25.0")
});

/// `//go:embed` and its like are for the compiler.
fn comment(node: Node<'_>, text: &str) -> Role {
    if text_of(Some(node), text).starts_with("//go:") { Annotation } else { Comment }
}

/// `const a = 1` stands around one declaration, `const ( … )` around many.
fn group(node: Node<'_>, _: &str) -> Role {
    let mut cursor = node.walk();
    let is_group = node.children(&mut cursor).any(|child| matches!(child.kind(), "(" | "var_spec_list"));
    if is_group { Transparent } else { Wrapper }
}

fn type_spec(node: Node<'_>, _: &str) -> Role {
    match node.child_by_field_name("type").map(|of| of.kind()) {
        Some("struct_type") => Compact(Struct, NAMED),
        Some("interface_type") => Compact(Interface, NAMED),
        _ => Definition(Type, NAMED),
    }
}

/// `func (r *Owner[T]) name()`
fn method<'t>(node: Node<'t>, text: &str) -> Option<Named<'t>> {
    let name = node.child_by_field_name("name")?;
    let receiver = named_child(node.child_by_field_name("receiver")?, "parameter_declaration");
    let mut of = receiver.and_then(|receiver| receiver.child_by_field_name("type"));
    while let Some(inner) = of.filter(|of| of.kind() != "type_identifier") {
        of = inner.named_child(0);
    }
    Some(Named { owner: of.map(|of| text_of(Some(of), text).to_owned()), node: name })
}

/// A field without a name lends its members to the struct.
fn embedded(node: Node<'_>, _: &str) -> Mention {
    match node.child_by_field_name("name") {
        Some(_) => Nothing,
        None => Inside(Inherit),
    }
}

/// `alias "path"`, where `.` takes every name.
fn imports(node: Node<'_>, text: &str, out: &mut Vec<Import>) {
    let import = Import::new(node, text_of(node.child_by_field_name("path"), text));
    let alias = node.child_by_field_name("name");
    out.push(match alias.map(|alias| alias.kind()) {
        Some("dot") => import.named("*"),
        _ => import.alias(alias.map(|alias| text_of(Some(alias), text))),
    });
}
