//! `codeagent scan`.

use std::path::Path;
use std::time::Duration;

use super::args::ScanArgs;
use super::progress::Bars;
use super::style::{DIM, STRONG, WARNING, count, paint, plural, seconds};
use super::{json, note};
use crate::config::When;
use crate::error::{Context, Error, Result};
use crate::index::{Outcome, Planned, ScanOptions, ScanReport};
use crate::search::display_path;
use crate::store::{
    Access, Location, Store, WriterLock, has_reruns, next_rerun, request_rerun, withdraw_rerun,
};
use crate::workspace::{Target, Workspace};

/// How often `--no-wait` tries the lock: a search that takes in a small change holds it for a moment.
const BRIEFLY: usize = 10;

pub fn run(workspace: &Workspace, dir: &Path, args: &ScanArgs) -> Result<String> {
    let mut only = args.paths.iter().map(|path| workspace.relative(dir, path)).collect::<Result<Vec<_>>>()?;
    if only.iter().any(|path| path.is_empty()) {
        // The root itself is among them.
        only.clear();
    }
    let options = ScanOptions { full: args.full, re_embed: args.re_embed, only, at_most: None };
    let target = workspace.target(args.revision.as_deref())?;
    if args.dry_run {
        return dry_run(workspace, target, &options, args);
    }
    let Some(lock) = lock(workspace, args)? else {
        return Ok(if args.json {
            json(&serde_json::json!({ "deferred": true }))?
        } else if args.quiet {
            String::new()
        } else {
            "Another scan is running; it will scan again when it is done.\n".into()
        });
    };
    let store = open(workspace)?;
    // What was asked of this worktree before now, this very scan answers, unless it fails.
    let whole = args.revision.is_none() && options.only.is_empty();
    let asked = whole && withdraw_rerun(&workspace.location, &workspace.root);
    let report = scan(workspace, &store, target, &options, args).inspect_err(|_| {
        if asked {
            let _ = request_rerun(&workspace.location, &workspace.root);
        }
    })?;
    rerun(workspace, store, lock)?;
    if args.json {
        return json(&report);
    }
    if args.quiet {
        return Ok(String::new());
    }
    for warning in &report.warnings {
        note(&format!("{} {}", paint(WARNING, "warning:"), display_path(warning.as_bytes())));
    }
    Ok(summary(&report))
}

fn scan(
    workspace: &Workspace,
    store: &Store,
    target: Target,
    options: &ScanOptions,
    args: &ScanArgs,
) -> Result<ScanReport> {
    let embedder = workspace.embedder()?;
    let scanner = workspace.scanner(store, target, embedder)?;
    let when = if args.quiet || args.json { When::Never } else { workspace.config.config.output.progress };
    let bars = Bars::new(when);
    let outcome = scanner.scan(options, &bars);
    bars.finish();
    match outcome? {
        Outcome::Done(report) => Ok(*report),
        Outcome::TooMany(_) => Err(Error::failed("the scan was limited and gave up")),
    }
}

/// The writer lock; `None` when somebody else holds it and the job was handed over to them.
fn lock(workspace: &Workspace, args: &ScanArgs) -> Result<Option<WriterLock>> {
    let location = &workspace.location;
    if args.no_wait {
        // The note first, then the lock: the present writer looks for notes after it let the lock go.
        request_rerun(location, &workspace.root)?;
        for _ in 0..BRIEFLY {
            if let Some(lock) = WriterLock::try_acquire(location)? {
                return Ok(Some(lock));
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        return Ok(None);
    }
    if let Some(lock) = WriterLock::try_acquire(location)? {
        return Ok(Some(lock));
    }
    if !args.quiet {
        note("Waiting for another scan to finish…");
    }
    WriterLock::acquire(location).map(Some)
}

fn open(workspace: &Workspace) -> Result<Store> {
    workspace.open_store(Access::Write)?.ok_or_else(|| Error::failed("the index cannot be created"))
}

/// Scans the worktrees that could not wait for us, until nobody asks any more.
///
/// Notes are looked for once more after the lock was let go: one that was left in between had nobody to read it.
fn rerun(workspace: &Workspace, store: Store, lock: WriterLock) -> Result<()> {
    let location = &workspace.location;
    let mut held = Some((store, lock));
    while let Some((store, lock)) = held.take() {
        answer_reruns(workspace, &store)?;
        drop((store, lock));
        if has_reruns(location)
            && let Some(lock) = WriterLock::try_acquire(location)?
        {
            held = Some((open(workspace)?, lock));
        }
    }
    Ok(())
}

/// Scans every worktree that left a note. The caller holds the lock.
pub fn answer_reruns(workspace: &Workspace, store: &Store) -> Result<()> {
    while let Some(root) = next_rerun(&workspace.location) {
        // Their trouble is not ours: the worktree may be gone by now.
        if let Err(error) = rescan(workspace, store, &root) {
            note(&format!("{} {}: {error}", paint(WARNING, "warning:"), root.display()));
        }
    }
    Ok(())
}

fn rescan(ours: &Workspace, store: &Store, root: &Path) -> Result<()> {
    let workspace = Workspace::discover(root, Vec::new())?;
    if workspace.location != ours.location {
        return Err(Error::failed("does not belong to this index any more"));
    }
    let target = workspace.target(None)?;
    let scanner = workspace.scanner(store, target, workspace.embedder()?)?;
    scanner.scan(&ScanOptions::default(), &crate::index::Silent).map(drop)
}

fn dry_run(workspace: &Workspace, target: Target, options: &ScanOptions, args: &ScanArgs) -> Result<String> {
    // A plan needs an index to compare with; without one, everything is new.
    let scratch = tempfile::tempdir().context(|| "cannot create a temporary directory".into())?;
    let store = match workspace.open_store(Access::Read)? {
        Some(store) => store,
        None => empty_store(scratch.path())?,
    };
    let scanner = workspace.scanner(&store, target, None)?;
    let (report, planned) = scanner.dry_run(options)?;
    if args.json {
        let paths: Vec<_> = planned
            .iter()
            .map(|p| serde_json::json!({ "path": display_path(&p.path), "change": p.change }))
            .collect();
        let mut value =
            serde_json::to_value(&report).map_err(|e| Error::failed("cannot write JSON").with_source(e))?;
        value["plan"] = paths.into();
        return json(&value);
    }
    Ok(plan_text(&report, &planned))
}

fn empty_store(dir: &Path) -> Result<Store> {
    let store = Store::open(&Location::new(dir.to_path_buf()), Access::Write, 64 << 20)?;
    store.ok_or_else(|| Error::failed("the plan cannot be made"))
}

fn plan_text(report: &ScanReport, planned: &[Planned]) -> String {
    let mut text = String::new();
    for Planned { path, change } in planned {
        text.push_str(&format!("{change:>7} {}\n", display_path(path)));
    }
    text.push_str(&format!(
        "{} {} to read; nothing was written.\n",
        paint(STRONG, &format!("Plan: {},", plural(planned.len() as u64, "change"))),
        plural(report.files.read, "file"),
    ));
    text
}

/// The one line that says what a scan did, and a second one for what it left out.
pub fn summary(report: &ScanReport) -> String {
    let files = &report.files;
    let parts = [
        (files.added, "added"),
        (files.modified, "modified"),
        (files.deleted, "deleted"),
        (files.renamed, "renamed"),
    ];
    let changed: Vec<String> =
        parts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{} {what}", count(*n))).collect();
    let changed = if changed.is_empty() { "no changes".to_owned() } else { changed.join(", ") };
    let mut text = format!(
        "{} {changed}; chunks {} new, {} reused; {}; {}\n",
        paint(STRONG, &format!("{}:", plural(files.total, "file"))),
        count(report.chunks.new),
        count(report.chunks.reused),
        paint(STRONG, &format!("embedded {}, reused {}", report.embedded, report.reused)),
        seconds(report.elapsed_ms),
    );
    if files.skipped > 0 {
        let reasons: Vec<String> =
            files.skipped_by_reason.iter().map(|(reason, n)| format!("{} {reason}", count(*n))).collect();
        text.push_str(&paint(
            DIM,
            &format!("Skipped {}: {}", plural(files.skipped, "file"), reasons.join(", ")),
        ));
        text.push('\n');
    }
    if report.pending > 0 {
        text.push_str("Embedding is off: search is lexical only.\n");
    }
    text
}
