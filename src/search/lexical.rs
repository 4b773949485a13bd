//! BM25 over the terms of live chunks. Frequencies are those of the candidates, not of the whole store, so a
//! branch that nobody looks at never changes an answer.

use roaring::RoaringBitmap;

use crate::error::Result;
use crate::hash::ChunkId;
use crate::store::{BLOCK_IDS, PostingList, RoTxn, Store};
use crate::terms;

const K1: f32 = 1.2;
const B: f32 = 0.75;

/// The candidates that share a term with the query, best first.
pub(super) fn rank(
    store: &Store,
    txn: &RoTxn<'_>,
    candidates: &RoaringBitmap,
    query: &str,
    depth: usize,
) -> Result<Vec<ChunkId>> {
    let terms = terms::query_terms(query);
    let mut blocks = Vec::new();
    let mut frequencies = vec![0u32; terms.len()];
    let (mut count, mut total) = (0u64, 0u64);
    for block in blocks_of(candidates) {
        let block = Block::load(store, txn, block, candidates, &terms)?;
        for (frequency, list) in frequencies.iter_mut().zip(&block.lists) {
            *frequency +=
                list.map_or(0, |list| list.iter().filter(|(at, _)| block.is_live(*at)).count() as u32);
        }
        count += block.live_count;
        total += block.live_length;
        blocks.push(block);
    }
    let average = (total as f32 / count.max(1) as f32).max(1.0);
    let weights: Vec<f32> = frequencies.iter().map(|&df| idf(count, df)).collect();
    let mut scored = Vec::new();
    for block in &blocks {
        block.score(&weights, average, &mut scored);
    }
    scored.sort_by(|a: &(f32, ChunkId), b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    scored.truncate(depth);
    Ok(scored.into_iter().map(|(_, id)| id).collect())
}

/// Numbers of the blocks that hold candidates.
fn blocks_of(candidates: &RoaringBitmap) -> Vec<u32> {
    let mut blocks = Vec::new();
    let mut next = candidates.min();
    while let Some(id) = next {
        let block = id / BLOCK_IDS;
        blocks.push(block);
        next = (block + 1).checked_mul(BLOCK_IDS).and_then(|first| candidates.range(first..).next());
    }
    blocks
}

fn idf(count: u64, frequency: u32) -> f32 {
    let (n, df) = (count as f32, frequency as f32);
    ((n - df + 0.5) / (df + 0.5) + 1.0).ln()
}

/// One block's postings of the query's terms, with what is live in it.
struct Block<'t> {
    first: ChunkId,
    lists: Vec<Option<PostingList<'t>>>,
    lengths: Vec<u16>,
    /// One bit a chunk.
    live: [u64; BLOCK_IDS as usize / 64],
    live_count: u64,
    live_length: u64,
}

impl<'t> Block<'t> {
    fn load(
        store: &Store,
        txn: &'t RoTxn<'_>,
        block: u32,
        candidates: &RoaringBitmap,
        terms: &[String],
    ) -> Result<Block<'t>> {
        let first = block * BLOCK_IDS;
        let lengths: Vec<u16> = store.chunks.lengths(txn, block)?.collect();
        let mut live = [0u64; BLOCK_IDS as usize / 64];
        let (mut live_count, mut live_length) = (0, 0);
        for id in candidates.range(first..=first + (BLOCK_IDS - 1)) {
            let at = (id - first) as usize;
            live[at / 64] |= 1 << (at % 64);
            live_count += 1;
            live_length += u64::from(lengths.get(at).copied().unwrap_or(0));
        }
        let mut lists = Vec::with_capacity(terms.len());
        for term in terms {
            lists.push(store.postings.get(txn, block, term)?);
        }
        Ok(Block { first, lists, lengths, live, live_count, live_length })
    }

    fn is_live(&self, at: u16) -> bool {
        self.live[usize::from(at) / 64] >> (at % 64) & 1 == 1
    }

    fn score(&self, weights: &[f32], average: f32, scored: &mut Vec<(f32, ChunkId)>) {
        let mut scores = [0f32; BLOCK_IDS as usize];
        let mut touched = Vec::new();
        for (list, weight) in self.lists.iter().zip(weights) {
            for (at, tf) in list.iter().flat_map(|list| list.iter()).filter(|(at, _)| self.is_live(*at)) {
                let length = f32::from(self.lengths.get(usize::from(at)).copied().unwrap_or(0));
                let tf = f32::from(tf);
                let score = &mut scores[usize::from(at)];
                if *score == 0.0 {
                    touched.push(at);
                }
                *score += weight * tf * (K1 + 1.0) / (tf + K1 * (1.0 - B + B * length / average));
            }
        }
        scored.extend(touched.into_iter().map(|at| (scores[usize::from(at)], self.first + u32::from(at))));
    }
}
