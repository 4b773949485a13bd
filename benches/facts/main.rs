//! `cargo bench --bench facts -- DIR…`: what chunks and facts are made of real code, by language: how much of it
//! parses, how large chunks are, how many of the definitions that universal-ctags finds are found, and what it
//! costs beside a bare parse.

mod ctags;
mod measure;
mod queries;
mod table;
mod tree;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Measures chunks and facts on directories of source code, which are only read.
#[derive(Parser)]
#[command(name = "cargo bench --bench facts --")]
struct Args {
    /// Directories with source code; what their ignore files name is left out
    #[arg(required_unless_present = "bench")]
    dirs: Vec<PathBuf>,
    /// Only this language; repeatable
    #[arg(long)]
    lang: Vec<String>,
    /// Print up to N definitions of each language that ctags has and we have not
    #[arg(long, default_value_t = 0, value_name = "N")]
    misses: usize,
    /// Compare with universal-ctags, which must be installed
    #[arg(long)]
    ctags: bool,
    /// How often the costs are measured; 0: not at all
    #[arg(long, default_value_t = 3)]
    rounds: usize,
    /// Also measure the queries that some grammars are published with, which find definitions and calls
    #[arg(long)]
    queries: bool,
    /// Print the syntax tree of a file, which is what the rows of a language are written from
    #[arg(long, value_name = "FILE")]
    tree: Option<PathBuf>,
    /// What cargo adds to say that this is a benchmark and no test
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() -> ExitCode {
    let args = Args::parse();
    // Started by `cargo test --all-targets`, or without anything to measure.
    let done = match &args.tree {
        _ if !args.bench => Ok(()),
        Some(file) => tree::print(file),
        None if args.dirs.is_empty() => Ok(()),
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
    let files = measure::read(&args.dirs, &args.lang);
    let measured = measure::all(&files);
    table::languages(&files, &measured);
    if args.ctags {
        let found = ctags::compare(&files, &measured)?;
        table::definitions(&found, args.misses);
    }
    if args.rounds > 0 {
        table::costs(&measure::costs(&files, args.rounds));
    }
    if args.queries {
        queries::print(&files);
    }
    Ok(())
}
