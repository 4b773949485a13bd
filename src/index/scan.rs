//! What can be asked of a view: scan it, show what a scan would do, say how stale it is.

use std::sync::Arc;

use bstr::BString;

use super::before::Before;
use super::plan::{Plan, Planned, Planner};
use super::run::Run;
use super::{Progress, ScanReport, Silent};
use crate::chunk::{self, Limits};
use crate::config::Config;
use crate::embed::Embedder;
use crate::error::Result;
use crate::merkle::Change;
use crate::source::{Candidate, Scope, Source};
use crate::store::{Store, ViewName, ViewRow};

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

/// One view of one store. Whoever scans holds the writer lock.
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
        let before = self.before(options)?;
        let mut run = Run::start(self, options, progress);
        let (listing, plan) = run.look(&before)?;
        if let Some(most) = options.at_most {
            let changed = before.changes(self.store, &plan, before.base_root(), listing.complete)?.len();
            if changed > most {
                return Ok(Outcome::TooMany(changed));
            }
        }
        run.sync(&before, listing, plan).map(|report| Outcome::Done(Box::new(report)))
    }

    /// What a scan would do, without doing it: the report of the plan and its paths.
    pub fn dry_run(&self, options: &ScanOptions) -> Result<(ScanReport, Vec<Planned>)> {
        let before = self.before(options)?;
        let mut run = Run::start(self, options, &Silent);
        let (listing, plan) = run.look(&before)?;
        let changes = before.changes(self.store, &plan, before.row_root(), listing.complete)?;
        let report = run.describe(&before, &listing, &plan, &changes)?;
        let planned = changes.into_iter().map(|change| Planned { change: verb(&change), path: change.path });
        Ok((report, planned.collect()))
    }

    /// How many paths the view shows differently from what is there now.
    pub fn stale(&self) -> Result<usize> {
        let options = ScanOptions::default();
        let before = self.before(&options)?;
        let (listing, plan) = Run::start(self, &options, &Silent).look(&before)?;
        Ok(before.changes(self.store, &plan, before.row_root(), listing.complete)?.len())
    }

    fn before(&self, options: &ScanOptions) -> Result<Before> {
        let txn = self.store.read_txn()?;
        let recipe = self.store.recipe(&txn, &self.recipe())?;
        let usable = |row: &ViewRow| Some(row.recipe) == recipe && row.scope == self.scope.hash;
        let is_git = !matches!(self.source, Source::Directory(_));
        let seeded = is_git && !options.full && options.only.is_empty();
        Before::load(self.store, &txn, &self.view, recipe, seeded, usable)
    }

    /// Everything that decides what a file's row says; the size cap decides whether there is text at all.
    pub(super) fn recipe(&self) -> String {
        format!("{}; files up to {}", chunk::recipe(&self.limits()), self.scope.max_file_size)
    }

    pub(super) fn limits(&self) -> Limits {
        chunk_limits(self.config)
    }

    pub(super) fn plan(
        &self,
        candidates: Vec<Candidate>,
        recipe: Option<u32>,
        filters: &[u8; 32],
        full: bool,
    ) -> Result<Plan> {
        let txn = self.store.read_txn()?;
        let skip_generated = self.scope.skip_generated;
        let planner =
            Planner { store: self.store, txn: &txn, view: &self.view, recipe, filters, skip_generated, full };
        let mut plan = planner.plan(candidates)?;
        self.source.measure(&mut plan.unread);
        Ok(plan)
    }
}

fn verb(change: &Change) -> &'static str {
    match (change.old, change.new) {
        (None, _) => "add",
        (_, None) => "delete",
        _ => "update",
    }
}

/// The sizes that chunks are made to fit, as configured.
pub fn chunk_limits(config: &Config) -> Limits {
    Limits {
        min_tokens: config.chunk.min_tokens,
        max_tokens: config.chunk.max_tokens,
        fixed_interval_above: config.index.fixed_interval_above as usize,
    }
}
