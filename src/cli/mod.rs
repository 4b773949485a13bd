//! The command line: the only part that knows a terminal.
//!
//! A command returns what it would print; [`main`] prints it. Results go to standard output, progress and
//! warnings to standard error.

mod args;
mod clean;
mod config;
mod manifest;
mod outline;
mod progress;
mod scan;
mod search;
mod status;
mod style;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anstream::ColorChoice;
use clap::Parser;

use crate::config::When;
use crate::error::{Context, Error, Result};
use crate::workspace::Workspace;
use args::{Cli, Command};

pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are not failures; clap knows the streams.
            let code = if error.use_stderr() { 2 } else { 0 };
            let _ = error.print();
            return ExitCode::from(code);
        }
    };
    match run(&cli).and_then(|text| print(&text)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            report(&error);
            ExitCode::from(error.kind().exit_code())
        }
    }
}

fn run(cli: &Cli) -> Result<String> {
    let dir = cli.dir.clone().unwrap_or_else(|| PathBuf::from("."));
    let workspace = Workspace::discover(&dir, Vec::new())?;
    let output = &workspace.config.config.output;
    match output.color {
        When::Auto => {}
        When::Always => ColorChoice::AlwaysAnsi.write_global(),
        When::Never => ColorChoice::Never.write_global(),
    }
    let threads = workspace.config.config.index.threads;
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build_global()
        .context(|| "cannot start worker threads".into())?;
    match &cli.command {
        Command::Scan(args) => scan::run(&workspace, &dir, args),
        Command::Search(args) => search::run(&workspace, &dir, args),
        Command::Outline(args) => outline::run(&workspace, &dir, args),
        Command::Status(args) => status::run(&workspace, args),
        Command::Manifest(args) => manifest::run(&workspace, args),
        Command::Config(args) => config::run(&workspace, args),
        Command::Clean(args) => clean::run(&workspace, args),
    }
}

/// Prints to standard output; a reader that went away is no error.
fn print(text: &str) -> Result<()> {
    let mut out = anstream::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(e) if e.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        result => result.context(|| "cannot write to standard output".into()),
    }
}

fn report(error: &Error) {
    let mut err = anstream::stderr().lock();
    let _ = writeln!(err, "{}error:{} {error}", style::ERROR.render(), style::ERROR.render_reset());
    if let Some(hint) = error.hint() {
        let _ = writeln!(err, "{}hint:{} {hint}", style::HINT.render(), style::HINT.render_reset());
    }
}

/// One line on standard error, now.
fn note(text: &str) {
    let _ = writeln!(anstream::stderr().lock(), "{text}");
}

fn json(value: &impl serde::Serialize) -> Result<String> {
    let mut text = serde_json::to_string_pretty(value).context(|| "cannot write JSON".into())?;
    text.push('\n');
    Ok(text)
}
