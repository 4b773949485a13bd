//! Manifest nodes and what lies below each.

use super::env::Db;
use super::{RoTxn, RwTxn, damaged, lmdb};
use crate::error::Result;
use crate::hash::NodeHash;
use crate::merkle::{Node, ReadNodes, Summary};

/// `nodes`: NodeHash → node; key = hash(value), children exist.
/// `summaries`: recipe + NodeHash → summary; = sum of the children's.
pub struct Manifests {
    nodes: Db,
    summaries: Db,
}

impl Manifests {
    pub(super) fn new(nodes: Db, summaries: Db) -> Self {
        Manifests { nodes, summaries }
    }

    pub fn node(&self, txn: &RoTxn<'_>, hash: &NodeHash) -> Result<Node> {
        let bytes = self.nodes.get(txn, hash.as_bytes()).map_err(lmdb)?;
        Node::decode(bytes.ok_or_else(|| damaged("a manifest node is missing from the index"))?)
    }

    pub fn put_node(&self, wtxn: &mut RwTxn<'_>, hash: &NodeHash, node: &Node) -> Result<()> {
        self.nodes.put(wtxn, hash.as_bytes(), &node.encode()).map_err(lmdb)
    }

    pub fn summary(&self, txn: &RoTxn<'_>, recipe: u32, hash: &NodeHash) -> Result<Option<Summary>> {
        self.summaries.get(txn, &key(recipe, hash)).map_err(lmdb)?.map(Summary::decode).transpose()
    }

    pub fn live(&self, txn: &RoTxn<'_>, recipe: u32, hash: &NodeHash) -> Result<roaring::RoaringBitmap> {
        let bytes = self.summaries.get(txn, &key(recipe, hash)).map_err(lmdb)?;
        Summary::decode_live_only(bytes.ok_or_else(|| damaged("a live set is missing from the index"))?)
    }

    pub fn put_summary(
        &self,
        wtxn: &mut RwTxn<'_>,
        recipe: u32,
        hash: &NodeHash,
        summary: &Summary,
    ) -> Result<()> {
        self.summaries.put(wtxn, &key(recipe, hash), &summary.encode()?).map_err(lmdb)
    }

    /// The nodes as one transaction sees them.
    pub fn reader<'a>(&'a self, txn: &'a RoTxn<'a>) -> impl ReadNodes + 'a {
        struct Reader<'a>(&'a Manifests, &'a RoTxn<'a>);
        impl ReadNodes for Reader<'_> {
            fn node(&self, hash: &NodeHash) -> Result<Node> {
                self.0.node(self.1, hash)
            }
        }
        Reader(self, txn)
    }
}

fn key(recipe: u32, hash: &NodeHash) -> [u8; 36] {
    let mut key = [0; 36];
    key[..4].copy_from_slice(&recipe.to_be_bytes());
    key[4..].copy_from_slice(hash.as_bytes());
    key
}
