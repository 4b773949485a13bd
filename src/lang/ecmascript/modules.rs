//! What a module imports and exports, in both systems: `import` and `require`.

use tree_sitter::Node;

use crate::lang::imports::{Import, text_of};

/// `import a, { b as c }, * as d from 'm'`, `import 'm'`, `import x = require('m')`
pub fn imports(node: Node<'_>, text: &str, out: &mut Vec<Import>) {
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
pub fn exports(node: Node<'_>, text: &str, out: &mut Vec<Import>) {
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
pub fn module_exports(node: Node<'_>, text: &str, out: &mut Vec<Import>) {
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
pub fn requires(node: Node<'_>, text: &str, out: &mut Vec<Import>) {
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
pub fn required(call: Node<'_>, text: &str, out: &mut Vec<Import>) -> bool {
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

fn specifiers(list: Node<'_>, module: &str, export: bool, text: &str, out: &mut Vec<Import>) {
    for item in list.named_children(&mut list.walk()) {
        let Some(name) = item.child_by_field_name("name") else { continue };
        let alias = item.child_by_field_name("alias").map(|alias| text_of(Some(alias), text));
        out.push(Import::new(item, module).named(text_of(Some(name), text)).alias(alias).export(export));
    }
}
