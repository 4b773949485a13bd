//! C++.

use tree_sitter::Node;

use super::ChunkKind::*;
use super::c::{alias, c_mentions, c_roles, include, linkage, macro_value, specifier};
use super::declarator::{self, names, qualified, split};
use super::grammar::Context::{Inherit, Quiet, Type as TypeContext, Value as ValueContext};
use super::grammar::Mention::{
    Call, Import as Imports, Inside, Member, Name as AName, New, Path, Type as TypeName,
};
use super::grammar::Name::{By, Each, Field as NAMED, PrefixedBy};
use super::grammar::Role::{self, *};
use super::grammar::{Grammar, Named, Privacy, Rules};
use super::imports::{Import, text_of};
use super::naming::named_child;

pub static CPP: Grammar = Grammar::of(Rules {
    roles: c_roles!(
        ("namespace_definition", Ask(namespace)),
        ("class_specifier", Ask(class)),
        ("struct_specifier", Ask(class)),
        ("access_specifier", Access),
        ("template_declaration", Wrapper),
        ("friend_declaration", Wrapper),
        ("function_definition", Ask(function)),
        ("declaration", Ask(declaration)),
        ("field_declaration", Ask(field)),
        ("alias_declaration", Definition(Type, NAMED)),
        ("concept_definition", Definition(Type, NAMED)),
        ("expression_statement", Ask(statement)),
        ("compound_statement", Trailing),
        ("field_initializer_list", Trailing),
        ("attribute_declaration", Annotation),
    ),
    mentions: c_mentions!(
        ("new_expression", New("type")),
        ("compound_literal_expression", New("type")),
        ("qualified_identifier", Path),
        ("base_class_clause", Inside(Inherit)),
        ("template_argument_list", Inside(ValueContext)),
        ("compound_statement", Inside(ValueContext)),
        ("field_declaration_list", Inside(ValueContext)),
        ("type_parameter_declaration", Inside(Quiet)),
        ("variadic_type_parameter_declaration", Inside(Quiet)),
        ("using_declaration", Imports(using)),
        ("namespace_alias_definition", Imports(namespace_alias)),
    ),
    fields: &[
        ("type_definition", "declarator", Quiet),
        ("function_definition", "declarator", Quiet),
        ("optional_type_parameter_declaration", "name", Quiet),
        ("*", "type", TypeContext),
    ],
    privacy: Privacy::Linkage,
    mask: Some(mask_macros),
    common: &["auto", "const_cast", "dynamic_cast", "reinterpret_cast", "static_cast"],
    ..Rules::new(tree_sitter_cpp::LANGUAGE, "tree-sitter-cpp", "0.23.4")
});

/// Blanks for lines that are nothing but a macro such as `LIB_NAMESPACE_BEGIN`, which the grammar would take for the type of
/// a function called `namespace`.
fn mask_macros(text: &str) -> Option<String> {
    let is_macro = |line: &str| {
        let is_name = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
        line.contains("NAMESPACE") && line.trim().chars().all(is_name)
    };
    if !text.contains("NAMESPACE") || !text.lines().any(is_macro) {
        return None;
    }
    let blank = |line: &str| " ".repeat(line.trim_end().len()) + &line[line.trim_end().len()..];
    let lines = text.split_inclusive('\n');
    Some(lines.map(|line| if is_macro(line) { blank(line) } else { line.to_owned() }).collect())
}

/// Macros of test frameworks that look like functions.
const TESTS: [&str; 9] = [
    "TEST",
    "TEST_F",
    "TEST_P",
    "TYPED_TEST",
    "TYPED_TEST_P",
    "TEST_CASE",
    "TEST_CASE_TEMPLATE",
    "SCENARIO",
    "BENCHMARK_F",
];

/// Without a name it only hides its members from other files.
fn namespace(node: Node<'_>, _: &str) -> Role {
    match node.child_by_field_name("name") {
        Some(_) => Container(Namespace, NAMED),
        None => Branch,
    }
}

fn class(node: Node<'_>, text: &str) -> Role {
    match specifier(node, text) {
        Compact(..) if node.kind() == "class_specifier" => Container(Class, By(class_name)),
        Compact(kind, _) => Container(kind, By(class_name)),
        role => role,
    }
}

/// `class Outer::Name<int>`
fn class_name<'t>(node: Node<'t>, text: &str) -> Option<Named<'t>> {
    Some(split(node.child_by_field_name("name")?, text))
}

fn function(node: Node<'_>, text: &str) -> Role {
    if exported_class(node, text).is_some() {
        return Definition(Class, By(exported_class));
    }
    let Some((kind, name)) = callable(node, text) else { return Plain };
    Definition(kind, name)
}

/// `class LIB_API Name final : Base { … }`: the macro is taken for the type of a function without parameters.
fn exported_class<'t>(node: Node<'t>, text: &str) -> Option<Named<'t>> {
    let of = node.child_by_field_name("type")?;
    let is_class = matches!(of.kind(), "class_specifier" | "struct_specifier");
    let declared = declarator::first(node).filter(|declared| is_class && !declared.is_function)?;
    let name = match text_of(Some(declared.name), text) {
        "final" => named_child(node, "ERROR")?.named_child(0)?,
        _ => declared.name,
    };
    Some(Named { owner: None, node: name })
}

/// What a declaration with a function's name declares.
fn callable(node: Node<'_>, text: &str) -> Option<(super::ChunkKind, super::grammar::Name)> {
    let name = split(declarator::first(node)?.name, text).node;
    Some(match name.kind() {
        "operator_name" if name.child_count() == 2 => (Operator, PrefixedBy("operator ", symbol)),
        "operator_name" => (Operator, By(qualified)),
        "operator_cast" => (Operator, PrefixedBy("operator ", target)),
        "destructor_name" => (Method, By(qualified)),
        _ if node.child_by_field_name("type").is_some() => (Function, By(qualified)),
        _ if TESTS.contains(&text_of(Some(name), text)) => (Test, By(test_name)),
        _ => (Constructor, By(qualified)),
    })
}

/// The `==` of `operator==`.
fn symbol<'t>(node: Node<'t>, text: &str) -> Option<Named<'t>> {
    let name = qualified(node, text)?;
    Some(Named { node: name.node.child(1)?, ..name })
}

/// The type of `operator bool`.
fn target<'t>(node: Node<'t>, text: &str) -> Option<Named<'t>> {
    let name = qualified(node, text)?;
    Some(Named { node: name.node.child_by_field_name("type")?, ..name })
}

/// `TEST(Suite, name) { … }` reads as a function with two parameters.
fn test_name<'t>(node: Node<'t>, text: &str) -> Option<Named<'t>> {
    let parameters = node.child_by_field_name("declarator")?.child_by_field_name("parameters")?;
    let first = parameters.named_child(0)?;
    Some(match parameters.named_child(1) {
        Some(name) => Named { owner: Some(text_of(Some(first), text).to_owned()), node: name },
        None => Named { owner: None, node: first },
    })
}

/// `TEST_CASE("title")`, with the block behind it.
fn statement(node: Node<'_>, text: &str) -> Role {
    let call = node.named_child(0).filter(|child| child.kind() == "call_expression");
    let callee = call.and_then(|call| call.child_by_field_name("function"));
    match TESTS.contains(&text_of(callee, text)) {
        true => Declarator(Test, By(title)),
        false => Plain,
    }
}

fn title<'t>(node: Node<'t>, _: &str) -> Option<Named<'t>> {
    let arguments = node.named_child(0)?.child_by_field_name("arguments")?;
    Some(Named { owner: None, node: arguments.named_child(0)? })
}

/// A prototype or variables; inside of a function neither counts.
fn declaration(node: Node<'_>, text: &str) -> Role {
    let Some(declared) = declarator::first(node) else { return Transparent };
    let is_function = declared.is_function || declared.name.kind() == "operator_cast";
    match callable(node, text).filter(|_| is_function) {
        Some((kind, name)) => Declarator(kind, name),
        None => Declarator(Variable, Each(names)),
    }
}

fn field(node: Node<'_>, text: &str) -> Role {
    let Some(declared) = declarator::first(node) else { return Transparent };
    match callable(node, text).filter(|_| declared.is_function) {
        Some((kind, name)) => Definition(kind, name),
        None => Definition(Field, Each(names)),
    }
}

/// `using a::b;`, `using namespace a;`
fn using(node: Node<'_>, text: &str, out: &mut Vec<Import>) {
    let written = text_of(node.named_child(0), text);
    let mut cursor = node.walk();
    let takes_all = node.children(&mut cursor).any(|child| child.kind() == "namespace");
    out.push(match written.rsplit_once("::") {
        _ if takes_all => Import::new(node, written).named("*"),
        Some((module, name)) => Import::new(node, module).named(name),
        None => Import::new(node, written),
    });
}

/// `namespace a = b::c;`
fn namespace_alias(node: Node<'_>, text: &str, out: &mut Vec<Import>) {
    let Some(alias) = node.child_by_field_name("name") else { return };
    let of = named_child(node, "nested_namespace_specifier").or_else(|| node.named_child(1));
    out.push(Import::new(node, text_of(of, text)).alias(Some(text_of(Some(alias), text))));
}

#[cfg(test)]
mod tests {
    use crate::chunk::Limits;
    use crate::lang::Language;

    fn definitions(text: &str) -> Vec<String> {
        let limits = Limits { min_tokens: 40, max_tokens: 160, fixed_interval_above: 1 << 20 };
        let language = Language::from_name("cpp").unwrap();
        let facts = crate::chunk::chunk(text, language, &limits).facts;
        facts.definitions.iter().map(|d| format!("{} {}", d.kind, facts.qualified_name(d))).collect()
    }

    #[test]
    fn what_macros_make_of_the_syntax_is_understood() {
        assert_eq!(definitions("TEST_CASE(\"it works\")\n{\n    int local = 0;\n}\n"), ["test it works"]);
        assert_eq!(definitions("class LIB_API Foo : public Bar {\n int x;\n};\n"), ["class Foo"]);
        assert_eq!(definitions("class LIB_API Foo final {\n int x;\n};\n"), ["class Foo"]);
    }

    #[test]
    fn functions_are_told_from_pointers_to_them() {
        let text = "int *f(int);\nint (*g)(int);\nint (*h(int))(int);\nint a::B<int>::c() { return 1; }\n";
        assert_eq!(definitions(text), ["function f", "variable g", "function h", "method a.B.c"]);
    }
}
