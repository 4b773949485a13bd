//! Decides, without reading a file, which candidates are already known and which must be read.

use bstr::BString;

use crate::chunk::SkipReason;
use crate::error::Result;
use crate::hash::ContentHash;
use crate::lang::detect;
use crate::merkle::{Leaf, LeafKind, Origin};
use crate::source::{Candidate, Now};
use crate::store::{FileKey, RoTxn, StatKey, Store, ViewName};

/// What must happen to reach the present state.
#[derive(Debug, Default)]
pub struct Plan {
    /// Paths whose leaf is known from hashes alone.
    pub known: Vec<(BString, Option<Leaf>)>,
    /// Paths whose bytes must be read.
    pub unread: Vec<Candidate>,
}

/// A path as a dry run shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Planned {
    pub path: BString,
    pub change: &'static str,
}

pub(super) struct Planner<'a> {
    pub store: &'a Store,
    pub txn: &'a RoTxn<'a>,
    pub view: &'a ViewName,
    /// `None`: nothing was ever chunked with this recipe.
    pub recipe: Option<u32>,
    /// See [`Listing::filters`](crate::source::Listing::filters).
    pub filters: &'a [u8; 32],
    /// Leave out what its own text says is generated.
    pub skip_generated: bool,
    /// Believe no cache: read every file.
    pub full: bool,
}

impl Planner<'_> {
    pub fn plan(&self, candidates: Vec<Candidate>) -> Result<Plan> {
        let mut plan = Plan::default();
        for candidate in candidates {
            match self.known_leaf(&candidate)? {
                Some(leaf) => plan.known.push((candidate.path, leaf)),
                None => plan.unread.push(candidate),
            }
        }
        Ok(plan)
    }

    /// The leaf a candidate is, if that is known without reading: `Some(None)` when there is none any more.
    fn known_leaf(&self, candidate: &Candidate) -> Result<Option<Option<Leaf>>> {
        let (content, executable) = match &candidate.now {
            Now::Gone => return Ok(Some(None)),
            Now::Skipped { reason, hash } => return Ok(Some(Some(skipped_leaf(*reason, *hash)))),
            _ if self.full => return Ok(None),
            Now::Blob { oid, executable, .. } => {
                (self.store.caches.content_of_blob(self.txn, oid.as_bytes())?, *executable)
            }
            Now::Disk { stat, executable } => {
                let row = self
                    .store
                    .caches
                    .stat(self.txn, &StatKey::new(self.view, self.filters, &candidate.path))?;
                (row.filter(|row| row.stat == *stat).map(|row| row.content), *executable)
            }
        };
        let (Some(content), Some(recipe)) = (content, self.recipe) else { return Ok(None) };
        let key = FileKey { recipe, language: detect(&candidate.path, b""), content };
        let origin = candidate.origin;
        let kind =
            self.store.files.kind(self.txn, &key, self.skip_generated && origin.generated.is_none())?;
        Ok(kind.map(|kind| Some(leaf(kind, executable, content, origin))))
    }
}

pub(super) fn leaf(kind: LeafKind, executable: bool, hash: ContentHash, origin: Origin) -> Leaf {
    let origin = if kind == LeafKind::Indexed { origin } else { Origin::default() };
    Leaf { kind, executable, hash, origin }
}

pub(super) fn skipped_leaf(reason: SkipReason, hash: ContentHash) -> Leaf {
    leaf(LeafKind::Skipped(reason), false, hash, Origin::default())
}
