//! One scan, from listing to the last vector.

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use bstr::{BString, ByteSlice};
use rustc_hash::{FxHashMap, FxHashSet};

use super::plan::{Plan, Planned, Planner};
use super::report::Clock;
use super::work::Workshop;
use super::{Phase, Progress, ScanReport, sync, vectors};
use crate::chunk::{self, Limits, SkipReason};
use crate::config::Config;
use crate::embed::Embedder;
use crate::error::Result;
use crate::hash::{ContentHash, NodeHash};
use crate::merkle::{self, Change, Edit, Leaf, LeafKind};
use crate::source::{Candidate, Listing, Now, Scope, Source, is_within};
use crate::store::{RoTxn, RwTxn, Store, ViewName, ViewRow, lmdb};

#[derive(Debug, Clone, Default)]
pub struct ScanOptions {
    /// Rebuild the view from the bytes: believe no cache, but keep every vector whose content is unchanged.
    pub full: bool,
    /// Compute every vector of the view again.
    pub re_embed: bool,
    /// Only these root-relative paths and what lies below them.
    pub only: Vec<BString>,
    /// Give up before reading anything when more than this many paths may have changed.
    pub at_most: Option<usize>,
}

/// Scans one view of one store. The caller holds the writer lock.
pub struct Scanner<'a> {
    pub store: &'a Store,
    pub source: Source<'a>,
    pub view: ViewName,
    pub scope: Scope,
    pub config: &'a Config,
    /// `None`: lexical only.
    pub embedder: Option<Arc<dyn Embedder>>,
}

pub enum Outcome {
    Done(Box<ScanReport>),
    /// [`ScanOptions::at_most`] was exceeded: this many paths may have changed, nothing was done.
    TooMany(usize),
}

impl Scanner<'_> {
    pub fn scan(&self, options: &ScanOptions, progress: &dyn Progress) -> Result<Outcome> {
        let mut clock = Clock::start();
        let before = self.before(options)?;
        let mut listing = clock.time(Phase::List, || {
            progress.begin(Phase::List, 0);
            self.source.list(before.seed(options), &self.scope, &options.only)
        })?;
        let mut report = ScanReport { view: self.view.to_string(), ..ScanReport::default() };
        self.narrow(&mut listing, &before, options, &mut report)?;
        let candidates = std::mem::take(&mut listing.candidates);
        let plan = clock.time(Phase::List, || self.plan(candidates, &before, options))?;
        if let Some(most) = options.at_most {
            let changed = self.changes(&plan, before.base_root(), &before, listing.complete)?.len();
            if changed > most {
                return Ok(Outcome::TooMany(changed));
            }
        }
        report.warnings.extend(listing.foreign.iter().map(|(reason, path)| named(*reason, path)));
        self.sync(options, before, listing, plan, progress, &mut clock, &mut report)?;
        clock.finish(&mut report);
        Ok(Outcome::Done(Box::new(report)))
    }

    /// What a scan would do, without doing it: the report of the plan and its paths.
    pub fn dry_run(&self, options: &ScanOptions) -> Result<(ScanReport, Vec<Planned>)> {
        let mut clock = Clock::start();
        let before = self.before(options)?;
        let mut listing =
            clock.time(Phase::List, || self.source.list(before.seed(options), &self.scope, &options.only))?;
        let mut report = ScanReport { view: self.view.to_string(), dry_run: true, ..ScanReport::default() };
        self.narrow(&mut listing, &before, options, &mut report)?;
        let candidates = std::mem::take(&mut listing.candidates);
        let plan = self.plan(candidates, &before, options)?;
        report.files.read = plan.unread.len() as u64;
        report.commit = listing.commit.clone();
        report.branch = listing.branch.clone();
        let changes = self.changes(&plan, before.row_root(), &before, listing.complete)?;
        report.count_changes(&changes);
        if let Some(row) = &before.row {
            let txn = self.store.read_txn()?;
            report.root = row.root.to_hex();
            if let Some(summary) = self.store.manifests.summary(&txn, row.recipe, &row.root)? {
                report.count_totals(&summary);
            }
        }
        clock.finish(&mut report);
        let shown =
            changes.into_iter().map(|change| Planned { change: verb(&change), path: change.path }).collect();
        Ok((report, shown))
    }

    /// How many paths the view shows differently from what is there now: what `status` calls stale.
    pub fn stale(&self) -> Result<usize> {
        let options = ScanOptions::default();
        let before = self.before(&options)?;
        let listing = self.source.list(before.seed(&options), &self.scope, &[])?;
        let complete = listing.complete;
        let plan = self.plan(listing.candidates, &before, &options)?;
        Ok(self.changes(&plan, before.row_root(), &before, complete)?.len())
    }

    /// Makes the listing of a scan of some paths complete for these paths.
    fn narrow(
        &self,
        listing: &mut Listing,
        before: &Before,
        options: &ScanOptions,
        report: &mut ScanReport,
    ) -> Result<()> {
        if options.only.is_empty() {
            return Ok(());
        }
        let txn = self.store.read_txn()?;
        let nodes = self.store.manifests.reader(&txn);
        let Some(root) = before.base_root() else {
            // A first scan of some paths makes a view of just these.
            listing.complete = true;
            return Ok(());
        };
        if matches!(self.source, Source::Directory(_)) {
            // Nobody keeps a list of deleted files here but the view itself.
            let listed: FxHashSet<BString> = listing.candidates.iter().map(|c| c.path.clone()).collect();
            merkle::for_each_leaf(&nodes, &root, &mut |path, _| {
                if is_within(&options.only, path) && !listed.contains(path) {
                    listing.candidates.push(Candidate { path: path.to_owned(), now: Now::Gone });
                }
                Ok(())
            })?;
            listing.candidates.sort_by(|a, b| a.path.cmp(&b.path));
        }
        for path in &options.only {
            let listed = listing.candidates.iter().any(|c| is_within(std::slice::from_ref(path), &c.path));
            if !listed && merkle::lookup(&nodes, &root, path.as_bstr())?.is_none() {
                report.warnings.push(format!("{path}: nothing to index there (ignored, or no such file)"));
            }
        }
        Ok(())
    }

    fn before(&self, options: &ScanOptions) -> Result<Before> {
        let txn = self.store.read_txn()?;
        let recipe = self.store.recipe(&txn, &self.recipe_text())?;
        let usable = |row: &ViewRow| Some(row.recipe) == recipe && row.scope == self.scope.hash;
        let row = self.store.views.get(&txn, &self.view)?;
        let mut seed = None;
        let is_git = !matches!(self.source, Source::Directory(_));
        if row.as_ref().is_none_or(|row| !usable(row)) && is_git && !options.full && options.only.is_empty() {
            // A new worktree or ref starts from the newest view made under the same rules.
            let views = self.store.views.all(&txn)?;
            seed = views.into_iter().map(|(_, row)| row).filter(usable).max_by_key(|row| row.scanned_at);
        }
        Ok(Before { row, seed, recipe })
    }

    fn recipe_text(&self) -> String {
        chunk::recipe(&self.limits())
    }

    fn limits(&self) -> Limits {
        Limits {
            min_tokens: self.config.chunk.min_tokens,
            max_tokens: self.config.chunk.max_tokens,
            fixed_interval_above: self.config.index.fixed_interval_above as usize,
        }
    }

    fn plan(&self, candidates: Vec<Candidate>, before: &Before, options: &ScanOptions) -> Result<Plan> {
        let txn = self.store.read_txn()?;
        let planner = Planner {
            store: self.store,
            txn: &txn,
            view: &self.view,
            recipe: before.recipe,
            full: options.full,
        };
        planner.plan(candidates)
    }

    /// The changes from `old` that a plan leads to, as far as known: an unread file counts as changed.
    fn changes(
        &self,
        plan: &Plan,
        old: Option<NodeHash>,
        before: &Before,
        complete: bool,
    ) -> Result<Vec<Change>> {
        let txn = self.store.read_txn()?;
        let nodes = self.store.manifests.reader(&txn);
        let mut edits: Vec<Edit> = plan.known.clone();
        edits.extend(plan.unread.iter().map(|c| (c.path.clone(), Some(placeholder(&c.now)))));
        edits.sort_by(|a, b| a.0.cmp(&b.0));
        let base = if complete { None } else { before.base_root() };
        let (root, made) = merkle::apply(&nodes, base.as_ref(), &edits)?;
        let nodes = WithNew { stored: &nodes, made: made.into_iter().map(|n| (n.hash, n.node)).collect() };
        merkle::diff(&nodes, old.as_ref(), Some(&root))
    }

    #[allow(clippy::too_many_arguments)]
    fn sync(
        &self,
        options: &ScanOptions,
        before: Before,
        listing: Listing,
        plan: Plan,
        progress: &dyn Progress,
        clock: &mut Clock,
        report: &mut ScanReport,
    ) -> Result<()> {
        let mut wtxn = self.store.write_txn()?;
        let recipe = match before.recipe {
            Some(recipe) => recipe,
            None => self.store.assign_recipe(&mut wtxn, &self.recipe_text())?,
        };
        let workshop = Workshop::new(
            self.store,
            &self.source,
            recipe,
            self.limits(),
            self.scope.max_file_size,
            options.full,
        );
        let (content, mut wtxn) = clock
            .time(Phase::Chunk, || sync::content(self.store, &self.view, &workshop, plan, progress, wtxn))?;
        report.files.read = content.read;
        report.files.hashed = content.read;
        report.chunks.new = content.new_chunks;
        report.warnings.extend(content.warnings);

        let (row, changed) = clock.time(Phase::Write, || {
            progress.begin(Phase::Write, 0);
            self.write_view(&mut wtxn, recipe, &before, listing, content.edits, content.unsettled, report)
        })?;
        let written = changed || report.files.read > 0;
        self.write_vectors(options, &row, written, wtxn, progress, clock, report)
    }

    /// Writes manifest and view pointer; says whether the view changed at all.
    #[allow(clippy::too_many_arguments)]
    fn write_view(
        &self,
        wtxn: &mut RwTxn<'_>,
        recipe: u32,
        before: &Before,
        listing: Listing,
        edits: Vec<Edit>,
        unsettled: Vec<BString>,
        report: &mut ScanReport,
    ) -> Result<(ViewRow, bool)> {
        let base = if listing.complete { None } else { before.base_root() };
        let mut overlay = self.overlay(wtxn, &listing, &edits)?;
        let (root, made) = merkle::apply(&self.store.manifests.reader(wtxn), base.as_ref(), &edits)?;
        sync::manifest(self.store, wtxn, recipe, made)?;
        let old = before.row_root();
        report.count_changes(&merkle::diff(&self.store.manifests.reader(wtxn), old.as_ref(), Some(&root))?);

        overlay.extend(unsettled);
        overlay.sort();
        overlay.dedup();
        let mut row = ViewRow {
            root,
            scope: self.scope.hash,
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
            self.store.views.put(wtxn, &self.view, &row)?;
        }
        report.root = row.root.to_hex();
        report.commit = row.commit.clone();
        report.branch = row.branch.clone();
        Ok((row, changed))
    }

    /// The overlay without the paths that hold just what the commit has.
    fn overlay(&self, txn: &RoTxn<'_>, listing: &Listing, edits: &[Edit]) -> Result<Vec<BString>> {
        let mut overlay = listing.overlay.clone();
        let mut clean = FxHashSet::default();
        for (path, oid, executable) in &listing.vouched {
            let leaf = edits.binary_search_by(|(p, _)| p.cmp(path)).ok().and_then(|at| edits[at].1);
            let committed = self.store.caches.content_of_blob(txn, oid.as_bytes())?;
            if leaf.is_some_and(|leaf| Some(leaf.hash) == committed && leaf.executable == *executable) {
                clean.insert(path);
            }
        }
        overlay.retain(|path| !clean.contains(path));
        Ok(overlay)
    }

    #[allow(clippy::too_many_arguments)]
    fn write_vectors(
        &self,
        options: &ScanOptions,
        row: &ViewRow,
        written: bool,
        mut wtxn: RwTxn<'_>,
        progress: &dyn Progress,
        clock: &mut Clock,
        report: &mut ScanReport,
    ) -> Result<()> {
        let summary = self.store.manifests.summary(&wtxn, row.recipe, &row.root)?.unwrap_or_default();
        report.count_totals(&summary);
        let Some(embedder) = &self.embedder else {
            report.pending = summary.live.len();
            return if written { wtxn.commit().map_err(lmdb) } else { Ok(()) };
        };
        if options.re_embed {
            let space = self.store.vectors.assign_space(&mut wtxn, embedder.identity())?;
            self.store.vectors.forget(&mut wtxn, space, &summary.live)?;
        }
        let missing = vectors::missing(self.store, &wtxn, embedder.as_ref(), &summary.live)?;
        report.embedded = missing.len();
        report.reused = summary.live.len() - missing.len();
        if missing.is_empty() {
            return if written { wtxn.commit().map_err(lmdb) } else { Ok(()) };
        }
        clock.time(Phase::Embed, || {
            let size = self.config.embedding.batch_size;
            let wtxn = vectors::embed(self.store, embedder.as_ref(), size, &missing, progress, wtxn)?;
            wtxn.commit().map_err(lmdb)
        })
    }
}

/// The state a scan starts from.
struct Before {
    /// This view, if it was ever scanned.
    row: Option<ViewRow>,
    /// Another view to start from when this one cannot be used.
    seed: Option<ViewRow>,
    recipe: Option<u32>,
}

impl Before {
    /// What the listing may be relative to.
    fn seed(&self, options: &ScanOptions) -> Option<&ViewRow> {
        if options.full { None } else { self.base() }
    }

    fn base(&self) -> Option<&ViewRow> {
        let own = self.row.as_ref().filter(|row| Some(row.recipe) == self.recipe);
        self.seed.as_ref().or(own)
    }

    fn row_root(&self) -> Option<NodeHash> {
        self.row.as_ref().map(|row| row.root)
    }

    fn base_root(&self) -> Option<NodeHash> {
        self.base().map(|row| row.root)
    }
}

/// Stored nodes and those an edit just made.
struct WithNew<'a> {
    stored: &'a dyn merkle::ReadNodes,
    made: FxHashMap<NodeHash, merkle::Node>,
}

impl merkle::ReadNodes for WithNew<'_> {
    fn node(&self, hash: &NodeHash) -> Result<merkle::Node> {
        self.made.get(hash).map_or_else(|| self.stored.node(hash), |node| Ok(node.clone()))
    }
}

/// Stands for a file that was not read: differs from everything that was.
fn placeholder(now: &Now) -> Leaf {
    let executable = matches!(now, Now::Blob { executable: true, .. } | Now::Disk { executable: true, .. });
    Leaf { kind: LeafKind::Indexed, executable, hash: ContentHash::of(b"\0not read yet") }
}

fn verb(change: &Change) -> &'static str {
    match (change.old, change.new) {
        (None, _) => "add",
        (_, None) => "delete",
        _ => "update",
    }
}

fn named(reason: SkipReason, path: &BString) -> String {
    match reason {
        SkipReason::Submodule => format!("{path}: submodule, not indexed"),
        _ => format!("{path}: a git repository of its own, not indexed"),
    }
}
