//! Chunk numbers, texts and lengths.
//!
//! Numbers are dense and ascending, so everything about chunks lives in blocks of consecutive numbers: texts
//! compress four times better side by side than alone, and one row holds what one page read can use.

use std::borrow::Cow;

use super::env::{Db, be_u32};
use super::pack::{pack, unpack};
use super::postings::BLOCK_IDS;
use super::{RoTxn, RwTxn, damaged, lmdb};
use crate::error::{Context, Error, Result};
use crate::hash::{ChunkId, ChunkKey};

/// Texts a block: ~64 KiB of source, ~16 KiB compressed; a one-file change rewrites one such row.
const TEXTS: u32 = 64;
/// Lengths a block: those a query needs together.
const LENGTHS: u32 = BLOCK_IDS;
/// Bytes of a key that tell chunks apart: as many as git tells objects apart by, a third less to store.
const KEY: usize = 20;

/// A chunk no content hash has been seen for yet.
pub struct NewChunk<'a> {
    pub key: ChunkKey,
    pub text: Cow<'a, str>,
    /// Number of lexical terms.
    pub length: u32,
}

/// `chunk_ids`: ChunkKey (its first 20 bytes) → ChunkId (4, big endian); a bijection with the texts.
/// `texts`: block → zstd of (length, 4 little endian; bytes)*, the bytes being what was embedded: a chunk's text and
/// behind it what it stands in.
/// `lengths`: block → u16 little endian per chunk, saturating.
/// `meta["next_chunk"]`: the number the next chunk gets.
pub struct ChunkTexts {
    meta: Db,
    ids: Db,
    texts: Db,
    lengths: Db,
}

impl ChunkTexts {
    pub(super) fn new(meta: Db, ids: Db, texts: Db, lengths: Db) -> Self {
        ChunkTexts { meta, ids, texts, lengths }
    }

    pub fn id(&self, txn: &RoTxn<'_>, key: &ChunkKey) -> Result<Option<ChunkId>> {
        self.ids.get(txn, &key.as_bytes()[..KEY]).map_err(lmdb)?.map(be_u32).transpose()
    }

    /// How many chunks were ever stored; the next one gets this number.
    pub fn count(&self, txn: &RoTxn<'_>) -> Result<ChunkId> {
        self.meta.get(txn, b"next_chunk").map_err(lmdb)?.map_or(Ok(0), be_u32)
    }

    /// Stores chunks under consecutive new numbers and returns the first.
    pub fn append(&self, wtxn: &mut RwTxn<'_>, chunks: &[NewChunk<'_>]) -> Result<ChunkId> {
        let first = self.count(wtxn)?;
        let next = u32::try_from(chunks.len()).ok().and_then(|n| first.checked_add(n)).ok_or_else(|| {
            Error::failed("the index holds as many chunks as it can number")
                .with_hint("run `codeagent clean` and scan again")
        })?;
        for (id, chunk) in (first..).zip(chunks) {
            self.ids.put(wtxn, &chunk.key.as_bytes()[..KEY], &id.to_be_bytes()).map_err(lmdb)?;
        }
        self.append_texts(wtxn, first, chunks)?;
        self.append_lengths(wtxn, first, chunks)?;
        self.meta.put(wtxn, b"next_chunk", &next.to_be_bytes()).map_err(lmdb)?;
        Ok(first)
    }

    fn append_texts(&self, wtxn: &mut RwTxn<'_>, first: ChunkId, chunks: &[NewChunk<'_>]) -> Result<()> {
        for (block, part) in split_blocks(first, chunks, TEXTS) {
            let mut raw = self.unpack(wtxn, block)?.unwrap_or_default();
            for chunk in part {
                raw.extend((chunk.text.len() as u32).to_le_bytes());
                raw.extend_from_slice(chunk.text.as_bytes());
            }
            let packed = pack(&raw).context(|| "cannot compress chunks".into())?;
            self.texts.put(wtxn, &block.to_be_bytes(), &packed).map_err(lmdb)?;
        }
        Ok(())
    }

    fn append_lengths(&self, wtxn: &mut RwTxn<'_>, first: ChunkId, chunks: &[NewChunk<'_>]) -> Result<()> {
        for (block, part) in split_blocks(first, chunks, LENGTHS) {
            let key = block.to_be_bytes();
            let mut row = self.lengths.get(wtxn, &key).map_err(lmdb)?.unwrap_or_default().to_vec();
            row.extend(part.iter().flat_map(|c| u16::try_from(c.length).unwrap_or(u16::MAX).to_le_bytes()));
            self.lengths.put(wtxn, &key, &row).map_err(lmdb)?;
        }
        Ok(())
    }

    fn unpack(&self, txn: &RoTxn<'_>, block: u32) -> Result<Option<Vec<u8>>> {
        let Some(packed) = self.texts.get(txn, &block.to_be_bytes()).map_err(lmdb)? else { return Ok(None) };
        let raw = unpack(packed).map_err(|e| damaged("stored chunks cannot be unpacked").with_source(e))?;
        Ok(Some(raw))
    }

    /// The texts of `ids` (ascending), in order; each block is unpacked once.
    pub fn texts(&self, txn: &RoTxn<'_>, ids: &[ChunkId]) -> Result<Vec<String>> {
        let mut texts = Vec::with_capacity(ids.len());
        for same_block in ids.chunk_by(|a, b| a / TEXTS == b / TEXTS) {
            let raw = self
                .unpack(txn, same_block[0] / TEXTS)?
                .ok_or_else(|| damaged("stored chunks are missing"))?;
            let spans = spans(&raw).ok_or_else(|| damaged("stored chunks are damaged"))?;
            for id in same_block {
                let text = spans.get((id % TEXTS) as usize).and_then(|span| std::str::from_utf8(span).ok());
                texts.push(text.ok_or_else(|| damaged("a stored chunk is damaged"))?.to_owned());
            }
        }
        Ok(texts)
    }

    pub fn text(&self, txn: &RoTxn<'_>, id: ChunkId) -> Result<String> {
        Ok(self.texts(txn, &[id])?.swap_remove(0))
    }

    /// The lengths of the chunks of one block of [`BLOCK_IDS`], as stored.
    pub fn lengths<'t>(
        &self,
        txn: &'t RoTxn<'_>,
        block: u32,
    ) -> Result<impl ExactSizeIterator<Item = u16> + 't> {
        let row = self.lengths.get(txn, &block.to_be_bytes()).map_err(lmdb)?.unwrap_or_default();
        Ok(row.chunks_exact(2).map(|b| u16::from_le_bytes([b[0], b[1]])))
    }
}

/// Cuts a run of new items at block borders: (block, items that fall into it).
pub(super) fn split_blocks<T>(
    first: ChunkId,
    mut items: &[T],
    size: u32,
) -> impl Iterator<Item = (u32, &[T])> {
    let mut id = first;
    std::iter::from_fn(move || {
        if items.is_empty() {
            return None;
        }
        let block = id / size;
        let room = (size - id % size) as usize;
        let (part, rest) = items.split_at(room.min(items.len()));
        id += part.len() as u32;
        items = rest;
        Some((block, part))
    })
}

fn spans(mut raw: &[u8]) -> Option<Vec<&[u8]>> {
    let mut spans = Vec::with_capacity(TEXTS as usize);
    while !raw.is_empty() {
        let (len, rest) = raw.split_first_chunk::<4>()?;
        let (span, rest) = rest.split_at_checked(u32::from_le_bytes(*len) as usize)?;
        spans.push(span);
        raw = rest;
    }
    Some(spans)
}

#[cfg(test)]
mod tests {
    use super::super::testing::scratch;
    use super::*;

    #[test]
    fn numbers_are_dense_and_texts_survive_block_borders() {
        let scratch = scratch();
        let chunks = &scratch.store.chunks;
        let all: Vec<String> = (0..150).map(|i| format!("fn number_{i}() {{}}")).collect();
        let mut first = 0;
        // Appended in uneven parts: each part ends inside a block that the next one continues.
        for part in all.chunks(37) {
            let mut wtxn = scratch.store.write_txn().unwrap();
            let new: Vec<NewChunk<'_>> = part
                .iter()
                .map(|text| NewChunk {
                    key: ChunkKey::of(text.as_bytes()),
                    text: text.into(),
                    length: text.len() as u32,
                })
                .collect();
            assert_eq!(chunks.append(&mut wtxn, &new).unwrap(), first);
            wtxn.commit().unwrap();
            first += part.len() as u32;
        }
        let rtxn = scratch.store.read_txn().unwrap();
        assert_eq!(chunks.count(&rtxn).unwrap(), 150);
        let wanted = [0, 36, 37, 63, 64, 127, 128, 149];
        let texts = chunks.texts(&rtxn, &wanted).unwrap();
        for (id, text) in wanted.into_iter().zip(texts) {
            assert_eq!(text, all[id as usize]);
            assert_eq!(chunks.id(&rtxn, &ChunkKey::of(text.as_bytes())).unwrap(), Some(id));
        }
        let lengths: Vec<u16> = chunks.lengths(&rtxn, 0).unwrap().collect();
        assert_eq!(lengths.len(), 150);
        assert_eq!(usize::from(lengths[149]), all[149].len());
        assert!(chunks.texts(&rtxn, &[150]).is_err(), "a number that was never given");
    }
}
