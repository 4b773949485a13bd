//! Decides, without reading a file, which candidates are already known and which must be read.

use bstr::{BString, ByteSlice};

use crate::chunk::{SkipReason, detect};
use crate::error::Result;
use crate::hash::{ContentHash, NodeHash};
use crate::merkle::{self, Child, Leaf, LeafKind};
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
    /// The manifest before.
    pub base: Option<NodeHash>,
    /// Believe no cache: read every file.
    pub full: bool,
}

impl Planner<'_> {
    pub fn plan(&self, candidates: Vec<Candidate>) -> Result<Plan> {
        let mut plan = Plan::default();
        let trust_stats = !self.full && !self.attributes_changed(&candidates)?;
        for candidate in candidates {
            match self.known_leaf(&candidate, trust_stats)? {
                Some(leaf) => plan.known.push((candidate.path, leaf)),
                None => plan.unread.push(candidate),
            }
        }
        Ok(plan)
    }

    /// A dirty file's git form depends on `.gitattributes`, which its own metadata says nothing about.
    fn attributes_changed(&self, candidates: &[Candidate]) -> Result<bool> {
        let nodes = self.store.manifests.reader(self.txn);
        for candidate in candidates.iter().filter(|c| is_attributes(&c.path)) {
            let before = match &self.base {
                Some(root) => merkle::lookup(&nodes, root, candidate.path.as_bstr())?,
                None => return Ok(true),
            };
            let now = self.known_leaf(candidate, true)?;
            if now.map(|leaf| leaf.map(Child::Leaf)) != Some(before) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The leaf a candidate is, if that is known without reading: `Some(None)` when there is none any more.
    fn known_leaf(&self, candidate: &Candidate, trust_stats: bool) -> Result<Option<Option<Leaf>>> {
        let (content, executable) = match &candidate.now {
            Now::Gone => return Ok(Some(None)),
            Now::Skipped { reason, hash } => return Ok(Some(Some(skipped_leaf(*reason, *hash)))),
            _ if self.full => return Ok(None),
            Now::Blob { oid, executable, .. } => {
                (self.store.caches.content_of_blob(self.txn, oid.as_bytes())?, *executable)
            }
            Now::Disk { .. } if !trust_stats => return Ok(None),
            Now::Disk { stat, executable } => {
                let row = self.store.caches.stat(self.txn, &StatKey::new(self.view, &candidate.path))?;
                (row.filter(|row| row.stat == *stat).map(|row| row.content), *executable)
            }
        };
        let (Some(content), Some(recipe)) = (content, self.recipe) else { return Ok(None) };
        let key = FileKey { recipe, language: detect(&candidate.path, b""), content };
        let kind = self.store.files.kind(self.txn, &key)?;
        Ok(kind.map(|kind| Some(Leaf { kind, executable, hash: content })))
    }
}

fn is_attributes(path: &BString) -> bool {
    path.rsplit(|b| *b == b'/').next() == Some(b".gitattributes")
}

pub(super) fn skipped_leaf(reason: SkipReason, hash: ContentHash) -> Leaf {
    Leaf { kind: LeafKind::Skipped(reason), executable: false, hash }
}
