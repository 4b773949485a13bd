//! The chunking memo: what a file's bytes say, under the hash of the bytes.

use serde::{Deserialize, Serialize};

use super::env::Db;
use super::pack::{pack, unpack};
use super::{RoTxn, RwTxn, damaged, lmdb};
use crate::chunk::SkipReason;
use crate::error::{Context, Result};
use crate::hash::{ChunkId, ContentHash};
use crate::lang::{ChunkKind, Language, ParseStatus};
use crate::merkle::LeafKind;

/// First byte of a value: an indexed file, packed. Anything else is a skipped one, as it is.
const INDEXED: u8 = 0;

/// Everything the chunks of a file depend on. The language is the one the *path* suggests, so that a lookup
/// needs no bytes; what a shebang adds is inside the row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FileKey {
    pub recipe: u32,
    pub language: Language,
    pub content: ContentHash,
}

impl FileKey {
    /// The language goes in by name: numbers of the language table may move.
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut bytes = self.recipe.to_be_bytes().to_vec();
        bytes.extend_from_slice(self.content.as_bytes());
        bytes.extend_from_slice(self.language.name().as_bytes());
        bytes
    }
}

#[derive(Debug, Clone, PartialEq)]
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
    /// The text says that a program wrote it.
    pub generated: bool,
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
    pub parent: Option<String>,
    /// See [`Chunk::definition`](crate::chunk::Chunk::definition).
    pub definition: Option<u32>,
}

/// `files`: recipe (4, big endian), ContentHash, path language → [`FileRow`]: a tag, then
/// zstd of postcard for an indexed file (names and signatures repeat), the reason's code for a skipped one.
pub struct Files {
    db: Db,
}

impl Files {
    pub(super) fn new(db: Db) -> Self {
        Files { db }
    }

    /// What a leaf with this content is, if it was ever chunked; cheaper than [`Self::get`] unless generated text
    /// is to be told apart.
    pub fn kind(&self, txn: &RoTxn<'_>, key: &FileKey, skip_generated: bool) -> Result<Option<LeafKind>> {
        match self.db.get(txn, &key.encode()).map_err(lmdb)? {
            None => Ok(None),
            Some([INDEXED, ..]) if !skip_generated => Ok(Some(LeafKind::Indexed)),
            Some(bytes) => match decode(bytes)? {
                FileRow::Indexed(file) if skip_generated && file.generated => {
                    Ok(Some(LeafKind::Skipped(SkipReason::Generated)))
                }
                FileRow::Indexed(_) => Ok(Some(LeafKind::Indexed)),
                FileRow::Skipped(reason) => Ok(Some(LeafKind::Skipped(reason))),
            },
        }
    }

    pub fn get(&self, txn: &RoTxn<'_>, key: &FileKey) -> Result<Option<FileRow>> {
        self.db.get(txn, &key.encode()).map_err(lmdb)?.map(decode).transpose()
    }

    pub fn put(&self, wtxn: &mut RwTxn<'_>, key: &FileKey, row: &FileRow) -> Result<()> {
        let value = encode_row(row).context(|| "cannot encode a file row".into())?;
        self.db.put(wtxn, &key.encode(), &value).map_err(lmdb)
    }
}

fn encode_row(row: &FileRow) -> Result<Vec<u8>, Box<dyn std::error::Error + Send + Sync>> {
    match row {
        FileRow::Indexed(file) => {
            let mut value = vec![INDEXED];
            value.extend(pack(&postcard::to_stdvec(file)?)?);
            Ok(value)
        }
        FileRow::Skipped(reason) => Ok(vec![INDEXED + 1, reason.code()]),
    }
}

fn decode(bytes: &[u8]) -> Result<FileRow> {
    let row = match bytes {
        [INDEXED, packed @ ..] => {
            unpack(packed).ok().and_then(|raw| postcard::from_bytes(&raw).ok()).map(FileRow::Indexed)
        }
        [_, reason] => SkipReason::from_code(*reason).map(FileRow::Skipped),
        _ => None,
    };
    row.ok_or_else(|| damaged("a file row is damaged"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_round_trip_and_damage_is_an_error() {
        let chunk = ChunkRef {
            id: 7,
            kind: ChunkKind::Method,
            start_line: 1,
            end_line: 9,
            start_byte: 0,
            end_byte: 99,
            name: Some("login".into()),
            parent: Some("Auth".into()),
            definition: Some(3),
        };
        let file = IndexedFile {
            language: "python".into(),
            status: ParseStatus::Parsed,
            bytes: 99,
            lines: 9,
            generated: true,
            chunks: vec![chunk; 3],
        };
        for row in [FileRow::Indexed(file), FileRow::Skipped(SkipReason::Binary)] {
            let bytes = encode_row(&row).unwrap();
            assert_eq!(decode(&bytes).unwrap(), row);
            for cut in 0..bytes.len() {
                assert!(decode(&bytes[..cut]).is_err());
            }
        }
    }
}
