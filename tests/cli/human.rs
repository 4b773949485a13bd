//! What people read, with whatever differs from run to run filtered out.

use crate::sandbox::{Run, Sandbox, finish};

/// Times, sizes, hashes and places.
const FILTERS: [(&str, &str); 7] = [
    (r"\b[0-9a-f]{64}\b", "[hash]"),
    (r"\b[0-9a-f]{12}\b", "[hash]"),
    (r"\b\d+ ms\b|\b\d+\.\d s\b", "[time]"),
    (r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "[when]"),
    (r"\b[01]\.\d{3}\b", "[score]"),
    (r"\b\d+\.\d [KM]iB, ", "[size], "),
    (r"/\S*/\.tmp\w+", "[tmp]"),
];

macro_rules! assert_output {
    ($name:literal, $run:expr) => {
        insta::with_settings!({ filters => FILTERS, omit_expression => true }, {
            insta::assert_snapshot!($name, shown($run));
        })
    };
}

fn shown(run: Run) -> String {
    let code = run.code.map_or("a signal".to_owned(), |code| code.to_string());
    let mut text = run.stdout;
    if !run.stderr.is_empty() {
        text.push_str(&format!("--- standard error ---\n{}", run.stderr));
    }
    if code != "0" {
        text.push_str(&format!("--- exit code {code} ---\n"));
    }
    text
}

/// The sample with something of each kind that is left out.
fn varied() -> Sandbox {
    let repo = Sandbox::sample();
    repo.write("logo.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    std::os::unix::fs::symlink("README.md", repo.path("link.md")).unwrap();
    repo.write("vendor/other/inside.py", "nested = True\n");
    repo.git(&["init", "--quiet", "vendor/other"]);
    repo
}

#[test]
fn scan() {
    let repo = varied();
    assert_output!("scan_first", repo.run(&["scan"]));
    assert_output!("scan_again", repo.run(&["scan"]));
    repo.write("src/auth.py", "changed = True\n");
    std::fs::remove_file(repo.path("README.md")).unwrap();
    assert_output!("scan_dry_run", repo.run(&["scan", "--dry-run"]));
    assert_output!("scan_changed", repo.run(&["scan"]));
}

#[test]
fn scan_without_embedding() {
    let repo = Sandbox::sample();
    let mut command = repo.command(&["scan"]);
    assert_output!("scan_lexical", finish(command.env("CODEAGENT_EMBEDDING_ENABLED", "false")));
}

#[test]
fn search() {
    let repo = Sandbox::sample();
    repo.ok(&["scan"]);
    assert_output!("search", repo.run(&["search", "validate_token", "-k", "1"]));
    assert_output!("search_nothing", repo.run(&["search", "token", "--lang", "csharp"]));
}

#[test]
fn status() {
    let repo = varied();
    repo.ok(&["scan"]);
    assert_output!("status", repo.run(&["status"]));
    repo.write("src/auth.py", "changed = True\n");
    assert_output!("status_stale", repo.run(&["status"]));
}

#[test]
fn manifest() {
    let repo = varied();
    repo.ok(&["scan"]);
    assert_output!("manifest", repo.run(&["manifest"]));
}

#[test]
fn config() {
    let repo = Sandbox::sample();
    repo.write(".codeagent.yaml", "index:\n  exclude: [\"docs/**\"]\nsearch:\n  limit: 5\n");
    let mut command = repo.command(&["config", "show"]);
    assert_output!("config_show", finish(command.env("CODEAGENT_CHUNK_MAX_TOKENS", "1500")));
}

#[test]
fn clean() {
    let repo = Sandbox::sample();
    repo.ok(&["scan"]);
    assert_output!("clean", repo.run(&["clean"]));
    assert_output!("clean_again", repo.run(&["clean"]));
}

#[test]
fn errors() {
    let repo = Sandbox::sample();
    assert_output!("error_not_indexed", repo.run(&["search", "token"]));
    assert_output!("error_bad_ref", repo.run(&["scan", "--ref", "nope"]));
    repo.write(".codeagent.yaml", "index:\n  max_file_sise: 3\n");
    assert_output!("error_unknown_key", repo.run(&["scan"]));
}
