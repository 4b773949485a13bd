//! What can be said on the command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

const EXIT_CODES: &str = "\
Exit codes:
  0  done
  1  failed (I/O, git, a full disk)
  2  wrong usage or configuration
  3  not indexed yet
  4  the index is damaged or from a newer version";

/// Git-integrated incremental code index and search.
///
/// Unchanged code is never read, chunked or embedded twice: not after a branch switch, a rename, a touch, in a
/// new worktree or in a copied index. Everything is local.
#[derive(Debug, Parser)]
#[command(name = "codeagent", version, max_term_width = 100, after_help = EXIT_CODES)]
pub struct Cli {
    /// Work as if started in DIR (any directory of the repository)
    #[arg(short = 'C', long = "dir", global = true, value_name = "DIR")]
    pub dir: Option<PathBuf>,

    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Bring the index up to date with the files
    #[command(visible_alias = "index")]
    Scan(ScanArgs),
    /// Ask a question, in words or by name
    Search(SearchArgs),
    /// Show what a file declares: symbols, definitions or data
    Outline(OutlineArgs),
    /// Show what is indexed and how fresh it is
    Status(StatusArgs),
    /// Print the Merkle tree of the view: hashes of directories and files, chunks of each file
    Manifest(ManifestArgs),
    /// Show the configuration
    Config(ConfigArgs),
    /// Remove the index of this repository
    Clean(CleanArgs),
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  codeagent scan                    what changed since the last scan
  codeagent scan src/auth.rs        only this file (an editor just wrote it)
  codeagent scan --full             rebuild from the bytes, reusing every known vector
  codeagent scan --ref origin/next  index a branch without checking it out
  codeagent scan --dry-run          show what would be read, change nothing")]
pub struct ScanArgs {
    /// Only these files and directories
    #[arg(value_name = "PATH", conflicts_with_all = ["full", "revision"])]
    pub paths: Vec<PathBuf>,
    /// Rebuild the view from the bytes of every file; known vectors are kept
    #[arg(long)]
    pub full: bool,
    /// Compute every vector of the view again
    #[arg(long)]
    pub re_embed: bool,
    /// Index a branch, tag or commit straight from git, as a view of its own
    #[arg(long = "ref", value_name = "REV")]
    pub revision: Option<String>,
    /// Show what would be done, and do nothing
    #[arg(long)]
    pub dry_run: bool,
    /// When another scan runs, ask it to scan again and leave
    #[arg(long, conflicts_with_all = ["paths", "full", "re_embed", "revision", "dry_run"])]
    pub no_wait: bool,
    /// Print nothing but errors
    #[arg(short, long, conflicts_with = "json")]
    pub quiet: bool,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  codeagent search \"where are JWT tokens validated\"
  codeagent search AuthService.Authenticate -k 3
  codeagent search \"retry with backoff\" --lang python --path 'src/**' --kind function
  codeagent search \"rate limit\" --ref origin/next
  codeagent search --batch queries.jsonl --out results.jsonl -k 10")]
pub struct SearchArgs {
    /// Words, a question, a symbol
    #[arg(required_unless_present = "batch", conflicts_with = "batch")]
    pub query: Vec<String>,
    /// How many results [default: search.limit of the configuration]
    #[arg(short = 'k', long = "limit", value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub limit: Option<u32>,
    /// Only this language: a name or a file extension; repeatable
    #[arg(long, value_name = "LANG")]
    pub lang: Vec<String>,
    /// Only files that match this glob, or lie below this directory, from the root; repeatable
    #[arg(long, value_name = "GLOB")]
    pub path: Vec<String>,
    /// Only this kind of chunk: function, method, class, …; repeatable
    #[arg(long, value_name = "KIND")]
    pub kind: Vec<String>,
    /// Search a branch, tag or commit instead of the worktree; scan it first if it differs much
    #[arg(long = "ref", value_name = "REV")]
    pub revision: Option<String>,
    /// Answer from the index as it is, without looking for changes first
    #[arg(long)]
    pub no_refresh: bool,
    /// Answer every query of a JSONL file: {"id": …, "query": "…"}
    #[arg(long, value_name = "QUERIES", requires = "out")]
    pub batch: Option<PathBuf>,
    /// Where --batch writes: {"id": …, "results": […], "ms": …}
    #[arg(long, value_name = "RESULTS", requires = "batch", conflicts_with = "query")]
    pub out: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  codeagent outline src/auth.ts                 what there is, with line numbers
  codeagent outline src/auth.ts --definitions   signatures, types and documentation, no bodies
  codeagent outline src/auth.ts --data          constants, enumerations, defaults
  codeagent outline src/auth.ts --ref main      the file as it is on another branch
  codeagent outline src/auth.ts --json          all facts: definitions, imports, references

Reads the file itself, so it needs no index.")]
pub struct OutlineArgs {
    /// A file, relative to the current directory
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// An overview in words, with line numbers (the default)
    #[arg(long, conflicts_with_all = ["definitions", "data"])]
    pub symbols: bool,
    /// Signatures, types and documentation, without bodies
    #[arg(long, conflicts_with = "data")]
    pub definitions: bool,
    /// Constants, enumerations and defaults, as they are written
    #[arg(long)]
    pub data: bool,
    /// The file of a branch, tag or commit instead of the worktree's
    #[arg(long = "ref", value_name = "REV")]
    pub revision: Option<String>,
    /// Print one JSON object with everything the file says
    #[arg(long, conflicts_with_all = ["symbols", "definitions", "data"])]
    pub json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  codeagent status
  codeagent status --json | jq .stale    paths that changed since the last scan")]
pub struct StatusArgs {
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  codeagent manifest | head
  codeagent manifest --json | jq -r .root_hash
  codeagent manifest --ref main")]
pub struct ManifestArgs {
    /// The manifest of an indexed branch, tag or commit instead of the worktree's
    #[arg(long = "ref", value_name = "REV")]
    pub revision: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  codeagent config show
  CODEAGENT_SEARCH_LIMIT=3 codeagent config show    names the variable as the origin")]
pub struct ConfigArgs {
    #[command(subcommand)]
    pub command: ConfigCommand,
}

#[derive(Debug, Subcommand)]
pub enum ConfigCommand {
    /// Every setting with its value and where it comes from
    Show {
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  codeagent clean
  codeagent -C ../other clean

The index is shared by all worktrees of the repository.")]
pub struct CleanArgs {
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
