//! `codeagent search`.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::args::SearchArgs;
use super::scan::answer_reruns;
use super::style::{DIM, LINE, PATH, STRONG, WARNING, paint};
use super::{json, note};
use crate::error::{Context, Error, ErrorKind, Result};
use crate::index::{Outcome, ScanOptions, Scanner, Silent};
use crate::search::{Answer, Filter, Hit, Query, Searcher, not_indexed, view_row};
use crate::store::{Access, Store, WriterLock};
use crate::workspace::{Target, Workspace};

/// Lines of a chunk that are shown on a terminal.
const SNIPPET_LINES: usize = 8;

/// How well the answer fits the files as they are now.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Freshness {
    pub view: String,
    pub indexed_commit: Option<String>,
    pub current_commit: Option<String>,
    /// Paths of the view that are not as the commit has them.
    pub dirty: u64,
    /// Paths that changed since and are not in this answer.
    pub stale: u64,
    /// Whether changes were taken in just now.
    pub refreshed: bool,
    /// Why changes could not be taken in, if that was tried and failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

impl Freshness {
    /// An answer that may be old beats none where git itself cannot be read.
    fn count_stale(&mut self, scanner: &Scanner<'_>) {
        match scanner.stale() {
            Ok(stale) => self.stale = stale as u64,
            Err(error) => self.problem = Some(error.to_string()),
        }
    }
}

pub fn run(workspace: &Workspace, dir: &Path, args: &SearchArgs) -> Result<String> {
    let config = &workspace.config.config;
    let target = workspace.target(args.revision.as_deref())?;
    let view = workspace.view(&target);
    let limit = args.limit.map_or(config.search.limit, |n| n as usize);
    let filter = Filter::new(&args.lang, &args.path, &args.kind)?;
    if !workspace.location.exists() {
        return Err(not_indexed(&view));
    }
    let refresh = config.search.refresh && !args.no_refresh;
    let (store, freshness) = open_fresh(workspace, target, refresh, args.json)?;
    let searcher = Searcher::new(&store, view, workspace.embedder()?);
    if let (Some(queries), Some(out)) = (&args.batch, &args.out) {
        let (queries, out) = (dir.join(queries), dir.join(out));
        let answered = batch(&searcher, &queries, &out, limit, &filter)?;
        return if args.json {
            json(&serde_json::json!({ "answered": answered, "freshness": freshness }))
        } else {
            let queries = if answered == 1 { "query" } else { "queries" };
            Ok(format!("{answered} {queries} answered in {}\n", out.display()))
        };
    }
    let text = args.query.join(" ");
    if text.trim().is_empty() {
        return Err(Error::usage("the query is empty").with_hint("ask in words, or name a symbol"));
    }
    let answer = searcher.search(&Query { text: text.clone(), limit, filter })?;
    if args.json {
        return json(&JsonAnswer { query: &text, answer: &answer, freshness: &freshness });
    }
    for warning in stale_note(&freshness).iter().chain(&answer.note) {
        note(&format!("{} {warning}", paint(WARNING, "note:")));
    }
    Ok(human(&answer))
}

#[derive(Serialize)]
struct JsonAnswer<'a> {
    query: &'a str,
    #[serde(flatten)]
    answer: &'a Answer,
    freshness: &'a Freshness,
}

/// Opens the index, taking in a small change first if that is wanted and nobody else is writing. Where it is not,
/// a `report` counts what the answer lacks; a person who asked not to look is not kept waiting for that.
fn open_fresh(
    workspace: &Workspace,
    target: Target,
    refresh: bool,
    report: bool,
) -> Result<(Store, Freshness)> {
    let view = workspace.view(&target);
    let current = match &target {
        Target::Worktree => workspace.git.as_ref().and_then(|git| git.head_commit()),
        Target::Ref(at) => Some(at.commit.to_string()),
    };
    // Somebody else's scan, or a directory we may not write, is no reason to keep the user waiting.
    let lock = if refresh { WriterLock::try_acquire(&workspace.location).ok().flatten() } else { None };
    let access = if lock.is_some() { Access::Write } else { Access::Read };
    let store = workspace.open_store(access)?.ok_or_else(|| not_indexed(&view))?;
    let indexed = |store: &Store| {
        let txn = store.read_txn()?;
        view_row(store, &txn, &view)
    };
    if !refresh {
        indexed(&store)?;
    }
    let mut freshness = Freshness { view: view.to_string(), current_commit: current, ..Freshness::default() };
    if refresh {
        let scanner = workspace.scanner(&store, target, workspace.embedder()?)?;
        if lock.is_some() {
            let at_most = Some(workspace.config.config.search.refresh_max_files);
            match scanner.scan(&ScanOptions { at_most, ..ScanOptions::default() }, &Silent) {
                Ok(Outcome::Done(report)) => freshness.refreshed = !report.is_unchanged(),
                Ok(Outcome::TooMany(n)) => freshness.stale = n as u64,
                // A full disk, say: the view is as it was, and an older answer beats none.
                Err(error) if error.kind() == ErrorKind::Failed => {
                    freshness.stale = scanner.stale().unwrap_or_default() as u64;
                    freshness.problem = Some(error.to_string());
                }
                Err(error) => return Err(error),
            }
            answer_reruns(workspace, &store)?;
        } else {
            freshness.count_stale(&scanner);
        }
    } else if report {
        freshness.count_stale(&workspace.scanner(&store, target, None)?);
    }
    let row = indexed(&store)?;
    freshness.indexed_commit = row.commit;
    freshness.dirty = row.overlay.len() as u64;
    Ok((store, freshness))
}

fn stale_note(freshness: &Freshness) -> Option<String> {
    match (freshness.stale, &freshness.problem) {
        (0, None) => None,
        (0, Some(problem)) => Some(format!("changes cannot be told: {problem}")),
        (n, Some(problem)) => Some(format!("{n} changed paths are not in this answer: {problem}")),
        (n, None) => Some(format!("{n} changed paths are not in this answer; run `codeagent scan`")),
    }
}

#[derive(Deserialize)]
struct BatchQuery {
    id: serde_json::Value,
    query: String,
}

#[derive(Serialize)]
struct BatchResult {
    id: serde_json::Value,
    results: Vec<Hit>,
    ms: f64,
}

fn batch(searcher: &Searcher<'_>, queries: &Path, out: &Path, limit: usize, filter: &Filter) -> Result<u64> {
    // All queries are read before the first is answered: a bad line leaves no half of a result file.
    let queries = read_queries(queries)?;
    let write = || format!("cannot write {}", out.display());
    let mut output = BufWriter::new(File::create(out).context(write)?);
    let answered = queries.len() as u64;
    for BatchQuery { id, query } in queries {
        let start = Instant::now();
        let answer = searcher.search(&Query { text: query, limit, filter: filter.clone() })?;
        let ms = start.elapsed().as_secs_f64() * 1e3;
        serde_json::to_writer(&mut output, &BatchResult { id, results: answer.results, ms })
            .context(write)?;
        output.write_all(b"\n").context(write)?;
    }
    output.flush().context(write)?;
    Ok(answered)
}

fn read_queries(path: &Path) -> Result<Vec<BatchQuery>> {
    let input = File::open(path)
        .map_err(|e| Error::usage(format!("cannot read {}", path.display())).with_source(e))?;
    let mut queries = Vec::new();
    for (number, line) in BufReader::new(input).lines().enumerate() {
        let line = line.context(|| format!("cannot read {}", path.display()))?;
        if line.trim().is_empty() {
            continue;
        }
        queries.push(serde_json::from_str(&line).map_err(|_| {
            Error::usage(format!("{} line {} is not a query", path.display(), number + 1))
                .with_hint(r#"each line is an object like {"id": "1", "query": "…"}"#)
        })?);
    }
    Ok(queries)
}

fn human(answer: &Answer) -> String {
    if answer.results.is_empty() {
        return "No results.\n".into();
    }
    let mut text = String::new();
    for hit in &answer.results {
        text.push_str(&heading(hit));
        let lines: Vec<&str> = hit.snippet.lines().collect();
        let width = (hit.start_line as usize + lines.len()).to_string().len();
        for (i, line) in lines.iter().take(SNIPPET_LINES).enumerate() {
            let number = format!("{:>width$}", hit.start_line as usize + i);
            text.push_str(&format!("  {}  {}\n", paint(DIM, &number), visible(line)));
        }
        if lines.len() > SNIPPET_LINES {
            text.push_str(&format!(
                "  {}\n",
                paint(DIM, &format!("… {} more lines", lines.len() - SNIPPET_LINES))
            ));
        }
        text.push('\n');
    }
    text
}

fn heading(hit: &Hit) -> String {
    let span = format!("{}-{}", hit.start_line, hit.end_line);
    let mut what = hit.kind.clone();
    let name = [hit.parent.as_deref(), hit.name.as_deref()];
    let name: Vec<&str> = name.into_iter().flatten().collect();
    if !name.is_empty() {
        what = format!("{what} {}", paint(STRONG, &visible(&name.join("."))));
    }
    let mut line = format!(
        "{}:{}  {what}  {}",
        paint(PATH, &hit.file),
        paint(LINE, &span),
        paint(DIM, &format!("{:.3}", hit.score))
    );
    for (so, what) in [(hit.generated, "generated"), (hit.vendored, "vendored")] {
        if so {
            line.push_str(&paint(DIM, &format!("  ({what})")));
        }
    }
    if !hit.also_in.is_empty() {
        line.push_str(&paint(DIM, &format!("  (also in {} more)", hit.also_in.len())));
    }
    line.push('\n');
    line
}

/// A line of source that cannot drive the terminal: control characters are shown, not obeyed.
fn visible(line: &str) -> String {
    const WIDTH: usize = 160;
    let mut shown: String = line
        .chars()
        .take(WIDTH)
        .map(|c| match c {
            '\t' => ' ',
            c if c.is_control() => '\u{fffd}',
            c => c,
        })
        .collect();
    if line.chars().nth(WIDTH).is_some() {
        shown.push('…');
    }
    shown
}
