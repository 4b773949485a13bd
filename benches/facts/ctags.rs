//! The definitions that universal-ctags finds in the same files.

use std::collections::{BTreeMap, HashMap};
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use codeagent::chunk::Chunked;
use codeagent::facts::Definition;
use codeagent::lang::ChunkKind;
use serde::Deserialize;

use crate::Result;
use crate::measure::File;

/// What ctags calls the kinds that are compared.
const KINDS: [&str; 13] = [
    "function",
    "method",
    "singletonMethod",
    "class",
    "interface",
    "struct",
    "enum",
    "trait",
    "generator",
    "subroutine",
    "constructor",
    "func",
    "protocol",
];

#[derive(Deserialize)]
struct Tag {
    #[serde(rename = "_type")]
    what: String,
    name: String,
    path: PathBuf,
    line: Option<u32>,
    kind: Option<String>,
}

#[derive(Default)]
pub struct Found {
    pub tags: usize,
    pub found: usize,
    pub misses: Vec<String>,
    pub by_kind: BTreeMap<String, (usize, usize)>,
}

pub fn compare(files: &[File], measured: &[Chunked]) -> Result<BTreeMap<&'static str, Found>> {
    let by_path: HashMap<&PathBuf, usize> = files.iter().enumerate().map(|(at, f)| (&f.path, at)).collect();
    let mut languages: BTreeMap<&'static str, Found> = BTreeMap::new();
    for tag in tags(files)? {
        let (Some(line), Some(kind)) = (tag.line, tag.kind) else { continue };
        let Some(at) = by_path.get(&tag.path).copied() else { continue };
        // ctags makes up names for what has none.
        if tag.what != "tag"
            || !KINDS.contains(&kind.as_str())
            || tag.name.starts_with("__anon")
            || tag.name.starts_with("anonymous")
            || tag.name.starts_with("AnonymousFunction")
            || tag.name.starts_with("AnonymousClass")
            || tag.name.starts_with("anonFunc")
            || tag.name.starts_with('<')
        {
            continue;
        }
        if kind == "class" && is_made_up(&files[at], line) {
            continue;
        }
        let found = languages.entry(files[at].language.name()).or_default();
        let by_kind = found.by_kind.entry(kind.clone()).or_default();
        found.tags += 1;
        by_kind.0 += 1;
        if measured[at].facts.definitions.iter().any(|d| is_same(d, &tag.name, line)) {
            found.found += 1;
            by_kind.1 += 1;
        } else {
            found.misses.push(format!("{}:{line} {kind} {}", tag.path.display(), tag.name));
        }
    }
    Ok(languages)
}

/// ctags takes the objects and constructors of JavaScript for classes.
fn is_made_up(file: &File, line: u32) -> bool {
    let is_javascript = matches!(file.language.name(), "javascript" | "jsx");
    let written = || file.text.lines().nth(line as usize - 1);
    is_javascript && !written().is_some_and(|line| line.contains("class"))
}

/// The same name, on a line of the definition (ctags means the line of the name).
fn is_same(definition: &Definition, name: &str, line: u32) -> bool {
    let last = |name: &str| name.rsplit(['.', ':']).next().unwrap_or(name).to_owned();
    let same = definition.name == name || last(&definition.name) == last(name);
    // It calls every test by the macro that it is written with.
    let is_test =
        definition.kind == ChunkKind::Test && name.bytes().all(|b| b.is_ascii_uppercase() || b == b'_');
    (same || is_test) && definition.start_line <= line && line <= definition.end_line
}

fn tags(files: &[File]) -> Result<Vec<Tag>> {
    let mut child = Command::new("ctags")
        .args(["--output-format=json", "--fields=+nK", "--excmd=number", "--sort=no", "-f", "-", "-L", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("cannot run ctags ({error}); install universal-ctags"))?;
    let mut stdin = child.stdin.take().ok_or("ctags has no input")?;
    let list: String = files.iter().filter_map(|f| Some(format!("{}\n", f.path.to_str()?))).collect();
    let feeder = std::thread::spawn(move || stdin.write_all(list.as_bytes()));
    let output = child.wait_with_output()?;
    feeder.join().map_err(|_| "the list of files was not written")??;
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
}
