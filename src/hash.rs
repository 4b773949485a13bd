//! Content-addressed identities. One newtype per id, so that a file's hash can never stand where a chunk's is
//! wanted; each BLAKE3 hash is keyed by its own context string, so equal bytes of two kinds never collide.

use std::fmt;

use serde::{Deserialize, Serialize};

macro_rules! hash_type {
    ($(#[$doc:meta])* $name:ident, $context:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub struct $name([u8; 32]);

        impl $name {
            pub const LEN: usize = 32;

            pub fn of(bytes: &[u8]) -> Self {
                let mut hasher = Self::hasher();
                hasher.update(bytes);
                Self::finish(&hasher)
            }

            /// A hasher in this type's context, for input that comes in parts.
            pub fn hasher() -> blake3::Hasher {
                blake3::Hasher::new_derive_key($context)
            }

            pub fn finish(hasher: &blake3::Hasher) -> Self {
                Self(*hasher.finalize().as_bytes())
            }

            pub fn from_bytes(bytes: [u8; 32]) -> Self {
                Self(bytes)
            }

            pub fn as_bytes(&self) -> &[u8; 32] {
                &self.0
            }

            pub fn to_hex(&self) -> String {
                blake3::Hash::from_bytes(self.0).to_hex().to_string()
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), &self.to_hex()[..12])
            }
        }
    };
}

hash_type!(
    /// One file's bytes in git form: after clean filters, so that a CRLF checkout equals the committed blob.
    ContentHash,
    "codeagent 2026 content of one file"
);
hash_type!(
    /// One directory of the manifest.
    NodeHash,
    "codeagent 2026 merkle directory node"
);
hash_type!(
    /// Exactly what is given to the embedder.
    ChunkKey,
    "codeagent 2026 chunk passage"
);
hash_type!(
    /// The settings that decide which files belong to a manifest.
    ScopeHash,
    "codeagent 2026 scope"
);

/// Dense number of a chunk: bitmaps and blocks are addressed by it. Assigned in order, never reused.
pub type ChunkId = u32;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_do_not_collide() {
        assert_ne!(ContentHash::of(b"x").as_bytes(), ChunkKey::of(b"x").as_bytes());
        assert_eq!(ContentHash::of(b"x"), ContentHash::of(b"x"));
    }

    #[test]
    fn hex_is_full_length() {
        assert_eq!(NodeHash::of(b"").to_hex().len(), 64);
    }
}
