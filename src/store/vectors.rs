//! Vectors, by embedding space, in blocks of consecutive chunk numbers.
//!
//! A block is contiguous in memory, so the exact scan reads the map front to back. Which chunks have a vector
//! is kept as one bitmap a space, written in the same transaction: `live − present` is what must be embedded.

use roaring::RoaringBitmap;

use super::env::Db;
use super::{RoTxn, RwTxn, damaged, lmdb};
use crate::embed::SpaceIdentity;
use crate::error::{Context, Result};
use crate::hash::ChunkId;

/// Number under which an embedding space is known in this store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SpaceId(u16);

const IDS: u32 = 256;
const PRESENCE: usize = (IDS / 8) as usize;

/// `vectors`: space (2), block (4) → presence bits (32 bytes), then per chunk a scale (f32 little endian) and
/// `dims` signed bytes; rows beyond the last present one are left out.
/// `meta["space", number]` → identity (JSON); `meta["present", number]` → bitmap.
pub struct Vectors {
    meta: Db,
    db: Db,
}

/// The vectors of up to 256 consecutive chunks.
#[derive(Clone, Copy)]
pub struct VectorBlock<'t> {
    first: ChunkId,
    dims: usize,
    presence: &'t [u8],
    rows: &'t [u8],
}

impl<'t> VectorBlock<'t> {
    /// (chunk, scale, quantised values) of every present vector.
    pub fn iter(self) -> impl Iterator<Item = (ChunkId, f32, &'t [u8])> {
        let (first, presence) = (self.first, self.presence);
        let rows = self.rows.chunks_exact(self.dims + 4);
        (0u32..).zip(rows).filter(move |(slot, _)| bit(presence, *slot)).map(move |(slot, row)| {
            let (scale, values) = row.split_at(4);
            (first + slot, f32::from_le_bytes([scale[0], scale[1], scale[2], scale[3]]), values)
        })
    }
}

impl Vectors {
    pub(super) fn new(meta: Db, db: Db) -> Self {
        Vectors { meta, db }
    }

    /// Every space that was ever used, with its identity.
    pub fn spaces(&self, txn: &RoTxn<'_>) -> Result<Vec<(SpaceId, SpaceIdentity)>> {
        let mut spaces = Vec::new();
        for row in self.meta.prefix_iter(txn, b"space\0").map_err(lmdb)? {
            let (key, value) = row.map_err(lmdb)?;
            let number =
                key[b"space\0".len()..].try_into().map_err(|_| damaged("an embedding space is damaged"))?;
            let identity = serde_json::from_slice(value)
                .map_err(|e| damaged("an embedding space is damaged").with_source(e))?;
            spaces.push((SpaceId(u16::from_be_bytes(number)), identity));
        }
        Ok(spaces)
    }

    pub fn space(&self, txn: &RoTxn<'_>, identity: &SpaceIdentity) -> Result<Option<SpaceId>> {
        Ok(self.spaces(txn)?.into_iter().find(|(_, known)| known == identity).map(|(id, _)| id))
    }

    pub fn assign_space(&self, wtxn: &mut RwTxn<'_>, identity: &SpaceIdentity) -> Result<SpaceId> {
        if let Some(id) = self.space(wtxn, identity)? {
            return Ok(id);
        }
        let id = SpaceId(self.spaces(wtxn)?.last().map_or(1, |(last, _)| last.0 + 1));
        let value = serde_json::to_vec(identity).context(|| "cannot encode an embedding space".into())?;
        self.meta.put(wtxn, &meta_key(b"space\0", id), &value).map_err(lmdb)?;
        Ok(id)
    }

    /// The chunks that have a vector in this space.
    pub fn present(&self, txn: &RoTxn<'_>, space: SpaceId) -> Result<RoaringBitmap> {
        match self.meta.get(txn, &meta_key(b"present\0", space)).map_err(lmdb)? {
            Some(bytes) => RoaringBitmap::deserialize_from(bytes)
                .map_err(|e| damaged("the list of embedded chunks is damaged").with_source(e)),
            None => Ok(RoaringBitmap::new()),
        }
    }

    /// Forgets that `chunks` were embedded, so that the next scan does it again.
    pub fn forget(&self, wtxn: &mut RwTxn<'_>, space: SpaceId, chunks: &RoaringBitmap) -> Result<()> {
        let kept = self.present(wtxn, space)? - chunks;
        self.put_present(wtxn, space, kept)
    }

    fn put_present(&self, wtxn: &mut RwTxn<'_>, space: SpaceId, mut present: RoaringBitmap) -> Result<()> {
        present.optimize();
        let mut bytes = Vec::with_capacity(present.serialized_size());
        present.serialize_into(&mut bytes).context(|| "cannot encode the list of embedded chunks".into())?;
        self.meta.put(wtxn, &meta_key(b"present\0", space), &bytes).map_err(lmdb)
    }

    /// Stores vectors (`ids` ascending, one scale and `dims` values each).
    pub fn put(
        &self,
        wtxn: &mut RwTxn<'_>,
        space: SpaceId,
        dims: usize,
        ids: &[ChunkId],
        rows: &[(f32, Vec<i8>)],
    ) -> Result<()> {
        let width = dims + 4;
        let mut at = 0;
        for same_block in ids.chunk_by(|a, b| a / IDS == b / IDS) {
            let key = block_key(space, same_block[0] / IDS);
            let mut value = self.db.get(wtxn, &key).map_err(lmdb)?.unwrap_or(&[0; PRESENCE]).to_vec();
            for id in same_block {
                let slot = (id % IDS) as usize;
                let (scale, values) = &rows[at];
                at += 1;
                value[slot / 8] |= 1 << (slot % 8);
                let start = PRESENCE + slot * width;
                value.resize(value.len().max(start + width), 0);
                value[start..start + 4].copy_from_slice(&scale.to_le_bytes());
                for (to, from) in value[start + 4..start + width].iter_mut().zip(values) {
                    *to = from.cast_unsigned();
                }
            }
            self.db.put(wtxn, &key, &value).map_err(lmdb)?;
        }
        let mut present = self.present(wtxn, space)?;
        present.extend(ids);
        self.put_present(wtxn, space, present)
    }

    /// The blocks that hold any of `candidates`.
    pub fn blocks<'t>(
        &self,
        txn: &'t RoTxn<'_>,
        space: SpaceId,
        dims: usize,
        candidates: &RoaringBitmap,
    ) -> Result<Vec<VectorBlock<'t>>> {
        let (Some(first), Some(last)) = (candidates.min(), candidates.max()) else { return Ok(Vec::new()) };
        let range = block_key(space, first / IDS)..=block_key(space, last / IDS);
        let range =
            (std::ops::Bound::Included(&range.start()[..]), std::ops::Bound::Included(&range.end()[..]));
        let mut blocks = Vec::new();
        for row in self.db.range(txn, &range).map_err(lmdb)? {
            let (key, value) = row.map_err(lmdb)?;
            let block = key.last_chunk::<4>().map(|b| u32::from_be_bytes(*b));
            let (block, (presence, rows)) = block
                .zip(value.split_at_checked(PRESENCE))
                .ok_or_else(|| damaged("a vector block is damaged"))?;
            let first = block.saturating_mul(IDS);
            if candidates.range_cardinality(first..=first.saturating_add(IDS - 1)) > 0 {
                blocks.push(VectorBlock { first, dims, presence, rows });
            }
        }
        Ok(blocks)
    }
}

fn bit(presence: &[u8], slot: u32) -> bool {
    presence.get(slot as usize / 8).is_some_and(|byte| byte >> (slot % 8) & 1 == 1)
}

fn meta_key(prefix: &[u8], space: SpaceId) -> Vec<u8> {
    [prefix, &space.0.to_be_bytes()].concat()
}

fn block_key(space: SpaceId, block: u32) -> [u8; 6] {
    let mut key = [0; 6];
    key[..2].copy_from_slice(&space.0.to_be_bytes());
    key[2..].copy_from_slice(&block.to_be_bytes());
    key
}

#[cfg(test)]
mod tests {
    use super::super::testing::scratch;
    use super::*;

    fn identity(model: &str) -> SpaceIdentity {
        let text = |s: &str| s.to_owned();
        SpaceIdentity {
            model: text(model),
            revision: text("1"),
            dims: 3,
            pooling: text("mean"),
            input: text(""),
        }
    }

    #[test]
    fn vectors_come_back_and_spaces_do_not_mix() {
        let scratch = scratch();
        let vectors = &scratch.store.vectors;
        let mut wtxn = scratch.store.write_txn().unwrap();
        let space = vectors.assign_space(&mut wtxn, &identity("a")).unwrap();
        let other = vectors.assign_space(&mut wtxn, &identity("b")).unwrap();
        assert_ne!(space, other);
        assert_eq!(vectors.assign_space(&mut wtxn, &identity("a")).unwrap(), space);

        let ids = [3, 255, 256, 700];
        let rows: Vec<(f32, Vec<i8>)> =
            ids.iter().map(|id| (*id as f32, vec![1, -2, (*id % 100) as i8])).collect();
        vectors.put(&mut wtxn, space, 3, &ids, &rows).unwrap();
        assert!(vectors.present(&wtxn, other).unwrap().is_empty());

        let all: RoaringBitmap = ids.into_iter().collect();
        assert_eq!(vectors.present(&wtxn, space).unwrap(), all);
        let found: Vec<(ChunkId, f32, Vec<u8>)> = vectors
            .blocks(&wtxn, space, 3, &all)
            .unwrap()
            .into_iter()
            .flat_map(|block| {
                block.iter().map(|(id, scale, values)| (id, scale, values.to_vec())).collect::<Vec<_>>()
            })
            .collect();
        assert_eq!(found.iter().map(|(id, ..)| *id).collect::<Vec<_>>(), ids);
        assert_eq!(found[1], (255, 255.0, vec![1, 254, 55]));
        let only_last = vectors.blocks(&wtxn, space, 3, &[700].into_iter().collect()).unwrap();
        assert_eq!(only_last.len(), 1, "blocks without candidates are not visited");

        vectors.forget(&mut wtxn, space, &[255, 256].into_iter().collect()).unwrap();
        assert_eq!(vectors.present(&wtxn, space).unwrap().len(), 2);
    }
}
