//! Rust.

use tree_sitter::Node;

use super::ChunkKind::*;
use super::grammar::Context::{
    Annotation as AnnotationContext, Implement, Inherit, Quiet, Type as TypeContext,
};
use super::grammar::Mention::{
    Call, Import as Imports, Inside, Member, Name as AName, New, Path, PathIn, Tokens, Type as TypeName,
};
use super::grammar::Name::{By, Field as NAMED};
use super::grammar::Role::{self, *};
use super::grammar::{Grammar, Named, Privacy, Rules};
use super::imports::{Import, text_of};

pub static RUST: Grammar = Grammar::of(Rules {
    roles: &[
        ("mod_item", Ask(module)),
        ("foreign_mod_item", Branch),
        ("declaration_list", Body),
        ("struct_item", Compact(Struct, NAMED)),
        ("union_item", Compact(Struct, NAMED)),
        ("field_declaration_list", Body),
        ("field_declaration", Definition(Field, NAMED)),
        ("enum_item", Compact(Enum, NAMED)),
        ("enum_variant_list", Body),
        ("enum_variant", Definition(Constant, NAMED)),
        ("trait_item", Container(Trait, NAMED)),
        ("impl_item", Container(Impl, By(implementor))),
        ("function_item", Definition(Function, NAMED)),
        ("function_signature_item", Definition(Function, NAMED)),
        ("const_item", Definition(Constant, NAMED)),
        ("static_item", Definition(Variable, NAMED)),
        ("type_item", Definition(Type, NAMED)),
        ("associated_type", Definition(Type, NAMED)),
        ("macro_definition", Definition(Macro, NAMED)),
        ("macro_rule", Body),
        ("line_comment", Comment),
        ("block_comment", Comment),
        ("attribute_item", Annotation),
        ("inner_attribute_item", Annotation),
    ],
    mentions: &[
        ("call_expression", Call("function")),
        ("macro_invocation", Call("macro")),
        ("token_tree", Tokens),
        ("struct_expression", New("name")),
        ("field_expression", Member),
        ("scoped_identifier", Path),
        ("scoped_type_identifier", PathIn(TypeContext)),
        ("identifier", AName),
        ("type_identifier", TypeName),
        ("type_arguments", Inside(TypeContext)),
        ("lifetime", Inside(Quiet)),
        ("attribute", Inside(AnnotationContext)),
        ("use_declaration", Imports(imports)),
        ("extern_crate_declaration", Imports(external)),
    ],
    fields: &[
        ("impl_item", "trait", Implement),
        ("trait_item", "bounds", Inherit),
        ("*", "type", TypeContext),
        ("type_binding", "name", Quiet),
        ("type_parameter", "name", Quiet),
        ("*", "bounds", TypeContext),
        ("*", "return_type", TypeContext),
        ("*", "trait", TypeContext),
    ],
    privacy: Privacy::Closed,
    docstring: Some(inner_doc),
    common: &["Self", "Some", "Ok", "Err", "_"],
    ..Rules::new(tree_sitter_rust::LANGUAGE, "tree-sitter-rust", "0.24.2")
});

/// `mod name;` has no members.
fn module(node: Node<'_>, _: &str) -> Role {
    match node.child_by_field_name("body") {
        Some(_) => Container(Module, NAMED),
        None => Definition(Module, NAMED),
    }
}

/// The name of the type that an `impl` is for: `T` of `&mut a::T<X>`.
fn implementor<'t>(node: Node<'t>, _: &str) -> Option<Named<'t>> {
    let mut of = node.child_by_field_name("type")?;
    while let Some(inner) = match of.kind() {
        "generic_type" | "reference_type" => of.child_by_field_name("type"),
        "scoped_type_identifier" => of.child_by_field_name("name"),
        _ => None,
    } {
        of = inner;
    }
    Some(Named { owner: None, node: of })
}

/// `//! …` at the beginning of a module's body.
fn inner_doc<'t>(declaration: Node<'t>, _: &str) -> Option<Node<'t>> {
    let first = declaration.child_by_field_name("body")?.named_child(0)?;
    first.child_by_field_name("inner").map(|_| first)
}

/// `use a::{b, c::{self, d as e}, f::*}`: one import for each name.
fn imports(node: Node<'_>, text: &str, out: &mut Vec<Import>) {
    let export = text_of(Some(node), text).starts_with("pub");
    let Some(argument) = node.child_by_field_name("argument") else { return };
    let mut rest = vec![(argument, String::new())];
    while let Some((part, prefix)) = rest.pop() {
        let leaf = |of, name: &str, alias| leaf(of, &prefix, name, alias).export(export);
        let written = |field| text_of(part.child_by_field_name(field), text);
        match part.kind() {
            "use_list" => push_reversed(part, &prefix, &mut rest),
            "scoped_use_list" => {
                let prefix = joined(&prefix, written("path"));
                let Some(list) = part.child_by_field_name("list") else { continue };
                push_reversed(list, &prefix, &mut rest);
            }
            "use_wildcard" => {
                let module = joined(&prefix, text_of(part.named_child(0), text));
                out.push(Import::new(part, &module).named("*").export(export));
            }
            "use_as_clause" => out.push(leaf(part, written("path"), Some(written("alias")))),
            "line_comment" | "block_comment" => {}
            _ => out.push(leaf(part, text_of(Some(part), text), None)),
        }
    }
}

fn push_reversed<'t>(list: Node<'t>, prefix: &str, rest: &mut Vec<(Node<'t>, String)>) {
    let first = rest.len();
    rest.extend(list.named_children(&mut list.walk()).map(|child| (child, prefix.to_owned())));
    rest[first..].reverse();
}

/// `name` below `prefix`, where `self` is the prefix and `a::b` is `b` below `prefix::a`.
fn leaf(node: Node<'_>, prefix: &str, name: &str, alias: Option<&str>) -> Import {
    let whole = if name == "self" { prefix.to_owned() } else { joined(prefix, name) };
    let import = match whole.rsplit_once("::") {
        Some((module, name)) => Import::new(node, module).named(name),
        None => Import::new(node, &whole),
    };
    import.alias(alias)
}

/// A path that stops growing before nesting could make it costly.
fn joined(prefix: &str, path: &str) -> String {
    const LONGEST: usize = 300;
    match prefix {
        "" => path.to_owned(),
        long if long.len() > LONGEST => long.to_owned(),
        prefix => format!("{prefix}::{path}"),
    }
}

/// `extern crate a as b;`
fn external(node: Node<'_>, text: &str, out: &mut Vec<Import>) {
    let alias = node.child_by_field_name("alias").map(|alias| text_of(Some(alias), text));
    out.push(Import::new(node, text_of(node.child_by_field_name("name"), text)).alias(alias));
}
