//! The chunking memo: what a file's bytes say, under the hash of the bytes.

use serde::{Deserialize, Serialize};

use super::env::Db;
use super::{RoTxn, RwTxn, damaged, lmdb};
use crate::chunk::{ChunkKind, ParseStatus, SkipReason};
use crate::error::{Context, Result};
use crate::hash::{ChunkId, ContentHash};

/// Everything the chunks of a file depend on. The language is the one the *path* suggests, so that a lookup
/// needs no bytes; what a shebang adds is inside the row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FileKey {
    pub recipe: u32,
    pub language: u16,
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

/// `files`: recipe, path language, ContentHash → [`FileRow`] (postcard).
pub struct Files {
    db: Db,
}

impl Files {
    pub(super) fn new(db: Db) -> Self {
        Files { db }
    }

    pub fn contains(&self, txn: &RoTxn<'_>, key: &FileKey) -> Result<bool> {
        Ok(self.db.get(txn, &encode(key)).map_err(lmdb)?.is_some())
    }

    pub fn get(&self, txn: &RoTxn<'_>, key: &FileKey) -> Result<Option<FileRow>> {
        let Some(bytes) = self.db.get(txn, &encode(key)).map_err(lmdb)? else { return Ok(None) };
        let row = postcard::from_bytes(bytes).map_err(|e| damaged("a file row is damaged").with_source(e))?;
        Ok(Some(row))
    }

    pub fn put(&self, wtxn: &mut RwTxn<'_>, key: &FileKey, row: &FileRow) -> Result<()> {
        let value = postcard::to_stdvec(row).context(|| "cannot encode a file row".into())?;
        self.db.put(wtxn, &encode(key), &value).map_err(lmdb)
    }
}

fn encode(key: &FileKey) -> [u8; 38] {
    let mut bytes = [0; 38];
    bytes[..4].copy_from_slice(&key.recipe.to_be_bytes());
    bytes[4..6].copy_from_slice(&key.language.to_be_bytes());
    bytes[6..].copy_from_slice(key.content.as_bytes());
    bytes
}
