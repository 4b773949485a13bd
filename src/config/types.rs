//! The configuration as the rest of the program sees it. Field names are the key names of the table; an
//! unknown or missing field fails the tests.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    pub index: IndexConfig,
    pub chunk: ChunkConfig,
    pub embedding: EmbeddingConfig,
    pub search: SearchConfig,
    pub store: StoreConfig,
    pub output: OutputConfig,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IndexConfig {
    /// Valid globs; empty means everything.
    pub include: Vec<String>,
    /// Valid globs.
    pub exclude: Vec<String>,
    /// Bytes.
    pub max_file_size: u64,
    /// Bytes.
    pub fixed_interval_above: u64,
    pub untracked: bool,
    pub generated: Foreign,
    pub vendored: Foreign,
    /// 0 means one for each core.
    pub threads: usize,
}

/// `min_tokens < max_tokens` always holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChunkConfig {
    pub min_tokens: usize,
    pub max_tokens: usize,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EmbeddingConfig {
    pub enabled: bool,
    pub model: String,
    pub batch_size: usize,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchConfig {
    pub limit: usize,
    pub refresh: bool,
    pub refresh_max_files: usize,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoreConfig {
    /// Relative to the main worktree's root, or absolute.
    pub dir: String,
    /// Bytes.
    pub max_size: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OutputConfig {
    pub color: When,
    pub progress: When,
}

/// What becomes of files that nobody here wrote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Foreign {
    Index,
    Skip,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum When {
    Auto,
    Always,
    Never,
}
