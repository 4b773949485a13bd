//! Three ways to read a file without reading it: its *symbols* in words, its *definitions* without bodies, its
//! *data*. Each is made from the facts and the text alone.

use std::fmt::Write;

use super::{Definition, Facts, Flag, separator};
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
    ("Properties", is_property),
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

fn is_property(kind: ChunkKind) -> bool {
    matches!(kind, ChunkKind::Property | ChunkKind::Event)
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
    let mut names = local_scope(facts, definition);
    names.push(&definition.name);
    let name = names.join(separator(definition.kind));
    format!("{name}{call} ({}{flags}) ({lines})", definition.kind)
}

/// The names it stands in, but not the namespaces that the head of the overview names.
fn local_scope<'f>(facts: &'f Facts, definition: &'f Definition) -> Vec<&'f str> {
    let mut names: Vec<&str> = definition.owner.as_deref().into_iter().collect();
    let mut parent = definition.parent;
    while let Some(outer) = parent.and_then(|at| facts.definitions.get(at as usize)) {
        if !is_namespace(outer.kind) {
            names.push(&outer.name);
            names.extend(outer.owner.as_deref());
        }
        parent = outer.parent.filter(|next| Some(*next) < parent);
    }
    names.reverse();
    names
}

fn definitions(source: &Source<'_>) -> String {
    let mut out = String::new();
    let mark = comment_mark(source.language);
    let whole = whole(source.facts);
    for (at, definition) in source.facts.definitions.iter().enumerate() {
        // What is inside of a function is its implementation.
        if is_inside(source.facts, definition, |at, around| around.kind.is_callable() || whole[at]) {
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
        let has_members = !whole[at] && source.facts.members(at as u32).next().is_some();
        if has_body(definition, source.text) {
            let _ = writeln!(out, "{indent}{}{}", definition.signature, elided_body(source.language));
        } else if definition.kind.is_callable() || has_members {
            let _ = writeln!(out, "{indent}{}", definition.signature);
        } else {
            // Enumerations, aliases and records say everything in their text.
            push_indented(&mut out, &indent, source.text, definition);
        }
    }
    out
}

/// Whether there is more of it than its signature, and that is code: `int f();` has no body, and `T A { get; set; }`
/// is as short as it can be.
fn has_body(definition: &Definition, text: &str) -> bool {
    match definition.kind {
        kind if kind.is_callable() => {
            let written = text.get(definition.bytes()).unwrap_or_default();
            let written = written.trim_end().trim_end_matches([';', ',']).trim_end();
            let words = definition.signature.split_whitespace().rev();
            let is_whole = written.split_whitespace().rev().zip(words).all(|(a, b)| a == b || a.ends_with(b));
            !is_whole
        }
        kind if is_property(kind) => definition.start_line < definition.end_line,
        _ => false,
    }
}

/// Which definitions are shown with what is in them: enumerations, unless there is code in them.
fn whole(facts: &Facts) -> Vec<bool> {
    let mut whole: Vec<bool> = facts.definitions.iter().map(|d| d.kind == ChunkKind::Enum).collect();
    for definition in facts.definitions.iter().filter(|d| d.kind.is_callable() || is_property(d.kind)) {
        if let Some(around) = definition.parent.and_then(|at| whole.get_mut(at as usize)) {
            *around = false;
        }
    }
    whole
}

fn data(source: &Source<'_>) -> String {
    let mut out = String::new();
    let mark = comment_mark(source.language);
    let whole = whole(source.facts);
    for (at, definition) in source.facts.definitions.iter().enumerate() {
        let is_shown = whole[at] || holds_data(definition, source.text);
        if !is_shown || is_inside(source.facts, definition, |at, _| whole[at]) {
            continue;
        }
        let scope = local_scope(source.facts, definition).join(separator(definition.kind));
        let scope = if scope.is_empty() { scope } else { format!(", in {scope}") };
        let _ = writeln!(out, "{mark} {}{scope}", lines_of(definition));
        push_indented(&mut out, "", source.text, definition);
        out.push('\n');
    }
    out.truncate(out.trim_end().len());
    if !out.is_empty() {
        out.push('\n');
    }
    out
}

/// Constants, keys, and variables or fields that are given a value.
fn holds_data(definition: &Definition, text: &str) -> bool {
    match definition.kind {
        ChunkKind::Constant => true,
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

/// The text of a definition, indented by `indent` instead of by what its first line has in the file.
fn push_indented(out: &mut String, indent: &str, text: &str, definition: &Definition) {
    let before = text.get(..definition.start_byte as usize).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    let column = line.len() - line.trim_start().len();
    for (at, line) in text.get(definition.bytes()).unwrap_or_default().trim_end().lines().enumerate() {
        let blank = line.len() - line.trim_start().len();
        let skipped = if at == 0 { 0 } else { line.floor_char_boundary(blank.min(column)) };
        let _ = writeln!(out, "{}", format!("{indent}{}", &line[skipped..]).trim_end());
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

fn is_inside(facts: &Facts, definition: &Definition, of: impl Fn(usize, &Definition) -> bool) -> bool {
    let mut parent = definition.parent;
    while let Some(outer) = parent.and_then(|at| facts.definitions.get(at as usize)) {
        if parent.is_some_and(|at| of(at as usize, outer)) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::{Limits, chunk};

    fn render(view: View, language: &str, text: &str) -> String {
        let language = Language::from_name(language).unwrap();
        let facts = chunk(text, language, &Limits::default()).facts;
        view.render(&Source { path: "a", language, text, facts: &facts })
    }

    #[test]
    fn definitions_have_no_bodies() {
        let text = "class A {\n    int B\n    {\n        get { return 1; }\n    }\n    int C { get; }\n    int D() => 1;\n    abstract int E();\n}\n";
        let shown = render(View::Definitions, "csharp", text);
        let code: Vec<&str> = shown.lines().filter(|line| !line.contains("//")).collect();
        let expected = ["class A", "    int B { ... }", "    int C { get; }", "    int D() { ... }"];
        assert_eq!(code[..4], expected);
        assert_eq!(code[4..], ["    abstract int E()"]);
        let python = "class A:\n    @property\n    def b(self):\n        return 1\n";
        let shown = render(View::Definitions, "python", python);
        assert_eq!(shown, "# Lines 1-4\nclass A\n    # Lines 2-4\n    def b(self): ...\n");
    }

    #[test]
    fn enumerations_are_shown_whole_unless_there_is_code_in_them() {
        let plain = "enum A {\n    B,\n    C,\n}\n";
        assert_eq!(render(View::Definitions, "java", plain), format!("// Lines 1-4\n{plain}"));
        assert_eq!(render(View::Data, "java", plain), format!("// Lines 1-4\n{plain}"));
        let code = "enum A {\n    B, C;\n    int d() { return 1; }\n}\n";
        assert!(!render(View::Definitions, "java", code).contains("return"));
        assert_eq!(render(View::Data, "java", code), "// Line 2, in A\nB\n\n// Line 2, in A\nC\n");
    }

    #[test]
    fn text_keeps_its_own_indentation() {
        let text = "class A:\n    B = {\n        1: 2,\n    }\n\n\nclass C(D):\n    pass\n";
        assert_eq!(render(View::Data, "python", text), "# Lines 2-4, in A\nB = {\n    1: 2,\n}\n");
        assert!(render(View::Definitions, "python", text).ends_with("class C(D):\n    pass\n"));
    }

    #[test]
    fn overviews_name_what_is_around() {
        let text = "res.format = function () {\n  function keys() {}\n}\n";
        assert!(
            render(View::Symbols, "javascript", text).contains("- res.format.keys() (function) (line 2)")
        );
        assert!(render(View::Symbols, "markdown", "# A\n\nx\n\n## B\n\ny\n").contains("- A > B (section)"));
    }
}
