//! `codeagent status`.

use std::fmt::Write;

use serde::Serialize;

use super::args::StatusArgs;
use super::json;
use super::style::{DIM, STRONG, bytes, count, paint, plural, timestamp};
use crate::error::Result;
use crate::search::not_indexed;
use crate::store::{Access, RoTxn, SCHEMA_VERSION, Store, ViewName, ViewRow};
use crate::workspace::{Target, Workspace};

#[derive(Serialize)]
struct Status {
    indexed: bool,
    /// The view of this worktree.
    view: String,
    stale: Option<usize>,
    current_commit: Option<String>,
    schema: u32,
    store: String,
    bytes: u64,
    databases: Vec<(&'static str, u64)>,
    chunks_stored: u32,
    model: Option<String>,
    embedding: Vec<Space>,
    views: Vec<View>,
}

#[derive(Serialize)]
struct Space {
    model: String,
    revision: String,
    dims: u32,
    vectors: u64,
    /// Share of this view's chunks that have a vector.
    coverage: f64,
}

#[derive(Serialize)]
struct View {
    name: String,
    branch: Option<String>,
    commit: Option<String>,
    root: String,
    files: u64,
    chunks: u64,
    source_bytes: u64,
    dirty: usize,
    scanned_at: String,
    languages: std::collections::BTreeMap<String, u64>,
    skipped: std::collections::BTreeMap<String, u64>,
}

pub fn run(workspace: &Workspace, args: &StatusArgs) -> Result<String> {
    let view = workspace.worktree_view();
    let Some(store) = workspace.open_store(Access::Read)? else { return Err(not_indexed(&view)) };
    let status = collect(workspace, &store, &view)?;
    if args.json { json(&status) } else { Ok(human(workspace, &status)) }
}

fn collect(workspace: &Workspace, store: &Store, view: &ViewName) -> Result<Status> {
    let txn = store.read_txn()?;
    let rows = store.views.all(&txn)?;
    let here = rows.iter().find(|(name, _)| name == view).map(|(_, row)| row.clone());
    let stale = match &here {
        Some(_) => Some(workspace.scanner(store, Target::Worktree, None)?.stale()?),
        None => None,
    };
    let sizes = store.sizes(&txn)?;
    Ok(Status {
        indexed: here.is_some(),
        view: view.to_string(),
        stale,
        current_commit: workspace.git.as_ref().and_then(|git| git.head_commit()),
        schema: SCHEMA_VERSION,
        store: workspace
            .location
            .dir
            .strip_prefix(&workspace.root)
            .unwrap_or(&workspace.location.dir)
            .display()
            .to_string(),
        bytes: sizes.file,
        databases: sizes.databases,
        chunks_stored: store.chunks.count(&txn)?,
        model: workspace.embedder()?.map(|embedder| embedder.identity().model.clone()),
        embedding: spaces(store, &txn, here.as_ref())?,
        views: rows.into_iter().map(|(name, row)| describe(store, &txn, name, row)).collect::<Result<_>>()?,
    })
}

fn spaces(store: &Store, txn: &RoTxn<'_>, here: Option<&ViewRow>) -> Result<Vec<Space>> {
    let live = match here {
        Some(row) => store.manifests.live(txn, row.recipe, &row.root)?,
        None => roaring::RoaringBitmap::new(),
    };
    let mut spaces = Vec::new();
    for (id, identity) in store.vectors.spaces(txn)? {
        let present = store.vectors.present(txn, id)?;
        let covered = present.intersection_len(&live);
        let coverage = if live.is_empty() { 1.0 } else { covered as f64 / live.len() as f64 };
        let (model, revision, dims) = (identity.model, identity.revision, identity.dims);
        spaces.push(Space { model, revision, dims, vectors: present.len(), coverage });
    }
    Ok(spaces)
}

fn describe(store: &Store, txn: &RoTxn<'_>, name: ViewName, row: ViewRow) -> Result<View> {
    let counts = store.manifests.summary(txn, row.recipe, &row.root)?.unwrap_or_default().counts;
    Ok(View {
        name: name.to_string(),
        branch: row.branch,
        commit: row.commit,
        root: row.root.to_hex(),
        files: counts.files,
        chunks: counts.chunks,
        source_bytes: counts.bytes,
        dirty: row.overlay.len(),
        scanned_at: timestamp(row.scanned_at),
        languages: counts.languages,
        skipped: counts.skipped,
    })
}

fn human(workspace: &Workspace, status: &Status) -> String {
    let mut text = format!("{} {}\n", paint(STRONG, "Repository"), workspace.root.display());
    let fresh = match status.stale {
        None => "this worktree is not indexed yet; run `codeagent scan`".to_owned(),
        Some(0) => "up to date".to_owned(),
        Some(n) => format!("{} changed since; run `codeagent scan`", plural(n as u64, "path")),
    };
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{}  {fresh}", paint(STRONG, "Freshness"));
    let _ = writeln!(
        text,
        "{}      {}, {} in {}",
        paint(STRONG, "Index"),
        bytes(status.bytes),
        plural(u64::from(status.chunks_stored), "chunk"),
        status.store
    );
    let _ = writeln!(
        text,
        "{}      {}",
        paint(STRONG, "Model"),
        status.model.as_deref().unwrap_or("off (lexical search only)")
    );
    for space in &status.embedding {
        let _ = writeln!(
            text,
            "           {} {} dims, {} vectors, {:.1} % of this view",
            space.model,
            space.dims,
            count(space.vectors),
            space.coverage * 100.0
        );
    }
    let _ = writeln!(text, "{}", paint(STRONG, "Views"));
    for view in &status.views {
        let _ = writeln!(text, "{}", view_lines(view, view.name == status.view));
    }
    text
}

fn view_lines(view: &View, here: bool) -> String {
    let commit = view.commit.as_deref().map_or("no commit", |c| &c[..c.len().min(12)]);
    let branch = view.branch.as_deref().unwrap_or("detached");
    let languages: Vec<String> = top(&view.languages);
    let mut text = format!(
        "  {} {}  {branch} {commit}, {}, {}, {}, scanned {}",
        if here { "*" } else { " " },
        paint(STRONG, &view.name),
        plural(view.files, "file"),
        plural(view.chunks, "chunk"),
        bytes(view.source_bytes),
        view.scanned_at
    );
    if view.dirty > 0 {
        let _ = write!(text, ", {} dirty", count(view.dirty as u64));
    }
    let _ = write!(text, "\n    {}", paint(DIM, &languages.join(", ")));
    text
}

/// The most frequent first.
fn top(languages: &std::collections::BTreeMap<String, u64>) -> Vec<String> {
    let mut sorted: Vec<_> = languages.iter().collect();
    sorted.sort_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
    let more = sorted.len().saturating_sub(8);
    let mut shown: Vec<String> =
        sorted.iter().take(8).map(|(name, n)| format!("{name} {}", count(**n))).collect();
    if more > 0 {
        shown.push(format!("and {more} more"));
    }
    shown
}
