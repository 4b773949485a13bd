//! From a syntax tree to pieces: one for each declaration, header and statement at the level of members.
//!
//! Pieces are told by their first lines alone: each reaches to the next one's first line, so together they cover
//! the file by construction, and closing brackets stay with what they close. The walk keeps its own stack and
//! never enters the body of a definition, so its cost follows the number of members, not of nodes.

use std::rc::Rc;

use tree_sitter::{Node, Tree};

use super::grammar::{Compiled, Name, Role};
use super::kind::ChunkKind;
use super::lines::Lines;
use super::merge::Sizes;
use super::naming;

pub struct Piece {
    pub kind: ChunkKind,
    pub name: Option<String>,
    pub signature: Option<String>,
    pub parent: Option<Rc<str>>,
    pub first: u32,
    pub end: u32,
    /// For a header: the line behind the last of its members. Pieces that begin before it are members.
    pub members_end: u32,
}

impl Piece {
    pub fn plain(kind: ChunkKind, first: u32, parent: Option<Rc<str>>) -> Self {
        Piece { kind, name: None, signature: None, parent, first, end: first, members_end: 0 }
    }
}

/// The children that the cursor is among.
#[derive(Clone)]
struct Frame {
    scope: Option<Rc<str>>,
    in_type: bool,
    /// Inside a header only bodies are entered, and the wrapped declaration with this id.
    header_of: Option<usize>,
    /// First line of comments that wait for their declaration.
    waiting: Option<u32>,
    /// Last line of the sibling before.
    before: u32,
}

struct Outline<'a, 't> {
    lines: &'a Lines<'t>,
    grammar: &'a Compiled,
    sizes: &'a Sizes,
    frames: Vec<Frame>,
    pieces: Vec<Piece>,
}

/// A declaration with what stands around it.
struct Found<'t> {
    outer: Node<'t>,
    inner: Node<'t>,
    first: u32,
}

impl Found<'_> {
    /// What is exported without a name is the default export.
    fn fallback_name(&self) -> Option<String> {
        (self.inner != self.outer).then(|| "default".to_owned())
    }
}

pub fn outline(tree: &Tree, grammar: &Compiled, lines: &Lines<'_>, sizes: &Sizes) -> Vec<Piece> {
    let root = Frame { scope: None, in_type: false, header_of: None, waiting: None, before: u32::MAX };
    let mut outline = Outline { lines, grammar, sizes, frames: vec![root], pieces: Vec::new() };
    let mut cursor = tree.walk();
    let mut more = cursor.goto_first_child();
    while more {
        let enter = outline.visit(cursor.node());
        if enter.is_some_and(|frame| cursor.goto_first_child() && outline.enter(frame)) {
            continue;
        }
        while !cursor.goto_next_sibling() {
            outline.frames.pop();
            if outline.frames.is_empty() || !cursor.goto_parent() {
                more = false;
                break;
            }
        }
    }
    close(outline.pieces, lines.count())
}

/// Gives each piece its end: the next one's start. The first reaches back to the first line.
pub fn close(mut pieces: Vec<Piece>, end: u32) -> Vec<Piece> {
    if pieces.is_empty() {
        pieces.push(Piece::plain(ChunkKind::Block, 0, None));
    }
    pieces[0].first = 0;
    let mut next = end;
    for piece in pieces.iter_mut().rev() {
        piece.end = next;
        next = piece.first;
    }
    pieces
}

impl Outline<'_, '_> {
    fn enter(&mut self, frame: Frame) -> bool {
        self.frames.push(frame);
        true
    }

    /// Notes what the node is; returns the frame for its children if they are to be visited.
    fn visit(&mut self, node: Node<'_>) -> Option<Frame> {
        let row = node.start_position().row as u32;
        let frame = self.frames.last_mut()?;
        let before = std::mem::replace(&mut frame.before, node.end_position().row as u32);
        if !node.is_named() {
            return None;
        }
        let role = self.grammar.role(&node);
        if let Some(wrapped) = frame.header_of {
            return match role {
                Role::Body => Some(Frame { header_of: None, waiting: None, before: row, ..frame.clone() }),
                Role::Branch => Some(frame.clone()),
                _ if node.id() == wrapped => Some(frame.clone()),
                _ => None,
            };
        }
        if role == Role::Leading {
            // A comment behind code belongs to that code.
            if row != before {
                frame.waiting.get_or_insert(row);
            }
            return None;
        }
        if role == Role::Trailing {
            frame.waiting = None;
            return None;
        }
        // What goes on behind something else on its line cannot begin a piece.
        if role == Role::Plain && row == before {
            return None;
        }
        let first = self.first_line(row);
        self.member(node, role, first)
    }

    /// Where a declaration begins, with the comments before it. Those above a blank line are taken only when
    /// they are not what the file opens with (a licence), which becomes a block.
    fn first_line(&mut self, row: u32) -> u32 {
        let Some(waiting) = self.frames.last_mut().and_then(|frame| frame.waiting.take()) else { return row };
        let mut gap = row;
        while gap > waiting && !self.lines.is_blank(gap - 1) {
            gap -= 1;
        }
        if waiting == 0 && gap > waiting && self.pieces.is_empty() {
            self.push(Piece::plain(ChunkKind::Block, waiting, None));
            return gap;
        }
        waiting
    }

    fn member(&mut self, node: Node<'_>, role: Role, first: u32) -> Option<Frame> {
        let inner = if role == Role::Wrapper { self.unwrap(node) } else { node };
        let found = Found { outer: node, inner, first };
        match self.grammar.role(&inner) {
            Role::Definition(kind, name) => self.definition(&found, kind, name),
            Role::Compact(kind, name) if self.weight(&inner) <= self.sizes.max => {
                self.definition(&found, kind, name)
            }
            // Its members would only be joined again.
            Role::Container(kind, name) if kind.is_type() && self.weight(&inner) <= 2 * self.sizes.small => {
                self.definition(&found, kind, name)
            }
            Role::Container(kind, name) | Role::Compact(kind, name) => self.container(&found, kind, name),
            Role::Scope(kind, name) => self.scope(&found, kind, name),
            Role::Binding(kind) => self.binding(&found, kind),
            Role::Value(kind) => {
                self.declare(&found, kind, Some("default".to_owned()), Some(inner));
                None
            }
            Role::Branch => {
                self.plain(first);
                let frame = self.frames.last()?;
                Some(Frame { header_of: Some(0), waiting: None, ..frame.clone() })
            }
            Role::Transparent => {
                let before = node.start_position().row as u32;
                let frame = self.frames.last()?;
                Some(Frame { waiting: Some(first), before, ..frame.clone() })
            }
            _ => {
                self.plain(first);
                None
            }
        }
    }

    /// The declaration inside a wrapper, or the wrapper if there is none.
    fn unwrap<'t>(&self, node: Node<'t>) -> Node<'t> {
        let mut outer = node;
        // `export declare const`: wrappers stand in each other, but never many.
        for _ in 0..4 {
            let mut cursor = outer.walk();
            let wanted = |child: &Node<'_>| !matches!(self.grammar.role(child), Role::Plain | Role::Leading);
            let Some(child) = outer.named_children(&mut cursor).find(wanted) else { return node };
            match self.grammar.role(&child) {
                Role::Wrapper => outer = child,
                Role::Body => return node,
                _ => return child,
            }
        }
        node
    }

    fn weight(&self, node: &Node<'_>) -> u32 {
        self.lines.weight(node.start_position().row as u32..node.end_position().row as u32 + 1)
    }

    fn plain(&mut self, first: u32) {
        let parent = self.frames.last().and_then(|frame| frame.scope.clone());
        self.push(Piece::plain(ChunkKind::Block, first, parent));
    }

    fn definition(&mut self, found: &Found<'_>, kind: ChunkKind, name: Name) -> Option<Frame> {
        let name = naming::name_of(found.inner, name, self.lines.text).or_else(|| found.fallback_name());
        self.declare(found, kind, name, None);
        None
    }

    fn declare(&mut self, found: &Found<'_>, kind: ChunkKind, name: Option<String>, value: Option<Node<'_>>) {
        let piece = self.described(found, kind, name, value);
        self.push(piece);
    }

    fn described(
        &self,
        found: &Found<'_>,
        kind: ChunkKind,
        name: Option<String>,
        value: Option<Node<'_>>,
    ) -> Piece {
        let in_type = self.frames.last().is_some_and(|frame| frame.in_type);
        let kind = match (kind, name.as_deref()) {
            (ChunkKind::Function | ChunkKind::Method, Some("constructor" | "__init__")) if in_type => {
                ChunkKind::Constructor
            }
            (ChunkKind::Function, _) if in_type => ChunkKind::Method,
            (kind, _) => kind,
        };
        let signature = naming::signature_of(found.outer, found.inner, value, self.grammar, self.lines.text);
        let parent = self.frames.last().and_then(|frame| frame.scope.clone());
        Piece { name, signature, ..Piece::plain(kind, found.first, parent) }
    }

    /// Notes a header whose members reach up to a line; returns the name under which they stand.
    fn header(
        &mut self,
        found: &Found<'_>,
        kind: ChunkKind,
        name: Name,
        members_end: u32,
    ) -> Option<Rc<str>> {
        let name = naming::name_of(found.inner, name, self.lines.text).or_else(|| found.fallback_name());
        let piece = Piece { members_end, ..self.described(found, kind, name, None) };
        let qualified = qualify(piece.parent.as_deref(), piece.name.as_deref());
        self.push(piece);
        qualified
    }

    fn container(&mut self, found: &Found<'_>, kind: ChunkKind, name: Name) -> Option<Frame> {
        let scope = self.header(found, kind, name, found.inner.end_position().row as u32 + 1);
        Some(Frame {
            scope,
            in_type: kind.is_type(),
            header_of: Some(found.inner.id()),
            waiting: None,
            before: found.outer.start_position().row as u32,
        })
    }

    fn scope(&mut self, found: &Found<'_>, kind: ChunkKind, name: Name) -> Option<Frame> {
        let scope = self.header(found, kind, name, u32::MAX);
        self.frames.last_mut()?.scope = scope;
        None
    }

    fn binding(&mut self, found: &Found<'_>, otherwise: ChunkKind) -> Option<Frame> {
        let declarator = match found.inner.child_by_field_name("name") {
            Some(_) => Some(found.inner),
            None => found.inner.named_child(0),
        };
        let name = declarator.and_then(|d| naming::name_of(d, Name::Field, self.lines.text));
        let value = declarator.and_then(|d| d.child_by_field_name("value")).and_then(|v| self.value(v));
        match value {
            Some((value, kind)) => self.declare(found, kind, name, Some(value)),
            None => self.declare(found, otherwise, name, declarator),
        };
        None
    }

    /// The function or class that a value is, or that it hands to a call: `memo(() => …)`.
    fn value<'t>(&self, value: Node<'t>) -> Option<(Node<'t>, ChunkKind)> {
        let mut value = value;
        for _ in 0..6 {
            if let Role::Value(kind) | Role::Container(kind, _) = self.grammar.role(&value) {
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
    fn function_argument<'t>(&self, call: Node<'t>) -> Option<Node<'t>> {
        let callee = self.lines.text.get(call.child_by_field_name("function")?.byte_range())?;
        if callee.contains('.') && !callee.starts_with(char::is_uppercase) {
            return None;
        }
        let arguments = call.child_by_field_name("arguments")?;
        let wanted = |argument: &Node<'_>| {
            matches!(self.grammar.role(argument), Role::Value(_)) || argument.kind() == "call_expression"
        };
        arguments.named_children(&mut arguments.walk()).find(wanted)
    }

    /// Two pieces cannot begin on one line: the one that declares something wins, else the first.
    fn push(&mut self, piece: Piece) {
        match self.pieces.last_mut() {
            Some(last) if last.first >= piece.first => {
                if last.kind == ChunkKind::Block && piece.kind != ChunkKind::Block {
                    *last = Piece { first: last.first, ..piece };
                }
            }
            _ => self.pieces.push(piece),
        }
    }
}

fn qualify(parent: Option<&str>, name: Option<&str>) -> Option<Rc<str>> {
    match (parent, name) {
        (Some(parent), Some(name)) => Some(format!("{parent}.{name}").into()),
        (one, other) => one.or(other).map(Rc::from),
    }
}
