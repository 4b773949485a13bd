//! Definitions that are more than one node: those of several clauses, and blocks that the grammar does not know.

use tree_sitter::Node;

use super::define::last_row;
use super::walk::{Level, Walk};
use crate::lang::ChunkKind;
use crate::lang::naming::FullName;

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
        let here = self.here();
        let was_in_callable = here.open.map_or(here.in_callable, |(_, was)| was);
        here.open = inner.definition.map(|opened| (opened, was_in_callable));
        (here.definition, here.in_callable) = (inner.definition, true);
    }

    pub(super) fn close(&mut self, node: Node<'t>) {
        let Some((opened, was_in_callable)) = self.here().open.take() else { return };
        let Some(definition) = self.facts.definitions.get_mut(opened as usize) else { return };
        definition.end_byte = node.end_byte() as u32;
        definition.end_line = last_row(node) as u32 + 1;
        let parent = definition.parent;
        let here = self.here();
        (here.definition, here.in_callable) = (parent, was_in_callable);
    }

    /// Another clause of the definition before: that one reaches to its end.
    pub(super) fn is_clause(
        &mut self,
        node: Node<'t>,
        kind: ChunkKind,
        name: &FullName,
        inner: &mut Level<'t>,
    ) -> bool {
        let here = self.here();
        let (before, leading) = (here.before, here.leading);
        // What has a documentation or attributes of its own is another definition of the same name.
        let doc = leading.doc.and_then(|(start, end)| self.text.get(start..end)).unwrap_or_default();
        let is_own = leading.annotations.is_some() || doc.starts_with('@');
        let Some(at) = before.filter(|_| self.grammar.rules.clauses && !is_own) else { return false };
        let Some(before) = self.facts.definitions.get_mut(at as usize) else { return false };
        let alike = !before.kind.is_type() && !kind.is_type() && kind != ChunkKind::Test;
        if !alike || before.name != name.name || before.owner != name.owner {
            return false;
        }
        before.end_byte = node.end_byte() as u32;
        before.end_line = last_row(node) as u32 + 1;
        inner.in_callable |= before.kind.is_callable();
        inner.definition = Some(at);
        self.name_at = name.at;
        true
    }
}
