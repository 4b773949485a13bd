//! Definitions that are more than one node: those of several clauses, and blocks that the grammar does not know.

use tree_sitter::Node;

use super::walk::{Level, Opened, Walk};
use crate::lang::ChunkKind;
use crate::lang::naming::{FullName, last_row};

impl<'t> Walk<'_, 't> {
    /// A specification names what it is about, which is no use of it.
    pub(super) fn forget(&mut self, start: usize, name: &str) {
        let references = &mut self.facts.references;
        let first = references.iter().rposition(|r| (r.byte as usize) < start).map_or(0, |at| at + 1);
        if let Some(at) = references[first..].iter().position(|r| r.name == name && r.receiver.is_none()) {
            references.remove(first + at);
        }
    }

    /// Makes the definition that a sibling opens the one around those that follow.
    pub(super) fn open(&mut self, inner: &Level<'t>) {
        let Some(definition) = inner.definition else { return };
        let depth = self.outside.len();
        let here = self.here();
        let in_callable = std::mem::replace(&mut here.in_callable, true);
        here.definition = Some(definition);
        self.opened = Some(Opened { definition, depth, in_callable });
    }

    pub(super) fn close(&mut self, node: Node<'t>) {
        let Some(opened) = self.abandon() else { return };
        if let Some(definition) = self.facts.definitions.get_mut(opened as usize) {
            definition.end_byte = node.end_byte() as u32;
            definition.end_line = last_row(node) + 1;
        }
    }

    /// Leaves what a sibling opened, closed or not.
    pub(super) fn abandon(&mut self) -> Option<u32> {
        let depth = self.outside.len();
        let opened = self.opened.take_if(|opened| opened.depth == depth)?;
        let parent = self.facts.definitions.get(opened.definition as usize).and_then(|d| d.parent);
        let here = self.here();
        (here.definition, here.in_callable) = (parent, opened.in_callable);
        Some(opened.definition)
    }

    /// Another clause of the definition before: that one reaches to its end.
    pub(super) fn is_clause(
        &mut self,
        node: Node<'t>,
        kind: ChunkKind,
        name: &FullName,
        inner: &mut Level<'t>,
    ) -> bool {
        if !self.grammar.rules.clauses {
            return false;
        }
        let here = self.here();
        let (before, leading) = (here.before, here.leading);
        // What has attributes of its own is another definition of the same name.
        let Some(at) = before.filter(|_| !leading.has_attributes(self.text)) else { return false };
        let Some(before) = self.facts.definitions.get_mut(at as usize) else { return false };
        let alike = !before.kind.is_type() && !kind.is_type() && kind != ChunkKind::Test;
        if !alike || before.name != name.name || before.owner != name.owner {
            return false;
        }
        before.end_byte = node.end_byte() as u32;
        before.end_line = last_row(node) + 1;
        inner.in_callable |= before.kind.is_callable();
        inner.definition = Some(at);
        (self.name_at, self.name_end) = (name.at, name.end);
        true
    }

    /// Back to the level around. What waits at the end of some nodes goes on waiting behind them.
    pub(super) fn leave(&mut self, around: Level<'t>) {
        let left = std::mem::replace(self.here(), around);
        if left.passes_on && !left.leading.is_empty() {
            self.here().leading = left.leading;
        }
    }
}
