//! What lies below a directory, kept per node so that totals never need a walk over the tree.
//!
//! A summary is a pure function of the node and of its files' chunk lists: the sum of its children. Nothing
//! else ever writes one, so it cannot drift.

use std::collections::BTreeMap;

use roaring::RoaringBitmap;
use serde::{Deserialize, Serialize};

use crate::error::{Context, Result};

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Summary {
    pub counts: Counts,
    /// The chunks a query may return here: lexical filter and vector candidates alike.
    pub live: RoaringBitmap,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    pub files: u64,
    pub bytes: u64,
    /// Chunk occurrences; a chunk that stands in two files counts twice (and is embedded once).
    pub chunks: u64,
    pub languages: BTreeMap<String, u64>,
    /// By reason name.
    pub skipped: BTreeMap<String, u64>,
}

impl Summary {
    pub fn add(&mut self, other: &Summary) {
        self.counts.files += other.counts.files;
        self.counts.bytes += other.counts.bytes;
        self.counts.chunks += other.counts.chunks;
        for (language, n) in &other.counts.languages {
            *self.counts.languages.entry(language.clone()).or_default() += n;
        }
        for (reason, n) in &other.counts.skipped {
            *self.counts.skipped.entry(reason.clone()).or_default() += n;
        }
        self.live |= &other.live;
    }

    /// Counts (length-prefixed), then the bitmap in roaring's portable format.
    pub fn encode(&self) -> Result<Vec<u8>> {
        let counts = postcard::to_stdvec(&self.counts).context(|| "cannot encode a summary".into())?;
        let mut live = self.live.clone();
        live.optimize();
        let mut out = Vec::with_capacity(4 + counts.len() + live.serialized_size());
        out.extend((counts.len() as u32).to_be_bytes());
        out.extend(counts);
        live.serialize_into(&mut out).context(|| "cannot encode a summary".into())?;
        Ok(out)
    }

    pub fn decode(bytes: &[u8]) -> Result<Summary> {
        let (counts, live) = split(bytes).ok_or("too short").context(|| "cannot decode a summary".into())?;
        let counts = postcard::from_bytes(counts).context(|| "cannot decode a summary".into())?;
        Ok(Summary { counts, live: decode_live(live)? })
    }

    /// Only the bitmap: what locating a chunk needs.
    pub fn decode_live_only(bytes: &[u8]) -> Result<RoaringBitmap> {
        let (_, live) = split(bytes).ok_or("too short").context(|| "cannot decode a summary".into())?;
        decode_live(live)
    }
}

fn split(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (len, rest) = bytes.split_first_chunk::<4>()?;
    rest.split_at_checked(u32::from_be_bytes(*len) as usize)
}

fn decode_live(bytes: &[u8]) -> Result<RoaringBitmap> {
    RoaringBitmap::deserialize_from(bytes).context(|| "cannot decode a live set".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_and_round_trips() {
        let mut a = Summary::default();
        a.counts.files = 2;
        a.counts.languages.insert("python".into(), 2);
        a.live.insert_range(5..50);
        let mut b = a.clone();
        b.live.insert(7_000_000);
        b.add(&a);
        assert_eq!(b.counts.files, 4);
        assert_eq!(b.counts.languages["python"], 4);
        assert_eq!(b.live.len(), 46);
        let bytes = b.encode().unwrap();
        assert_eq!(Summary::decode(&bytes).unwrap(), b);
        assert_eq!(Summary::decode_live_only(&bytes).unwrap(), b.live);
        assert!(Summary::decode(&bytes[..3]).is_err());
    }
}
