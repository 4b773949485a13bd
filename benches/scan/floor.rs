//! The least that any indexer must do: read every file, hash it and parse it, on all cores, and keep nothing.
//!
//! It runs in a process of its own, so that it is measured exactly as the scan it is compared with.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::process::Command;

use codeagent::config::Config;
use codeagent::lang;
use rayon::prelude::*;
use tree_sitter::Parser;

use crate::child::{self, Result, Usage};
use crate::repo::{Repo, to_path};

thread_local! {
    static PARSER: RefCell<Parser> = RefCell::new(Parser::new());
}

/// Measures the floor over the tracked files, by way of `list`, a file that is (over)written.
pub fn measure(repo: &Repo, list: &Path) -> Result<Usage> {
    let mut paths = Vec::new();
    for file in &repo.files {
        paths.extend_from_slice(file.path.as_os_str().as_encoded_bytes());
        paths.push(0);
    }
    std::fs::write(list, paths)?;
    let mut command = Command::new(std::env::current_exe()?);
    command.current_dir(&repo.root).arg("--bench").arg("--floor").arg(list);
    Ok(child::run(&mut command)?.1)
}

/// What the child does, in the root of the repository.
pub fn work(list: &Path) -> Result<()> {
    let list = std::fs::read(list)?;
    let paths: Vec<PathBuf> = list.split(|byte| *byte == 0).filter_map(to_path).collect();
    let nodes: usize = paths.par_iter().map(|path| one(path)).sum();
    println!("{nodes}");
    Ok(())
}

fn one(path: &Path) -> usize {
    let Ok(bytes) = std::fs::read(path) else { return 0 };
    std::hint::black_box(blake3::hash(&bytes));
    let language = lang::detect(path.as_os_str().as_encoded_bytes(), &bytes[..bytes.len().min(lang::HEAD)]);
    let Some(grammar) = language.parser_language() else { return 0 };
    // What the scan does not parse, the floor does not either.
    if bytes.len() as u64 > Config::default().index.fixed_interval_above {
        return 0;
    }
    let Ok(text) = std::str::from_utf8(&bytes) else { return 0 };
    PARSER.with_borrow_mut(|parser| {
        let tree = parser.set_language(&grammar).ok().and_then(|()| parser.parse(text, None));
        tree.map_or(0, |tree| tree.root_node().descendant_count())
    })
}
