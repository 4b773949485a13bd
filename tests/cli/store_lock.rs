//! One writer at a time, readers never wait, nobody's request is lost.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};

use crate::sandbox::{Run, Sandbox, finish_child, text};

/// Holds the writer lock as a running scan does.
fn hold(repo: &Sandbox) -> File {
    fs::create_dir_all(repo.path(".codeagent/index")).unwrap();
    let lock = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(repo.path(".codeagent/write.lock"))
        .unwrap();
    lock.lock().unwrap();
    lock
}

/// Starts a command and returns when it says that it waits for the lock.
fn start_waiting(repo: &Sandbox, args: &[&str]) -> Waiting {
    let mut child = repo.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    stderr.read_line(&mut line).unwrap();
    assert_eq!(line, "Waiting for another scan to finish…\n");
    Waiting { child, _stderr: stderr }
}

struct Waiting {
    child: Child,
    /// Kept open, so that the process can go on writing to it.
    _stderr: BufReader<std::process::ChildStderr>,
}

impl Waiting {
    fn finish(self) -> Run {
        finish_child(self.child).assert_code(0)
    }
}

#[test]
fn a_second_scan_waits_for_the_first() {
    let repo = Sandbox::sample();
    let lock = hold(&repo);
    let mut waiting = start_waiting(&repo, &["scan", "--json"]);
    assert!(waiting.child.try_wait().unwrap().is_none());
    assert!(!repo.path(".codeagent/index/data.mdb").exists(), "it has not begun");
    drop(lock);
    assert_eq!(waiting.finish().json()["files"]["added"], 3);
}

#[test]
fn scans_at_once_all_succeed_and_agree() {
    let repo = Sandbox::sample();
    let start = || {
        let mut command = repo.command(&["scan", "--json"]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let children: Vec<Child> = (0..5).map(|_| start()).collect();
    let reports: Vec<_> =
        children.into_iter().map(|child| finish_child(child).assert_code(0).json()).collect();
    assert!(reports.iter().all(|report| report["root"] == reports[0]["root"]));
    let embedded: u64 = reports.iter().map(|report| report["embedded"].as_u64().unwrap()).sum();
    assert_eq!(reports[0]["chunks"]["total"], embedded, "each chunk once");
}

#[test]
fn whoever_does_not_wait_leaves_a_note() {
    let repo = Sandbox::sample();
    let lock = hold(&repo);
    assert_eq!(repo.json(&["scan", "--no-wait", "--json"])["deferred"], true);
    let human = repo.ok(&["scan", "--no-wait"]);
    assert!(human.stdout.contains("Another scan is running"), "{human:?}");
    assert_eq!(repo.ok(&["scan", "--no-wait", "--quiet"]).stdout, "");
    let notes = || fs::read_dir(repo.path(".codeagent/rerun")).unwrap().count();
    assert_eq!(notes(), 1, "one note a worktree, however often it asks");
    drop(lock);
    assert_eq!(repo.scan(&[])["files"]["total"], 3);
    assert_eq!(notes(), 0);
}

#[test]
fn the_running_scan_does_what_the_notes_ask() {
    let repo = Sandbox::sample();
    let other = repo.path("../other");
    let other = other.to_str().unwrap();
    repo.git(&["worktree", "add", "--quiet", "--detach", other]);
    let lock = hold(&repo);
    let running = start_waiting(&repo, &["scan", "--json"]);
    assert_eq!(repo.json(&["-C", other, "scan", "--no-wait", "--json"])["deferred"], true);
    repo.run(&["-C", other, "search", "token"]).assert_code(3);
    drop(lock);
    running.finish();
    let views = repo.json(&["status", "--json"])["views"].as_array().unwrap().len();
    assert_eq!(views, 2, "the linked worktree was scanned too");
    repo.ok(&["-C", other, "search", "token", "--no-refresh"]);
}

#[test]
fn a_note_of_a_worktree_that_is_gone_does_no_harm() {
    let repo = Sandbox::sample();
    repo.scan(&[]);
    repo.write(".codeagent/rerun/0123456789abcdef", "/no/such/worktree");
    let run = repo.ok(&["scan", "--json"]);
    assert_eq!(run.json()["files"]["total"], 3);
    assert_eq!(fs::read_dir(repo.path(".codeagent/rerun")).unwrap().count(), 0);
}

#[test]
fn without_another_scan_no_wait_just_scans() {
    let repo = Sandbox::sample();
    assert_eq!(repo.json(&["scan", "--no-wait", "--json"])["files"]["total"], 3);
    assert_eq!(fs::read_dir(repo.path(".codeagent/rerun")).unwrap().count(), 0);
}

#[test]
fn readers_never_wait() {
    let repo = Sandbox::sample();
    repo.scan(&[]);
    repo.write("src/refund.py", "def refund_customer():\n    pass\n");
    let _lock = hold(&repo);
    let answer = repo.json(&["search", "validate_token", "--json"]);
    assert_eq!(answer["results"][0]["file"], "src/auth.py");
    assert_eq!(
        (&answer["freshness"]["stale"], &answer["freshness"]["refreshed"]),
        (&1.into(), &false.into())
    );
    assert_eq!(repo.json(&["status", "--json"])["stale"], 1);
    repo.json(&["manifest", "--json"]);
    assert_eq!(repo.scan(&["--dry-run"])["files"]["added"], 1);
}

#[test]
fn clean_waits_for_the_running_scan() {
    let repo = Sandbox::sample();
    repo.scan(&[]);
    let lock = hold(&repo);
    let cleaning = start_waiting(&repo, &["clean", "--json"]);
    assert!(repo.path(".codeagent/index/data.mdb").exists());
    drop(lock);
    assert_eq!(cleaning.finish().json()["removed"], true);
    assert!(!repo.path(".codeagent").exists());
}

#[test]
fn a_scan_that_waited_through_clean_makes_a_new_index() {
    let repo = Sandbox::sample();
    repo.scan(&[]);
    let lock = hold(&repo);
    let scanning = start_waiting(&repo, &["scan", "--json"]);
    // At once, as far as anybody can see.
    fs::rename(repo.path(".codeagent"), repo.path("../gone")).unwrap();
    drop(lock);
    assert_eq!(scanning.finish().json()["files"]["added"], 3);
    assert_eq!(repo.found("validate_token")[0], "src/auth.py");
}

#[test]
fn clean_removes_only_what_is_ours() {
    let repo = Sandbox::sample();
    repo.scan(&[]);
    repo.write(".codeagent/notes.txt", "mine");
    repo.write(".codeagent/index/mine.txt", "mine too");
    assert_eq!(repo.json(&["clean", "--json"])["removed"], true);
    assert_eq!(fs::read_to_string(repo.path(".codeagent/notes.txt")).unwrap(), "mine");
    assert_eq!(fs::read_to_string(repo.path(".codeagent/index/mine.txt")).unwrap(), "mine too");
    assert!(!repo.path(".codeagent/index/data.mdb").exists());
    assert!(repo.path("src/auth.py").exists());
}

#[test]
fn a_deleted_index_is_said_to_be_missing_and_made_again() {
    let repo = Sandbox::sample();
    let root = text(&repo.scan(&[])["root"]);
    fs::remove_dir_all(repo.path(".codeagent")).unwrap();
    repo.run(&["search", "token"]).assert_error(3, "nothing is indexed", "codeagent scan");
    assert!(!repo.path(".codeagent").exists(), "a question creates nothing");
    assert_eq!(text(&repo.scan(&[])["root"]), root);
}
