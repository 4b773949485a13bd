//! Shells: Bash, and what is close enough to it.

use tree_sitter::Node;

use super::ChunkKind::*;
use super::grammar::Mention::{self, Ask as Look, Command, Import as Imports};
use super::grammar::Name::{By, Field as NAMED};
use super::grammar::Role::{self, *};
use super::grammar::{Grammar, Named, Privacy, Rules};
use super::imports::{Import, text_of};
use super::naming::named_child;

pub static BASH: Grammar = Grammar::of(Rules {
    roles: &[
        ("function_definition", Definition(Function, NAMED)),
        ("declaration_command", Binding),
        ("variable_assignment", Declarator(Variable, By(assigned))),
        ("command", Ask(command)),
        ("if_statement", Ask(conditional)),
        ("comment", Comment),
    ],
    mentions: &[("command", Look(called))],
    privacy: Privacy::Open,
    ..Rules::new(tree_sitter_bash::LANGUAGE, "tree-sitter-bash", "0.25.1")
});

/// Only whole variables: `a[0]=1` declares nothing.
fn assigned<'t>(node: Node<'t>, _: &str) -> Option<Named<'t>> {
    let name = node.child_by_field_name("name").filter(|name| name.kind() == "variable_name")?;
    Some(Named { owner: None, node: name })
}

/// The grammar takes `@test "title" {` of Bats for a command, and so the `}` that ends it.
fn command(node: Node<'_>, text: &str) -> Role {
    match text_of(node.child_by_field_name("name"), text) {
        "@test" => Open(Test, By(title)),
        "}" => Close,
        _ => Plain,
    }
}

fn title<'t>(node: Node<'t>, _: &str) -> Option<Named<'t>> {
    Some(Named { owner: None, node: node.child_by_field_name("argument")? })
}

/// Functions may be defined under a condition.
fn conditional(node: Node<'_>, _: &str) -> Role {
    if named_child(node, "function_definition").is_some() { Transparent } else { Plain }
}

/// Words of the shell itself and of every script.
const COMMON: &[&str] = &[
    "", ".", ":", "[", "}", "@test", "alias", "awk", "basename", "dirname", "seq", "tr", "break", "builtin",
    "cat", "cd", "command", "continue", "echo", "eval", "exec", "exit", "export", "false", "grep", "kill",
    "local", "mkdir", "printf", "read", "return", "rm", "run", "sed", "set", "shift", "shopt", "sleep",
    "test", "trap", "true", "unset", "wait",
];

fn called(node: Node<'_>, text: &str) -> Mention {
    let name = text_of(node.child_by_field_name("name"), text);
    match name {
        "source" | "." | "load" => Imports(sources),
        "run" if runs_word(node, text) => Command("argument"),
        name if COMMON.contains(&name) || name.contains(['$', '/', '"', '\'', '`', '\n']) => Mention::Nothing,
        _ => Command("name"),
    }
}

/// `run name …` of Bats calls what it is given.
fn runs_word(node: Node<'_>, text: &str) -> bool {
    let argument = node.child_by_field_name("argument").filter(|argument| argument.kind() == "word");
    text_of(argument, text).starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// `source "$dir/a.sh"`, `. ./a.sh`: the file as it is written.
fn sources(node: Node<'_>, text: &str, out: &mut Vec<Import>) {
    let path = text_of(node.child_by_field_name("argument"), text);
    if !path.is_empty() {
        out.push(Import::new(node, path));
    }
}
