//! The state a scan starts from, and what a plan would change in it.

use rustc_hash::FxHashMap;

use super::plan::Plan;
use crate::error::Result;
use crate::hash::{ContentHash, NodeHash};
use crate::merkle::{self, Change, Edit, Leaf, LeafKind, Node, ReadNodes};
use crate::source::{Candidate, Now};
use crate::store::{RoTxn, Store, ViewName, ViewRow};

pub(super) struct Before {
    /// This view, if it was ever scanned.
    pub row: Option<ViewRow>,
    /// Another view to start from when this one cannot be used.
    seed: Option<ViewRow>,
    /// The number of the present recipe; `None` if nothing was ever chunked with it.
    pub recipe: Option<u32>,
}

impl Before {
    /// `usable` tells the views made under the present rules; a new worktree or ref may start from the newest
    /// of them (`seeded`) instead of from nothing.
    pub fn load(
        store: &Store,
        txn: &RoTxn<'_>,
        view: &ViewName,
        recipe: Option<u32>,
        seeded: bool,
        usable: impl Fn(&ViewRow) -> bool,
    ) -> Result<Before> {
        let row = store.views.get(txn, view)?;
        let mut seed = None;
        if seeded && !row.as_ref().is_some_and(&usable) {
            let others = store.views.all(txn)?.into_iter().map(|(_, row)| row);
            // What attributes say in another worktree, uncommitted, holds nowhere else.
            let others = others.filter(|row| row.attributes.is_none());
            seed = others.filter(usable).max_by_key(|row| row.scanned_at);
        }
        Ok(Before { row, seed, recipe })
    }

    /// What the listing is relative to.
    pub fn base(&self) -> Option<&ViewRow> {
        let own = self.row.as_ref().filter(|row| Some(row.recipe) == self.recipe);
        self.seed.as_ref().or(own)
    }

    pub fn base_root(&self) -> Option<NodeHash> {
        self.base().map(|row| row.root)
    }

    pub fn row_root(&self) -> Option<NodeHash> {
        self.row.as_ref().map(|row| row.root)
    }

    /// The changes from `old` that a plan leads to, as far as known: an unread file counts as changed.
    pub fn changes(
        &self,
        store: &Store,
        plan: &Plan,
        old: Option<NodeHash>,
        complete: bool,
    ) -> Result<Vec<Change>> {
        let txn = store.read_txn()?;
        let stored = store.manifests.reader(&txn);
        let mut edits: Vec<Edit> = plan.known.clone();
        edits.extend(plan.unread.iter().map(|c| (c.path.clone(), Some(placeholder(c)))));
        edits.sort_by(|a, b| a.0.cmp(&b.0));
        let base = if complete { None } else { self.base_root() };
        let (root, made) = merkle::apply(&stored, base.as_ref(), &edits)?;
        let nodes = WithNew { stored: &stored, made: made.into_iter().map(|n| (n.hash, n.node)).collect() };
        merkle::diff(&nodes, old.as_ref(), Some(&root))
    }
}

/// Stored nodes and those an edit just made.
struct WithNew<'a> {
    stored: &'a dyn ReadNodes,
    made: FxHashMap<NodeHash, Node>,
}

impl ReadNodes for WithNew<'_> {
    fn node(&self, hash: &NodeHash) -> Result<Node> {
        self.made.get(hash).map_or_else(|| self.stored.node(hash), |node| Ok(node.clone()))
    }
}

/// Stands for a file that was not read: differs from everything that was.
fn placeholder(candidate: &Candidate) -> Leaf {
    let executable =
        matches!(candidate.now, Now::Blob { executable: true, .. } | Now::Disk { executable: true, .. });
    Leaf {
        kind: LeafKind::Indexed,
        executable,
        hash: ContentHash::of(b"\0not read yet"),
        origin: candidate.origin,
    }
}
