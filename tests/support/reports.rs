//! What the program prints as JSON, as far as tests ask.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

/// `scan --json`.
#[derive(Debug, Clone, Deserialize)]
pub struct Scan {
    pub view: String,
    pub commit: Option<String>,
    pub branch: Option<String>,
    pub root: String,
    pub files: Files,
    pub chunks: Chunks,
    pub embedded: u64,
    pub reused: u64,
    pub pending: u64,
    pub languages: BTreeMap<String, u64>,
    pub warnings: Vec<String>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct Files {
    pub total: u64,
    pub added: u64,
    pub modified: u64,
    pub deleted: u64,
    pub renamed: u64,
    pub unchanged: u64,
    pub skipped: u64,
    pub skipped_by_reason: BTreeMap<String, u64>,
    pub read: u64,
    pub hashed: u64,
}

#[derive(Debug, Clone, Deserialize)]
pub struct Chunks {
    pub total: u64,
    pub new: u64,
    pub reused: u64,
}

/// How a scan found the view changed: counts of files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Changes {
    pub added: u64,
    pub modified: u64,
    pub deleted: u64,
    pub renamed: u64,
}

impl Scan {
    pub fn changes(&self) -> Changes {
        let Files { added, modified, deleted, renamed, .. } = self.files;
        Changes { added, modified, deleted, renamed }
    }

    pub fn skipped(&self, reason: &str) -> u64 {
        self.files.skipped_by_reason.get(reason).copied().unwrap_or(0)
    }

    /// Neither a vector nor a chunk was made: all of them were known.
    #[track_caller]
    pub fn assert_nothing_embedded(&self) {
        assert_eq!((self.embedded, self.chunks.new, self.pending), (0, 0, 0), "{self:#?}");
        assert!(self.reused > 0, "a view without vectors proves nothing: {self:#?}");
    }

    /// No file's bytes were touched.
    #[track_caller]
    pub fn assert_nothing_read(&self) {
        assert_eq!((self.files.read, self.files.hashed), (0, 0), "{self:#?}");
    }

    #[track_caller]
    pub fn assert_no_op(&self) {
        self.assert_nothing_read();
        assert_eq!(self.changes(), Changes::default(), "{self:#?}");
        assert_eq!((self.embedded, self.chunks.new), (0, 0), "{self:#?}");
    }
}

/// `search --json`.
#[derive(Debug, Clone, Deserialize)]
pub struct Answer {
    pub results: Vec<Hit>,
    pub note: Option<String>,
    pub freshness: Freshness,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Hit {
    pub file: String,
    pub start_line: u32,
    pub end_line: u32,
    pub score: f32,
    pub language: String,
    pub kind: String,
    pub name: Option<String>,
    pub snippet: String,
    #[serde(default)]
    pub generated: bool,
    #[serde(default)]
    pub vendored: bool,
    #[serde(default)]
    pub also_in: Vec<String>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct Freshness {
    pub view: String,
    pub indexed_commit: Option<String>,
    pub current_commit: Option<String>,
    pub dirty: u64,
    pub stale: u64,
    pub refreshed: bool,
}

impl Answer {
    /// Every file that is named in the answer, sorted.
    pub fn files(&self) -> Vec<&str> {
        let mut files: Vec<&str> = self
            .results
            .iter()
            .flat_map(|hit| std::iter::once(&hit.file).chain(&hit.also_in))
            .map(String::as_str)
            .collect();
        files.sort_unstable();
        files.dedup();
        files
    }

    /// Whether a result's text holds `text`.
    pub fn shows(&self, text: &str) -> bool {
        self.results.iter().any(|hit| hit.snippet.contains(text))
    }
}

/// One file of `manifest --json`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leaf {
    pub hash: String,
    pub chunk_ids: Vec<String>,
    /// Why it is not searchable, if it is not.
    pub skipped: Option<String>,
}

/// The files of a manifest by path.
pub fn leaves(manifest: &Value) -> BTreeMap<String, Leaf> {
    let mut found = BTreeMap::new();
    collect(&manifest["tree"], "", &mut found);
    found
}

fn collect(directory: &Value, prefix: &str, found: &mut BTreeMap<String, Leaf>) {
    for (name, entry) in directory.as_object().expect("a directory") {
        if name.ends_with('/') {
            collect(entry, &format!("{prefix}{name}"), found);
        } else if entry.is_object() {
            let text = |value: &Value| value.as_str().map(str::to_owned);
            let ids = entry["chunk_ids"].as_array().map(|ids| ids.iter().filter_map(text).collect());
            let leaf = Leaf {
                hash: text(&entry["hash"]).expect("a file has a hash"),
                chunk_ids: ids.unwrap_or_default(),
                skipped: text(&entry["skipped"]),
            };
            found.insert(format!("{prefix}{name}"), leaf);
        }
    }
}
