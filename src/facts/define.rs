//! Definitions: what a declaration is called, what is written before it, who may use it.

use tree_sitter::Node;

use super::flags::{Flag, Flags, Visibility, from_annotations, from_modifiers};
use super::walk::{Level, Walk};
use super::{Definition, Reference, ReferenceKind};
use crate::lang::ChunkKind;
use crate::lang::grammar::{Name, Privacy, Role};
use crate::lang::imports::text_of;
use crate::lang::naming::{self, FullName};

/// The comments and attributes right before a declaration.
#[derive(Debug, Clone, Copy, Default)]
pub struct Leading {
    /// Bytes of the comments.
    pub(super) doc: Option<(usize, usize)>,
    /// Bytes of the attributes.
    pub(super) annotations: Option<(usize, usize)>,
    /// The row on which the last of them ends, or the sibling before: what is further away is not right before.
    row: usize,
}

impl Leading {
    /// Nothing yet, after a sibling.
    pub fn after(node: Node<'_>) -> Leading {
        Leading { row: node.end_position().row, ..Leading::default() }
    }

    pub fn add(&mut self, node: Node<'_>, is_comment: bool) {
        let (first, last) = (node.start_position().row, last_row(node));
        // A comment behind code belongs to that code.
        if is_comment && self.is_empty() && first == self.row && first > 0 {
            return;
        }
        if first > self.row + 1 {
            *self = Leading::default();
        }
        let slot = if is_comment { &mut self.doc } else { &mut self.annotations };
        let start = slot.map_or(node.start_byte(), |(start, _)| start);
        *slot = Some((start, node.end_byte()));
        self.row = last;
    }

    pub fn is_empty(&self) -> bool {
        self.doc.is_none() && self.annotations.is_none()
    }

    fn start(&self, otherwise: usize) -> usize {
        self.annotations.map_or(otherwise, |(start, _)| start.min(otherwise))
    }
}

/// Some grammars count the line break as part of a comment.
pub(super) fn last_row(node: Node<'_>) -> usize {
    let end = node.end_position();
    if end.column == 0 && end.row > node.start_position().row { end.row - 1 } else { end.row }
}

/// What stands around a declaration.
#[derive(Debug, Clone)]
pub struct Outer<'t> {
    pub node: Node<'t>,
    pub leading: Leading,
}

impl<'t> Walk<'_, 't> {
    /// Notes a declaration and makes it the definition around its children.
    pub fn define(&mut self, node: Node<'t>, kind: ChunkKind, name: Name, inner: &mut Level<'t>) {
        let Some(name) = naming::name_of(node, name, self.text).or_else(|| self.default_name(node)) else {
            // Without a name it cannot be referred to, but its members are members.
            inner.in_type = kind.is_type();
            inner.in_callable |= kind.is_callable();
            return;
        };
        self.note(node, node, kind, name, inner);
    }

    /// `name = value`: a function or class if the value is one.
    pub fn declare(&mut self, node: Node<'t>, kind: ChunkKind, name: Name, inner: &mut Level<'t>) {
        let value = node.child_by_field_name("value").or_else(|| node.child_by_field_name("right"));
        let value = value.and_then(|value| self.callable_value(value));
        let (holder, kind) = value.unwrap_or((node, kind));
        // A block is nothing by itself: only functions and classes count.
        if kind == ChunkKind::Block || (value.is_none() || name_is_loose(name)) && self.here().in_callable {
            return;
        }
        if let Some(name) = naming::name_of(node, name, self.text) {
            self.note(node, holder, kind, name, inner);
        }
    }

    /// Notes each of the names that one declaration gives.
    pub fn define_all(&mut self, node: Node<'t>, kind: ChunkKind, names: &[Node<'t>], inner: &mut Level<'t>) {
        let around = inner.definition;
        for (at, name) in names.iter().enumerate() {
            let Some(name) = naming::named(*name, None, self.text) else { continue };
            let bound = if at == 0 { node.start_byte() } else { name.at };
            self.note_at(node, node, kind, name, bound, inner);
        }
        inner.definition = around;
    }

    /// A function or class that is a default export.
    pub fn unnamed(&mut self, node: Node<'t>, kind: ChunkKind, inner: &mut Level<'t>) {
        match self.default_name(node) {
            Some(name) => self.note(node, node, kind, name, inner),
            None => inner.in_callable |= kind.is_callable(),
        }
    }

    fn default_name(&mut self, node: Node<'_>) -> Option<FullName> {
        let outer = self.here().outer.as_ref()?.node;
        let is_default = outer.child_by_field_name("value").is_some_and(|value| value.id() == node.id())
            || outer.child_by_field_name("declaration").is_some_and(|value| value.id() == node.id());
        is_default.then(|| FullName { owner: None, name: "default".to_owned(), at: node.start_byte() })
    }

    fn note(
        &mut self,
        node: Node<'t>,
        holder: Node<'t>,
        kind: ChunkKind,
        name: FullName,
        inner: &mut Level<'t>,
    ) {
        self.note_at(node, holder, kind, name, node.start_byte(), inner);
    }

    fn note_at(
        &mut self,
        node: Node<'t>,
        holder: Node<'t>,
        kind: ChunkKind,
        name: FullName,
        at: usize,
        inner: &mut Level<'t>,
    ) {
        if self.is_clause(node, kind, &name, inner) {
            return;
        }
        let here = self.here();
        let (outer, leading) = match &here.outer {
            // What is before the wrapper, or inside of it before the declaration: decorators.
            Some(outer) => (outer.node, outer.leading),
            None => (node, here.leading),
        };
        let (in_type, parent, in_callable) = (here.in_type, here.definition, here.in_callable);
        let access = here.access;
        // What a class or instance of Haskell declares is a method, with parameters or without.
        let kind = match kind {
            ChunkKind::Variable if in_type && self.grammar.rules.clauses => ChunkKind::Function,
            kind => kind,
        };
        let kind = member_kind(kind, &name.name, in_type || name.owner.is_some());
        if in_callable && matches!(kind, ChunkKind::Variable | ChunkKind::Field | ChunkKind::Constant) {
            return;
        }
        let start = leading.start(outer.start_byte());
        let first_word = naming::first_word(outer, self.grammar, self.text);
        let signature = match kind {
            ChunkKind::Test => naming::first_line(outer, holder, self.grammar, self.text),
            _ => naming::signature_of(outer, node, holder, self.grammar, self.text),
        };
        // Where the name is not written, modifiers end with the parameters: `public init(`.
        let unwritten = signature.split('(').next().unwrap_or_default();
        let modifiers = self.text.get(first_word..name.at).filter(|m| !m.is_empty()).unwrap_or(unwritten);
        let (mut flags, said) = from_modifiers(modifiers);
        if kind.is_callable() && signature.contains(") async") {
            flags.insert(Flag::Async);
        }
        if kind.is_type() || kind.is_callable() {
            // A final class or method is no constant.
            flags = flags.without(Flag::Constant);
        }
        let annotations = self.text.get(start..first_word).unwrap_or_default();
        self.add_flags(&mut flags, annotations, kind, &name.name);
        self.forget(start, &name.name);
        let doc = self.doc_of(holder, &leading, outer);
        let said_in_doc = doc.and_then(|(start, end)| self.text.get(start..end)).unwrap_or_default();
        if says_deprecated(said_in_doc) {
            flags.insert(Flag::Deprecated);
        }
        if kind.is_callable() && said_in_doc.contains("@test") {
            flags.insert(Flag::Test);
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
        if is_extension(kind, &signature) {
            flags.insert(Flag::Extension);
        }
        let row = row_of(self.text, start, outer);
        self.name_at = name.at;
        self.facts.definitions.push(Definition {
            visibility: said
                .or(access)
                .unwrap_or_else(|| self.default_visibility(kind, &name.name, flags, parent)),
            kind,
            name: name.name,
            owner: name.owner,
            parent,
            signature,
            flags,
            start_line: row as u32 + 1,
            end_line: last_row(outer) as u32 + 1,
            start_byte: start as u32,
            end_byte: outer.end_byte() as u32,
            at: at as u32,
            doc: doc.map(|(start, end)| (start as u32, end as u32)),
            props: None,
        });
        inner.definition = Some(self.facts.definitions.len() as u32 - 1);
        inner.in_type = kind.is_type();
        // A value of Haskell has local names as a function has, and so has a test.
        let is_local = kind == ChunkKind::Variable && self.grammar.rules.clauses || kind == ChunkKind::Test;
        inner.in_callable |= kind.is_callable() || is_local;
        self.here().before = inner.definition;
    }

    fn add_flags(&self, flags: &mut Flags, annotations: &str, kind: ChunkKind, name: &str) {
        for flag in from_annotations(annotations).iter() {
            flags.insert(flag);
        }
        let by_name = self.grammar.rules.tests.iter().any(|mark| is_test(name, mark));
        if by_name && kind.is_callable() || kind == ChunkKind::Test {
            flags.insert(Flag::Test);
        }
    }

    fn doc_of(&self, holder: Node<'_>, leading: &Leading, outer: Node<'_>) -> Option<(usize, usize)> {
        if let Some(docstring) = self.grammar.rules.docstring.and_then(|find| find(holder, self.text)) {
            return Some((docstring.start_byte(), docstring.end_byte()));
        }
        leading.doc.filter(|_| leading.row + 1 >= outer.start_position().row)
    }

    fn default_visibility(
        &self,
        kind: ChunkKind,
        name: &str,
        flags: Flags,
        parent: Option<u32>,
    ) -> Visibility {
        let parent = parent.and_then(|at| self.facts.definitions.get(at as usize));
        let in_type = parent.is_some_and(|parent| parent.kind.is_type());
        let public = match self.grammar.rules.privacy {
            Privacy::Open => true,
            Privacy::Closed => false,
            // As C# has it: what an interface declares is public, what another type declares is its own.
            Privacy::Internal => match parent {
                Some(parent) if matches!(parent.kind, ChunkKind::Interface | ChunkKind::Enum) => true,
                Some(parent) if parent.kind.is_type() => false,
                _ => {
                    return if kind == ChunkKind::Namespace {
                        Visibility::Public
                    } else {
                        Visibility::Internal
                    };
                }
            },
            Privacy::Package => match parent.map(|parent| parent.kind) {
                Some(ChunkKind::Interface) => true,
                Some(ChunkKind::Enum) if kind == ChunkKind::Constant => true,
                _ => return Visibility::Internal,
            },
            Privacy::Marked => flags.contains(Flag::Exported) || in_type && is_part(kind),
            Privacy::Capital => name.starts_with(char::is_uppercase),
            Privacy::Underscore => !name.starts_with('_') || name.starts_with("__") && name.ends_with("__"),
            Privacy::Exported => flags.contains(Flag::Exported) || in_type && !name.starts_with('#'),
        };
        if public { Visibility::Public } else { Visibility::Private }
    }

    /// The function or class that a value is, or that it hands to a call: `memo(() => …)`.
    fn callable_value(&self, value: Node<'t>) -> Option<(Node<'t>, ChunkKind)> {
        let mut value = value;
        for _ in 0..6 {
            let role = self.grammar.role(&value, self.text);
            if let Role::Value(kind) | Role::Container(kind, _) = role {
                return Some((value, kind));
            }
            value = match value.kind() {
                "call_expression" => self.function_argument(value)?,
                "parenthesized_expression" | "as_expression" | "satisfies_expression" => {
                    value.named_child(0)?
                }
                _ => return None,
            };
        }
        None
    }

    /// `items.map(x => …)` makes no function, so methods count only on something that looks like a module.
    fn function_argument(&self, call: Node<'t>) -> Option<Node<'t>> {
        let callee = text_of(call.child_by_field_name("function"), self.text);
        if callee.contains('.') && !callee.starts_with(char::is_uppercase) {
            return None;
        }
        let arguments = call.child_by_field_name("arguments")?;
        let wanted = |argument: &Node<'_>| {
            let is_function = matches!(self.grammar.role(argument, self.text), Role::Value(_));
            is_function || argument.kind() == "call_expression"
        };
        arguments.named_children(&mut arguments.walk()).find(wanted)
    }
}

/// Names made by a look (members of objects, assignments) are no declarations inside of a function.
fn name_is_loose(name: Name) -> bool {
    matches!(name, Name::By(_) | Name::In("key"))
}

fn member_kind(kind: ChunkKind, name: &str, is_member: bool) -> ChunkKind {
    match kind {
        ChunkKind::Function | ChunkKind::Method
            if is_member && matches!(name, "constructor" | "__init__" | "__construct" | "initialize") =>
        {
            ChunkKind::Constructor
        }
        ChunkKind::Function if is_member => ChunkKind::Method,
        ChunkKind::Variable if is_member => ChunkKind::Field,
        kind => kind,
    }
}

/// `testCase` and `test_case`, but not `testing`.
fn is_test(name: &str, mark: &str) -> bool {
    let rest = name.strip_prefix(mark).and_then(|rest| rest.chars().next());
    rest.is_some_and(|next| !next.is_lowercase() || mark.ends_with('_'))
}

/// A field, or one of the names of an enum.
fn is_part(kind: ChunkKind) -> bool {
    matches!(kind, ChunkKind::Field | ChunkKind::Constant)
}

fn says_deprecated(doc: &str) -> bool {
    doc.contains("@deprecated") || doc.contains("Deprecated:") || doc.contains(".. deprecated::")
}

/// `static void F(this T t)`
fn is_extension(kind: ChunkKind, signature: &str) -> bool {
    kind == ChunkKind::Method && signature.contains("(this ")
}

fn row_of(text: &str, start: usize, outer: Node<'_>) -> usize {
    let above = text.get(start..outer.start_byte()).unwrap_or_default();
    outer.start_position().row - above.bytes().filter(|b| *b == b'\n').count()
}
