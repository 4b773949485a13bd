//! Reading the files, chunking them, and timing that against a bare parse.

use std::cell::RefCell;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use codeagent::chunk::{self, Chunked, Content};
use codeagent::config::Config;
use codeagent::index::chunk_limits;
use codeagent::lang::{self, Language};
use rayon::prelude::*;
use tree_sitter::Parser;

pub struct File {
    pub path: PathBuf,
    pub language: Language,
    pub text: String,
}

/// Every text file of the directories, except what is skipped by a scan as well.
pub fn read(dirs: &[PathBuf], languages: &[String]) -> Vec<File> {
    let mut paths: Vec<PathBuf> = Vec::new();
    for dir in dirs {
        let walk = ignore::WalkBuilder::new(dir).hidden(false).require_git(false).build().flatten();
        let files = walk.filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()));
        paths.extend(
            files.map(|entry| entry.into_path()).filter(|p| !p.components().any(|c| c.as_os_str() == ".git")),
        );
    }
    paths.sort();
    let limit = Config::default().index.max_file_size as usize;
    let read = |path: PathBuf| {
        let bytes = std::fs::read(&path).ok().filter(|bytes| bytes.len() <= limit)?;
        let name = path.as_os_str().as_encoded_bytes();
        let language = lang::detect(name, &bytes[..bytes.len().min(lang::HEAD)]);
        if !languages.is_empty() && !languages.iter().any(|wanted| wanted == language.name()) {
            return None;
        }
        match chunk::inspect(&bytes, language) {
            Content::Text(text) => Some(File { language, text: text.into_owned(), path }),
            Content::Skip(_) => None,
        }
    };
    paths.into_par_iter().filter_map(read).collect()
}

pub fn all(files: &[File]) -> Vec<Chunked> {
    let limits = chunk_limits(&Config::default());
    files.par_iter().map(|file| chunk::chunk(&file.text, file.language, &limits)).collect()
}

pub struct Cost {
    pub language: Language,
    pub bytes: usize,
    pub parse: Duration,
    pub chunk: Duration,
}

/// The best of some rounds, on all cores, by language.
pub fn costs(files: &[File], rounds: usize) -> Vec<Cost> {
    let limits = chunk_limits(&Config::default());
    let mut costs = Vec::new();
    for language in Language::all().filter(|language| language.has_grammar()) {
        let own: Vec<&File> = files.iter().filter(|file| file.language == language).collect();
        let own: Vec<&File> =
            own.into_iter().filter(|f| f.text.len() <= limits.fixed_interval_above).collect();
        let bytes = own.iter().map(|file| file.text.len()).sum();
        if bytes < 100_000 {
            continue;
        }
        let (mut parse, mut chunk) = (Duration::MAX, Duration::MAX);
        for _ in 0..rounds {
            parse = parse.min(time(|| own.par_iter().for_each(|file| parse_only(file))));
            chunk = chunk.min(time(|| {
                own.par_iter().for_each(|file| {
                    std::hint::black_box(chunk::chunk(&file.text, language, &limits));
                });
            }));
        }
        costs.push(Cost { language, bytes, parse, chunk });
    }
    costs
}

fn time(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

thread_local! {
    static PARSER: RefCell<Parser> = RefCell::new(Parser::new());
}

fn parse_only(file: &File) {
    let Some(language) = file.language.parser_language() else { return };
    PARSER.with_borrow_mut(|parser| {
        if parser.set_language(&language).is_ok() {
            std::hint::black_box(parser.parse(&file.text, None));
        }
    });
}
