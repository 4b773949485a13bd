//! The measurements. Whatever is compared is measured in turn, so that a machine that slows down slows both.

use std::path::Path;

use serde_json::{Value, json};

use crate::child::{self, Result};
use crate::repo::{self, Repo};
use crate::report::{Report, Target};
use crate::samples::{Samples, Stats};
use crate::{Args, floor, queries};

const GIT_STATUS: &str = "git status";

pub fn run(repo: &Repo, work: &Path, args: &Args, report: &mut Report) -> Result<()> {
    // The first one after a checkout refreshes git's own cache of file times.
    repo.git_status()?;
    cold(repo, work, args.cold_runs, report)?;
    sizes(repo, report)?;
    incremental(repo, args.runs, report)?;
    latency(repo, work, report)?;
    switch(repo, args.runs.div_ceil(2), report)?;
    touch(repo, report)
}

fn cold(repo: &Repo, work: &Path, runs: u16, report: &mut Report) -> Result<()> {
    let (mut scans, mut floors) = (Samples::default(), Samples::default());
    let list = work.join("files");
    floor::measure(repo, &list)?;
    for run in 1..=runs {
        eprintln!("Cold scan and floor, {run} of {runs} …");
        floors.add(floor::measure(repo, &list)?);
        repo.forget_index()?;
        scans.add(repo.scan()?.1);
    }
    report.ratio("cold scan", &scans, "read+hash+parse", &floors, Some(3.0));
    let peak = scans.peak() as f64 / 1e6;
    report.fact("cold scan: peak memory, mapped index included", peak.round(), "MB", Target::AtMost(600.0));
    Ok(())
}

fn sizes(repo: &Repo, report: &mut Report) -> Result<()> {
    let (output, _) = child::run(&mut repo.codeagent(&["status", "--json"]))?;
    let status: Value = serde_json::from_slice(&output)?;
    let index = number(&status["bytes"])?;
    let indexed = number(&status["views"][0]["source_bytes"])?;
    let chunks = number(&status["chunks_stored"])?;
    report.fact("index bytes ÷ indexed source bytes", index / indexed, "", Target::AtMost(1.0));
    report.fact("index bytes ÷ all tracked bytes", index / repo.bytes() as f64, "", Target::None);
    report.fact("chunks stored", chunks, "", Target::None);
    let databases = status["databases"].as_array().ok_or("status names no databases")?;
    let mut named = 0.0;
    for database in databases {
        let bytes = number(&database[1])?;
        named += bytes;
        report.database(database[0].as_str().unwrap_or_default(), bytes);
    }
    report.database("(free and meta)", index - named);
    Ok(())
}

/// Nothing changed, one file changed, and a search from a fresh process, each against `git status`.
fn incremental(repo: &Repo, runs: u16, report: &mut Report) -> Result<()> {
    let mut status = Samples::default();
    let (mut noop, mut edit, mut search) = (Samples::default(), Samples::default(), Samples::default());
    let (mut noop_reads, mut edit_reads) = (Extremes::default(), Extremes::default());
    let file = repo.typical_file().ok_or("the repository has no files")?;
    let path = repo.root.join(&file.path);
    let original = std::fs::read(&path)?;
    for run in 1..=runs {
        eprintln!("Incremental scans, {run} of {runs} …");
        status.add(repo.git_status()?);
        let (scanned, usage) = repo.scan()?;
        noop.add(usage);
        noop_reads.see(&scanned)?;
        search.add(child::run(&mut repo.codeagent(&["search", "--json", "where is the request handled"]))?.1);

        repo::append(&path, file.language, &format!("edit {run}"))?;
        let (scanned, usage) = repo.scan()?;
        edit.add(usage);
        edit_reads.see(&scanned)?;
        std::fs::write(&path, &original)?;
        repo.scan()?;
        repo.git_status()?;
    }
    report.ratio("no-op scan", &noop, GIT_STATUS, &status, Some(1.5));
    report.ratio("one-file scan", &edit, GIT_STATUS, &status, Some(2.0));
    report.ratio("search, cold process", &search, GIT_STATUS, &status, None);
    report.fact("no-op scan: files read, at most", noop_reads.read, "", Target::Exactly(0.0));
    report.fact("no-op scan: files hashed, at most", noop_reads.hashed, "", Target::Exactly(0.0));
    report.fact("one-file scan: files read, at most", edit_reads.read, "", Target::Exactly(1.0));
    report.fact("one-file scan: chunks embedded, at most", edit_reads.embedded, "", Target::None);
    Ok(())
}

/// In one process: what an editor or a server that stays open sees.
fn latency(repo: &Repo, work: &Path, report: &mut Report) -> Result<()> {
    let (asked, answered) = (work.join("queries.jsonl"), work.join("answers.jsonl"));
    let queries = queries::for_repository(repo);
    let lines =
        queries.iter().enumerate().map(|(id, query)| format!("{}\n", json!({"id": id, "query": query})));
    std::fs::write(&asked, lines.collect::<String>())?;
    let mut command = repo.codeagent(&["search", "-k", "10"]);
    child::run(command.arg("--batch").arg(&asked).arg("--out").arg(&answered))?;
    let mut times = Vec::new();
    for line in std::fs::read_to_string(&answered)?.lines() {
        times.push(number(&serde_json::from_str::<Value>(line)?["ms"])?);
    }
    let Stats { median, p95, .. } = Stats::of(times);
    report.fact(format!("search in process, {} queries: median", queries.len()), median, "ms", Target::None);
    report.fact(format!("search in process, {} queries: 95 %", queries.len()), p95, "ms", Target::None);
    Ok(())
}

/// A→B→A between two branches that were both indexed once.
fn switch(repo: &Repo, rounds: u16, report: &mut Report) -> Result<()> {
    repo.make_branches()?;
    for branch in ["bench-b", "bench-a"] {
        repo.checkout(branch)?;
        repo.scan()?;
    }
    let (mut scans, mut status, mut seen) = (Samples::default(), Samples::default(), Extremes::default());
    for round in 1..=rounds {
        eprintln!("Branch switches, {round} of {rounds} …");
        for branch in ["bench-b", "bench-a"] {
            repo.checkout(branch)?;
            let (scanned, usage) = repo.scan()?;
            scans.add(usage);
            seen.see(&scanned)?;
            status.add(repo.git_status()?);
        }
    }
    report.ratio("branch switch scan", &scans, GIT_STATUS, &status, None);
    report.fact("branch switch: chunks embedded, at most", seen.embedded, "", Target::Exactly(0.0));
    report.fact("branch switch: files read, at most", seen.read, "", Target::None);
    Ok(())
}

/// New times on every file: everything must be read, nothing chunked or embedded. Git must read it all too.
fn touch(repo: &Repo, report: &mut Report) -> Result<()> {
    eprintln!("Touching every file …");
    let (mut scans, mut status, mut seen) = (Samples::default(), Samples::default(), Extremes::default());
    repo.touch_all()?;
    let (scanned, usage) = repo.scan()?;
    scans.add(usage);
    seen.see(&scanned)?;
    status.add(repo.git_status()?);
    report.ratio("scan, all touched", &scans, GIT_STATUS, &status, None);
    report.fact("all files touched: chunks embedded", seen.embedded, "", Target::Exactly(0.0));
    report.fact("all files touched: files read", seen.read, "", Target::None);
    Ok(())
}

/// The largest counters of several scans: what holds for them holds for each.
#[derive(Default)]
struct Extremes {
    read: f64,
    hashed: f64,
    embedded: f64,
}

impl Extremes {
    fn see(&mut self, scanned: &Value) -> Result<()> {
        self.read = self.read.max(number(&scanned["files"]["read"])?);
        self.hashed = self.hashed.max(number(&scanned["files"]["hashed"])?);
        self.embedded = self.embedded.max(number(&scanned["embedded"])?);
        Ok(())
    }
}

fn number(value: &Value) -> Result<f64> {
    value.as_f64().ok_or_else(|| "the program's JSON lacks a number the benchmark needs".into())
}
