//! Kotlin.

use tree_sitter::Node;

use super::ChunkKind::*;
use super::grammar::Context::{
    Annotation as AnnotationContext, Implement, Inherit, Type as TypeContext, Value as ValueContext,
};
use super::grammar::Mention::{Call, Import as Imports, Inside, Member, Name as AName, PathIn};
use super::grammar::Name::{By, Child, Field as NAMED, Fixed, In};
use super::grammar::Role::{self, *};
use super::grammar::{Grammar, Mention, Named, Privacy, Rules};
use super::hazard;
use super::imports::{Import, text_of};
use super::naming::named_child;

pub static KOTLIN: Grammar = Grammar::of(Rules {
    roles: &[
        ("package_header", Scope(Namespace, Child("qualified_identifier"))),
        ("class_declaration", Ask(class)),
        ("annotated_expression", Wrapper),
        ("infix_expression", Ask(infix)),
        ("object_declaration", Container(Object, NAMED)),
        ("companion_object", Ask(companion)),
        ("class_body", Body),
        ("enum_class_body", Body),
        ("enum_entry", Definition(Constant, Child("identifier"))),
        ("class_parameter", Ask(class_parameter)),
        ("secondary_constructor", Definition(Constructor, Fixed("constructor"))),
        ("anonymous_initializer", Definition(Block, Fixed("init"))),
        ("function_declaration", Definition(Function, By(function))),
        ("function_body", Body),
        ("property_declaration", Ask(property)),
        ("getter", Body),
        ("setter", Body),
        ("property_delegate", Body),
        ("type_alias", Definition(Type, In("type"))),
        ("block", Trailing),
        ("lambda_literal", Trailing),
        ("block_comment", Comment),
        ("line_comment", Comment),
        ("annotation", Annotation),
        ("file_annotation", Annotation),
    ],
    mentions: &[
        ("call_expression", Call("")),
        ("navigation_expression", Member),
        ("identifier", AName),
        ("user_type", PathIn(TypeContext)),
        ("type_arguments", Inside(TypeContext)),
        ("delegation_specifier", Mention::Ask(base)),
        ("value_arguments", Inside(ValueContext)),
        ("annotation", Inside(AnnotationContext)),
        ("file_annotation", Inside(AnnotationContext)),
        ("import", Imports(imports)),
    ],
    privacy: Privacy::Open,
    owners_are_extended: true,
    common: &[
        "Any", "Boolean", "Byte", "Char", "Double", "Float", "Int", "Long", "Nothing", "Short", "String",
        "Unit",
    ],
    hazard: Some(hazard::kotlin),
    ..Rules::new(tree_sitter_kotlin_ng::LANGUAGE, "tree-sitter-kotlin-ng", "1.1.0")
});

fn class(node: Node<'_>, _: &str) -> Role {
    let mut cursor = node.walk();
    for child in node.children(&mut cursor) {
        match child.kind() {
            "interface" => return Compact(Interface, NAMED),
            "enum_class_body" => return Compact(Enum, NAMED),
            _ => {}
        }
    }
    Container(Class, NAMED)
}

/// Behind several annotations the grammar takes `class Name { … }` for two operands and an operator.
fn infix(node: Node<'_>, text: &str) -> Role {
    match text_of(node.named_child(0), text) {
        "class" => Definition(Class, By(misread)),
        "interface" => Definition(Interface, By(misread)),
        _ => Plain,
    }
}

fn misread<'t>(node: Node<'t>, _: &str) -> Option<Named<'t>> {
    Some(Named { owner: None, node: node.named_child(1)? })
}

fn companion(node: Node<'_>, _: &str) -> Role {
    match node.child_by_field_name("name") {
        Some(_) => Container(Object, NAMED),
        None => Container(Object, Fixed("Companion")),
    }
}

/// `class A(val x: Int, y: Int)` has one field.
fn class_parameter(node: Node<'_>, _: &str) -> Role {
    let mut cursor = node.walk();
    let is_field = node.children(&mut cursor).any(|child| matches!(child.kind(), "val" | "var"));
    if is_field { Definition(Field, Child("identifier")) } else { Plain }
}

fn function<'t>(node: Node<'t>, text: &str) -> Option<Named<'t>> {
    let name = node.child_by_field_name("name")?;
    Some(Named { owner: receiver(node, name, text), node: name })
}

/// The type before the name: `a.Type<T>?.name`.
fn receiver(node: Node<'_>, name: Node<'_>, text: &str) -> Option<String> {
    let mut cursor = node.walk();
    let mut before = node.named_children(&mut cursor).take_while(|child| child.id() != name.id());
    let of = before.find(|child| matches!(child.kind(), "user_type" | "nullable_type"))?;
    let of = if of.kind() == "nullable_type" { named_child(of, "user_type")? } else { of };
    let mut cursor = of.walk();
    let last = of.named_children(&mut cursor).filter(|child| child.kind() == "identifier").last();
    last.map(|last| text_of(Some(last), text).to_owned())
}

/// Inside of functions none counts.
fn property(node: Node<'_>, text: &str) -> Role {
    let mut kind = Variable;
    let mut cursor = node.walk();
    for child in node.named_children(&mut cursor) {
        match child.kind() {
            "modifiers" if text_of(Some(child), text).ends_with("const") => kind = Constant,
            "getter" | "setter" | "property_delegate" | "user_type" | "nullable_type" => kind = Property,
            _ => {}
        }
    }
    Declarator(kind, By(property_name))
}

fn property_name<'t>(node: Node<'t>, text: &str) -> Option<Named<'t>> {
    let declared = named_child(node, "variable_declaration")?;
    Some(Named { owner: receiver(node, declared, text), node: named_child(declared, "identifier")? })
}

/// Only classes are constructed: `: Base(x), Interface`.
fn base(node: Node<'_>, _: &str) -> Mention {
    match node.named_child(0).map(|child| child.kind()) {
        Some("constructor_invocation") => Inside(Inherit),
        _ => Inside(Implement),
    }
}

/// `import a.b.c as d`, `import a.b.*`
fn imports(node: Node<'_>, text: &str, out: &mut Vec<Import>) {
    let Some(path) = named_child(node, "qualified_identifier") else { return };
    let written = text_of(Some(path), text);
    let alias = named_child(node, "identifier").map(|alias| text_of(Some(alias), text));
    let takes_all = text_of(Some(node), text).trim_end().ends_with('*');
    out.push(match written.rsplit_once('.') {
        _ if takes_all => Import::new(node, written).named("*"),
        Some((module, name)) => Import::new(node, module).named(name).alias(alias),
        None => Import::new(node, written).alias(alias),
    });
}

#[cfg(test)]
mod tests {
    use crate::chunk::Limits;
    use crate::lang::Language;

    #[test]
    fn a_class_behind_several_annotations_is_one() {
        let text = "@Component\n@Transactional\nclass Service {\n    fun find(id: Int): User? {\n        return null\n    }\n}\n";
        let limits = Limits { min_tokens: 40, max_tokens: 160, fixed_interval_above: 1 << 20 };
        let facts = crate::chunk::chunk(text, Language::from_name("kotlin").unwrap(), &limits).facts;
        let names: Vec<String> = facts.definitions.iter().map(|d| facts.qualified_name(d)).collect();
        assert_eq!(names, ["Service", "Service.find"]);
    }
}
