//! Definitions: what a declaration is called, what is written before it, who may use it.

use tree_sitter::Node;

use super::flags::{Flag, Flags, Visibility, from_annotations, from_modifiers};
use super::leading::Leading;
use super::walk::{Level, Walk};
use super::{Definition, Facts, Reference, ReferenceKind};
use crate::lang::ChunkKind;
use crate::lang::grammar::Name;
use crate::lang::naming::{self, FullName, last_row};

/// Where a declaration stands.
struct Place<'t> {
    /// The declaration with what stands around it.
    outer: Node<'t>,
    leading: Leading<'t>,
    /// With the attributes before it.
    start: usize,
    /// Behind the attributes.
    first_word: usize,
    /// Behind the first declarator of a binding: where that one begins.
    head_end: Option<usize>,
    /// The bytes of the words before the name.
    modifiers: (usize, usize),
}

impl<'t> Walk<'_, 't> {
    /// Notes a declaration and makes it the definition around its children.
    pub fn define(&mut self, node: Node<'t>, kind: ChunkKind, from: Name, inner: &mut Level<'t>) {
        let is_noted = node.id() == self.valued;
        let name = if is_noted { None } else { naming::name_of(node, from, self.text) };
        match name.or_else(|| if is_noted { None } else { self.default_name(node) }) {
            Some(name) => {
                self.note(node, node, kind, name, inner);
                self.note_others(node, kind, from, inner);
            }
            // Without a name it cannot be referred to, but its members are members.
            None => inner.enter(kind),
        }
    }

    /// The second and further names of `int a, b`, bound in the same place.
    pub fn note_others(&mut self, node: Node<'t>, kind: ChunkKind, from: Name, inner: &mut Level<'t>) {
        let Name::Each(find) = from else { return };
        for name in find(node).into_iter().skip(1).map(|name| naming::full_name(name, self.text)) {
            // What the parser made up to go on has no text.
            if !name.name.is_empty() {
                self.note(node, node, kind, name, inner);
            }
        }
    }

    /// `node` binds the name; `holder` is what has the body.
    pub fn note(
        &mut self,
        node: Node<'t>,
        holder: Node<'t>,
        kind: ChunkKind,
        name: FullName,
        inner: &mut Level<'t>,
    ) {
        if self.is_clause(node, kind, &name, inner) {
            return;
        }
        let place = self.place_of(node, &name);
        let kind = self.kind_of(kind, &name, &place);
        let here = self.here();
        if here.in_callable && kind.is_value() {
            return;
        }
        let (parent, access) = (here.definition, here.access);
        let before_name = kind.is_type() && node.start_byte() < here.named_at;
        let parent = if before_name { self.beside_alias(parent) } else { parent };
        self.forget(place.start, &name.name);
        let doc = self.doc_of(holder, &place);
        let signature = self.signature(node, holder, kind, &name, &place);
        let (mut flags, said) = self.flags_of(kind, &name, &place, doc, &signature);
        // `MAX_SIZE = 1` is one by agreement; `ID string` declares what is given a value elsewhere.
        let is_given = || self.text.get(name.end..node.end_byte()).is_some_and(|rest| rest.contains('='));
        if kind.is_value() && is_loud(&name.name) && is_given() {
            flags.insert(Flag::Constant);
        }
        if self.is_extension(kind, &name, parent, &signature) {
            flags.insert(Flag::Extension);
        }
        if flags.contains(Flag::Override) {
            self.facts.references.push(Reference {
                kind: ReferenceKind::Override,
                name: name.name.clone(),
                receiver: None,
                line: node.start_position().row as u32 + 1,
                byte: name.at as u32,
            });
        }
        (self.name_at, self.name_end) = (name.at, name.end);
        inner.named_at = name.at;
        let end = self.end_of(&place);
        self.facts.definitions.push(Definition {
            visibility: said
                .or(access)
                .unwrap_or_else(|| self.default_visibility(kind, &name, flags, parent)),
            kind,
            name: name.name,
            owner: name.owner,
            parent,
            signature,
            flags,
            start_line: row_of(self.text, place.start, place.outer) as u32 + 1,
            end_line: last_row(place.outer) + 1 - line_breaks(self.text, end, place.outer.end_byte()),
            start_byte: place.start as u32,
            end_byte: end as u32,
            at: node.start_byte() as u32,
            doc,
            props: None,
        });
        inner.definition = Some(self.facts.definitions.len() as u32 - 1);
        inner.enter(kind);
        // A value of Haskell has local names as a function has, and so has a test.
        let has_locals = kind == ChunkKind::Variable && self.grammar.rules.clauses || kind == ChunkKind::Test;
        inner.in_callable |= has_locals;
        self.here().before = inner.definition;
    }

    fn signature(
        &self,
        node: Node<'t>,
        holder: Node<'t>,
        kind: ChunkKind,
        name: &FullName,
        place: &Place<'_>,
    ) -> String {
        if self.grammar.rules.is_data {
            return naming::first_line(node, &name.name, self.text);
        }
        // `typedef enum { … } name`: the members are no part of it.
        let before = self.text.get(place.first_word..name.at).unwrap_or_default();
        if let Some((head, _)) = before.split_once('{').filter(|_| kind.is_type()) {
            return naming::shorten(&format!("{head} {}", name.name));
        }
        let end = match kind {
            // `it('adds', () => …)` is a call without a body of its own.
            ChunkKind::Test if self.grammar.body(holder, self.text).is_none() => naming::End::At(name.end),
            kind if kind.is_value() || kind == ChunkKind::Type => naming::End::ShortValue,
            _ => naming::End::Body,
        };
        let shape = naming::Shape { start: place.first_word, node, holder, head_end: place.head_end };
        naming::signature_of(&shape, end, self.grammar, self.text)
    }

    /// In `struct a { … } b` the type stands in the declaration of `b`, but is no part of it.
    fn beside_alias(&self, parent: Option<u32>) -> Option<u32> {
        let around = self.facts.definitions.get(parent? as usize)?;
        let is_alias = around.kind.is_value() || around.kind == ChunkKind::Type;
        if is_alias { around.parent } else { parent }
    }

    /// Declared outside of what it is called on: `f(this T t)`, `fun T.f()`, in an `extension`.
    fn is_extension(&self, kind: ChunkKind, name: &FullName, parent: Option<u32>, signature: &str) -> bool {
        let extends = name.owner.is_some() && self.grammar.rules.owners_are_extended;
        let around = parent.and_then(|at| self.facts.definitions.get(at as usize));
        let in_extension =
            around.is_some_and(|d| d.kind == ChunkKind::Impl && d.signature.starts_with("extension"));
        extends || in_extension || kind == ChunkKind::Method && signature.contains("(this ")
    }

    fn place_of(&mut self, node: Node<'t>, name: &FullName) -> Place<'t> {
        let here = self.here();
        let (outer, leading) = match &here.outer {
            // What is before the wrapper, or inside of it before the declaration: decorators.
            Some(outer) => (outer.node, outer.leading),
            None => (node, here.leading),
        };
        // What is before the first declarator of a binding holds for the others too.
        let head_end = here.first_declarator.filter(|first| *first < node.start_byte());
        let start = leading.start(outer.start_byte());
        // Data has neither attributes nor modifiers, and its entries may be large.
        if self.grammar.rules.is_data {
            return Place { outer, leading, start, first_word: start, head_end, modifiers: (start, start) };
        }
        let first_word = naming::first_word(outer, self.grammar, self.text);
        let modifiers = (first_word, head_end.unwrap_or(name.at));
        Place { outer, leading, start, first_word, head_end, modifiers }
    }

    /// Where it ends. Some grammars count what is behind it, up to the next token, as part of it.
    fn end_of(&self, place: &Place<'_>) -> usize {
        let late = self.grammar.late(place.outer, self.text);
        let end = late.first().map_or(place.outer.end_byte(), Node::start_byte);
        let written = self.text.get(place.start..end).unwrap_or_default();
        place.start + written.trim_end().len()
    }

    fn kind_of(&mut self, kind: ChunkKind, name: &FullName, place: &Place<'_>) -> ChunkKind {
        if self.grammar.rules.is_data {
            return kind;
        }
        let is_member = self.here().in_type || name.owner.is_some();
        let around = self.kind_around().filter(|_| is_member);
        // What a class or instance of Haskell declares is a method, with parameters or without.
        let is_method = is_member && kind == ChunkKind::Variable && self.grammar.rules.clauses;
        let kind = if is_method { ChunkKind::Method } else { kind };
        let kind = member_kind(kind, &name.name, is_member, around);
        let is_property = is_property(kind, self.modifiers(place), self.annotations(place));
        if is_property { ChunkKind::Property } else { kind }
    }

    /// What the declaration says of itself.
    fn flags_of(
        &self,
        kind: ChunkKind,
        name: &FullName,
        place: &Place<'_>,
        doc: Option<(u32, u32)>,
        signature: &str,
    ) -> (Flags, Option<Visibility>) {
        let rules = self.grammar.rules;
        // Where the name is not written, modifiers end with the parameters: `public init(`.
        let unwritten = signature.split('(').next().unwrap_or_default();
        let modifiers = if name.end == name.at { unwritten } else { self.modifiers(place) };
        let (mut flags, said) = from_modifiers(modifiers, rules.let_varies);
        for flag in from_annotations(self.annotations(place)).iter() {
            flags.insert(flag);
        }
        let doc = doc.and_then(|(start, end)| self.text.get(start as usize..end as usize));
        if doc.is_some_and(says_deprecated) {
            flags.insert(Flag::Deprecated);
        }
        // PHPUnit.
        if kind.is_callable() && doc.is_some_and(|doc| doc.contains("@test")) {
            flags.insert(Flag::Test);
        }
        // Swift and C++ say it behind the parameters.
        if kind.is_callable() && signature.contains(") async") {
            flags.insert(Flag::Async);
        }
        if kind.is_callable() && (signature.ends_with(" override") || signature.ends_with("= 0")) {
            flags.insert(if signature.ends_with('0') { Flag::Abstract } else { Flag::Override });
        }
        let by_name = kind.is_callable()
            && is_test_name(&name.name, rules.tests)
            && signature.contains(rules.tests_take);
        if by_name || kind == ChunkKind::Test {
            flags.insert(Flag::Test);
        }
        if !kind.is_value() {
            flags.remove(Flag::Constant);
        } else if kind == ChunkKind::Constant {
            flags.insert(Flag::Constant);
        }
        (flags, said)
    }

    /// The words before the name.
    fn modifiers(&self, place: &Place<'_>) -> &str {
        let written = self.text.get(place.modifiers.0..place.modifiers.1).unwrap_or_default();
        // In `typedef struct { … } name` there are members before the name.
        written.split('{').next().unwrap_or_default()
    }

    fn annotations(&self, place: &Place<'_>) -> &str {
        self.text.get(place.start..place.first_word).unwrap_or_default()
    }

    fn doc_of(&self, holder: Node<'_>, place: &Place<'_>) -> Option<(u32, u32)> {
        if let Some(docstring) = self.grammar.rules.docstring.and_then(|find| find(holder, self.text)) {
            return Some((docstring.start_byte() as u32, docstring.end_byte() as u32));
        }
        let (start, end) = place.leading.doc(place.outer.start_position().row as u32, self.text)?;
        let written = self.text.get(start as usize..end as usize).unwrap_or_default();
        let is_licence = start == 0 && says_licence(written);
        (!is_licence).then_some((start, end))
    }
}

/// What a file exports by name somewhere else than where it declares it: `export { a }`, `__all__`.
pub fn mark_exported(facts: &mut Facts) {
    let names: rustc_hash::FxHashSet<&str> = facts
        .imports
        .iter()
        .filter(|import| import.export && import.module.is_empty())
        .filter_map(|import| import.name.as_deref())
        .collect();
    if names.is_empty() {
        return;
    }
    let top_level = facts.definitions.iter_mut().filter(|d| d.parent.is_none() && d.owner.is_none());
    let top_level = top_level.filter(|d| d.kind != ChunkKind::Test);
    for definition in top_level.filter(|d| names.contains(d.name.as_str())) {
        definition.flags.insert(Flag::Exported);
        definition.visibility = Visibility::Public;
    }
}

fn member_kind(kind: ChunkKind, name: &str, is_member: bool, around: Option<ChunkKind>) -> ChunkKind {
    match kind {
        ChunkKind::Function | ChunkKind::Method
            if is_member
                && matches!(name, "constructor" | "__init__" | "__construct" | "initialize" | "this") =>
        {
            ChunkKind::Constructor
        }
        ChunkKind::Function if is_member => ChunkKind::Method,
        ChunkKind::Variable if around == Some(ChunkKind::Enum) => ChunkKind::Constant,
        // Without a type around, it only looked like one.
        ChunkKind::Constructor if !is_member => ChunkKind::Function,
        ChunkKind::Variable if is_member => ChunkKind::Field,
        kind => kind,
    }
}

/// `get size()`, `@property`: read like a field.
fn is_property(kind: ChunkKind, modifiers: &str, annotations: &str) -> bool {
    if kind != ChunkKind::Method {
        return false;
    }
    let last = modifiers.trim_end().rsplit(|c: char| !c.is_alphanumeric()).next();
    let by_decorator = |line: &str| {
        let line = line.trim();
        line.starts_with('@') && (line.ends_with("property") || line.ends_with(".setter"))
    };
    matches!(last, Some("get" | "set")) || annotations.lines().any(by_decorator)
}

/// No small letter follows, unless the prefix is a word with its separator.
fn is_test_name(name: &str, prefixes: &[&str]) -> bool {
    prefixes.iter().filter_map(|prefix| Some((prefix, name.strip_prefix(prefix)?))).any(|(prefix, rest)| {
        !prefix.ends_with(char::is_alphanumeric) || !rest.starts_with(char::is_lowercase)
    })
}

/// `MAX_SIZE`: a constant by agreement.
fn is_loud(name: &str) -> bool {
    name.len() > 1
        && name.starts_with(|c: char| c.is_ascii_uppercase() || c == '_')
        && name.bytes().any(|b| b.is_ascii_uppercase())
        && name.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_')
}

/// What files begin with is about the file.
fn says_licence(comment: &str) -> bool {
    ["Copyright", "copyright", "Licensed under", "SPDX-License"].iter().any(|word| comment.contains(word))
}

fn says_deprecated(doc: &str) -> bool {
    doc.contains("@deprecated") || doc.contains("Deprecated:") || doc.contains(".. deprecated::")
}

/// The line breaks of white space and comments behind a declaration, as far as `last_row` counts them.
fn line_breaks(text: &str, from: usize, to: usize) -> u32 {
    let behind = text.get(from..to).unwrap_or_default();
    let breaks = behind.bytes().filter(|b| *b == b'\n').count() as u32;
    breaks - u32::from(behind.ends_with('\n'))
}

fn row_of(text: &str, start: usize, outer: Node<'_>) -> usize {
    let above = text.get(start..outer.start_byte()).unwrap_or_default();
    outer.start_position().row - above.bytes().filter(|b| *b == b'\n').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_methods_fields_and_constructors() {
        use ChunkKind::*;
        assert_eq!(member_kind(Function, "f", false, None), Function);
        assert_eq!(member_kind(Function, "f", true, Some(Class)), Method);
        assert_eq!(member_kind(Function, "__init__", true, Some(Class)), Constructor);
        assert_eq!(member_kind(Function, "__init__", false, None), Function);
        assert_eq!(member_kind(Variable, "x", true, Some(Class)), Field);
        assert_eq!(member_kind(Variable, "RED", true, Some(Enum)), Constant);
        assert_eq!(member_kind(Property, "p", true, Some(Class)), Property);
    }

    #[test]
    fn accessors_are_properties() {
        let method = ChunkKind::Method;
        assert!(is_property(method, "static get ", ""));
        assert!(is_property(method, "def ", "@functools.cached_property\n"));
        assert!(is_property(method, "def ", "@size.setter\n    "));
        assert!(!is_property(method, "widget ", "@property_of(x)\n"));
        assert!(!is_property(ChunkKind::Function, "get ", ""));
    }

    #[test]
    fn tests_by_name() {
        assert!(is_test_name("test_add", &["test"]) && is_test_name("testAdd", &["test"]));
        assert!(is_test_name("test_add", &["test_"]));
        assert!(!is_test_name("testing", &["test"]) && !is_test_name("latest", &["test"]));
    }

    #[test]
    fn loud_names_are_constants() {
        assert!(is_loud("MAX_SIZE") && is_loud("_X2"));
        assert!(!is_loud("T") && !is_loud("Max") && !is_loud("__"));
    }
}
