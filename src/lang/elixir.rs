//! Elixir. Its grammar knows calls and operators: what declares something is told by the word that is called.

use tree_sitter::Node;

use super::ChunkKind::*;
use super::grammar::Context::{Implement, Quiet, Type as TypeContext};
use super::grammar::Mention::{self, Ask as Look, Call, Import as Imports, Inside, Member, Type as TypeName};
use super::grammar::Name::{By, Fixed};
use super::grammar::Role::{self, *};
use super::grammar::{Grammar, Named, Privacy, Rules};
use super::imports::{Import, text_of};
use super::naming::named_child;

pub static ELIXIR: Grammar = Grammar::of(Rules {
    roles: &[
        ("call", Ask(call)),
        ("unary_operator", Ask(attribute)),
        ("do_block", Body),
        ("comment", Comment),
    ],
    mentions: &[("call", Look(called)), ("unary_operator", Look(noted)), ("alias", TypeName)],
    privacy: Privacy::Open,
    clauses: true,
    docstring: Some(moduledoc),
    ..Rules::new(tree_sitter_elixir::LANGUAGE, "tree-sitter-elixir", "0.3.5")
});

fn target<'t>(call: Node<'_>, text: &'t str) -> &'t str {
    text_of(call.child_by_field_name("target"), text)
}

fn call(node: Node<'_>, text: &str) -> Role {
    match target(node, text) {
        "defmodule" => Container(Module, By(first)),
        "defprotocol" => Container(Interface, By(first)),
        "defimpl" => Container(Impl, By(implemented)),
        "def" | "defp" | "defdelegate" | "defguard" | "defguardp" | "defn" | "defnp" => {
            Definition(Function, By(declared))
        }
        "defmacro" | "defmacrop" => Definition(Macro, By(declared)),
        "defstruct" | "defexception" => Definition(Struct, Fixed("__struct__")),
        "describe" if title(node, text).is_some() => Container(Test, By(title)),
        "test" | "property" if title(node, text).is_some() => Definition(Test, By(title)),
        _ => Plain,
    }
}

/// Attributes that say something to the compiler, and nothing to a reader.
const SETTINGS: &[&str] = &[
    "behaviour",
    "enforce_keys",
    "derive",
    "before_compile",
    "after_compile",
    "compile",
    "external_resource",
    "on_load",
    "moduledoc",
    "optional_callbacks",
    "tag",
    "moduletag",
    "describetag",
];

/// `@doc "…"`, `@spec …`, `@type …`, `@timeout 5_000`
fn attribute(node: Node<'_>, text: &str) -> Role {
    let Some(call) = operand(node, text) else { return Plain };
    let is_text = || argument(call).is_some_and(|first| matches!(first.kind(), "string" | "sigil"));
    match target(call, text) {
        "doc" | "typedoc" if is_text() => Comment,
        "doc" | "typedoc" | "spec" | "impl" | "deprecated" | "since" | "dialyzer" => Annotation,
        "type" | "typep" | "opaque" => Definition(Type, By(typed)),
        "callback" | "macrocallback" => Definition(Function, By(typed)),
        name if SETTINGS.contains(&name) => Plain,
        _ => Definition(Constant, By(attribute_name)),
    }
}

/// What is set by `@name value`; `@name` alone only reads it.
fn operand<'t>(node: Node<'t>, text: &str) -> Option<Node<'t>> {
    let operand = node.child_by_field_name("operand").filter(|operand| operand.kind() == "call")?;
    text_of(Some(node), text).starts_with('@').then_some(operand)
}

fn argument(call: Node<'_>) -> Option<Node<'_>> {
    named_child(call, "arguments")?.named_child(0)
}

fn first<'t>(node: Node<'t>, _: &str) -> Option<Named<'t>> {
    Some(Named { owner: None, node: argument(node)? })
}

/// `defimpl Protocol, for: Type`: the protocol as the type has it.
fn implemented<'t>(node: Node<'t>, text: &str) -> Option<Named<'t>> {
    let owner = keyword(node, "for:", text).filter(|owner| owner.len() < 80);
    Some(Named { owner: owner.map(str::to_owned), node: argument(node)? })
}

fn title<'t>(node: Node<'t>, _: &str) -> Option<Named<'t>> {
    Some(Named { owner: None, node: argument(node).filter(|first| first.kind() == "string")? })
}

fn attribute_name<'t>(node: Node<'t>, text: &str) -> Option<Named<'t>> {
    Some(Named { owner: None, node: operand(node, text)?.child_by_field_name("target")? })
}

fn declared<'t>(node: Node<'t>, text: &str) -> Option<Named<'t>> {
    head(argument(node)?, text)
}

fn typed<'t>(node: Node<'t>, text: &str) -> Option<Named<'t>> {
    head(argument(operand(node, text)?)?, text)
}

/// The name in `name(a, b) when …`, `name(a) :: type`, `a <~> b`, `name`.
fn head<'t>(node: Node<'t>, text: &str) -> Option<Named<'t>> {
    let mut node = node;
    for _ in 0..4 {
        let operator = node.child_by_field_name("operator");
        node = match node.kind() {
            "binary_operator" if matches!(text_of(operator, text), "when" | "::") => {
                node.child_by_field_name("left")?
            }
            "binary_operator" | "unary_operator" => operator?,
            "call" => node.child_by_field_name("target")?,
            _ => break,
        };
    }
    Some(Named { owner: None, node })
}

/// `@moduledoc "…"` among the first things in a module.
fn moduledoc<'t>(declaration: Node<'t>, text: &str) -> Option<Node<'t>> {
    let body = named_child(declaration, "do_block")?;
    let found = body
        .named_children(&mut body.walk())
        .take(3)
        .find_map(|node| operand(node, text).filter(|call| target(*call, text) == "moduledoc"))?;
    argument(found).filter(|doc| matches!(doc.kind(), "string" | "sigil"))
}

/// Types of the language, which specifications are full of.
const BUILT_IN: &[&str] = &[
    "any",
    "atom",
    "binary",
    "bitstring",
    "boolean",
    "charlist",
    "float",
    "fun",
    "function",
    "integer",
    "iodata",
    "keyword",
    "list",
    "map",
    "module",
    "no_return",
    "non_neg_integer",
    "number",
    "pid",
    "pos_integer",
    "reference",
    "struct",
    "t",
    "term",
    "timeout",
    "tuple",
];

fn called(node: Node<'_>, text: &str) -> Mention {
    let target = target(node, text);
    match target {
        "alias" | "use" | "require" | "import" => Imports(imports),
        "behaviour" => Inside(Implement),
        "spec" | "type" | "typep" | "opaque" | "callback" | "macrocallback" => Inside(TypeContext),
        "describe" | "test" | "setup" | "quote" | "unquote" | "assert" | "case" | "if" | "with" | "cond" => {
            Mention::Nothing
        }
        target if target.starts_with("def") => Mention::Nothing,
        target if BUILT_IN.contains(&target) || target.ends_with(".t") => Mention::Nothing,
        target if target.contains('.') && named_child(node, "arguments").is_none() => Member,
        _ => Call("target"),
    }
}

/// What an attribute is called is no call.
fn noted(node: Node<'_>, text: &str) -> Mention {
    if text_of(Some(node), text).starts_with('@') { Inside(Quiet) } else { Mention::Nothing }
}

/// `alias A.B, as: C`, `alias A.{B, C}`, `import A, only: […]`, `use A`, `require A`
fn imports(node: Node<'_>, text: &str, out: &mut Vec<Import>) {
    let Some(path) = argument(node) else { return };
    let group = path.child_by_field_name("right").filter(|right| right.kind() == "tuple");
    if let Some(group) = group {
        let prefix = text_of(path.child_by_field_name("left"), text);
        for name in group.named_children(&mut group.walk()) {
            out.push(Import::new(name, &format!("{prefix}.{}", text_of(Some(name), text))));
        }
        return;
    }
    let import = Import::new(node, text_of(Some(path), text));
    out.push(match target(node, text) {
        "import" => import.named("*"),
        _ => import.alias(keyword(node, "as:", text)),
    });
}

fn keyword<'t>(node: Node<'_>, key: &str, text: &'t str) -> Option<&'t str> {
    let keywords = named_child(named_child(node, "arguments")?, "keywords")?;
    let mut cursor = keywords.walk();
    let is_it = |pair: &Node<'_>| text_of(pair.child_by_field_name("key"), text).trim() == key;
    let pair = keywords.named_children(&mut cursor).find(is_it)?;
    Some(text_of(pair.child_by_field_name("value"), text))
}
