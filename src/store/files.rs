//! The chunking memo: what a file's bytes say, under the hash of the bytes.

use serde::{Deserialize, Serialize};

use super::env::Db;
use super::{RoTxn, RwTxn, damaged, lmdb};
use crate::chunk::{ChunkKind, Language, ParseStatus, SkipReason};
use crate::error::{Context, Result};
use crate::hash::{ChunkId, ContentHash};
use crate::merkle::LeafKind;

/// How postcard begins a [`FileRow::Indexed`].
const INDEXED: u8 = 0;

/// Everything the chunks of a file depend on. The language is the one the *path* suggests, so that a lookup
/// needs no bytes; what a shebang adds is inside the row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FileKey {
    pub recipe: u32,
    pub language: Language,
    pub content: ContentHash,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum FileRow {
    Indexed(IndexedFile),
    Skipped(SkipReason),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct IndexedFile {
    pub language: String,
    pub status: ParseStatus,
    pub bytes: u32,
    pub lines: u32,
    /// In file order, never overlapping.
    pub chunks: Vec<ChunkRef>,
}

/// Where a chunk stands in this file and what it is called there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChunkRef {
    pub id: ChunkId,
    pub kind: ChunkKind,
    pub start_line: u32,
    pub end_line: u32,
    pub start_byte: u32,
    pub end_byte: u32,
    pub name: Option<String>,
    pub signature: Option<String>,
    pub parent: Option<String>,
}

/// `files`: recipe (4, big endian), ContentHash, path language → [`FileRow`] (postcard).
pub struct Files {
    db: Db,
}

impl Files {
    pub(super) fn new(db: Db) -> Self {
        Files { db }
    }

    /// What a leaf with this content is, if it was ever chunked; cheaper than [`Self::get`].
    pub fn kind(&self, txn: &RoTxn<'_>, key: &FileKey) -> Result<Option<LeafKind>> {
        match self.db.get(txn, &encode(key)).map_err(lmdb)? {
            None => Ok(None),
            Some([INDEXED, ..]) => Ok(Some(LeafKind::Indexed)),
            Some(bytes) => match decode(bytes)? {
                FileRow::Indexed(_) => Ok(Some(LeafKind::Indexed)),
                FileRow::Skipped(reason) => Ok(Some(LeafKind::Skipped(reason))),
            },
        }
    }

    pub fn get(&self, txn: &RoTxn<'_>, key: &FileKey) -> Result<Option<FileRow>> {
        self.db.get(txn, &encode(key)).map_err(lmdb)?.map(decode).transpose()
    }

    pub fn put(&self, wtxn: &mut RwTxn<'_>, key: &FileKey, row: &FileRow) -> Result<()> {
        let value = postcard::to_stdvec(row).context(|| "cannot encode a file row".into())?;
        self.db.put(wtxn, &encode(key), &value).map_err(lmdb)
    }
}

fn decode(bytes: &[u8]) -> Result<FileRow> {
    postcard::from_bytes(bytes).map_err(|e| damaged("a file row is damaged").with_source(e))
}

/// The language goes in by name: numbers of the language table may move.
fn encode(key: &FileKey) -> Vec<u8> {
    let mut bytes = key.recipe.to_be_bytes().to_vec();
    bytes.extend_from_slice(key.content.as_bytes());
    bytes.extend_from_slice(key.language.name().as_bytes());
    bytes
}
