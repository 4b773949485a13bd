//! One scan under way: look, read, write the view, embed.

use std::time::{SystemTime, UNIX_EPOCH};

use bstr::{BString, ByteSlice};
use rustc_hash::FxHashSet;

use super::before::Before;
use super::plan::{Plan, skipped_leaf};
use super::report::Clock;
use super::sync::Content;
use super::work::Workshop;
use super::{Phase, Progress, ScanOptions, ScanReport, Scanner, summarize, sync, vectors};
use crate::chunk::SkipReason;
use crate::error::Result;
use crate::hash::NodeHash;
use crate::merkle::{self, Change, Edit};
use crate::source::{Candidate, Listing, Now, Source, is_within};
use crate::store::{RoTxn, RwTxn, Store, ViewRow, lmdb};

/// As long as paths get on the systems we know.
const MAX_PATH: usize = 4096;
const MAX_DEPTH: usize = 512;

pub(super) struct Run<'a> {
    scanner: &'a Scanner<'a>,
    store: &'a Store,
    options: &'a ScanOptions,
    progress: &'a dyn Progress,
    clock: Clock,
    report: ScanReport,
}

impl<'a> Run<'a> {
    pub fn start(scanner: &'a Scanner<'a>, options: &'a ScanOptions, progress: &'a dyn Progress) -> Run<'a> {
        let report = ScanReport { view: scanner.view.to_string(), ..ScanReport::default() };
        Run { scanner, store: scanner.store, options, progress, clock: Clock::start(), report }
    }

    /// Lists what may have changed and plans what must be read. The listing comes back without candidates.
    pub fn look(&mut self, before: &Before) -> Result<(Listing, Plan)> {
        self.progress.begin(Phase::List, 0);
        let since = if self.options.full { None } else { before.base() };
        let scanner = self.scanner;
        // Some paths are not enough where the whole view was made by another recipe.
        let only = if before.row.is_some() && since.is_none() { &[] } else { self.options.only.as_slice() };
        let mut listing =
            self.clock.time(Phase::List, || scanner.source.list(since, &scanner.scope, only))?;
        self.report.warnings.extend(listing.foreign.iter().map(|(reason, path)| foreign(*reason, path)));
        if !only.is_empty() {
            self.narrow(&mut listing, before.base_root())?;
        }
        let mut candidates = std::mem::take(&mut listing.candidates);
        candidates.retain(|candidate| self.is_reasonable(&candidate.path));
        let full = self.options.full;
        let plan = self
            .clock
            .time(Phase::List, || scanner.plan(candidates, before.recipe, &listing.filters, full))?;
        Ok((listing, plan))
    }

    /// Crafted git trees can nest without end or name `..`; no worktree can hold such a path.
    fn is_reasonable(&mut self, path: &BString) -> bool {
        let odd = |name: &[u8]| matches!(name, b"" | b"." | b"..") || name.eq_ignore_ascii_case(b".git");
        let mut names = path.split(|b| *b == b'/');
        let reasonable = path.len() <= MAX_PATH && names.clone().count() <= MAX_DEPTH && !names.any(odd);
        if !reasonable {
            let start = path[..path.len().min(80)].as_bstr();
            self.report.warnings.push(format!("{start}…: a path that no worktree can hold, not indexed"));
        }
        reasonable
    }

    /// Makes the listing of a scan of some paths complete for these paths.
    fn narrow(&mut self, listing: &mut Listing, root: Option<NodeHash>) -> Result<()> {
        let Some(root) = root else {
            // A first scan of some paths makes a view of just these.
            listing.complete = true;
            return Ok(());
        };
        let txn = self.store.read_txn()?;
        let nodes = self.store.manifests.reader(&txn);
        let only = &self.options.only;
        if matches!(self.scanner.source, Source::Directory(_)) {
            // Nobody keeps a list of deleted files here but the view itself.
            let listed: FxHashSet<BString> = listing.candidates.iter().map(|c| c.path.clone()).collect();
            merkle::for_each_leaf(&nodes, &root, &mut |path, _| {
                if is_within(only, path) && !listed.contains(path) {
                    listing.candidates.push(Candidate::new(path.to_owned(), Now::Gone));
                }
                Ok(())
            })?;
            listing.candidates.sort_by(|a, b| a.path.cmp(&b.path));
        }
        for path in only {
            let listed = listing.candidates.iter().any(|c| is_within(std::slice::from_ref(path), &c.path));
            if !listed && merkle::lookup(&nodes, &root, path.as_bstr())?.is_none() {
                self.report
                    .warnings
                    .push(format!("{path}: nothing to index there (ignored, or no such file)"));
            }
        }
        Ok(())
    }

    /// The report of a scan that is not made.
    pub fn describe(
        mut self,
        before: &Before,
        listing: &Listing,
        plan: &Plan,
        changes: &[Change],
    ) -> Result<ScanReport> {
        self.report.dry_run = true;
        self.report.files.read = plan.unread.len() as u64;
        self.report.commit = listing.commit.clone();
        self.report.branch = listing.branch.clone();
        self.report.count_changes(changes);
        if let Some(row) = &before.row {
            let txn = self.store.read_txn()?;
            self.report.root = row.root.to_hex();
            if let Some(summary) = self.store.manifests.summary(&txn, row.recipe, &row.root)? {
                self.report.count_totals(&summary);
            }
        }
        self.clock.finish(&mut self.report);
        Ok(self.report)
    }

    /// Carries the plan out.
    pub fn sync(mut self, before: &Before, listing: Listing, plan: Plan) -> Result<ScanReport> {
        let (scanner, store, progress) = (self.scanner, self.store, self.progress);
        let mut wtxn = store.write_txn()?;
        let recipe = match before.recipe {
            Some(recipe) => recipe,
            None => store.assign_recipe(&mut wtxn, &scanner.recipe())?,
        };
        let workshop = Workshop::new(
            store,
            &scanner.source,
            &scanner.scope,
            recipe,
            scanner.limits(),
            self.options.full,
        );
        let place = sync::Place { store, view: &scanner.view, filters: listing.filters };
        let (content, mut wtxn) =
            self.clock.time(Phase::Chunk, || sync::content(&place, &workshop, plan, progress, wtxn))?;

        progress.begin(Phase::Write, 0);
        let writing = std::time::Instant::now();
        let (row, changed) = self.write_view(&mut wtxn, recipe, before, listing, content)?;
        self.clock.add(Phase::Write, writing.elapsed());
        let dirty = changed || self.report.files.read > 0;
        self.write_vectors(&row, dirty, wtxn)?;
        self.clock.finish(&mut self.report);
        Ok(self.report)
    }

    /// Writes manifest and view pointer; says whether the view changed at all.
    fn write_view(
        &mut self,
        wtxn: &mut RwTxn<'_>,
        recipe: u32,
        before: &Before,
        listing: Listing,
        content: Content,
    ) -> Result<(ViewRow, bool)> {
        let report = &mut self.report;
        report.files.read = content.read;
        report.files.hashed = content.read;
        report.chunks.new = content.new_chunks;
        report.warnings.extend(content.warnings);

        let mut overlay = overlay(self.store, wtxn, &listing, &content.edits)?;
        overlay.extend(content.unsettled);
        overlay.sort();
        overlay.dedup();

        let base = if listing.complete { None } else { before.base_root() };
        let (root, made) = merkle::apply(&self.store.manifests.reader(wtxn), base.as_ref(), &content.edits)?;
        summarize::manifest(self.store, wtxn, recipe, made)?;
        let old = before.row_root();
        report.count_changes(&merkle::diff(&self.store.manifests.reader(wtxn), old.as_ref(), Some(&root))?);

        let mut row = ViewRow {
            root,
            scope: self.scanner.scope.hash,
            attributes: listing.attributes,
            recipe,
            base_tree: listing.base_tree,
            commit: listing.commit,
            branch: listing.branch,
            overlay,
            scanned_at: before.row.as_ref().map_or(0, |row| row.scanned_at),
        };
        let changed = before.row.as_ref() != Some(&row);
        if changed {
            row.scanned_at = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |t| t.as_secs());
            self.store.views.put(wtxn, &self.scanner.view, &row)?;
        }
        report.root = row.root.to_hex();
        report.commit = row.commit.clone();
        report.branch = row.branch.clone();
        Ok((row, changed))
    }

    /// Embeds what the view lacks and commits, if there is anything to commit.
    fn write_vectors(&mut self, row: &ViewRow, dirty: bool, mut wtxn: RwTxn<'_>) -> Result<()> {
        let summary = self.store.manifests.summary(&wtxn, row.recipe, &row.root)?.unwrap_or_default();
        self.report.count_totals(&summary);
        let commit = |wtxn: RwTxn<'_>| if dirty { wtxn.commit().map_err(lmdb) } else { Ok(()) };
        let Some(embedder) = self.scanner.embedder.as_deref() else {
            self.report.pending = summary.live.len();
            return commit(wtxn);
        };
        if self.options.re_embed {
            let space = self.store.vectors.assign_space(&mut wtxn, embedder.identity())?;
            self.store.vectors.forget(&mut wtxn, space, &summary.live)?;
        }
        let missing = vectors::missing(self.store, &wtxn, embedder, &summary.live)?;
        self.report.embedded = missing.len();
        self.report.reused = summary.live.len() - missing.len();
        if missing.is_empty() {
            return commit(wtxn);
        }
        let size = self.scanner.config.embedding.batch_size;
        self.clock.time(Phase::Embed, || {
            let wtxn = vectors::embed(self.store, embedder, size, &missing, self.progress, wtxn)?;
            wtxn.commit().map_err(lmdb)
        })
    }
}

/// The overlay without the paths that hold just what the commit has.
fn overlay(store: &Store, txn: &RoTxn<'_>, listing: &Listing, edits: &[Edit]) -> Result<Vec<BString>> {
    let mut clean = FxHashSet::default();
    for (path, committed) in &listing.vouched {
        let Some(leaf) = edits.binary_search_by(|(p, _)| p.cmp(path)).ok().and_then(|at| edits[at].1) else {
            continue;
        };
        let same = match committed {
            Now::Blob { oid, executable, .. } => {
                let content = store.caches.content_of_blob(txn, oid.as_bytes())?;
                content == Some(leaf.hash) && *executable == leaf.executable
            }
            Now::Skipped { reason, hash } => leaf == skipped_leaf(*reason, *hash),
            Now::Gone | Now::Disk { .. } => false,
        };
        if same {
            clean.insert(path);
        }
    }
    Ok(listing.overlay.iter().filter(|path| !clean.contains(path)).cloned().collect())
}

fn foreign(reason: SkipReason, path: &BString) -> String {
    match reason {
        SkipReason::Submodule => format!("{path}: submodule, not indexed"),
        SkipReason::Unreadable => format!("{path}: directory cannot be read, not indexed"),
        _ => format!("{path}: a git repository of its own, not indexed"),
    }
}
