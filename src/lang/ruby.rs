//! Ruby.

use tree_sitter::Node;

use super::ChunkKind::*;
use super::grammar::Context::{Callee, Inherit};
use super::grammar::Mention::{
    self, Ask as Look, Call, Import as Imports, Inside, Member, New, Type as TypeName,
};
use super::grammar::Name::{By, Each, Field as NAMED};
use super::grammar::Role::{self, *};
use super::grammar::{Grammar, Named, Privacy, Rules};
use super::hazard;
use super::imports::{Import, text_of};

pub static RUBY: Grammar = Grammar::of(Rules {
    roles: &[
        ("module", Container(Module, By(scoped))),
        ("class", Container(Class, By(scoped))),
        ("singleton_class", Branch),
        ("body_statement", Body),
        // Methods of a module are meant for the types that include it.
        ("method", Definition(Method, NAMED)),
        ("singleton_method", Definition(Method, NAMED)),
        ("alias", Definition(Method, NAMED)),
        ("assignment", Ask(assignment)),
        ("call", Ask(call)),
        ("identifier", Ask(identifier)),
        ("argument_list", Wrapper),
        ("do_block", Body),
        ("block", Body),
        ("if", Branch),
        ("unless", Branch),
        ("elsif", Branch),
        ("then", Body),
        ("else", Body),
        ("comment", Comment),
    ],
    mentions: &[
        ("call", Look(called)),
        ("constant", Look(constant)),
        ("scope_resolution", Look(constant)),
        ("superclass", Inside(Inherit)),
    ],
    fields: &[
        ("class", "name", Callee),
        ("module", "name", Callee),
        ("assignment", "left", Callee),
        ("scope_resolution", "scope", Callee),
        ("scope_resolution", "name", Callee),
    ],
    privacy: Privacy::Open,
    tests: &["test_"],
    hazard: Some(hazard::ruby),
    ..Rules::new(tree_sitter_ruby::LANGUAGE, "tree-sitter-ruby", "0.23.1")
});

/// `class A::B`
fn scoped<'t>(node: Node<'t>, text: &str) -> Option<Named<'t>> {
    let name = node.child_by_field_name("name")?;
    if name.kind() != "scope_resolution" {
        return Some(Named { owner: None, node: name });
    }
    let owner = text_of(name.child_by_field_name("scope"), text).replace("::", ".");
    let owner = Some(owner).filter(|owner| !owner.is_empty() && owner.len() < 80);
    Some(Named { owner, node: name.child_by_field_name("name")? })
}

/// Constants, and classes that are made by a call.
fn assignment(node: Node<'_>, text: &str) -> Role {
    if node.child_by_field_name("left").is_none_or(|left| left.kind() != "constant") {
        return Plain;
    }
    let value = node.child_by_field_name("right").filter(|right| right.kind() == "call");
    let Some(call) = value else { return Definition(Constant, By(left)) };
    let part = |field| text_of(call.child_by_field_name(field), text);
    match (part("receiver"), part("method")) {
        ("Struct", "new") | ("Data", "define") => Definition(Struct, By(left)),
        ("Class", "new") => Definition(Class, By(left)),
        _ => Definition(Constant, By(left)),
    }
}

fn left<'t>(node: Node<'t>, _: &str) -> Option<Named<'t>> {
    Some(Named { owner: None, node: node.child_by_field_name("left")? })
}

/// What a call declares, by the name of the method.
fn call(node: Node<'_>, text: &str) -> Role {
    let receiver = text_of(node.child_by_field_name("receiver"), text);
    if !matches!(receiver, "" | "RSpec" | "self") {
        return Plain;
    }
    let has_block = node.child_by_field_name("block").is_some();
    match text_of(node.child_by_field_name("method"), text) {
        "attr_reader"
        | "attr_writer"
        | "attr_accessor"
        | "attr"
        | "class_attribute"
        | "cattr_accessor"
        | "cattr_reader"
        | "mattr_accessor"
        | "mattr_reader"
        | "thread_mattr_accessor" => Definition(Property, Each(symbols)),
        "define_method" | "define_singleton_method" | "alias_method" => Definition(Method, By(title)),
        "private" | "protected" | "public" | "private_class_method" | "module_function" => Wrapper,
        "describe" | "context" | "feature" | "shared_examples" | "shared_context" if has_block => {
            Container(Test, By(title))
        }
        "it" | "specify" | "example" | "scenario" | "test" | "should" if has_block => {
            Definition(Test, By(title))
        }
        // Their blocks are read as if they stood in the class around.
        "class_methods" | "included" | "prepended" | "class_eval" | "module_eval" | "concerning"
        | "namespace"
            if has_block =>
        {
            Branch
        }
        _ => Plain,
    }
}

/// `private` on a line of its own.
fn identifier(node: Node<'_>, text: &str) -> Role {
    match text_of(Some(node), text) {
        "private" | "protected" | "public" | "module_function" => Access,
        _ => Plain,
    }
}

fn symbols(node: Node<'_>) -> Vec<Node<'_>> {
    let Some(arguments) = node.child_by_field_name("arguments") else { return Vec::new() };
    arguments.named_children(&mut arguments.walk()).take_while(|a| a.kind() == "simple_symbol").collect()
}

/// The first argument of a call, where it is written out.
fn title<'t>(node: Node<'t>, _: &str) -> Option<Named<'t>> {
    let first = node.child_by_field_name("arguments")?.named_child(0)?;
    let written = matches!(first.kind(), "string" | "simple_symbol" | "constant" | "scope_resolution");
    written.then_some(Named { owner: None, node: first })
}

fn called(node: Node<'_>, text: &str) -> Mention {
    let receiver = node.child_by_field_name("receiver");
    let is_plain = receiver.is_none();
    match text_of(node.child_by_field_name("method"), text) {
        "new" if receiver.is_some_and(|r| matches!(r.kind(), "constant" | "scope_resolution")) => {
            New("receiver")
        }
        "require" | "require_relative" | "load" | "autoload" if is_plain => Imports(requires),
        "include" | "extend" | "prepend" if is_plain => Inside(Inherit),
        // Said by what they declare.
        "private" | "protected" | "public" | "attr_reader" | "attr_writer" | "attr_accessor"
        | "define_method" | "alias_method" | "describe" | "context" | "it" | "test" | "super"
            if is_plain =>
        {
            Mention::Nothing
        }
        _ => Call("method"),
    }
}

/// Names in capitals are values, others are types.
fn constant(node: Node<'_>, text: &str) -> Mention {
    let written = text_of(Some(node), text);
    let last = written.rsplit(':').next().unwrap_or(written);
    let is_value = last.len() > 1 && !last.contains(char::is_lowercase);
    if is_value { Member } else { TypeName }
}

/// `require "a/b"`, `autoload :A, "a/b"`
fn requires(node: Node<'_>, text: &str, out: &mut Vec<Import>) {
    let Some(arguments) = node.child_by_field_name("arguments") else { return };
    let mut cursor = arguments.walk();
    let path = arguments.named_children(&mut cursor).take(2).find(|a| a.kind() == "string");
    let Some(path) = path else { return };
    let import = Import::new(node, text_of(Some(path), text));
    let name = arguments.named_child(0).filter(|first| first.kind() == "simple_symbol");
    out.push(match name {
        Some(name) => import.named(text_of(Some(name), text).trim_start_matches(':')),
        None => import,
    });
}
