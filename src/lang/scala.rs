//! Scala, in both of its syntaxes: the grammar gives the same nodes for braces and for indentation.

use tree_sitter::Node;

use super::ChunkKind::*;
use super::grammar::Context::{
    Annotation as AnnotationContext, Implement, Inherit, Quiet, Type as TypeContext, Value as ValueContext,
};
use super::grammar::Mention::{
    Call, Import as Imports, Inside, Member, Name as AName, New, PathIn, Type as TypeName,
};
use super::grammar::Name::{By, Each, Field as NAMED};
use super::grammar::Role::{self, *};
use super::grammar::{Grammar, Named, Privacy, Rules};
use super::imports::{Import, text_of};
use super::naming::{all_names, named_child};

pub static SCALA: Grammar = Grammar::of(Rules {
    roles: &[
        ("package_clause", Ask(package)),
        ("package_object", Container(Object, NAMED)),
        ("class_definition", Container(Class, NAMED)),
        ("trait_definition", Container(Trait, NAMED)),
        ("object_definition", Container(Object, NAMED)),
        ("template_body", Body),
        ("with_template_body", Body),
        ("enum_definition", Compact(Enum, NAMED)),
        ("enum_body", Body),
        ("enum_case_definitions", Transparent),
        ("simple_enum_case", Definition(Constant, NAMED)),
        ("full_enum_case", Definition(Constant, NAMED)),
        ("given_definition", Ask(given)),
        ("extension_definition", Compact(Impl, By(extended))),
        ("function_definition", Definition(Function, NAMED)),
        ("function_declaration", Definition(Function, NAMED)),
        ("val_definition", Declarator(Variable, Each(patterns))),
        ("var_definition", Declarator(Variable, Each(patterns))),
        ("val_declaration", Declarator(Variable, Each(all_names))),
        ("var_declaration", Declarator(Variable, Each(all_names))),
        ("type_definition", Definition(Type, NAMED)),
        ("call_expression", Ask(call)),
        ("block", Trailing),
        ("indented_block", Trailing),
        ("end_marker", Trailing),
        ("comment", Comment),
        ("block_comment", Comment),
        ("annotation", Annotation),
    ],
    mentions: &[
        ("call_expression", Call("function")),
        ("instance_expression", New("")),
        ("field_expression", Member),
        ("identifier", AName),
        ("type_identifier", TypeName),
        ("stable_type_identifier", PathIn(TypeContext)),
        ("type_arguments", Inside(TypeContext)),
        ("type_parameters", Inside(ValueContext)),
        ("extends_clause", Inside(Inherit)),
        ("arguments", Inside(ValueContext)),
        ("with_template_body", Inside(ValueContext)),
        ("import_declaration", Imports(imports)),
        ("export_declaration", Imports(exports)),
    ],
    fields: &[
        ("annotation", "name", AnnotationContext),
        ("given_definition", "return_type", Implement),
        ("type_definition", "name", Quiet),
    ],
    privacy: Privacy::Open,
    scopes_nest: true,
    ends_late: true,
    common: &[
        "Any", "AnyRef", "Boolean", "Byte", "Char", "Double", "Float", "Int", "Long", "Nothing", "Short",
        "Some", "String", "Unit", "this",
    ],
    ..Rules::new(tree_sitter_scala::LANGUAGE, "tree-sitter-scala", "0.26.4")
});

/// `package a { … }` or for the rest of the file.
fn package(node: Node<'_>, _: &str) -> Role {
    match node.child_by_field_name("body") {
        Some(_) => Container(Namespace, NAMED),
        None => Scope(Namespace, NAMED),
    }
}

/// An instance with members, or a value that is found by its type.
fn given(node: Node<'_>, _: &str) -> Role {
    match node.child_by_field_name("body").map(|body| body.kind()) {
        Some("with_template_body" | "template_body") => Container(Impl, By(given_name)),
        _ => Definition(Variable, By(given_name)),
    }
}

/// Without a name it is called after its type.
fn given_name<'t>(node: Node<'t>, _: &str) -> Option<Named<'t>> {
    let name = node.child_by_field_name("name").or_else(|| node.child_by_field_name("return_type"))?;
    Some(Named { owner: None, node: name })
}

/// The type of `extension (x: Type[A])`.
fn extended<'t>(node: Node<'t>, _: &str) -> Option<Named<'t>> {
    let mut cursor = node.walk();
    let parameters = node.children_by_field_name("parameters", &mut cursor).last()?;
    let mut of = named_child(parameters, "parameter")?.child_by_field_name("type")?;
    while let Some(inner) = of.child_by_field_name("type") {
        of = inner;
    }
    Some(Named { owner: None, node: of })
}

/// The names of `val a, b = 1` and `val (a, b) = c`.
fn patterns(node: Node<'_>) -> Vec<Node<'_>> {
    let Some(pattern) = node.child_by_field_name("pattern") else { return Vec::new() };
    match pattern.kind() {
        "identifiers" | "tuple_pattern" => {
            let mut cursor = pattern.walk();
            pattern.named_children(&mut cursor).filter(|child| child.kind() == "identifier").collect()
        }
        "identifier" | "operator_identifier" => vec![pattern],
        _ => Vec::new(),
    }
}

/// `test("title") { … }`
fn call(node: Node<'_>, text: &str) -> Role {
    match title(node, text) {
        Some(_) => Definition(Test, By(title)),
        None => Plain,
    }
}

fn title<'t>(node: Node<'t>, text: &str) -> Option<Named<'t>> {
    let inner = node.child_by_field_name("function").filter(|inner| inner.kind() == "call_expression")?;
    let callee = inner.child_by_field_name("function").filter(|callee| callee.kind() == "identifier")?;
    if !matches!(text_of(Some(callee), text), "test" | "it" | "property" | "describe") {
        return None;
    }
    let title = inner.child_by_field_name("arguments")?.named_child(0)?;
    title.kind().ends_with("string").then_some(Named { owner: None, node: title })
}

fn imports(node: Node<'_>, text: &str, out: &mut Vec<Import>) {
    read(node, false, text, out);
}

fn exports(node: Node<'_>, text: &str, out: &mut Vec<Import>) {
    read(node, true, text, out);
}

/// `import a.b, c.{d, e => f, *}`
fn read(node: Node<'_>, export: bool, text: &str, out: &mut Vec<Import>) {
    let mut path = String::new();
    let mut cursor = node.walk();
    let end = [None];
    for child in node.children(&mut cursor).map(Some).chain(end) {
        match child.map_or(",", |child| child.kind()) {
            "," => {
                if let Some((module, name)) = path.rsplit_once('.') {
                    out.push(Import::new(node, module).named(name).export(export));
                }
                path.clear();
            }
            "namespace_wildcard" => {
                out.push(Import::new(node, path.trim_end_matches('.')).named("*").export(export));
                path.clear();
            }
            "namespace_selectors" => {
                selectors(child.unwrap_or(node), path.trim_end_matches('.'), export, text, out);
                path.clear();
            }
            "import" | "export" | "comment" | "block_comment" => {}
            _ => path.push_str(text_of(child, text)),
        }
    }
}

fn selectors(list: Node<'_>, module: &str, export: bool, text: &str, out: &mut Vec<Import>) {
    for item in list.named_children(&mut list.walk()) {
        let import = Import::new(item, module).export(export);
        out.push(match item.kind() {
            "namespace_wildcard" => import.named("*"),
            "arrow_renamed_identifier" | "as_renamed_identifier" => {
                let part = |field| text_of(item.child_by_field_name(field), text);
                import.named(part("name")).alias(Some(part("alias")))
            }
            _ => import.named(text_of(Some(item), text)),
        });
    }
}
