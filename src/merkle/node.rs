//! One directory of the manifest and its canonical encoding.

use bstr::{BStr, BString, ByteSlice};

use crate::chunk::SkipReason;
use crate::error::{Error, ErrorKind, Result};
use crate::hash::{ContentHash, NodeHash};

/// A file, as the manifest knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Leaf {
    pub kind: LeafKind,
    pub executable: bool,
    /// The bytes in git form; for files that are never read (too large, submodules) a hash of what is known.
    pub hash: ContentHash,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeafKind {
    /// Chunked and searchable.
    Indexed,
    /// Known and counted, not searchable.
    Skipped(SkipReason),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Child {
    Dir(NodeHash),
    Leaf(Leaf),
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Node {
    /// Sorted by name, unique.
    entries: Vec<(BString, Child)>,
}

/// Entry: kind (1), detail (1), name length (2, big endian), name, hash (32).
const KIND_DIR: u8 = 0;
const KIND_INDEXED: u8 = 1;
const KIND_SKIPPED: u8 = 2;
const EXECUTABLE: u8 = 0x80;

impl Node {
    /// `entries` must be sorted by name and unique; names are at most 65,535 bytes.
    pub fn from_sorted(entries: Vec<(BString, Child)>) -> Self {
        debug_assert!(entries.is_sorted_by(|a, b| a.0 < b.0));
        Node { entries }
    }

    pub fn entries(&self) -> &[(BString, Child)] {
        &self.entries
    }

    pub fn into_entries(self) -> Vec<(BString, Child)> {
        self.entries
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub fn get(&self, name: &BStr) -> Option<&Child> {
        let at = self.entries.binary_search_by(|(n, _)| n.as_bstr().cmp(name)).ok()?;
        Some(&self.entries[at].1)
    }

    pub fn encode(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.entries.iter().map(|(n, _)| n.len() + 36).sum());
        for (name, child) in &self.entries {
            let (kind, detail, hash) = match child {
                Child::Dir(hash) => (KIND_DIR, 0, hash.as_bytes()),
                Child::Leaf(leaf) => {
                    let executable = if leaf.executable { EXECUTABLE } else { 0 };
                    match leaf.kind {
                        LeafKind::Indexed => (KIND_INDEXED, executable, leaf.hash.as_bytes()),
                        LeafKind::Skipped(why) => {
                            (KIND_SKIPPED, executable | why.code(), leaf.hash.as_bytes())
                        }
                    }
                }
            };
            out.extend([kind, detail]);
            out.extend((name.len() as u16).to_be_bytes());
            out.extend_from_slice(name);
            out.extend_from_slice(hash);
        }
        out
    }

    pub fn hash(&self) -> NodeHash {
        NodeHash::of(&self.encode())
    }

    pub fn decode(mut bytes: &[u8]) -> Result<Node> {
        let mut entries = Vec::new();
        while !bytes.is_empty() {
            let (entry, rest) = decode_entry(bytes).ok_or_else(damaged)?;
            entries.push(entry);
            bytes = rest;
        }
        if !entries.is_sorted_by(|a, b| a.0 < b.0) {
            return Err(damaged());
        }
        Ok(Node { entries })
    }
}

fn decode_entry(bytes: &[u8]) -> Option<((BString, Child), &[u8])> {
    let (&[kind, detail, hi, lo], rest) = bytes.split_first_chunk::<4>()?;
    let (name, rest) = rest.split_at_checked(usize::from(u16::from_be_bytes([hi, lo])))?;
    let (hash, rest) = rest.split_first_chunk::<32>()?;
    let leaf = |kind| {
        let executable = detail & EXECUTABLE != 0;
        Child::Leaf(Leaf { kind, executable, hash: ContentHash::from_bytes(*hash) })
    };
    let child = match kind {
        KIND_DIR => Child::Dir(NodeHash::from_bytes(*hash)),
        KIND_INDEXED => leaf(LeafKind::Indexed),
        KIND_SKIPPED => leaf(LeafKind::Skipped(SkipReason::from_code(detail & !EXECUTABLE)?)),
        _ => return None,
    };
    Some(((name.into(), child), rest))
}

fn damaged() -> Error {
    Error::new(ErrorKind::BadIndex, "a manifest node in the index is damaged")
        .with_hint("run `codeagent clean`, then `codeagent scan` to rebuild the index")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Node {
        let hash = ContentHash::of(b"x");
        let leaf = |kind, executable| Child::Leaf(Leaf { kind, executable, hash });
        Node::from_sorted(vec![
            (BString::from(b"a\n\xffb".as_slice()), leaf(LeafKind::Indexed, true)),
            ("b".into(), Child::Dir(NodeHash::of(b"y"))),
            ("c.png".into(), leaf(LeafKind::Skipped(SkipReason::Binary), false)),
        ])
    }

    #[test]
    fn encoding_round_trips_and_keys_are_hashes() {
        let node = sample();
        assert_eq!(Node::decode(&node.encode()).unwrap(), node);
        assert_eq!(node.hash(), NodeHash::of(&node.encode()));
    }

    #[test]
    fn truncated_or_unsorted_bytes_are_an_error_not_a_panic() {
        let bytes = sample().encode();
        for cut in 1..bytes.len() {
            if let Ok(node) = Node::decode(&bytes[..cut]) {
                assert!(node.entries().len() < 3, "a cut may only end between entries");
            }
        }
        let mut twice = bytes.clone();
        twice.extend(&bytes);
        assert!(Node::decode(&twice).is_err());
    }
}
