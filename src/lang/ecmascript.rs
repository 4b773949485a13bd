//! JavaScript, TypeScript and their dialects with markup.

use tree_sitter::Node;

use super::ChunkKind::{self, *};
use super::grammar::Context::{Implement, Inherit, Type as TypeContext};
use super::grammar::Mention::{
    CallOrImport, Import as Imports, Inside, Markup, Member, Name as AName, New, PathIn, Type as TypeName,
};
use super::grammar::Name::{By, Field as NAMED, Fixed, In};
use super::grammar::Role::{self, *};
use super::grammar::{Context, Grammar, Named, Privacy, Rules};
use super::imports::{Import, text_of};

macro_rules! roles {
    ($($more:tt)*) => {
        &[
            ("class_declaration", Container(Class, NAMED)),
            ("class", Container(Class, NAMED)),
            ("class_body", Body),
            ("statement_block", Body),
            ("function_declaration", Definition(Function, NAMED)),
            ("generator_function_declaration", Definition(Function, NAMED)),
            ("method_definition", Definition(Method, NAMED)),
            ("class_static_block", Definition(Block, Fixed("static"))),
            ("lexical_declaration", Binding),
            ("variable_declaration", Binding),
            ("variable_declarator", Declarator(Variable, NAMED)),
            ("assignment_expression", Declarator(Block, By(assigned))),
            ("pair", Declarator(Block, In("key"))),
            ("arrow_function", Value(Function)),
            ("function_expression", Value(Function)),
            ("generator_function", Value(Function)),
            ("export_statement", Wrapper),
            ("expression_statement", Ask(expression)),
            ("decorator", Annotation),
            ("comment", Comment),
            $($more)*
        ]
    };
}

macro_rules! mentions {
    ($($more:tt)*) => {
        &[
            ("call_expression", CallOrImport("function", required)),
            ("variable_declarator", Imports(requires)),
            ("assignment_expression", Imports(module_exports)),
            ("new_expression", New("constructor")),
            ("member_expression", Member),
            ("identifier", AName),
            ("decorator", Inside(Context::Annotation)),
            ("import_statement", Imports(imports)),
            ("export_statement", Imports(exports)),
            $($more)*
        ]
    };
}

pub static JAVASCRIPT: Grammar = Grammar::of(Rules {
    roles: roles!(("field_definition", Declarator(Field, In("property")))),
    mentions: mentions!(
        ("class_heritage", Inside(Inherit)),
        ("jsx_opening_element", Markup("name")),
        ("jsx_self_closing_element", Markup("name")),
        ("jsx_closing_element", Inside(Context::Quiet)),
    ),
    privacy: Privacy::Exported,
    let_varies: true,
    ..Rules::new(tree_sitter_javascript::LANGUAGE, "tree-sitter-javascript", "0.25.0")
});

/// The types whose members are signatures: of a class they are overloads.
const SHAPES: &[ChunkKind] = &[Interface, Type, Class];

const TYPESCRIPT_ROLES: &[(&str, Role)] = roles!(
    ("internal_module", Container(Namespace, NAMED)),
    ("module", Container(Namespace, NAMED)),
    ("abstract_class_declaration", Container(Class, NAMED)),
    ("interface_declaration", Compact(Interface, NAMED)),
    ("interface_body", Body),
    ("type_alias_declaration", Compact(Type, NAMED)),
    ("object_type", Body),
    ("enum_declaration", Compact(Enum, NAMED)),
    ("enum_body", Body),
    ("enum_assignment", Role::Member(&[Enum], Constant, NAMED)),
    // A member without a value is only a name.
    ("property_identifier", Role::Member(&[Enum], Constant, By(itself))),
    ("property_signature", Role::Member(SHAPES, Field, NAMED)),
    ("method_signature", Role::Member(SHAPES, Method, NAMED)),
    ("construct_signature", Role::Member(SHAPES, Constructor, Fixed("new"))),
    ("function_signature", Definition(Function, NAMED)),
    ("abstract_method_signature", Definition(Method, NAMED)),
    ("public_field_definition", Declarator(Field, NAMED)),
    ("ambient_declaration", Wrapper),
);

macro_rules! typescript_mentions {
    ($($more:tt)*) => {
        mentions!(
            ("type_identifier", TypeName),
            ("nested_type_identifier", PathIn(TypeContext)),
            ("type_arguments", Inside(TypeContext)),
            ("extends_clause", Inside(Inherit)),
            ("extends_type_clause", Inside(Inherit)),
            ("implements_clause", Inside(Implement)),
            $($more)*
        )
    };
}

const TYPESCRIPT_PACKAGE: &str = "tree-sitter-typescript";
const TYPESCRIPT_VERSION: &str = "0.23.2";

pub static TYPESCRIPT: Grammar = Grammar::of(Rules {
    roles: TYPESCRIPT_ROLES,
    mentions: typescript_mentions!(),
    privacy: Privacy::Exported,
    let_varies: true,
    ..Rules::new(tree_sitter_typescript::LANGUAGE_TYPESCRIPT, TYPESCRIPT_PACKAGE, TYPESCRIPT_VERSION)
});

pub static TSX: Grammar = Grammar::of(Rules {
    roles: TYPESCRIPT_ROLES,
    mentions: typescript_mentions!(
        ("jsx_opening_element", Markup("name")),
        ("jsx_self_closing_element", Markup("name")),
        ("jsx_closing_element", Inside(Context::Quiet)),
    ),
    privacy: Privacy::Exported,
    let_varies: true,
    ..Rules::new(tree_sitter_typescript::LANGUAGE_TSX, TYPESCRIPT_PACKAGE, TYPESCRIPT_VERSION)
});

/// `describe('…', () => …)` and `it('…', () => …)` are tests; other statements may hold a declaration.
fn expression(node: Node<'_>, text: &str) -> Role {
    let Some(call) = node.named_child(0).filter(|child| child.kind() == "call_expression") else {
        return Wrapper;
    };
    let callee = text_of(call.child_by_field_name("function"), text);
    let head = callee.split(['.', '(', '<']).next().unwrap_or(callee);
    match head {
        "describe" | "context" | "suite" if title(node, text).is_some() => Container(Test, By(title)),
        "it" | "test" | "specify" | "bench" if title(node, text).is_some() => Definition(Test, By(title)),
        _ => Wrapper,
    }
}

fn title<'t>(node: Node<'t>, _: &str) -> Option<Named<'t>> {
    let arguments = node.named_child(0)?.child_by_field_name("arguments")?;
    let title = arguments.named_child(0)?;
    let is_title = match title.kind() {
        "string" | "template_string" => true,
        // `describe(Cart, () => …)`
        "identifier" | "member_expression" => arguments.named_child_count() > 1,
        _ => false,
    };
    is_title.then_some(Named { owner: None, node: title })
}

/// `Owner.prototype.name = function`, `exports.name = …`
fn assigned<'t>(node: Node<'t>, text: &str) -> Option<Named<'t>> {
    let left = node.child_by_field_name("left")?;
    if left.kind() == "identifier" {
        return Some(Named { owner: None, node: left });
    }
    let own_name = || node.child_by_field_name("right").and_then(|value| value.child_by_field_name("name"));
    if text_of(Some(left), text) == "module.exports" && own_name().is_some() {
        return None;
    }
    let name = left.child_by_field_name("property")?;
    let owner = text_of(left.child_by_field_name("object"), text).trim_end_matches(".prototype");
    let is_module = matches!(owner, "exports" | "module.exports" | "module" | "this" | "window" | "self");
    Some(Named { owner: (!is_module && owner.len() < 80).then(|| owner.to_owned()), node: name })
}

/// `import a, { b as c }, * as d from 'm'`, `import 'm'`, `import x = require('m')`
fn imports(node: Node<'_>, text: &str, out: &mut Vec<Import>) {
    let mut cursor = node.walk();
    if let Some(require) = node.named_children(&mut cursor).find(|c| c.kind() == "import_require_clause") {
        let alias = text_of(require.named_child(0), text);
        let module = text_of(require.child_by_field_name("source"), text);
        out.push(Import::new(node, module).alias(Some(alias)));
        return;
    }
    let module = text_of(node.child_by_field_name("source"), text);
    let Some(clause) = node.named_children(&mut cursor).find(|c| c.kind() == "import_clause") else {
        out.push(Import::new(node, module));
        return;
    };
    for part in clause.named_children(&mut clause.walk()) {
        match part.kind() {
            "identifier" => {
                out.push(Import::new(part, module).named("default").alias(Some(text_of(Some(part), text))));
            }
            "namespace_import" => {
                let alias = text_of(part.named_child(0), text);
                out.push(Import::new(part, module).named("*").alias(Some(alias)));
            }
            _ => specifiers(part, module, false, text, out),
        }
    }
}

/// `export { a as b } from 'm'`, `export * from 'm'`, `export { a }`
fn exports(node: Node<'_>, text: &str, out: &mut Vec<Import>) {
    let module = text_of(node.child_by_field_name("source"), text);
    let mut cursor = node.walk();
    for child in node.children(&mut cursor) {
        match child.kind() {
            "export_clause" => specifiers(child, module, true, text, out),
            "namespace_export" => {
                let alias = text_of(child.named_child(0), text);
                out.push(Import::new(child, module).named("*").alias(Some(alias)).export(true));
            }
            "*" => out.push(Import::new(child, module).named("*").export(true)),
            // `export default`, `export =`
            "default" | "=" => {
                let what =
                    node.child_by_field_name("value").or_else(|| node.child_by_field_name("declaration"));
                default_export(what.or_else(|| node.named_child(0)), text, out);
            }
            _ => {}
        }
    }
}

/// What those get who import the module as a whole, if it has a name.
fn default_export(what: Option<Node<'_>>, text: &str, out: &mut Vec<Import>) {
    let Some(what) = what else { return };
    let name = if what.kind() == "identifier" { Some(what) } else { what.child_by_field_name("name") };
    if let Some(name) = name {
        out.push(Import::new(what, "").named(text_of(Some(name), text)).alias(Some("default")).export(true));
    }
}

/// `module.exports = a`, `module.exports = { a, b: c }`, `exports.a = a`
fn module_exports(node: Node<'_>, text: &str, out: &mut Vec<Import>) {
    let left = text_of(node.child(0), text);
    if !left.starts_with("module.exports") && !left.starts_with("exports") {
        return;
    }
    let Some(right) = node.child_by_field_name("right") else { return };
    let member = left.trim_start_matches("module.").trim_start_matches("exports").strip_prefix('.');
    match (member, right.kind()) {
        (Some(name), "identifier") => {
            let local = text_of(Some(right), text);
            let alias = Some(name).filter(|name| *name != local);
            out.push(Import::new(node, "").named(local).alias(alias).export(true));
        }
        (None, "object") => exported_object(right, text, out),
        (None, _) => default_export(Some(right), text, out),
        _ => {}
    }
}

fn exported_object(object: Node<'_>, text: &str, out: &mut Vec<Import>) {
    for item in object.named_children(&mut object.walk()) {
        let (name, alias) = match item.kind() {
            "shorthand_property_identifier" => (Some(item), None),
            "pair" => {
                let value = item.child_by_field_name("value").filter(|value| value.kind() == "identifier");
                (value, item.child_by_field_name("key"))
            }
            _ => (None, None),
        };
        if let Some(name) = name {
            let alias = alias.map(|alias| text_of(Some(alias), text));
            out.push(Import::new(item, "").named(text_of(Some(name), text)).alias(alias).export(true));
        }
    }
}

/// `const a = require('m')`, `const { b, c: d } = require('m')`
fn requires(node: Node<'_>, text: &str, out: &mut Vec<Import>) {
    let Some(module) = node.child_by_field_name("value").and_then(|value| required_module(value, text))
    else {
        return;
    };
    let Some(name) = node.child_by_field_name("name") else { return };
    if name.kind() != "object_pattern" {
        out.push(Import::new(node, module).alias(Some(text_of(Some(name), text))));
        return;
    }
    for item in name.named_children(&mut name.walk()) {
        let (key, alias) = match item.child_by_field_name("key") {
            Some(key) => (key, item.child_by_field_name("value")),
            None => (item, None),
        };
        let alias = alias.map(|alias| text_of(Some(alias), text));
        out.push(Import::new(item, module).named(text_of(Some(key), text)).alias(alias));
    }
}

/// Notes a `require('m')` or `import('m')`, unless the declarator around it has.
fn required(call: Node<'_>, text: &str, out: &mut Vec<Import>) -> bool {
    let Some(module) = required_module(call, text) else { return false };
    let import = Import::new(call, module);
    if !out.last().is_some_and(|last| last.module == import.module && last.line.abs_diff(import.line) < 20) {
        out.push(import);
    }
    true
}

fn required_module<'t>(call: Node<'_>, text: &'t str) -> Option<&'t str> {
    let callee = text.get(call.start_byte()..)?;
    if call.kind() != "call_expression" || !callee.starts_with("require") && !callee.starts_with("import") {
        return None;
    }
    let function = text_of(call.child_by_field_name("function"), text);
    let module = call.child_by_field_name("arguments")?.named_child(0)?;
    let is_import = matches!(function, "require" | "import") && module.kind() == "string";
    is_import.then(|| text_of(Some(module), text))
}

fn itself<'t>(node: Node<'t>, _: &str) -> Option<Named<'t>> {
    Some(Named { owner: None, node })
}

fn specifiers(list: Node<'_>, module: &str, export: bool, text: &str, out: &mut Vec<Import>) {
    for item in list.named_children(&mut list.walk()) {
        let Some(name) = item.child_by_field_name("name") else { continue };
        let alias = item.child_by_field_name("alias").map(|alias| text_of(Some(alias), text));
        out.push(Import::new(item, module).named(text_of(Some(name), text)).alias(alias).export(export));
    }
}
