//! The table of every setting. Files, the environment, flags, provenance, the example file and the typed
//! [`Config`](super::Config) all follow from it: a new setting is one row here and one struct field there.

/// One setting.
#[derive(Debug, PartialEq, Eq)]
pub struct Key {
    pub section: &'static str,
    pub key: &'static str,
    pub kind: Kind,
    /// Written as a person would write it in the environment, and read by the same code.
    pub default: &'static str,
    pub doc: &'static str,
}

/// What a setting may hold. Bounds are inclusive.
#[derive(Debug, PartialEq, Eq)]
pub enum Kind {
    Bool,
    Count { min: u64, max: u64 },
    Size { min: u64, max: u64 },
    Choice(&'static [&'static str]),
    Text,
    Globs,
}

impl Key {
    /// `index.max_file_size`
    pub fn path(&self) -> String {
        format!("{}.{}", self.section, self.key)
    }

    /// `CODEAGENT_INDEX_MAX_FILE_SIZE`
    pub fn env_name(&self) -> String {
        format!("{ENV_PREFIX}{}_{}", self.section, self.key).to_ascii_uppercase()
    }
}

pub const ENV_PREFIX: &str = "CODEAGENT_";

const MIB: u64 = 1 << 20;
const GIB: u64 = 1 << 30;
const TIB: u64 = 1 << 40;

const FOREIGN: Kind = Kind::Choice(&["index", "skip"]);
const WHEN: Kind = Kind::Choice(&["auto", "always", "never"]);

/// Every setting; those of one section stand together, and no section name contains an underscore (the name of
/// an environment variable is split at its first one).
pub static KEYS: &[Key] = &[
    row(
        "index",
        "include",
        Kind::Globs,
        "",
        "Index only files and directories that match one of these globs; empty: all.",
    ),
    row(
        "index",
        "exclude",
        Kind::Globs,
        "",
        "Never index files and directories that match one of these globs.",
    ),
    row(
        "index",
        "max_file_size",
        Kind::Size { min: 1, max: GIB },
        "10MiB",
        "Larger files are skipped, and reported as skipped.",
    ),
    row(
        "index",
        "fixed_interval_above",
        Kind::Size { min: 0, max: GIB },
        "1MiB",
        "Larger files are not parsed but chunked at fixed intervals.",
    ),
    row("index", "untracked", Kind::Bool, "true", "Also index files that git neither tracks nor ignores."),
    row(
        "index",
        "generated",
        FOREIGN,
        "index",
        "Generated files (by name, by their first lines, linguist-generated or -diff in .gitattributes) are ranked down, or skipped.",
    ),
    row(
        "index",
        "vendored",
        FOREIGN,
        "index",
        "Files of others (vendor/, node_modules/ and the like, linguist-vendored in .gitattributes) are ranked down, or skipped.",
    ),
    row("index", "threads", Kind::Count { min: 0, max: 1024 }, "0", "Worker threads; 0: one for each core."),
    row(
        "chunk",
        "min_tokens",
        Kind::Count { min: 1, max: 100_000 },
        "100",
        "Neighbours smaller than this are joined into one chunk.",
    ),
    row(
        "chunk",
        "max_tokens",
        Kind::Count { min: 50, max: 100_000 },
        "1000",
        "Larger pieces of code are split; must exceed min_tokens.",
    ),
    row("embedding", "enabled", Kind::Bool, "true", "Compute embeddings; false: lexical search only."),
    row("embedding", "model", Kind::Text, "builtin", "The embedding model; there is `builtin`."),
    row(
        "embedding",
        "batch_size",
        Kind::Count { min: 1, max: 65_536 },
        "256",
        "Chunks given to the embedding model at a time.",
    ),
    row("search", "limit", Kind::Count { min: 1, max: 1000 }, "10", "How many results a search returns."),
    row("search", "refresh", Kind::Bool, "true", "Bring the index up to date before a search."),
    row(
        "search",
        "refresh_max_files",
        Kind::Count { min: 0, max: 1_000_000 },
        "200",
        "With more changed files than this a search answers from the index as it is.",
    ),
    row(
        "store",
        "dir",
        Kind::Text,
        ".codeagent",
        "Directory of the index, relative to the main worktree. An absolute one in your own file gets a directory per repository.",
    ),
    row(
        "store",
        "max_size",
        Kind::Size { min: 64 * MIB, max: 64 * TIB },
        "1TiB",
        "Ceiling of the index on disk; reserves addresses, not space.",
    ),
    row("output", "color", WHEN, "auto", "Colours; auto: only on a terminal."),
    row("output", "progress", WHEN, "auto", "Progress bars; auto: only on a terminal."),
];

const fn row(
    section: &'static str,
    key: &'static str,
    kind: Kind,
    default: &'static str,
    doc: &'static str,
) -> Key {
    Key { section, key, kind, default, doc }
}

pub fn find(section: &str, key: &str) -> Option<&'static Key> {
    KEYS.iter().find(|k| k.section == section && k.key == key)
}

/// Section names in table order, each once.
pub fn sections() -> Vec<&'static str> {
    let mut names: Vec<_> = KEYS.iter().map(|k| k.section).collect();
    names.dedup();
    names
}

pub fn keys_of(section: &str) -> impl Iterator<Item = &'static Key> {
    KEYS.iter().filter(move |k| k.section == section)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_are_unique_and_sections_contiguous() {
        let paths: BTreeSet<_> = KEYS.iter().map(Key::path).collect();
        assert_eq!(paths.len(), KEYS.len());
        let sections = sections();
        assert_eq!(sections.iter().collect::<BTreeSet<_>>().len(), sections.len());
        assert!(sections.iter().all(|s| !s.contains('_')));
    }

    #[test]
    fn environment_names() {
        let key = find("index", "max_file_size").unwrap();
        assert_eq!(key.env_name(), "CODEAGENT_INDEX_MAX_FILE_SIZE");
        assert_eq!(key.path(), "index.max_file_size");
    }
}
