//! The manifest: a Merkle tree over the files of one view.
//!
//! Invariants: a node's key is the hash of its encoding; entries are sorted by name bytes and unique; a
//! directory without entries does not exist (except the root). Two views with the same root hold the same
//! files with the same bytes, whatever their history, so *incremental = rebuild* is one comparison.

mod diff;
mod edit;
mod node;
mod summary;

pub use diff::{Change, diff, for_each_leaf, lookup};
pub use edit::{Edit, NewNode, apply};
pub use node::{Child, Leaf, LeafKind, Node, Origin};
pub use summary::{Counts, Summary};

use crate::error::Result;
use crate::hash::NodeHash;

/// Where nodes are read from.
pub trait ReadNodes {
    fn node(&self, hash: &NodeHash) -> Result<Node>;
}

#[cfg(test)]
pub(crate) mod testing {
    use std::collections::HashMap;

    use super::*;
    use crate::error::Error;

    /// Nodes in memory, as a test's stand-in for the store.
    #[derive(Default)]
    pub struct Memory(pub HashMap<NodeHash, Node>);

    impl ReadNodes for Memory {
        fn node(&self, hash: &NodeHash) -> Result<Node> {
            self.0.get(hash).cloned().ok_or_else(|| Error::failed("no such node"))
        }
    }
}
