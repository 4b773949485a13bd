//! Exact nearest neighbours: every live vector is compared, front to back through the map.
//!
//! A stored vector is 256 bytes, so 100,000 chunks are 26 MB and a few milliseconds; exact means that what is
//! live in the view is all that matters, whatever else the store holds.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use roaring::RoaringBitmap;

use crate::embed::{Embedder, Mode, quant};
use crate::error::Result;
use crate::hash::ChunkId;
use crate::store::{RoTxn, SpaceId, Store};

/// The candidates nearest to the query, best first; none when the model knows no word of it.
pub(super) fn rank(
    store: &Store,
    txn: &RoTxn<'_>,
    space: SpaceId,
    embedder: &dyn Embedder,
    candidates: &RoaringBitmap,
    query: &str,
    depth: usize,
) -> Result<Vec<ChunkId>> {
    let (scale, query) = quant::quantize(&embedder.embed(Mode::Query, &[query])?);
    if scale == 0.0 {
        return Ok(Vec::new());
    }
    let mut best: BinaryHeap<Reverse<(Similarity, Reverse<ChunkId>)>> = BinaryHeap::with_capacity(depth + 1);
    let mut live = candidates.iter().peekable();
    for block in store.vectors.blocks(txn, space, embedder.dims(), candidates)? {
        for (id, scale, values) in block.iter() {
            // Both sides ascend, so a chunk is live exactly when the walk meets it.
            while live.next_if(|next| *next < id).is_some() {}
            if live.peek() != Some(&id) || scale == 0.0 {
                continue;
            }
            let entry = Reverse((Similarity(scale * quant::dot_stored(&query, values) as f32), Reverse(id)));
            if best.len() < depth {
                best.push(entry);
            } else if best.peek().is_some_and(|worst| entry < *worst) {
                best.pop();
                best.push(entry);
            }
        }
    }
    Ok(best.into_sorted_vec().into_iter().map(|Reverse((_, Reverse(id)))| id).collect())
}

/// A finite number that can be compared.
#[derive(PartialEq)]
struct Similarity(f32);

impl Eq for Similarity {}

impl Ord for Similarity {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for Similarity {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
