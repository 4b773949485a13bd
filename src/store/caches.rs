//! Two caches that save reading files. Both can be dropped at any time; neither is ever the only authority.

use serde::{Deserialize, Serialize};

use super::env::Db;
use super::{RoTxn, RwTxn, ViewName, lmdb};
use crate::error::{Context, Result};
use crate::hash::ContentHash;

/// `aliases`: git blob id → ContentHash. True forever: both name the same bytes.
/// `stats`: hash of (view, filters, path) → [`StatRow`]. Only believed while the file's metadata is unchanged and old
/// enough (see `source::racy`); worthless in another checkout, harmless there.
pub struct Caches {
    aliases: Db,
    stats: Db,
}

/// Identifies a file of one worktree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StatKey([u8; 16]);

impl StatKey {
    /// `filters`: what the git form of the file depends on besides its bytes.
    pub fn new(view: &ViewName, filters: &[u8; 32], path: &[u8]) -> Self {
        let mut hasher = blake3::Hasher::new();
        hasher.update(view.as_str().as_bytes()).update(b"\0").update(filters).update(path);
        let mut key = [0; 16];
        key.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
        StatKey(key)
    }
}

/// What a file's metadata was when its bytes were read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatRow {
    pub stat: crate::source::Stat,
    pub content: ContentHash,
}

impl Caches {
    pub(super) fn new(aliases: Db, stats: Db) -> Self {
        Caches { aliases, stats }
    }

    pub fn content_of_blob(&self, txn: &RoTxn<'_>, oid: &[u8]) -> Result<Option<ContentHash>> {
        let bytes = self.aliases.get(txn, oid).map_err(lmdb)?;
        Ok(bytes.and_then(|b| b.try_into().ok()).map(ContentHash::from_bytes))
    }

    pub fn put_alias(&self, wtxn: &mut RwTxn<'_>, oid: &[u8], content: &ContentHash) -> Result<()> {
        self.aliases.put(wtxn, oid, content.as_bytes()).map_err(lmdb)
    }

    /// An unreadable row is a miss: the file is simply read again.
    pub fn stat(&self, txn: &RoTxn<'_>, key: &StatKey) -> Result<Option<StatRow>> {
        let bytes = self.stats.get(txn, &key.0).map_err(lmdb)?;
        Ok(bytes.and_then(|b| postcard::from_bytes(b).ok()))
    }

    pub fn put_stat(&self, wtxn: &mut RwTxn<'_>, key: &StatKey, row: &StatRow) -> Result<()> {
        let value = postcard::to_stdvec(row).context(|| "cannot encode file metadata".into())?;
        self.stats.put(wtxn, &key.0, &value).map_err(lmdb)
    }

    pub fn drop_stat(&self, wtxn: &mut RwTxn<'_>, key: &StatKey) -> Result<()> {
        self.stats.delete(wtxn, &key.0).map_err(lmdb).map(drop)
    }
}
