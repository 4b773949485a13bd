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
    /// Of a skipped file nothing is said.
    pub origin: Origin,
}

/// Who wrote a file, as far as its path and the attributes of the view tell.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Origin {
    /// `None`: neither says; the text itself may.
    pub generated: Option<bool>,
    /// Somebody else's code, kept here.
    pub vendored: bool,
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
/// Bits of the detail; the rest is the reason of a skipped file.
const EXECUTABLE: u8 = 0x80;
const GENERATED: u8 = 0x40;
const WRITTEN: u8 = 0x20;
const VENDORED: u8 = 0x10;

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
                        LeafKind::Indexed => {
                            (KIND_INDEXED, executable | leaf.origin.bits(), leaf.hash.as_bytes())
                        }
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

impl Origin {
    fn bits(self) -> u8 {
        let generated = self.generated.map_or(0, |so| if so { GENERATED } else { WRITTEN });
        generated | if self.vendored { VENDORED } else { 0 }
    }

    fn from_bits(bits: u8) -> Option<Origin> {
        let origin = Origin {
            generated: (bits & (GENERATED | WRITTEN) != 0).then_some(bits & GENERATED != 0),
            vendored: bits & VENDORED != 0,
        };
        (origin.bits() == bits).then_some(origin)
    }
}

fn decode_entry(bytes: &[u8]) -> Option<((BString, Child), &[u8])> {
    let (&[kind, detail, hi, lo], rest) = bytes.split_first_chunk::<4>()?;
    let (name, rest) = rest.split_at_checked(usize::from(u16::from_be_bytes([hi, lo])))?;
    let (hash, rest) = rest.split_first_chunk::<32>()?;
    let leaf = |kind, origin| {
        let executable = detail & EXECUTABLE != 0;
        Child::Leaf(Leaf { kind, executable, hash: ContentHash::from_bytes(*hash), origin })
    };
    let child = match kind {
        KIND_DIR => Child::Dir(NodeHash::from_bytes(*hash)),
        KIND_INDEXED => leaf(LeafKind::Indexed, Origin::from_bits(detail & !EXECUTABLE)?),
        KIND_SKIPPED => {
            leaf(LeafKind::Skipped(SkipReason::from_code(detail & !EXECUTABLE)?), Origin::default())
        }
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
        let leaf = |kind, executable, generated, vendored| {
            Child::Leaf(Leaf { kind, executable, hash, origin: Origin { generated, vendored } })
        };
        Node::from_sorted(vec![
            (BString::from(b"a\n\xffb".as_slice()), leaf(LeafKind::Indexed, true, None, true)),
            ("b".into(), Child::Dir(NodeHash::of(b"y"))),
            ("c.g.cs".into(), leaf(LeafKind::Indexed, false, Some(true), false)),
            ("c.png".into(), leaf(LeafKind::Skipped(SkipReason::Binary), false, None, false)),
            ("d.g.cs".into(), leaf(LeafKind::Indexed, true, Some(false), true)),
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
                assert!(node.entries().len() < 5, "a cut may only end between entries");
            }
        }
        let mut twice = bytes.clone();
        twice.extend(&bytes);
        assert!(Node::decode(&twice).is_err());
    }
}
