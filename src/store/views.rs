//! Views: the only mutable rows, and the only roots of everything else.

use std::fmt;

use bstr::BString;
use serde::{Deserialize, Serialize};

use super::env::Db;
use super::{RoTxn, RwTxn, damaged, lmdb};
use crate::error::{Context, Result};
use crate::hash::{NodeHash, ScopeHash};

/// Characters that are kept of an overlong name.
const LONGEST_REF: usize = 60;

/// Which files a view shows: one worktree's, or one ref's.
///
/// Names hold no path of the machine: the main worktree is `worktree`, a linked one is known by git's name for
/// it, so that a copied index fits its new place.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ViewName(String);

impl ViewName {
    pub fn main_worktree() -> Self {
        ViewName("worktree".into())
    }

    pub fn linked_worktree(id: &str) -> Self {
        ViewName(format!("worktree:{id}"))
    }

    /// A full ref name (`refs/heads/main`) or a commit id.
    pub fn git_ref(name: &str) -> Self {
        // LMDB's keys end at 511 bytes, git's names do not.
        match name.char_indices().nth(LONGEST_REF).filter(|_| name.len() > 400) {
            Some((cut, _)) => {
                ViewName(format!("ref:{}…{}", &name[..cut], blake3::hash(name.as_bytes()).to_hex()))
            }
            None => ViewName(format!("ref:{name}")),
        }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn is_ref(&self) -> bool {
        self.0.starts_with("ref:")
    }
}

impl fmt::Display for ViewName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ViewRow {
    pub root: NodeHash,
    /// Which settings chose the files; another scope means listing anew.
    pub scope: ScopeHash,
    /// Attribute files that are not as the commit has them, by what they say; another set means listing anew.
    pub attributes: Option<ScopeHash>,
    pub recipe: u32,
    /// The git tree that the manifest equals except at `overlay`. `None` without git or commits.
    pub base_tree: Option<String>,
    pub commit: Option<String>,
    pub branch: Option<String>,
    /// Paths whose content does not come from `base_tree`: staged, modified, untracked, deleted.
    pub overlay: Vec<BString>,
    /// Seconds since the epoch.
    pub scanned_at: u64,
}

/// `views`: view name → [`ViewRow`] (postcard).
pub struct Views {
    db: Db,
}

impl Views {
    pub(super) fn new(db: Db) -> Self {
        Views { db }
    }

    pub fn get(&self, txn: &RoTxn<'_>, name: &ViewName) -> Result<Option<ViewRow>> {
        self.db.get(txn, name.0.as_bytes()).map_err(lmdb)?.map(decode).transpose()
    }

    pub fn all(&self, txn: &RoTxn<'_>) -> Result<Vec<(ViewName, ViewRow)>> {
        let mut views = Vec::new();
        for row in self.db.iter(txn).map_err(lmdb)? {
            let (name, value) = row.map_err(lmdb)?;
            let name = String::from_utf8(name.to_vec()).map_err(|_| damaged("a view's name is damaged"))?;
            views.push((ViewName(name), decode(value)?));
        }
        Ok(views)
    }

    pub fn put(&self, wtxn: &mut RwTxn<'_>, name: &ViewName, row: &ViewRow) -> Result<()> {
        let value = postcard::to_stdvec(row).context(|| format!("cannot encode the view {name}"))?;
        self.db.put(wtxn, name.0.as_bytes(), &value).map_err(lmdb)
    }
}

fn decode(bytes: &[u8]) -> Result<ViewRow> {
    postcard::from_bytes(bytes).map_err(|e| damaged("a view in the index is damaged").with_source(e))
}
