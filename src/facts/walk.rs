//! One walk over a syntax tree that notes what is declared and what is mentioned.
//!
//! The walk visits every node once, keeps its own stack and looks each node up in two arrays, so its cost follows
//! the size of the tree whatever the text.

use tree_sitter::{Node, Tree, TreeCursor};

use super::define::{Leading, Outer};
use super::flags::{Visibility, from_modifiers};
use super::{Facts, Reference, ReferenceKind};
use crate::lang::grammar::{Compiled, Context, Mention, Role};
use crate::lang::imports::text_of;

/// What holds for the children of a node.
#[derive(Clone)]
pub(super) struct Level<'t> {
    /// As what a name counts here.
    context: Context,
    /// Contexts that the fields of the node give.
    fields: &'static [(u16, Context)],
    /// The child that a call is about.
    callee: usize,
    /// The innermost definition around.
    pub definition: Option<u32>,
    pub in_type: bool,
    pub in_callable: bool,
    /// Where the name of the definition around stands.
    pub named_at: usize,
    /// Who may use the members that follow.
    pub access: Option<Visibility>,
    /// Comments and attributes that wait for their declaration.
    pub leading: Leading,
    /// The wrapper that the node is, with what was before it.
    pub outer: Option<Outer<'t>>,
}

pub(super) struct Walk<'a, 't> {
    pub grammar: &'static Compiled,
    pub text: &'a str,
    pub facts: Facts,
    pub levels: Vec<Level<'t>>,
    /// Where the name of the newest definition stands: it mentions nothing.
    pub name_at: usize,
}

/// Everything that the tree of `text` says.
pub fn extract(tree: &Tree, grammar: &'static Compiled, text: &str) -> Facts {
    let root = Level {
        context: Context::Value,
        fields: &[],
        callee: 0,
        definition: None,
        in_type: false,
        in_callable: false,
        named_at: 0,
        access: None,
        leading: Leading::default(),
        outer: None,
    };
    let mut walk = Walk { grammar, text, facts: Facts::default(), levels: vec![root], name_at: usize::MAX };
    let mut cursor = tree.walk();
    let mut more = cursor.goto_first_child();
    while more {
        let level = walk.visit(&cursor);
        if cursor.goto_first_child() {
            walk.levels.push(level);
            continue;
        }
        while more && !cursor.goto_next_sibling() {
            walk.levels.pop();
            more = !walk.levels.is_empty() && cursor.goto_parent();
        }
    }
    walk.finish()
}

impl<'t> Walk<'_, 't> {
    fn finish(mut self) -> Facts {
        super::component::add_props(&mut self.facts, self.text);
        self.facts
    }

    /// The level that the cursor is on.
    pub fn here(&mut self) -> &mut Level<'t> {
        // The stack is empty only when the walk is over.
        self.levels.last_mut().expect("a node is on a level")
    }

    /// Notes what the node says; returns what holds for its children.
    fn visit(&mut self, cursor: &TreeCursor<'t>) -> Level<'t> {
        let node = cursor.node();
        let here = self.here();
        let mut inner = Level {
            context: here.context,
            fields: &[],
            callee: 0,
            definition: here.definition,
            in_type: false,
            in_callable: here.in_callable,
            named_at: here.named_at,
            access: None,
            leading: Leading::default(),
            outer: None,
        };
        if !node.is_named() {
            return inner;
        }
        let by_field = |fields: &[(u16, Context)]| {
            let id = cursor.field_id()?.get();
            fields.iter().find(|(field, _)| *field == id).map(|(_, context)| *context)
        };
        let context = match here.fields {
            _ if here.callee == node.id() => Context::Callee,
            [] => here.context,
            fields => by_field(fields).unwrap_or(here.context),
        };
        inner.context = context;
        inner.fields = self.grammar.fields(&node);
        self.mention(node, context, &mut inner);
        self.role(node, &mut inner);
        inner
    }

    fn mention(&mut self, node: Node<'t>, context: Context, inner: &mut Level<'t>) {
        let mention = self.grammar.mention(&node);
        match mention {
            Mention::Nothing | Mention::Ask(_) => {}
            Mention::Call(_) | Mention::New(_) => {
                inner.context = Context::Value;
                let Some(callee) = self.grammar.subject(&node) else { return };
                inner.callee = callee.id();
                let (kind, start) = match mention {
                    Mention::New(_) => (ReferenceKind::New, callee.start_byte()),
                    _ => (ReferenceKind::Call, node.start_byte()),
                };
                self.refer(kind, start, callee);
            }
            Mention::Member => {
                inner.context = if context == Context::Noted { context } else { Context::Value };
                self.name(node, context, Some(ReferenceKind::Field));
            }
            Mention::Path | Mention::TypePath => {
                inner.context = Context::Noted;
                let is_type = matches!(mention, Mention::TypePath);
                self.name(
                    node,
                    context,
                    Some(if is_type { ReferenceKind::Type } else { ReferenceKind::Field }),
                );
            }
            Mention::Name => self.name(node, context, None),
            Mention::Type => self.name(node, context, Some(ReferenceKind::Type)),
            Mention::Inside(context) => inner.context = context,
            Mention::Import(read) => {
                let before = self.facts.imports.len();
                read(node, self.text, &mut self.facts.imports);
                // `export class …` exports a declaration, and imports nothing.
                if self.facts.imports.len() > before {
                    inner.context = Context::Noted;
                }
            }
            Mention::Tokens => {
                inner.context = Context::Value;
                self.tokens(node);
            }
            Mention::Markup(_) => self.markup(node),
        }
    }

    fn name(&mut self, node: Node<'_>, context: Context, otherwise: Option<ReferenceKind>) {
        if node.start_byte() == self.name_at {
            return;
        }
        let kind = match context {
            Context::Callee | Context::Noted => None,
            Context::Value => otherwise,
            Context::Type => Some(ReferenceKind::Type),
            Context::Inherit => Some(ReferenceKind::Inherit),
            Context::Implement => Some(ReferenceKind::Implement),
            Context::Annotation => Some(ReferenceKind::Annotation),
            Context::Base => Some(base_kind(text_of(Some(node), self.text))),
        };
        if let Some(kind) = kind {
            self.refer(kind, node.start_byte(), node);
        }
    }

    /// Notes the name at the end of a node, with what is before it from `start`.
    fn refer(&mut self, kind: ReferenceKind, start: usize, node: Node<'_>) {
        // Of a long chain of calls only the last part is read, so that chains cost what they are long.
        const LONGEST: usize = 200;
        let end = node.end_byte();
        let start = start.max(end.saturating_sub(LONGEST));
        let start = (start..=end).find(|at| self.text.is_char_boundary(*at)).unwrap_or(end);
        let Some(path) = self.text.get(start..end) else { return };
        let Some((receiver, name)) = split_path(path) else { return };
        if receiver.is_none() && (self.grammar.rules.common.contains(&name) || is_parameter(kind, name)) {
            return;
        }
        let byte = start + name.as_ptr().addr() - path.as_ptr().addr();
        let below = path[byte - start..].bytes().filter(|b| *b == b'\n').count();
        let line = (node.end_position().row - below) as u32 + 1;
        let receiver = receiver.map(|receiver| crate::lang::naming::collapse(receiver, LONGEST));
        self.facts.references.push(Reference {
            kind,
            name: name.to_owned(),
            receiver,
            line,
            byte: byte as u32,
        });
    }

    /// What is called in a list of tokens: `path::name(…)`, `value.name(…)`.
    fn tokens(&mut self, list: Node<'_>) {
        // Where the path begins that the token before belongs to, and that token if it is a name.
        let mut path = None;
        let mut before: Option<Node<'_>> = None;
        for token in list.children(&mut list.walk()) {
            let written = text_of(Some(token), self.text);
            if token.kind_id() == list.kind_id() {
                if let (Some(start), Some(name)) = (path, before.take())
                    && written.starts_with('(')
                {
                    self.refer(ReferenceKind::Call, start, name);
                }
            } else if token.is_named() && written.starts_with(|c: char| c.is_alphabetic() || c == '_') {
                path = path.filter(|_| before.is_none()).or(Some(token.start_byte()));
                before = Some(token);
            } else {
                path = path.filter(|_| matches!(written, "." | "::" | "?" | "await"));
                before = None;
            }
        }
    }

    /// A tag is a call of its component; what returns tags is one.
    fn markup(&mut self, node: Node<'_>) {
        if let Some(tag) = self.grammar.subject(&node)
            && text_of(Some(tag), self.text).starts_with(char::is_uppercase)
        {
            self.refer(ReferenceKind::Call, tag.start_byte(), tag);
        }
        if let Some(definition) = self.here().definition {
            super::component::mark(&mut self.facts.definitions, definition);
        }
    }

    fn role(&mut self, node: Node<'t>, inner: &mut Level<'t>) {
        let role = self.grammar.role(&node, self.text);
        match role {
            Role::Comment | Role::Annotation => {
                self.here().leading.add(node, matches!(role, Role::Comment));
                return;
            }
            Role::Wrapper | Role::Binding => {
                let here = self.here();
                let before = here.leading;
                inner.outer = here.outer.clone().or(Some(Outer { node, leading: before }));
                inner.in_type = here.in_type;
                inner.access = here.access;
            }
            // Members of what is around.
            Role::Body | Role::Branch | Role::Transparent => {
                inner.in_type = self.here().in_type;
                inner.access = self.here().access;
            }
            Role::Access => self.here().access = from_modifiers(text_of(Some(node), self.text)).1,
            Role::Trailing => inner.in_callable = true,
            Role::Definition(kind, name) => self.define(node, kind, name, inner),
            Role::Container(kind, name) | Role::Compact(kind, name) => self.define(node, kind, name, inner),
            Role::Declarator(kind, name) => self.declare(node, kind, name, inner),
            Role::Scope(kind, name) => {
                self.define(node, kind, name, inner);
                self.here().definition = inner.definition;
            }
            Role::Value(kind) => self.unnamed(node, kind, inner),
            Role::Plain | Role::Ask(_) => {}
        }
        self.here().leading = Leading::after(node);
    }
}

/// A type parameter, by the usual way to name one.
fn is_parameter(kind: ReferenceKind, name: &str) -> bool {
    kind == ReferenceKind::Type && matches!(name.as_bytes(), [b'A'..=b'Z'])
}

/// An interface, by the usual way to name one.
fn base_kind(name: &str) -> ReferenceKind {
    let last = name.rsplit('.').next().unwrap_or(name);
    let mut letters = last.chars();
    match (letters.next(), letters.next()) {
        (Some('I'), Some(second)) if second.is_uppercase() => ReferenceKind::Implement,
        _ => ReferenceKind::Inherit,
    }
}

/// Splits `a.b::c<T>` into what is before the last name, if anything, and the last name.
fn split_path(path: &str) -> Option<(Option<&str>, &str)> {
    let path = without_arguments(path.trim_end_matches(['!', '?']))?;
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '@' | '#');
    let end = path.trim_end_matches(['!', '?']);
    let start =
        end.rfind(|c| !is_name(c)).map_or(0, |at| at + end[at..].chars().next().map_or(1, char::len_utf8));
    let name = &path[start..];
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let before = path[..start].trim_end();
    let receiver = before.trim_end_matches("->").trim_end_matches(['.', ':', '?', '!', '\\', '&']).trim_end();
    // A name after something that does not qualify it: `not x`, `(x`.
    let qualified = receiver.len() < before.len();
    Some((Some(receiver).filter(|receiver| qualified && !receiver.is_empty()), name))
}

/// Without type arguments at the end: `f::<T>`, `List<int>`, `Map[K, V]`.
fn without_arguments(path: &str) -> Option<&str> {
    let path = path.trim_end();
    let (open, close) = match path.as_bytes().last()? {
        b'>' => (b'<', b'>'),
        b']' => (b'[', b']'),
        _ => return Some(path),
    };
    let mut depth = 0usize;
    for (at, byte) in path.bytes().enumerate().rev() {
        if byte == close {
            depth += 1;
        } else if byte == open {
            depth -= 1;
            if depth == 0 {
                return Some(path[..at].trim_end_matches(':').trim_end());
            }
        }
    }
    None
}
