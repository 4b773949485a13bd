//! From a syntax tree to pieces: one for each declaration, header and statement at the level of members.
//!
//! Pieces are told by their first lines alone: each reaches to the next one's first line, so together they cover
//! the file by construction, and closing brackets stay with what they close. The walk keeps its own stack and
//! never enters the body of a definition, so its cost follows the number of members, not of nodes.

use std::rc::Rc;

use tree_sitter::{Node, Tree};

use super::lines::Lines;
use super::merge::Sizes;
use super::piece::{Piece, close, qualify};
use crate::facts::Facts;
use crate::lang::ChunkKind;
use crate::lang::grammar::{Compiled, Role};
use crate::lang::naming;

/// A test's body is in a function that is an argument of a call: three nodes down.
const BODY_OF_TEST: u8 = 3;

/// The children that the cursor is among.
#[derive(Clone, Default)]
struct Frame {
    scope: Option<Rc<str>>,
    /// What `scope` was before a sibling changed it.
    outside: Option<Option<Rc<str>>>,
    /// Inside a header only bodies are entered, and the wrapped declaration with this id.
    header_of: Option<usize>,
    /// How much further down a header's body is looked for: `describe('…', () => { … })`.
    deeper: u8,
    /// Between `Open` and `Close`.
    is_open: bool,
    /// What waits at the end, behind this first line, goes on waiting in the frame around.
    passes_on: Option<u32>,
    /// First line of comments that wait for their declaration.
    waiting: Option<u32>,
    /// Last line of the sibling before.
    before: u32,
}

struct Outline<'a, 't> {
    lines: &'a Lines<'t>,
    grammar: &'a Compiled,
    facts: &'a Facts,
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

pub fn outline(
    tree: &Tree,
    grammar: &Compiled,
    facts: &Facts,
    lines: &Lines<'_>,
    sizes: &Sizes,
) -> Vec<Piece> {
    let root = Frame { before: u32::MAX, ..Frame::default() };
    let mut outline = Outline { lines, grammar, facts, sizes, frames: vec![root], pieces: Vec::new() };
    let mut cursor = tree.walk();
    let mut more = cursor.goto_first_child();
    while more {
        let enter = outline.visit(cursor.node());
        if enter.is_some_and(|frame| cursor.goto_first_child() && outline.enter(frame)) {
            continue;
        }
        while !cursor.goto_next_sibling() {
            outline.leave();
            if outline.frames.is_empty() || !cursor.goto_parent() {
                more = false;
                break;
            }
        }
    }
    outline.rest(tree);
    close(outline.pieces, lines.count())
}

impl Outline<'_, '_> {
    fn enter(&mut self, frame: Frame) -> bool {
        self.frames.push(frame);
        true
    }

    fn leave(&mut self) {
        let left = self.frames.pop();
        let waiting =
            left.and_then(|frame| frame.waiting.filter(|row| *row > frame.passes_on.unwrap_or(*row)));
        if let (Some(waiting), Some(frame)) = (waiting, self.frames.last_mut()) {
            frame.waiting.get_or_insert(waiting);
        }
    }

    /// What a parser gave up on is no part of what is before it.
    fn rest(&mut self, tree: &Tree) {
        let root = tree.root_node();
        let mut cursor = root.walk();
        if !root.is_error() || !cursor.goto_last_child() {
            return;
        }
        let next = cursor.node().end_position().row as u32 + 1;
        if next < self.lines.count() {
            self.push(Piece::plain(ChunkKind::Block, next, None));
        }
    }

    /// Notes what the node is; returns the frame for its children if they are to be visited.
    fn visit(&mut self, node: Node<'_>) -> Option<Frame> {
        let row = node.start_position().row as u32;
        let frame = self.frames.last_mut()?;
        let before = std::mem::replace(&mut frame.before, naming::last_row(node));
        if !node.is_named() {
            return None;
        }
        let role = self.grammar.role(&node, self.lines.text);
        if let Some(wrapped) = frame.header_of {
            return match role {
                Role::Body | Role::Group | Role::Item(..) | Role::Entry(..) => {
                    Some(Frame { header_of: None, passes_on: None, before: row, ..frame.clone() })
                }
                Role::Branch => Some(frame.clone()),
                // Some grammars put what is before the first member outside of the body.
                Role::Comment if row != before => {
                    frame.waiting.get_or_insert(row);
                    None
                }
                _ if node.id() == wrapped => Some(frame.clone()),
                Role::Plain | Role::Value(_) if frame.deeper > 0 => {
                    Some(Frame { deeper: frame.deeper - 1, ..frame.clone() })
                }
                _ => {
                    frame.waiting = None;
                    None
                }
            };
        }
        if frame.is_open && !matches!(role, Role::Open(..)) {
            frame.is_open = !matches!(role, Role::Close);
            return None;
        }
        if matches!(role, Role::Comment | Role::Annotation | Role::Heading | Role::Access) {
            // A comment behind code belongs to that code.
            if row != before {
                frame.waiting.get_or_insert(row);
            }
            return None;
        }
        if matches!(role, Role::Trailing) {
            frame.waiting = None;
            return None;
        }
        // What goes on behind something else on its line cannot begin a piece.
        if matches!(role, Role::Plain) && row == before {
            return None;
        }
        let first = self.first_line(row);
        let entered = self.member(node, role, first);
        let late = self.grammar.late(node, self.lines.text);
        if let (Some(comment), Some(frame)) = (late.first(), self.frames.last_mut()) {
            frame.waiting = Some(comment.start_position().row as u32);
        }
        entered
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
        let inner = if matches!(role, Role::Wrapper) { self.unwrap(node) } else { node };
        let found = Found { outer: node, inner, first };
        match self.role(&inner) {
            Role::Definition(kind, _) | Role::Declarator(kind, _) | Role::Value(kind) => {
                self.definition(&found, kind)
            }
            Role::Member(_, kind, _) => self.definition(&found, kind),
            Role::Compact(kind, _) | Role::Item(kind, _) | Role::Entry(kind, _) if self.is_whole(&inner) => {
                self.definition(&found, kind)
            }
            // Its members would only be joined again.
            Role::Container(kind, _) if kind.is_type() && self.weight(&inner) <= 2 * self.sizes.small => {
                self.definition(&found, kind)
            }
            Role::Container(kind, _) | Role::Compact(kind, _) => self.container(&found, kind),
            Role::Item(kind, _) | Role::Entry(kind, _) => {
                let frame = self.container(&found, kind);
                frame.map(|frame| Frame { header_of: None, ..frame })
            }
            Role::Scope(kind, _) => self.scope(&found, kind),
            Role::Open(kind, _) => {
                self.frames.last_mut()?.is_open = true;
                self.definition(&found, kind)
            }
            Role::Binding => self.binding(&found, ChunkKind::Variable),
            Role::BindingOf(kind) => self.binding(&found, kind),
            Role::Branch => {
                self.plain(first);
                let frame = self.frames.last()?;
                Some(Frame { header_of: Some(0), deeper: 0, waiting: None, ..frame.clone() })
            }
            Role::Group if self.is_long_line(&inner) => {
                self.plain(first);
                None
            }
            // A body in a body: a block with statements of its own.
            Role::Transparent | Role::Group | Role::Body => {
                let before = node.start_position().row as u32;
                let frame = self.frames.last()?;
                Some(Frame { waiting: Some(first), before, passes_on: Some(first), ..frame.clone() })
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
            let inside = outer.named_children(&mut cursor).find(|child| self.is_declaration(child));
            let Some(child) = inside else { return node };
            match self.role(&child) {
                Role::Wrapper => outer = child,
                Role::Body => return node,
                _ => return child,
            }
        }
        node
    }

    fn is_declaration(&self, node: &Node<'_>) -> bool {
        use Role::*;
        !matches!(self.role(node), Plain | Comment | Annotation | Heading | Access)
    }

    fn role(&self, node: &Node<'_>) -> Role {
        self.grammar.role(node, self.lines.text)
    }

    fn weight(&self, node: &Node<'_>) -> u32 {
        self.lines.weight(node.start_position().row as u32..node.end_position().row as u32 + 1)
    }

    /// Members could not begin pieces of their own, or need not.
    fn is_whole(&self, node: &Node<'_>) -> bool {
        self.weight(node) <= self.sizes.max || self.is_long_line(node)
    }

    fn is_long_line(&self, node: &Node<'_>) -> bool {
        node.start_position().row == node.end_position().row && self.weight(node) > self.sizes.max
    }

    fn plain(&mut self, first: u32) {
        let parent = self.frames.last().and_then(|frame| frame.scope.clone());
        self.push(Piece::plain(ChunkKind::Block, first, parent));
    }

    /// What the facts know of a declaration, which is also called `otherwise` if they know nothing.
    fn described(&self, first: u32, at: Node<'_>, otherwise: ChunkKind) -> Piece {
        let scope = self.frames.last().and_then(|frame| frame.scope.clone());
        let Some((definition, known)) = self.facts.bound_at(at.start_byte()) else {
            return self.entry(Piece::plain(otherwise, first, scope), at);
        };
        let parent = match known.owner.as_deref() {
            Some(owner) => qualify(scope.as_deref(), Some(owner)),
            None => scope,
        };
        Piece {
            name: Some(known.name.clone()),
            signature: Some(known.signature.clone()),
            definition: Some(definition),
            ..Piece::plain(known.kind, first, parent)
        }
    }

    /// An entry that is too deep to be a definition still has a name.
    fn entry(&self, plain: Piece, at: Node<'_>) -> Piece {
        let role = self.role(&at);
        let (Role::Compact(_, name) | Role::Item(_, name) | Role::Entry(_, name)) = role else {
            return plain;
        };
        if !self.grammar.rules.is_data {
            return plain;
        }
        let Some(full) = naming::name_of(at, name, self.lines.text) else { return plain };
        let parent = match full.owner {
            Some(owner) => qualify(plain.parent.as_deref(), Some(&owner)),
            None => plain.parent,
        };
        let signature = naming::first_line(at, &full.name, self.lines.text);
        Piece { name: Some(full.name), signature: Some(signature), parent, ..plain }
    }

    fn definition(&mut self, found: &Found<'_>, kind: ChunkKind) -> Option<Frame> {
        if self.is_clause(found.inner) {
            return None;
        }
        let is_line = found.inner.start_position().row == found.inner.end_position().row;
        let piece = Piece { is_line, ..self.described(found.first, found.inner, kind) };
        self.push(piece);
        None
    }

    /// Whether the node lies in the definition that the last piece is: another clause of it.
    fn is_clause(&self, node: Node<'_>) -> bool {
        let last = self.pieces.last().and_then(|piece| piece.definition);
        let last = last.and_then(|at| self.facts.definitions.get(at as usize));
        self.grammar.rules.clauses && last.is_some_and(|last| last.bytes().contains(&node.start_byte()))
    }

    /// Notes a header whose members reach up to a line; returns the name under which they stand.
    fn header(&mut self, found: &Found<'_>, kind: ChunkKind, members_end: u32) -> Option<Rc<str>> {
        let piece = Piece { members_end, ..self.described(found.first, found.inner, kind) };
        let qualified = qualify(piece.parent.as_deref(), piece.name.as_deref());
        self.push(piece);
        qualified
    }

    fn container(&mut self, found: &Found<'_>, kind: ChunkKind) -> Option<Frame> {
        let scope = self.header(found, kind, found.inner.end_position().row as u32 + 1);
        Some(Frame {
            scope,
            header_of: Some(found.inner.id()),
            deeper: if kind == ChunkKind::Test { BODY_OF_TEST } else { 0 },
            before: found.outer.start_position().row as u32,
            ..Frame::default()
        })
    }

    fn scope(&mut self, found: &Found<'_>, kind: ChunkKind) -> Option<Frame> {
        let frame = self.frames.last_mut()?;
        if !self.grammar.rules.scopes_nest {
            let outside = frame.outside.take().unwrap_or_else(|| frame.scope.clone());
            (frame.scope, frame.outside) = (outside.clone(), Some(outside));
        }
        let scope = self.header(found, kind, u32::MAX);
        self.frames.last_mut()?.scope = scope;
        None
    }

    /// Named after the first of its declarators.
    fn binding(&mut self, found: &Found<'_>, kind: ChunkKind) -> Option<Frame> {
        let at = self.declarator(found.inner).unwrap_or(found.inner);
        let piece = self.described(found.first, at, kind);
        self.push(piece);
        None
    }

    fn declarator<'t>(&self, binding: Node<'t>) -> Option<Node<'t>> {
        let mut cursor = binding.walk();
        let mut children = binding.named_children(&mut cursor);
        let first = children.find(|c| matches!(self.role(c), Role::Declarator(..) | Role::Wrapper))?;
        match self.role(&first) {
            Role::Wrapper => {
                let mut cursor = first.walk();
                let mut inside = first.named_children(&mut cursor);
                inside.find(|child| matches!(self.role(child), Role::Declarator(..)))
            }
            _ => Some(first),
        }
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
