//! Lua.

use tree_sitter::Node;

use super::ChunkKind::*;
use super::grammar::Mention::{self, Ask as Look, Call, Import as Imports, Member};
use super::grammar::Name::{By, Each, In};
use super::grammar::Role::{self, *};
use super::grammar::{Grammar, Named, Privacy, Rules};
use super::imports::{Import, text_of};
use super::naming::named_child;

pub static LUA: Grammar = Grammar::of(Rules {
    roles: &[
        ("function_declaration", Definition(Function, By(declared))),
        ("variable_declaration", Wrapper),
        ("assignment_statement", Ask(assignment)),
        ("field", Declarator(Block, In("name"))),
        ("function_definition", Value(Function)),
        ("function_call", Ask(test)),
        ("block", Body),
        ("if_statement", Branch),
        ("elseif_statement", Branch),
        ("else_statement", Branch),
        ("do_statement", Branch),
        ("comment", Comment),
    ],
    mentions: &[
        ("function_call", Look(called)),
        ("dot_index_expression", Member),
        ("method_index_expression", Member),
        ("assignment_statement", Imports(required)),
    ],
    privacy: Privacy::Open,
    ..Rules::new(tree_sitter_lua::LANGUAGE, "tree-sitter-lua", "0.5.0")
});

/// `function name()`, `function Owner.name()`, `function Owner:name()`
fn declared<'t>(node: Node<'t>, text: &str) -> Option<Named<'t>> {
    target(node.child_by_field_name("name")?, text)
}

/// The name in a place that is assigned to. What a file returns is by custom called `M`: no owner.
fn target<'t>(place: Node<'t>, text: &str) -> Option<Named<'t>> {
    let name = match place.kind() {
        "identifier" => return Some(Named { owner: None, node: place }),
        "dot_index_expression" => place.child_by_field_name("field")?,
        "method_index_expression" => place.child_by_field_name("method")?,
        _ => return None,
    };
    let owner = text_of(place.child_by_field_name("table"), text);
    let is_named = !matches!(owner, "M" | "_M" | "self") && owner.len() < 80;
    Some(Named { owner: is_named.then(|| owner.to_owned()), node: name })
}

fn assigned<'t>(node: Node<'t>, text: &str) -> Option<Named<'t>> {
    target(named_child(node, "variable_list")?.child_by_field_name("name")?, text)
}

fn value(node: Node<'_>) -> Option<Node<'_>> {
    named_child(node, "expression_list")?.child_by_field_name("value")
}

/// Functions and values by what is assigned; a module that is required is an import.
fn assignment(node: Node<'_>, text: &str) -> Role {
    match value(node) {
        Some(value) if value.kind() == "function_definition" => Declarator(Variable, By(assigned)),
        Some(value) if is_require(value, text) => Plain,
        _ if assigns_names(node) => Definition(Variable, Each(names)),
        _ => Definition(Variable, By(assigned)),
    }
}

fn assigns_names(node: Node<'_>) -> bool {
    names(node).first().is_some_and(|name| name.kind() == "identifier")
}

fn names(node: Node<'_>) -> Vec<Node<'_>> {
    let Some(list) = named_child(node, "variable_list") else { return Vec::new() };
    let mut cursor = list.walk();
    list.children_by_field_name("name", &mut cursor).take_while(|name| name.kind() == "identifier").collect()
}

/// `describe("…", function() … end)` and `it("…", function() … end)`
fn test(node: Node<'_>, text: &str) -> Role {
    let callee = node.child_by_field_name("name").filter(|name| name.kind() == "identifier");
    match text_of(callee, text) {
        "describe" | "context" | "insulate" | "expose" if title(node, text).is_some() => {
            Container(Test, By(title))
        }
        "it" | "test" | "pending" if title(node, text).is_some() => Definition(Test, By(title)),
        _ => Plain,
    }
}

fn title<'t>(node: Node<'t>, _: &str) -> Option<Named<'t>> {
    let first = node.child_by_field_name("arguments")?.named_child(0)?;
    (first.kind() == "string").then_some(Named { owner: None, node: first })
}

fn is_require(call: Node<'_>, text: &str) -> bool {
    call.kind() == "function_call" && text_of(call.child_by_field_name("name"), text) == "require"
}

fn called(node: Node<'_>, text: &str) -> Mention {
    match text_of(node.child_by_field_name("name"), text) {
        "require" => Imports(requires),
        "describe" | "it" | "ipairs" | "pairs" | "type" | "tostring" | "setmetatable" => Mention::Nothing,
        _ => Call("name"),
    }
}

/// `local alias = require("module")`
fn required(node: Node<'_>, text: &str, out: &mut Vec<Import>) {
    let Some(call) = value(node).filter(|value| is_require(*value, text)) else { return };
    let before = out.len();
    requires(call, text, out);
    let Some(import) = out.get_mut(before) else { return };
    if let Some(name) = names(node).first().map(|name| text_of(Some(*name), text))
        && import.local_name() != name
    {
        import.alias = Some(name.to_owned());
    }
}

/// Each call is seen twice where its value has a name: the first counts.
fn requires(node: Node<'_>, text: &str, out: &mut Vec<Import>) {
    let Some(module) = title(node, text) else { return };
    let import = Import::new(node, text_of(Some(module.node), text));
    if out.last().is_none_or(|last| (last.line, &last.module) != (import.line, &import.module)) {
        out.push(import);
    }
}
