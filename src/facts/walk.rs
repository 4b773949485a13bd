//! One walk over a syntax tree that notes what is declared and what is mentioned.
//!
//! The walk visits every node once, keeps its own stack and looks each node up in two arrays, so its cost follows
//! the size of the tree whatever the text.

use tree_sitter::{Node, Tree, TreeCursor};

use super::flags::{Visibility, from_modifiers};
use super::leading::{Leading, Outer};
use super::{Facts, ReferenceKind};
use crate::lang::ChunkKind;
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
    /// The definition before, of which the next may be another clause.
    pub before: Option<u32>,
    /// What waits at the end of the node goes on waiting behind it.
    pub passes_on: bool,
    /// How many definitions are around.
    depth: u16,
    /// Directly inside of a declaration, where an item is its body.
    in_header: bool,
    /// The sibling before that names all behind it, up to the next of its sort.
    scope: Option<u32>,
    /// Comments and attributes that wait for their declaration.
    pub leading: Leading<'t>,
    /// The wrapper that the node is, with what was before it.
    pub outer: Option<Outer<'t>>,
    /// What the declarators in a binding are.
    pub binding: Option<ChunkKind>,
    /// Where the first of them begins: what is before it holds for all.
    pub first_declarator: Option<usize>,
}

impl Level<'_> {
    /// The level is inside of a definition.
    pub fn enter(&mut self, kind: ChunkKind) {
        self.in_type = kind.is_type();
        self.in_callable |= kind.is_callable() || matches!(kind, ChunkKind::Property | ChunkKind::Event);
    }
}

pub(super) struct Walk<'a, 't> {
    pub grammar: &'static Compiled,
    pub text: &'a str,
    pub facts: Facts,
    here: Level<'t>,
    /// What holds further out.
    pub outside: Vec<Level<'t>>,
    /// Where the name of the newest definition begins and ends: it mentions nothing.
    pub name_at: usize,
    pub name_end: usize,
    /// The function or class that was noted under the name it is assigned to: its own name is no other definition.
    pub valued: usize,
    /// What a sibling before opened and none has closed yet.
    pub opened: Option<Opened>,
}

/// A definition that reaches over its siblings.
pub(super) struct Opened {
    pub definition: u32,
    /// How many levels are around it.
    pub depth: usize,
    /// Whether it stands in a function itself.
    pub in_callable: bool,
}

/// Everything that the tree of `text` says.
pub fn extract(tree: &Tree, grammar: &'static Compiled, text: &str) -> Facts {
    let here = Level {
        context: Context::Value,
        fields: &[],
        callee: 0,
        definition: None,
        in_type: false,
        in_callable: false,
        named_at: 0,
        access: None,
        before: None,
        passes_on: false,
        depth: 0,
        in_header: false,
        scope: None,
        leading: Leading::default(),
        outer: None,
        binding: None,
        first_declarator: None,
    };
    let facts = Facts::default();
    let (name_at, name_end) = (usize::MAX, usize::MAX);
    let outside = Vec::new();
    let mut walk = Walk { grammar, text, facts, here, outside, name_at, name_end, valued: 0, opened: None };
    let mut cursor = tree.walk();
    let mut more = cursor.goto_first_child();
    while more {
        if let Some(level) = walk.visit(&cursor)
            && cursor.goto_first_child()
        {
            let outside = std::mem::replace(&mut walk.here, level);
            walk.outside.push(outside);
            continue;
        }
        while more && !cursor.goto_next_sibling() {
            match walk.outside.pop() {
                Some(level) if cursor.goto_parent() => walk.leave(level),
                _ => more = false,
            }
        }
    }
    walk.finish()
}

impl<'t> Walk<'_, 't> {
    fn finish(mut self) -> Facts {
        super::component::add_props(&mut self.facts);
        super::define::mark_exported(&mut self.facts);
        self.facts
    }

    /// Below the last level of definitions there may still be mentions.
    fn goes_into(&self, level: &Level<'_>) -> bool {
        level.depth < self.grammar.rules.depth || !self.grammar.rules.mentions.is_empty()
    }

    /// The level that the cursor is on.
    pub fn here(&mut self) -> &mut Level<'t> {
        &mut self.here
    }

    /// Notes what the node says; returns what holds for its children.
    /// A token says nothing and has no children.
    fn visit(&mut self, cursor: &TreeCursor<'t>) -> Option<Level<'t>> {
        let node = cursor.node();
        let here = self.here();
        if !node.is_named() {
            here.leading.pass(node);
            return None;
        }
        let mut inner = Level {
            context: here.context,
            fields: &[],
            callee: 0,
            definition: here.definition,
            in_type: false,
            in_callable: here.in_callable,
            named_at: here.named_at,
            access: None,
            before: None,
            passes_on: false,
            depth: here.depth,
            in_header: false,
            scope: None,
            leading: Leading::default(),
            outer: None,
            binding: None,
            first_declarator: None,
        };
        let by_field = |fields: &[(u16, Context)]| {
            let id = cursor.field_id()?.get();
            fields.iter().find(|(field, _)| *field == id).map(|(_, context)| *context)
        };
        let context = match here.fields {
            _ if here.callee == node.id() => Context::Callee,
            [] => here.context,
            fields => match by_field(fields) {
                Some(Context::Argument) if here.context == Context::Value => Context::Value,
                Some(Context::Argument) => Context::Type,
                Some(context) => context,
                None => here.context,
            },
        };
        inner.context = context;
        inner.fields = self.grammar.fields(&node);
        let imports = self.facts.imports.len();
        self.mention(node, context, &mut inner);
        // What is an import is no variable as well: `const fs = require('fs')`.
        let is_import = self.facts.imports.len() > imports;
        self.role(node, is_import, &mut inner);
        self.goes_into(&inner).then_some(inner)
    }

    fn mention(&mut self, node: Node<'t>, context: Context, inner: &mut Level<'t>) {
        let mention = self.grammar.mention(&node, self.text);
        match mention {
            Mention::Nothing | Mention::Ask(_) => {}
            Mention::CallOrImport(_, read) if read(node, self.text, &mut self.facts.imports) => {
                inner.context = Context::Value;
            }
            Mention::Call(_) | Mention::New(_) if context == Context::Quiet => {}
            Mention::Call(_) | Mention::CallOrImport(..) | Mention::New(_) | Mention::TypeIn(_) => {
                inner.context = Context::Value;
                let Some(callee) = self.grammar.subject(&node, mention) else { return };
                inner.callee = callee.id();
                let (kind, start) = match mention {
                    Mention::New(_) => (ReferenceKind::New, callee.start_byte()),
                    Mention::TypeIn(_) => (ReferenceKind::Type, callee.start_byte()),
                    _ => (ReferenceKind::Call, node.start_byte()),
                };
                self.refer(kind, start, callee);
            }
            Mention::Command(_) => {
                if let Some(callee) = self.grammar.subject(&node, mention) {
                    self.command(callee);
                }
            }
            Mention::Member => {
                let is_target = node.end_byte() == self.name_end;
                let is_quiet = is_target || context == Context::Quiet;
                inner.context = if is_quiet { Context::Quiet } else { Context::Value };
                self.name(node, context, Some(ReferenceKind::Field));
            }
            Mention::Path => {
                inner.context = Context::Quiet;
                self.name(node, context, Some(ReferenceKind::Field));
            }
            Mention::PathIn(otherwise) => {
                inner.context = Context::Quiet;
                self.name(node, if context == Context::Value { otherwise } else { context }, None);
            }
            Mention::Name => self.name(node, context, None),
            Mention::Type => self.name(node, context, Some(ReferenceKind::Type)),
            Mention::Inside(context) => inner.context = context,
            Mention::Import(read) => {
                let before = self.facts.imports.len();
                read(node, self.text, &mut self.facts.imports);
                // `export class …` exports a declaration, and imports nothing.
                if self.facts.imports.len() > before {
                    inner.context = Context::Quiet;
                }
            }
            Mention::Tokens => {
                inner.context = Context::Value;
                self.tokens(node);
            }
            Mention::Markup(_) => self.markup(node, mention, inner),
        }
    }

    fn name(&mut self, node: Node<'_>, context: Context, otherwise: Option<ReferenceKind>) {
        if node.start_byte() == self.name_at || node.end_byte() == self.name_end {
            return;
        }
        let kind = match context {
            Context::Callee | Context::Quiet => None,
            Context::Value | Context::Argument => otherwise,
            Context::Type => Some(ReferenceKind::Type),
            Context::Inherit => Some(ReferenceKind::Inherit),
            Context::Implement => Some(ReferenceKind::Implement),
            Context::Annotation => Some(ReferenceKind::Annotation),
            Context::Base => Some(match self.kind_around() {
                Some(ChunkKind::Interface) => ReferenceKind::Inherit,
                Some(ChunkKind::Struct) => ReferenceKind::Implement,
                _ => base_kind(text_of(Some(node), self.text)),
            }),
        };
        if let Some(kind) = kind {
            self.refer(kind, node.start_byte(), node);
        }
    }

    /// A tag is a call of its component; what returns tags is one.
    fn markup(&mut self, node: Node<'_>, mention: Mention, inner: &mut Level<'t>) {
        if let Some(tag) = self.grammar.subject(&node, mention) {
            inner.callee = tag.id();
            if text_of(Some(tag), self.text).starts_with(char::is_uppercase) {
                self.refer(ReferenceKind::Call, tag.start_byte(), tag);
            }
        }
        if let Some(definition) = self.here().definition {
            super::component::mark(&mut self.facts.definitions, definition);
        }
    }

    /// The kind of the innermost definition around the node.
    pub fn kind_around(&mut self) -> Option<ChunkKind> {
        let at = self.here().definition?;
        self.facts.definitions.get(at as usize).map(|around| around.kind)
    }

    fn role(&mut self, node: Node<'t>, is_import: bool, inner: &mut Level<'t>) {
        let role = self.grammar.role(&node, self.text);
        match role {
            Role::Comment | Role::Annotation => {
                self.here().leading.add(node, matches!(role, Role::Comment));
                return;
            }
            Role::Wrapper | Role::Binding | Role::BindingOf(_) => {
                let here = self.here();
                let before = here.leading;
                inner.outer = here.outer.clone().or(Some(Outer { node, leading: before }));
                inner.in_type = here.in_type;
                inner.binding = if let Role::BindingOf(kind) = role { Some(kind) } else { here.binding };
                inner.access = here.access;
            }
            // Members of what is around.
            Role::Body | Role::Branch | Role::Transparent | Role::Group => {
                let here = self.here();
                inner.in_type = here.in_type;
                inner.access = here.access;
                // Some grammars put what is before the first member outside of the body, and what is before the
                // first declaration inside of the imports.
                inner.leading = here.leading;
                inner.passes_on = matches!(role, Role::Transparent);
            }
            Role::Access => self.here().access = from_modifiers(text_of(Some(node), self.text), false).1,
            Role::Trailing => inner.in_callable = true,
            _ if inner.depth >= self.grammar.rules.depth => {}
            Role::Definition(kind, name) | Role::Container(kind, name) | Role::Compact(kind, name) => {
                self.define(node, kind, name, inner);
                inner.depth += 1;
                inner.in_header = true;
            }
            Role::Member(types, kind, name) => {
                if self.here().in_type && self.kind_around().is_some_and(|around| types.contains(&around)) {
                    self.define(node, kind, name, inner);
                }
            }
            Role::Item(..) | Role::Entry(..) if self.here().in_header => {}
            Role::Item(kind, name) => {
                self.define(node, kind, name, inner);
                inner.depth += 1;
            }
            Role::Entry(kind, name) => {
                self.define(node, kind, name, inner);
                inner.depth = self.grammar.rules.depth;
            }
            Role::Declarator(..) if is_import => {}
            Role::Declarator(kind, name) => self.declare(node, kind, name, inner),
            Role::Scope(kind, name) => {
                if let Some(before) = self.here().scope.filter(|_| !self.grammar.rules.scopes_nest) {
                    let outside = self.facts.definitions.get(before as usize).and_then(|scope| scope.parent);
                    self.here().definition = outside;
                }
                self.define(node, kind, name, inner);
                let here = self.here();
                (here.definition, here.scope) = (inner.definition, inner.definition);
            }
            Role::Open(kind, name) => {
                self.abandon();
                self.define(node, kind, name, inner);
                self.open(inner);
            }
            Role::Close => self.close(node),
            Role::Value(kind) => self.unnamed(node, kind, inner),
            Role::Plain | Role::Heading | Role::Ask(_) => {}
        }
        let is_defined = inner.definition != self.here().definition;
        let late = if is_defined { self.grammar.late(node, self.text) } else { Vec::new() };
        let here = self.here();
        here.leading = if late.is_empty() { Leading::after(node) } else { Leading::default() };
        late.into_iter().for_each(|comment| here.leading.add(comment, true));
    }
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
