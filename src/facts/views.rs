//! Three ways to read a file without reading it: its *symbols* in words, its *definitions* without bodies, its
//! *data*. Each is made from the facts and the text alone.

use std::fmt::Write;

use super::{Definition, Facts, Flag};
use crate::lang::{ChunkKind, Language};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum View {
    /// What there is and on which lines.
    Symbols,
    /// Signatures, types and documentation.
    Definitions,
    /// Constants, enumerations and defaults, as they are written.
    Data,
}

/// A file with what it says.
pub struct Source<'a> {
    pub path: &'a str,
    pub language: Language,
    pub text: &'a str,
    pub facts: &'a Facts,
}

impl View {
    pub fn render(self, source: &Source<'_>) -> String {
        match self {
            View::Symbols => symbols(source),
            View::Definitions => definitions(source),
            View::Data => data(source),
        }
    }
}

/// A heading of the overview, and what stands under it.
type Group = (&'static str, fn(ChunkKind) -> bool);

const GROUPS: [Group; 6] = [
    ("Types", |kind| kind.is_type() && kind != ChunkKind::Impl),
    ("Functions", |kind| kind.is_callable()),
    ("Properties", |kind| matches!(kind, ChunkKind::Property | ChunkKind::Event)),
    ("Tests", |kind| kind == ChunkKind::Test),
    ("Data", is_data),
    ("Sections", |kind| {
        use ChunkKind::*;
        matches!(kind, Section | Key | Rule | Element | Table | View | Stage)
    }),
];

fn is_data(kind: ChunkKind) -> bool {
    matches!(kind, ChunkKind::Constant | ChunkKind::Variable | ChunkKind::Field)
}

fn is_namespace(kind: ChunkKind) -> bool {
    matches!(kind, ChunkKind::Namespace | ChunkKind::Module)
}

fn symbols(source: &Source<'_>) -> String {
    let facts = source.facts;
    let mut out =
        format!("File: {} ({}, {} lines)\n", source.path, source.language, source.text.lines().count());
    let namespaces: Vec<String> =
        facts.definitions.iter().filter(|d| is_namespace(d.kind)).map(|d| facts.qualified_name(d)).collect();
    if !namespaces.is_empty() {
        let _ = writeln!(out, "Package: {}", namespaces.join(", "));
    }
    let mut modules: Vec<&str> = facts.imports.iter().map(|i| i.module.as_str()).collect();
    modules.retain(|module| !module.is_empty());
    modules.sort_unstable();
    modules.dedup();
    if !modules.is_empty() {
        let plural = if modules.len() == 1 { "module" } else { "modules" };
        let _ = writeln!(out, "Imports: {} {plural}", modules.len());
    }
    let tested = super::subject::stems_under_test(source.path);
    if !tested.is_empty() {
        let _ = writeln!(out, "Seems to test: {}", tested.join(", "));
    }
    for (title, belongs) in GROUPS {
        let mut own = facts.definitions.iter().filter(|d| belongs(d.kind)).peekable();
        if own.peek().is_some() {
            let _ = writeln!(out, "\n{title}:");
        }
        for definition in own {
            let _ = writeln!(out, "  - {}", symbol(facts, definition));
        }
    }
    out
}

/// `Cart.total() (method, public static) (lines 3-9)`
fn symbol(facts: &Facts, definition: &Definition) -> String {
    let call = if definition.kind.is_callable() { "()" } else { "" };
    let flags = definition.flags.iter().filter(|flag| flag.as_str() != definition.kind.as_str());
    let flags: String = flags.map(|flag| format!(", {flag}")).collect();
    let Definition { start_line, end_line, .. } = definition;
    let lines = if start_line == end_line {
        format!("line {start_line}")
    } else {
        format!("lines {start_line}-{end_line}")
    };
    format!("{}{call} ({}{flags}) ({lines})", local_name(facts, definition), definition.kind)
}

/// Qualified, but not by the namespaces that the head of the overview names.
fn local_name(facts: &Facts, definition: &Definition) -> String {
    let mut names = vec![definition.name.as_str()];
    names.extend(definition.owner.as_deref());
    let mut parent = definition.parent;
    while let Some(outer) = parent.and_then(|at| facts.definitions.get(at as usize)) {
        if !is_namespace(outer.kind) {
            names.push(&outer.name);
        }
        parent = outer.parent.filter(|next| Some(*next) < parent);
    }
    names.reverse();
    names.join(".")
}

fn definitions(source: &Source<'_>) -> String {
    let mut out = String::new();
    let mark = comment_mark(source.language);
    for (at, definition) in source.facts.definitions.iter().enumerate() {
        // What is inside of a function is its implementation, and an enumeration is shown whole.
        if is_inside(source.facts, definition, |kind| kind.is_callable() || kind == ChunkKind::Enum) {
            continue;
        }
        let depth = depth(source.facts, definition);
        let indent = "    ".repeat(depth);
        if depth == 0 && !out.is_empty() {
            out.push('\n');
        }
        let _ = writeln!(out, "{indent}{mark} {}", lines_of(definition));
        if let Some(doc) = definition.doc(source.text) {
            doc.lines().for_each(|line| {
                let _ = writeln!(out, "{}", format!("{indent}{mark} {line}").trim_end());
            });
        }
        let has_members =
            definition.kind != ChunkKind::Enum && source.facts.members(at as u32).next().is_some();
        match definition.kind {
            // Enumerations, aliases and records say everything in their text.
            kind if !kind.is_callable() && !has_members => {
                push_indented(&mut out, &indent, source.text.get(definition.bytes()).unwrap_or_default());
            }
            kind if kind.is_callable() => {
                let _ = writeln!(out, "{indent}{}{}", definition.signature, elided_body(source.language));
            }
            _ => {
                let _ = writeln!(out, "{indent}{}", definition.signature);
            }
        }
    }
    out
}

fn data(source: &Source<'_>) -> String {
    let mut out = String::new();
    let mark = comment_mark(source.language);
    for definition in source.facts.definitions.iter().filter(|d| holds_data(d, source.text)) {
        if is_inside(source.facts, definition, |kind| kind == ChunkKind::Enum) {
            continue;
        }
        let _ = writeln!(out, "{mark} {}", lines_of(definition));
        push_indented(&mut out, "", source.text.get(definition.bytes()).unwrap_or_default());
        out.push('\n');
    }
    out.truncate(out.trim_end().len());
    if !out.is_empty() {
        out.push('\n');
    }
    out
}

/// Constants, enumerations, keys, and variables or fields that are given a value.
fn holds_data(definition: &Definition, text: &str) -> bool {
    match definition.kind {
        ChunkKind::Constant | ChunkKind::Enum => true,
        ChunkKind::Key => definition.parent.is_none(),
        ChunkKind::Variable | ChunkKind::Field | ChunkKind::Property => {
            definition.flags.contains(Flag::Constant)
                || text.get(definition.bytes()).is_some_and(|own| own.contains('='))
        }
        _ => false,
    }
}

fn lines_of(definition: &Definition) -> String {
    let Definition { start_line, end_line, .. } = definition;
    if start_line == end_line {
        format!("Line {start_line}")
    } else {
        format!("Lines {start_line}-{end_line}")
    }
}

/// Text with its own indentation replaced: the first line is taken to stand where the others begin.
fn push_indented(out: &mut String, indent: &str, text: &str) {
    let below = text.lines().skip(1).filter(|line| !line.trim().is_empty());
    let common = below.map(|line| line.len() - line.trim_start().len()).min().unwrap_or(0);
    for (at, line) in text.lines().enumerate() {
        let own = if at == 0 { line } else { line.get(common..).unwrap_or_else(|| line.trim_start()) };
        let _ = writeln!(out, "{}", format!("{indent}{own}").trim_end());
    }
}

fn depth(facts: &Facts, definition: &Definition) -> usize {
    let mut depth = 0;
    let mut parent = definition.parent;
    while let Some(outer) = parent.and_then(|at| facts.definitions.get(at as usize)) {
        depth += 1;
        parent = outer.parent.filter(|next| Some(*next) < parent);
    }
    depth.min(16)
}

fn is_inside(facts: &Facts, definition: &Definition, of: fn(ChunkKind) -> bool) -> bool {
    let mut parent = definition.parent;
    while let Some(outer) = parent.and_then(|at| facts.definitions.get(at as usize)) {
        if of(outer.kind) {
            return true;
        }
        parent = outer.parent.filter(|next| Some(*next) < parent);
    }
    false
}

/// What stands for a body that is left out.
fn elided_body(language: Language) -> &'static str {
    match language.name() {
        "python" => ": ...",
        "ruby" | "lua" | "bash" | "elixir" | "haskell" | "sql" => " ...",
        _ => " { ... }",
    }
}

fn comment_mark(language: Language) -> &'static str {
    match language.name() {
        "python" | "ruby" | "bash" | "elixir" | "yaml" | "toml" | "hcl" | "dockerfile" | "markdown"
        | "rst" => "#",
        "lua" | "haskell" | "sql" => "--",
        _ => "//",
    }
}
