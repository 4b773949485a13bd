//! Which chunks hold a term, and how often.
//!
//! Lists are cut into blocks of 8,192 consecutive chunk numbers and keyed `block, term`: a cold scan writes
//! blocks in key order (dense pages, no rewriting), a one-file change appends to short lists of the last block
//! only, and a query touches `terms × blocks` rows. A posting is two bytes: 13 bits of number, 3 of frequency
//! (BM25 is nearly saturated at 7).

use rustc_hash::FxHashMap;

use super::chunks::split_blocks;
use super::env::Db;
use super::{RoTxn, RwTxn, lmdb};
use crate::error::Result;
use crate::hash::ChunkId;
use crate::terms::TermCounts;

/// Chunk numbers a block.
pub const BLOCK_IDS: u32 = 1 << (16 - TF_BITS);
const TF_BITS: u32 = 3;
const MAX_TF: u16 = (1 << TF_BITS) - 1;

/// `postings`: block (4, big endian), term → u16 little endian*, ascending by number.
pub struct Postings {
    db: Db,
}

/// One term's postings within one block.
#[derive(Clone, Copy)]
pub struct PostingList<'t>(&'t [u8]);

impl<'t> PostingList<'t> {
    /// (offset in the block, term frequency), ascending.
    pub fn iter(self) -> impl Iterator<Item = (u16, u16)> + 't {
        self.0.chunks_exact(2).map(|b| {
            let posting = u16::from_le_bytes([b[0], b[1]]);
            (posting >> TF_BITS, posting & MAX_TF)
        })
    }
}

impl Postings {
    pub(super) fn new(db: Db) -> Self {
        Postings { db }
    }

    /// Adds the terms of the chunks `first..`, which must be newer than every chunk added before.
    pub fn append(&self, wtxn: &mut RwTxn<'_>, first: ChunkId, chunks: &[&TermCounts]) -> Result<()> {
        for (block, part) in split_blocks(first, chunks, BLOCK_IDS) {
            let offset = first.saturating_sub(block * BLOCK_IDS);
            self.append_block(wtxn, block, offset, part)?;
        }
        Ok(())
    }

    fn append_block(
        &self,
        wtxn: &mut RwTxn<'_>,
        block: u32,
        offset: u32,
        chunks: &[&TermCounts],
    ) -> Result<()> {
        let mut lists: FxHashMap<&str, Vec<u8>> = FxHashMap::default();
        for (at, terms) in (offset..).zip(chunks) {
            for (term, tf) in terms.iter() {
                let posting = (at as u16) << TF_BITS | u16::try_from(tf).unwrap_or(MAX_TF).min(MAX_TF);
                lists.entry(term).or_default().extend(posting.to_le_bytes());
            }
        }
        let mut lists: Vec<_> = lists.into_iter().collect();
        lists.sort_unstable_by_key(|(term, _)| *term);
        let fresh = offset == 0;
        let mut key = block.to_be_bytes().to_vec();
        for (term, mut list) in lists {
            key.truncate(4);
            key.extend_from_slice(term.as_bytes());
            if fresh {
                // The block is new and the last one, so its keys are beyond every other.
                self.db.put_with_flags(wtxn, heed::PutFlags::APPEND, &key, &list).map_err(lmdb)?;
            } else {
                if let Some(before) = self.db.get(wtxn, &key).map_err(lmdb)? {
                    list.splice(0..0, before.iter().copied());
                }
                self.db.put(wtxn, &key, &list).map_err(lmdb)?;
            }
        }
        Ok(())
    }

    pub fn get<'t>(&self, txn: &'t RoTxn<'_>, block: u32, term: &str) -> Result<Option<PostingList<'t>>> {
        let mut key = block.to_be_bytes().to_vec();
        key.extend_from_slice(term.as_bytes());
        Ok(self.db.get(txn, &key).map_err(lmdb)?.map(PostingList))
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::scratch;
    use super::*;
    use crate::terms::TermCounter;

    #[test]
    fn lists_go_on_within_a_block_and_across_blocks() {
        let scratch = scratch();
        let postings = &scratch.store.postings;
        let mut counter = TermCounter::new();
        let counted: Vec<TermCounts> =
            ["apple", "apple pear pear", "pear"].map(|t| counter.counted(t)).into();
        let mut wtxn = scratch.store.write_txn().unwrap();
        // The second part continues block 0 and begins block 1.
        postings.append(&mut wtxn, 0, &[&counted[0]]).unwrap();
        let filler: Vec<&TermCounts> = std::iter::repeat_n(&counted[2], BLOCK_IDS as usize).collect();
        postings.append(&mut wtxn, 1, &filler).unwrap();
        postings.append(&mut wtxn, 1 + BLOCK_IDS, &[&counted[1]]).unwrap();
        let list = |block, term| -> Vec<(u16, u16)> {
            postings.get(&wtxn, block, term).unwrap().map(|l| l.iter().collect()).unwrap_or_default()
        };
        assert_eq!(list(0, "appl"), [(0, 1)]);
        assert_eq!(list(0, "pear").len(), BLOCK_IDS as usize - 1);
        assert_eq!(list(1, "pear"), [(0, 1), (1, 2)]);
        assert_eq!(list(1, "appl"), [(1, 1)]);
        assert_eq!(list(2, "appl"), []);
    }

    #[test]
    fn frequencies_saturate() {
        let scratch = scratch();
        let counts = TermCounter::new().counted(&"loop ".repeat(99));
        let mut wtxn = scratch.store.write_txn().unwrap();
        scratch.store.postings.append(&mut wtxn, 0, &[&counts]).unwrap();
        let list = scratch.store.postings.get(&wtxn, 0, "loop").unwrap().unwrap();
        assert_eq!(list.iter().collect::<Vec<_>>(), [(0, MAX_TF)]);
    }
}
