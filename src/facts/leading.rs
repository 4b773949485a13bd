//! What stands right before a declaration: its comments and attributes.

use tree_sitter::Node;

use crate::lang::naming::last_row;

/// The comments and attributes right before a declaration.
#[derive(Debug, Clone, Copy, Default)]
pub struct Leading<'t> {
    /// Bytes of the comments. (32 bits: every level of the walk has one of these.)
    doc: Option<(u32, u32)>,
    /// Bytes of the attributes.
    annotations: Option<(u32, u32)>,
    /// The last of them, or the sibling before: what is not on its row or the next is not right behind it. None at
    /// the beginning. (The node and not its row, which is dear to ask for and hardly ever needed.)
    last: Option<Node<'t>>,
}

impl<'t> Leading<'t> {
    /// Nothing yet, after a sibling.
    pub fn after(node: Node<'t>) -> Leading<'t> {
        Leading { last: Some(node), ..Leading::default() }
    }

    /// A bracket or comma: what follows on its row belongs to what is before it.
    pub fn pass(&mut self, token: Node<'t>) {
        if self.is_empty() {
            self.last = Some(token);
        }
    }

    pub fn add(&mut self, node: Node<'t>, is_comment: bool) {
        let (first, before) = (node.start_position().row as u32, self.last.map(last_row));
        // A comment behind code belongs to that code.
        if is_comment && self.is_empty() && before == Some(first) {
            return;
        }
        if before.is_some_and(|row| first > row + 1) {
            *self = Leading::default();
        }
        let slot = if is_comment { &mut self.doc } else { &mut self.annotations };
        let start = slot.map_or(node.start_byte() as u32, |(start, _)| start);
        *slot = Some((start, node.end_byte() as u32));
        self.last = Some(node);
    }

    /// Where a declaration begins that would begin at `otherwise` without its attributes.
    pub fn start(&self, otherwise: usize) -> usize {
        self.annotations.map_or(otherwise, |(start, _)| otherwise.min(start as usize))
    }

    /// The comments, if they stand right before a declaration on this row. `/**` is written for a declaration, so that
    /// a blank line may follow; but with one such a comment may open a file.
    pub fn doc(&self, row: u32, text: &str) -> Option<(u32, u32)> {
        let (start, _) = self.doc?;
        let is_written_for =
            start > 0 && text.get(start as usize..).is_some_and(|doc| doc.starts_with("/**"));
        let reach = if is_written_for { 2 } else { 1 };
        self.doc.filter(|_| self.last.is_some_and(|last| last_row(last) + reach >= row))
    }

    /// Attributes, or a documentation that is one: `@doc "…"` of Elixir.
    pub fn has_attributes(&self, text: &str) -> bool {
        let doc = self.doc.and_then(|(start, end)| text.get(start as usize..end as usize));
        self.annotations.is_some() || doc.is_some_and(|doc| doc.starts_with('@'))
    }

    pub fn is_empty(&self) -> bool {
        self.doc.is_none() && self.annotations.is_none()
    }
}

/// What stands around a declaration.
#[derive(Debug, Clone)]
pub struct Outer<'t> {
    pub node: Node<'t>,
    pub leading: Leading<'t>,
}
