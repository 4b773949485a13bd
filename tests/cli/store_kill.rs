//! A scan that is killed at any moment leaves an index that the next scan goes on from.

use std::process::Stdio;
use std::time::Duration;

use serde_json::Value;

use crate::sandbox::{Sandbox, finish, text};

const FILES: usize = 2500;
const FUNCTIONS: usize = 8;

/// Many small functions, each a chunk of its own: enough for several commits.
fn large_repository() -> Sandbox {
    let repo = Sandbox::git();
    repo.write(".codeagent.yaml", "chunk:\n  min_tokens: 1\nindex:\n  include: [\"pkg/**\"]\n");
    for i in 0..FILES {
        let function = |j| format!("def compute_{i}_{j}(value):\n    return value * {i} + {j}\n\n\n");
        repo.write(format!("pkg/{}/m{i}.py", i % 50), (0..FUNCTIONS).map(function).collect::<String>());
    }
    repo.commit("all");
    repo
}

/// Vectors in the index; 0 while there is none.
fn vectors(repo: &Sandbox) -> u64 {
    let run = repo.run(&["status", "--json"]);
    match run.code {
        Some(0) => {
            run.json()["embedding"].as_array().unwrap().iter().map(|s| s["vectors"].as_u64().unwrap()).sum()
        }
        _ => {
            run.assert_error(3, "nothing is indexed", "codeagent scan");
            0
        }
    }
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap()
}

#[test]
fn killed_scans_lose_no_finished_work() {
    let repo = large_repository();
    // The same files in a store of their own, never disturbed.
    let store = repo.path("../clean-store");
    let clean =
        finish(repo.command(&["scan", "--json"]).env("CODEAGENT_STORE_DIR", &store)).assert_code(0).json();
    let distinct = number(&clean["embedded"]);
    assert_eq!(distinct, (FILES * FUNCTIONS) as u64);
    let time = Duration::from_millis(number(&clean["elapsed_ms"]));

    let mut stored = 0;
    for attempt in 1..=10 {
        let mut command = repo.command(&["scan", "--quiet"]);
        let mut scan = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        std::thread::sleep(time * attempt / 9);
        scan.kill().unwrap();
        scan.wait().unwrap();
        let now = vectors(&repo);
        assert!(now >= stored, "a vector that was stored is gone");
        stored = now;
    }
    let last = repo.scan(&[]);
    assert_eq!(number(&last["embedded"]), distinct - stored, "only what was not stored is computed");
    assert_eq!(vectors(&repo), distinct);
    assert_eq!(text(&last["root"]), text(&clean["root"]));
    let again = repo.scan(&[]);
    assert_eq!((number(&again["embedded"]), number(&again["files"]["read"])), (0, 0));
    let answer = repo.json(&["search", "compute_1234_5", "-k", "1", "--json"]);
    assert_eq!(answer["results"][0]["file"], "pkg/34/m1234.py");
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
}

#[test]
fn readers_see_the_old_view_until_the_scan_is_done() {
    let repo = Sandbox::sample();
    let before = text(&repo.scan(&[])["root"]);
    for i in 0..800 {
        repo.write(format!("more/{i}.py"), format!("def more_{i}():\n    return {i}\n"));
    }
    let mut command = repo.command(&["scan", "--json"]);
    let mut scan = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut roots = Vec::new();
    while scan.try_wait().unwrap().is_none() {
        roots.push(text(&repo.json(&["manifest", "--json"])["root_hash"]));
    }
    let after = text(&crate::sandbox::finish_child(scan).assert_code(0).json()["root"]);
    assert_ne!(before, after);
    assert!(roots.iter().all(|root| *root == before || *root == after), "no state in between is ever seen");
}
