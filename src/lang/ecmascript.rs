//! JavaScript, TypeScript and their dialects with markup.

use tree_sitter::Node;

use super::ChunkKind::*;
use super::grammar::Context::{Implement, Inherit, Type as TypeContext};
use super::grammar::Mention::{
    Call, Import as Imports, Inside, Markup, Member, Name as AName, New, Path, Type as TypeName,
};
use super::grammar::Name::{By, Field as NAMED, Fixed, In};
use super::grammar::Role::{self, *};
use super::grammar::{Context, Grammar, Mention, Named, Privacy, Rules};
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
            ("call_expression", Call("function")),
            ("new_expression", New("constructor")),
            ("member_expression", Member),
            ("identifier", AName),
            ("decorator", Inside(Context::Annotation)),
            ("jsx_opening_element", Markup("name")),
            ("jsx_self_closing_element", Markup("name")),
            ("import_statement", Imports(imports)),
            ("export_statement", Imports(exports)),
            $($more)*
        ]
    };
}

pub static JAVASCRIPT: Grammar = Grammar::of(Rules {
    roles: roles!(("field_definition", Declarator(Field, In("property")))),
    mentions: mentions!(("class_heritage", Inside(Inherit))),
    privacy: Privacy::Exported,
    ..Rules::new(tree_sitter_javascript::LANGUAGE, "tree-sitter-javascript", "0.25.0")
});

const TYPESCRIPT_ROLES: &[(&str, Role)] = roles!(
    ("internal_module", Container(Namespace, NAMED)),
    ("module", Container(Namespace, NAMED)),
    ("abstract_class_declaration", Container(Class, NAMED)),
    ("interface_declaration", Definition(Interface, NAMED)),
    ("type_alias_declaration", Definition(Type, NAMED)),
    ("enum_declaration", Definition(Enum, NAMED)),
    ("function_signature", Definition(Function, NAMED)),
    ("method_signature", Definition(Method, NAMED)),
    ("abstract_method_signature", Definition(Method, NAMED)),
    ("public_field_definition", Declarator(Field, NAMED)),
    ("ambient_declaration", Wrapper),
);

const TYPESCRIPT_MENTIONS: &[(&str, Mention)] = mentions!(
    ("type_identifier", TypeName),
    ("nested_type_identifier", Path),
    ("type_arguments", Inside(TypeContext)),
    ("extends_clause", Inside(Inherit)),
    ("extends_type_clause", Inside(Inherit)),
    ("implements_clause", Inside(Implement)),
);

const TYPESCRIPT_PACKAGE: &str = "tree-sitter-typescript";
const TYPESCRIPT_VERSION: &str = "0.23.2";

pub static TYPESCRIPT: Grammar = Grammar::of(Rules {
    roles: TYPESCRIPT_ROLES,
    mentions: TYPESCRIPT_MENTIONS,
    privacy: Privacy::Exported,
    ..Rules::new(tree_sitter_typescript::LANGUAGE_TYPESCRIPT, TYPESCRIPT_PACKAGE, TYPESCRIPT_VERSION)
});

pub static TSX: Grammar = Grammar::of(Rules {
    roles: TYPESCRIPT_ROLES,
    mentions: TYPESCRIPT_MENTIONS,
    privacy: Privacy::Exported,
    ..Rules::new(tree_sitter_typescript::LANGUAGE_TSX, TYPESCRIPT_PACKAGE, TYPESCRIPT_VERSION)
});

/// `describe('…', () => …)` and `it('…', () => …)` are tests; other statements may hold a declaration.
fn expression(node: Node<'_>, text: &str) -> Role {
    let Some(call) = node.named_child(0).filter(|child| child.kind() == "call_expression") else {
        return Wrapper;
    };
    let callee = text_of(call.child_by_field_name("function"), text);
    let head = callee.split(['.', '(']).next().unwrap_or(callee);
    match head {
        "describe" | "context" | "suite" if title(node, text).is_some() => Container(Test, By(title)),
        "it" | "test" | "specify" | "bench" if title(node, text).is_some() => Definition(Test, By(title)),
        _ => Wrapper,
    }
}

fn title<'t>(node: Node<'t>, _: &str) -> Option<Named<'t>> {
    let arguments = node.named_child(0)?.child_by_field_name("arguments")?;
    let title =
        arguments.named_child(0).filter(|first| matches!(first.kind(), "string" | "template_string"))?;
    Some(Named { owner: None, node: title })
}

/// `Owner.prototype.name = function`, `exports.name = …`
fn assigned<'t>(node: Node<'t>, text: &str) -> Option<Named<'t>> {
    let left = node.child_by_field_name("left")?;
    if left.kind() == "identifier" {
        return Some(Named { owner: None, node: left });
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
            _ => {}
        }
    }
}

fn specifiers(list: Node<'_>, module: &str, export: bool, text: &str, out: &mut Vec<Import>) {
    for item in list.named_children(&mut list.walk()) {
        let Some(name) = item.child_by_field_name("name") else { continue };
        let alias = item.child_by_field_name("alias").map(|alias| text_of(Some(alias), text));
        out.push(Import::new(item, module).named(text_of(Some(name), text)).alias(alias).export(export));
    }
}
