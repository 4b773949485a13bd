//! `cargo bench --bench scan -- --repo PATH`: what scanning and searching cost, as ratios against `git status`
//! and against a bare "read, hash and parse everything", all measured interleaved in one run. Ratios, because
//! seconds say as much about the machine as about the program.

mod cases;
mod child;
mod floor;
mod queries;
mod repo;
mod report;
mod samples;
mod synthetic;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;

use child::Result;
use repo::Repo;
use report::Report;

/// Measures `codeagent` on a private copy of a repository.
#[derive(Parser)]
#[command(name = "cargo bench --bench scan --")]
struct Args {
    /// A git repository; it is cloned, and never written to [default: a synthetic one is made]
    #[arg(long)]
    repo: Option<PathBuf>,
    /// Files of the synthetic repository
    #[arg(long, default_value_t = 16_000, conflicts_with = "repo")]
    files: usize,
    /// How often the fast things are measured
    #[arg(long, default_value_t = 7, value_parser = clap::value_parser!(u16).range(1..))]
    runs: u16,
    /// How often the cold scan and its floor are measured
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..))]
    cold_runs: u16,
    /// Also write the results to FILE
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Keep the copy and its index, and say where it is
    #[arg(long)]
    keep: bool,
    /// What cargo adds to say that this is a benchmark and no test
    #[arg(long, hide = true)]
    bench: bool,
    /// Be the floor: read, hash and parse the files of this list
    #[arg(long, hide = true, value_name = "LIST")]
    floor: Option<PathBuf>,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let done = match &args.floor {
        Some(list) => floor::work(list),
        // Started by `cargo test --all-targets`: there is nothing to test.
        None if !args.bench => Ok(()),
        None => run(&args),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &Args) -> Result<()> {
    let work = tempfile::Builder::new().prefix("codeagent-bench-").disable_cleanup(args.keep).tempdir()?;
    let root = work.path().join("repo");
    eprintln!("Making the repository in {} …", root.display());
    let repo = match &args.repo {
        Some(from) => Repo::clone(from, root)?,
        None => {
            synthetic::make(&root, args.files)?;
            Repo::open(root)?
        }
    };
    let mut report = Report::default();
    about(args, &repo, &mut report)?;
    cases::run(&repo, work.path(), args, &mut report)?;
    print!("{}", report.table());
    if let Some(file) = &args.json {
        std::fs::write(file, format!("{:#}\n", report.json()))?;
    }
    Ok(())
}

fn about(args: &Args, repo: &Repo, report: &mut Report) -> Result<()> {
    let from = args.repo.as_ref().map_or("synthetic".into(), |from| from.display().to_string());
    report.about("repository", from);
    report.about("commit", child::text(repo::git(&repo.root).args(["rev-parse", "HEAD"]))?);
    report.about("files", repo.files.len());
    report.about("megabytes", (repo.bytes() as f64 / 1e5).round() / 10.0);
    report.about("threads", rayon::current_num_threads());
    report.about("git", child::text(repo::git(&repo.root).arg("version"))?);
    report.about("program", child::text(&mut repo.codeagent(&["--version"]))?);
    Ok(())
}
