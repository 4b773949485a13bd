//! The whole way from inputs to the configuration: precedence, provenance, and every kind of mistake in a file.

use std::fs;
use std::path::Path;

use serde_json::json;
use tempfile::TempDir;

use super::*;
use crate::error::ErrorKind;

/// A directory with these as the project's and the user's file.
fn files(project: &str, user: &str) -> (TempDir, Inputs) {
    let dir = TempDir::new().unwrap();
    fs::write(dir.path().join(PROJECT_FILE), project).unwrap();
    let user_file = dir.path().join("user.yaml");
    fs::write(&user_file, user).unwrap();
    let inputs =
        Inputs { project_root: Some(dir.path().into()), user_file: Some(user_file), ..Inputs::default() };
    (dir, inputs)
}

fn setting(loaded: &Loaded, section: &str, key: &str) -> Setting {
    loaded.origins.iter().find(|s| (s.section, s.key) == (section, key)).unwrap().clone()
}

/// Message and hint of what a project file is refused for, without the directory it lies in.
fn refusal(project: &str) -> String {
    let (dir, inputs) = files(project, "");
    let error = load(&inputs).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Usage);
    describe(&error, dir.path())
}

fn describe(error: &Error, dir: &Path) -> String {
    let text = format!("{error}\nhint: {}", error.hint().unwrap());
    text.replace(&format!("{}{}", dir.display(), std::path::MAIN_SEPARATOR), "")
}

#[test]
fn defaults_are_the_documented_ones() {
    let config = load(&Inputs::default()).unwrap().config;
    assert_eq!(config, Config::default());
    assert_eq!(
        serde_json::to_value(&config).unwrap(),
        json!({
            "index": {
                "include": [], "exclude": [], "max_file_size": 10 << 20, "fixed_interval_above": 1 << 20,
                "untracked": true, "generated": "index", "vendored": "index", "threads": 0,
            },
            "chunk": { "min_tokens": 100, "max_tokens": 1000 },
            "embedding": { "enabled": true, "model": "builtin", "batch_size": 256 },
            "search": { "limit": 10, "refresh": true, "refresh_max_files": 200 },
            "store": { "dir": ".codeagent", "max_size": 1_u64 << 40 },
            "output": { "color": "auto", "progress": "auto" },
        })
    );
}

#[test]
fn each_source_wins_over_the_one_before() {
    let (dir, mut inputs) = files(
        "search: {limit: 3}\nchunk: {max_tokens: 503}\nembedding: {model: project}\n",
        "search: {limit: 2}\nchunk: {max_tokens: 502}\nembedding: {model: user}\nindex:\n  threads: 2\n",
    );
    inputs.env.insert("CODEAGENT_SEARCH_LIMIT".into(), "4".into());
    inputs.env.insert("CODEAGENT_CHUNK_MAX_TOKENS".into(), "504".into());
    inputs.flags.push(Flag::new("search", "limit", 5, "--limit"));
    let loaded = load(&inputs).unwrap();

    let value = |section, key| {
        let s = setting(&loaded, section, key);
        (s.text(), s.origin.to_string().replace(&dir.path().display().to_string(), "DIR"))
    };
    let sep = std::path::MAIN_SEPARATOR;
    assert_eq!(value("search", "limit"), ("5".into(), "--limit".into()));
    assert_eq!(value("chunk", "max_tokens"), ("504".into(), "CODEAGENT_CHUNK_MAX_TOKENS".into()));
    assert_eq!(value("embedding", "model"), ("project".into(), format!("DIR{sep}.codeagent.yaml:3")));
    assert_eq!(value("index", "threads"), ("2".into(), format!("DIR{sep}user.yaml:5")));
    assert_eq!(value("store", "max_size"), ("1TiB".into(), "default".into()));
    let config = &loaded.config;
    assert_eq!((config.search.limit, config.chunk.max_tokens, config.index.threads), (5, 504, 2));
}

#[test]
fn origins_follow_the_table_and_serialize() {
    let (_dir, mut inputs) = files("", "");
    inputs.env.insert("CODEAGENT_INDEX_EXCLUDE".into(), "a, *.{b,c}".into());
    let loaded = load(&inputs).unwrap();
    let order: Vec<_> = loaded.origins.iter().map(|s| (s.section, s.key)).collect();
    assert_eq!(order, KEYS.iter().map(|k| (k.section, k.key)).collect::<Vec<_>>());
    assert_eq!(
        serde_json::to_value(setting(&loaded, "index", "exclude")).unwrap(),
        json!({
            "section": "index", "key": "exclude", "value": ["a", "*.{b,c}"],
            "origin": { "kind": "env", "name": "CODEAGENT_INDEX_EXCLUDE" },
            "doc": "Never index files and directories that match one of these globs.",
        })
    );
}

#[test]
fn lists_replace_but_repeated_flags_add_up() {
    let (_dir, mut inputs) = files("index: {exclude: [b], include: [x]}\n", "index: {exclude: [a]}\n");
    assert_eq!(load(&inputs).unwrap().config.index.exclude, ["b"]);
    inputs.flags = ["c", "d,e"].map(|v| Flag::new("index", "exclude", v, "--exclude")).into();
    inputs.env.insert("CODEAGENT_INDEX_INCLUDE".into(), "".into());
    let config = load(&inputs).unwrap().config;
    assert_eq!(config.index.exclude, ["c", "d", "e"]);
    assert!(config.index.include.is_empty());
}

#[test]
fn the_last_of_repeated_flags_wins() {
    let flags = [7, 8].map(|n| Flag::new("search", "limit", n, "--limit")).into();
    assert_eq!(load(&Inputs { flags, ..Inputs::default() }).unwrap().config.search.limit, 8);
}

#[test]
fn files_that_say_nothing() {
    for text in
        ["", "# nothing\n", "---\n", "index:\n", "index:\n  exclude:\n  # - docs\n", "\u{feff}index:\r\n"]
    {
        assert_eq!(load(&files(text, "").1).unwrap().config, Config::default(), "{text:?}");
    }
    let missing = Inputs { project_root: Some("/nonexistent".into()), ..Inputs::default() };
    assert_eq!(load(&missing).unwrap().config, Config::default());
}

#[test]
fn sizes_in_files() {
    let text = "index:\n  max_file_size: 500 KB\n  fixed_interval_above: 4096\nstore: {max_size: \"2GiB\"}\n";
    let config = load(&files(text, "").1).unwrap().config;
    assert_eq!(
        (config.index.max_file_size, config.index.fixed_interval_above, config.store.max_size),
        (500_000, 4096, 2 << 30)
    );
}

#[test]
fn unknown_names() {
    insta::assert_snapshot!(refusal("indx:\n  threads: 1\n"), @"
    .codeagent.yaml:1: unknown section `indx`
    hint: did you mean `index`?
    ");
    insta::assert_snapshot!(refusal("max_file_size: 1MiB\n"), @"
    .codeagent.yaml:1: unknown section `max_file_size`
    hint: did you mean `max_file_size` in section `index`?
    ");
    insta::assert_snapshot!(refusal("# a\nindex:\n  threads: 1\n  max_filesize: 1MiB\n"), @"
    .codeagent.yaml:4: unknown key `max_filesize` in section `index`
    hint: did you mean `max_file_size`?
    ");
    insta::assert_snapshot!(refusal("store:\n  limit: 3\n"), @"
    .codeagent.yaml:2: unknown key `limit` in section `store`
    hint: did you mean `limit` in section `search`?
    ");
    insta::assert_snapshot!(refusal("search:\n  rerank: 3\n"), @"
    .codeagent.yaml:2: unknown key `rerank` in section `search`
    hint: valid keys: limit, refresh, refresh_max_files
    ");
    insta::assert_snapshot!(refusal("search: {1: 3}\n"), @"
    .codeagent.yaml:1: unknown key `1` in section `search`
    hint: valid keys: limit, refresh, refresh_max_files
    ");
}

#[test]
fn wrong_values() {
    insta::assert_snapshot!(refusal("search:\n  limit: ten\n"), @"
    .codeagent.yaml:2: search.limit must be a whole number from 1 to 1000, not `ten`
    hint: the default is 10. How many results a search returns.
    ");
    insta::assert_snapshot!(refusal("search:\n  limit: 0\n"), @"
    .codeagent.yaml:2: search.limit must be a whole number from 1 to 1000, not 0
    hint: the default is 10. How many results a search returns.
    ");
    insta::assert_snapshot!(refusal("search:\n  refresh: yes\n"), @"
    .codeagent.yaml:2: search.refresh must be true or false, not `yes`
    hint: the default is true. Bring the index up to date before a search.
    ");
    insta::assert_snapshot!(refusal("index:\n  max_file_size: 2GiB\n"), @"
    .codeagent.yaml:2: index.max_file_size must be a size from 1 to 1GiB, not `2GiB`
    hint: the default is 10MiB. Larger files are skipped, and reported as skipped.
    ");
    insta::assert_snapshot!(refusal("index:\n  max_file_size: {a: 1}\n"), @"
    .codeagent.yaml:2: index.max_file_size must be a size from 1 to 1GiB, not a mapping
    hint: the default is 10MiB. Larger files are skipped, and reported as skipped.
    ");
    insta::assert_snapshot!(refusal("index:\n  exclude: docs\n"), @r#"
    .codeagent.yaml:2: index.exclude must be a list of globs, not `docs`
    hint: for example ["docs/**", "**/*.min.js"]. Never index files and directories that match one of these globs.
    "#);
    insta::assert_snapshot!(refusal("index:\n  exclude:\n    - \"src/[a\"\n"), @r#"
    .codeagent.yaml:2: index.exclude has an invalid glob `src/[a`: unclosed character class; missing ']'
    hint: for example ["docs/**", "**/*.min.js"]. Never index files and directories that match one of these globs.
    "#);
    insta::assert_snapshot!(refusal("output:\n  color: sometimes\n"), @"
    .codeagent.yaml:2: output.color must be one of auto, always, never, not `sometimes`
    hint: the default is auto. Colours; auto: only on a terminal.
    ");
    insta::assert_snapshot!(refusal("chunk:\n  max_tokens: 49\n"), @"
    .codeagent.yaml:2: chunk.max_tokens must be a whole number from 50 to 100000, not 49
    hint: the default is 1000. Larger pieces of code are split; must exceed min_tokens.
    ");
    insta::assert_snapshot!(refusal("chunk:\n  max_tokens: 99999999999999999999999\n"), @"
    .codeagent.yaml:2: chunk.max_tokens must be a whole number from 50 to 100000, not 1e+23
    hint: the default is 1000. Larger pieces of code are split; must exceed min_tokens.
    ");
}

#[test]
fn bounds_that_contradict_each_other() {
    insta::assert_snapshot!(refusal("chunk:\n  max_tokens: 100\n"), @"
    chunk.min_tokens (100, from default) must be less than chunk.max_tokens (100, from .codeagent.yaml:2)
    hint: lower the one or raise the other
    ");
    insta::assert_snapshot!(refusal("chunk:\n  max_tokens: 300\n  min_tokens: 500\n"), @"
    chunk.min_tokens (500, from .codeagent.yaml:3) must be less than chunk.max_tokens (300, from .codeagent.yaml:2)
    hint: lower the one or raise the other
    ");
}

#[test]
fn wrong_shapes() {
    insta::assert_snapshot!(refusal("just text\n"), @"
    .codeagent.yaml:1: the file must be a mapping of sections
    hint: write `section:`, and below it indented `key: value` lines
    ");
    insta::assert_snapshot!(refusal("index: 5\n"), @"
    .codeagent.yaml:1: section `index` must be a mapping of keys
    hint: write `index:`, and below it indented `key: value` lines
    ");
    insta::assert_snapshot!(refusal("index:\n  - exclude\n"), @"
    .codeagent.yaml:1: section `index` must be a mapping of keys
    hint: write `index:`, and below it indented `key: value` lines
    ");
}

#[test]
fn no_yaml() {
    insta::assert_snapshot!(refusal("index:\n  exclude: [a\n"), @"
    .codeagent.yaml:2: not valid YAML: unclosed bracket '['
    hint: check the indentation, and put values that start with one of * ! & [ { in quotes
    ");
    insta::assert_snapshot!(refusal("index:\n  exclude:\n    - *.min.js\n"), @r#"
    .codeagent.yaml:3: a value that starts with `*` is a YAML alias
    hint: put the glob in quotes: "**/*.min.js"
    "#);
    insta::assert_snapshot!(refusal("index:\n  exclude: [**/a]\n"), @r#"
    .codeagent.yaml:2: a value that starts with `*` is a YAML alias
    hint: put the glob in quotes: "**/*.min.js"
    "#);
    insta::assert_snapshot!(refusal("index:\n  threads: 1\n  threads: 2\n"), @"
    .codeagent.yaml:3: `threads` is set twice
    hint: keep one of the two
    ");
    insta::assert_snapshot!(refusal("index:\n\tthreads: 1\n"), @"
    .codeagent.yaml:2: not valid YAML: tabs disallowed within this context (block indentation)
    hint: check the indentation, and put values that start with one of * ! & [ { in quotes
    ");
    insta::assert_snapshot!(refusal("index: {}\n---\nindex: {}\n"), @"
    .codeagent.yaml:3: not valid YAML: only single YAML document expected but multiple found
    hint: check the indentation, and put values that start with one of * ! & [ { in quotes
    ");
    insta::assert_snapshot!(refusal("index: &a {threads: 1}\nstore: {<<: *a}\n"), @"
    .codeagent.yaml:2: not valid YAML: merge key not allowed here
    hint: check the indentation, and put values that start with one of * ! & [ { in quotes
    ");
    insta::assert_snapshot!(refusal("? [a, b]\n: 1\n"), @"
    .codeagent.yaml:1: not valid YAML: expected string scalar
    hint: check the indentation, and put values that start with one of * ! & [ { in quotes
    ");
}

#[test]
fn alias_bombs_are_cheap() {
    let mut bomb = String::from("index:\n  include: &a0 [x, x, x, x, x, x, x, x]\n");
    for level in 1..12 {
        let alias = format!("*a{}", level - 1);
        bomb += &format!("k{level}: &a{level} [{}]\n", vec![alias; 8].join(", "));
    }
    insta::assert_snapshot!(refusal(&bomb), @"
    .codeagent.yaml:6: not valid YAML: YAML document too large or too complex: total_replayed_events=20001 > 20000
    hint: check the indentation, and put values that start with one of * ! & [ { in quotes
    ");
    insta::assert_snapshot!(refusal(&"[".repeat(5000)), @"
    .codeagent.yaml:1: not valid YAML: recursion limit exceeded
    hint: check the indentation, and put values that start with one of * ! & [ { in quotes
    ");
}

#[test]
fn unreadable_files() {
    let (dir, inputs) = files("", "");
    let project = dir.path().join(PROJECT_FILE);
    let error = |inputs: &Inputs| {
        let error = load(inputs).unwrap_err();
        (error.kind(), describe(&error, dir.path()))
    };
    fs::write(&project, b"index: \xff\n").unwrap();
    let (kind, text) = error(&inputs);
    assert_eq!(kind, ErrorKind::Failed);
    insta::assert_snapshot!(text, @"
    cannot read the configuration .codeagent.yaml: stream did not contain valid UTF-8
    hint: make it a readable UTF-8 file, or move it away to go on without it
    ");

    fs::write(&project, vec![b'#'; (1 << 20) + 1]).unwrap();
    insta::assert_snapshot!(error(&inputs).1, @"
    cannot read the configuration .codeagent.yaml: larger than 1 MiB
    hint: make it a readable UTF-8 file, or move it away to go on without it
    ");

    fs::remove_file(&project).unwrap();
    fs::create_dir(&project).unwrap();
    insta::assert_snapshot!(error(&inputs).1, @"
    cannot read the configuration .codeagent.yaml: not a regular file
    hint: make it a readable UTF-8 file, or move it away to go on without it
    ");

    fs::remove_dir(&project).unwrap();
    fs::write(dir.path().join(".codeagent.yml"), "").unwrap();
    insta::assert_snapshot!(error(&inputs).1, @"
    .codeagent.yml: this name is not read
    hint: rename it to .codeagent.yaml
    ");
}

#[test]
fn flags_are_checked_too() {
    let error = |flag| load(&Inputs { flags: vec![flag], ..Inputs::default() }).unwrap_err();
    let wrong = error(Flag::new("search", "limit", "many", "--limit"));
    assert_eq!(wrong.to_string(), "--limit: search.limit must be a whole number from 1 to 1000, not `many`");
    let unknown = error(Flag::new("search", "limits", "1", "--set"));
    assert_eq!(unknown.hint(), Some("did you mean `limit`?"));
    assert_eq!(unknown.kind(), ErrorKind::Usage);
}
