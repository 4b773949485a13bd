//! What a scan did, as counters that prove it.

use std::collections::{BTreeMap, HashMap};
use std::time::{Duration, Instant};

use serde::Serialize;

use super::Phase;
use crate::hash::ContentHash;
use crate::merkle::{Change, Leaf, LeafKind, Summary};

/// The object that `scan --json` prints.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct ScanReport {
    pub view: String,
    pub commit: Option<String>,
    pub branch: Option<String>,
    /// The Merkle root: equal roots, equal files.
    pub root: String,
    pub files: FileReport,
    pub chunks: ChunkReport,
    /// Vectors computed in this scan.
    pub embedded: u64,
    /// Live chunks whose vector was already known.
    pub reused: u64,
    /// Live chunks without a vector (embedding is off or was interrupted).
    pub pending: u64,
    pub languages: BTreeMap<String, u64>,
    pub warnings: Vec<String>,
    pub elapsed_ms: u64,
    pub phases: BTreeMap<&'static str, f64>,
    pub dry_run: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct FileReport {
    /// Searchable files in the view.
    pub total: u64,
    pub added: u64,
    pub modified: u64,
    pub deleted: u64,
    pub renamed: u64,
    pub unchanged: u64,
    pub skipped: u64,
    pub skipped_by_reason: BTreeMap<String, u64>,
    /// Files whose bytes were read in this scan, and hashed: 0 proves that nothing unchanged was touched.
    pub read: u64,
    pub hashed: u64,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ChunkReport {
    /// Chunks in the view, counted in each file they stand in.
    pub total: u64,
    /// Never seen before in any branch, worktree or file.
    pub new: u64,
    pub reused: u64,
}

impl ScanReport {
    /// Whether the view is the same as before.
    pub fn is_unchanged(&self) -> bool {
        let f = &self.files;
        f.added + f.modified + f.deleted + f.renamed == 0
    }

    /// Counts searchable files only, so that `total` is the sum of added, modified, renamed and unchanged ones.
    pub(super) fn count_changes(&mut self, changes: &[Change]) {
        let indexed = |leaf: Option<Leaf>| leaf.filter(|leaf| leaf.kind == LeafKind::Indexed);
        // A leaf that vanished here and appeared there with the same bytes was renamed.
        let mut gone: HashMap<ContentHash, u64> = HashMap::new();
        for change in changes {
            if let (Some(old), None) = (indexed(change.old), indexed(change.new)) {
                *gone.entry(old.hash).or_default() += 1;
            }
        }
        for change in changes {
            match (indexed(change.old), indexed(change.new)) {
                (None, Some(new)) => match gone.get_mut(&new.hash).filter(|n| **n > 0) {
                    Some(left) => {
                        *left -= 1;
                        self.files.renamed += 1;
                    }
                    None => self.files.added += 1,
                },
                (Some(_), Some(_)) => self.files.modified += 1,
                (Some(_), None) => self.files.deleted += 1,
                (None, None) => {}
            }
        }
        self.files.deleted -= self.files.renamed;
    }

    pub(super) fn count_totals(&mut self, summary: &Summary) {
        let counts = &summary.counts;
        self.files.total = counts.files;
        self.files.skipped_by_reason = counts.skipped.clone();
        self.files.skipped = counts.skipped.values().sum();
        let touched = self.files.added + self.files.modified + self.files.renamed;
        self.files.unchanged = self.files.total.saturating_sub(touched);
        self.languages = counts.languages.clone();
        self.chunks.total = counts.chunks;
        self.chunks.reused = counts.chunks.saturating_sub(self.chunks.new);
    }
}

/// Times the phases of one scan.
pub(super) struct Clock {
    start: Instant,
    spent: BTreeMap<&'static str, Duration>,
}

impl Clock {
    pub fn start() -> Clock {
        Clock { start: Instant::now(), spent: BTreeMap::new() }
    }

    pub fn time<T>(&mut self, phase: Phase, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = work();
        self.add(phase, start.elapsed());
        result
    }

    pub fn add(&mut self, phase: Phase, spent: Duration) {
        *self.spent.entry(phase.name()).or_default() += spent;
    }

    /// Milliseconds, with fractions for the phases.
    pub fn finish(self, report: &mut ScanReport) {
        report.elapsed_ms = self.start.elapsed().as_millis() as u64;
        report.phases =
            self.spent.into_iter().map(|(name, t)| (name, (t.as_secs_f64() * 1e6).round() / 1e3)).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(path: &str, old: Option<&str>, new: Option<&str>) -> Change {
        let leaf = |text: &str| Leaf {
            kind: LeafKind::Indexed,
            executable: false,
            hash: ContentHash::of(text.as_bytes()),
            origin: Default::default(),
        };
        Change { path: path.into(), old: old.map(leaf), new: new.map(leaf) }
    }

    #[test]
    fn equal_bytes_gone_here_and_new_there_are_a_rename() {
        let mut report = ScanReport::default();
        report.count_changes(&[
            change("a", Some("1"), None),
            change("b", None, Some("1")),
            change("copy-of-b", None, Some("1")),
            change("c", Some("2"), Some("3")),
            change("d", Some("4"), None),
        ]);
        let f = &report.files;
        assert_eq!((f.renamed, f.added, f.modified, f.deleted), (1, 1, 1, 1));
    }
}
