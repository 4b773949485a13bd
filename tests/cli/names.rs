//! File names that break programs: they are scanned, found, renamed and deleted like any other.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use crate::sandbox::Sandbox;

/// (name on disk, name as shown)
fn odd_names() -> Vec<(Vec<u8>, String)> {
    let long = format!("{}.py", "n".repeat(252));
    let deep = format!("{}deep.py", "d/".repeat(120));
    let plain = [
        "-rf.py",
        "--full",
        "with space.py",
        " leading.py",
        "trailing ",
        "star*[a-z]?{x,y}.py",
        "!bang.py",
        "#hash.py",
        ":(top)colon.py",
        "quote'\"`.py",
        "back\\slash.py",
        "dollar$HOME.py",
        "ünï-日本.py",
        "%25.py",
        "CON",
        "..hidden",
        &long,
        &deep,
    ];
    let mut names: Vec<_> = plain.iter().map(|name| (name.as_bytes().to_vec(), (*name).to_owned())).collect();
    names.push((b"new\nline.py".to_vec(), "new\\x0aline.py".into()));
    names.push((b"tab\there.py".to_vec(), "tab\\x09here.py".into()));
    names.push((b"esc\x1b[31m.py".to_vec(), "esc\\x1b[31m.py".into()));
    names.push((b"latin-\xe9\xff.py".to_vec(), "latin-\\xe9\\xff.py".into()));
    names
}

fn os(name: &[u8]) -> PathBuf {
    PathBuf::from(OsStr::from_bytes(name))
}

fn content(i: usize) -> String {
    format!("def unmistakable_{i}_function():\n    return {i}\n")
}

fn with_odd_names(repo: &Sandbox) -> usize {
    for (i, (name, _)) in odd_names().iter().enumerate() {
        repo.write(os(name), content(i));
    }
    odd_names().len()
}

fn assert_all_found(repo: &Sandbox) {
    let lines: Vec<String> = (0..odd_names().len())
        .map(|i| format!("{{\"id\": {i}, \"query\": \"unmistakable_{i}_function\"}}\n"))
        .collect();
    repo.write("../queries.jsonl", lines.concat());
    repo.ok(&["search", "--batch", "../queries.jsonl", "--out", "../out.jsonl", "-k", "1"]);
    let answers = fs::read_to_string(repo.path("../out.jsonl")).unwrap();
    for (answer, (_, shown)) in answers.lines().zip(odd_names()) {
        let answer: serde_json::Value = serde_json::from_str(answer).unwrap();
        assert_eq!(answer["results"][0]["file"], shown);
    }
    assert_eq!(answers.lines().count(), odd_names().len());
}

#[test]
fn odd_names_survive_untracked_tracked_and_in_a_ref() {
    let repo = Sandbox::git();
    let count = with_odd_names(&repo);
    let untracked = repo.scan(&[]);
    assert_eq!(untracked["files"]["total"], count);
    assert_all_found(&repo);
    repo.commit("all");
    let tracked = repo.scan(&[]);
    assert_eq!((&tracked["root"], &tracked["embedded"]), (&untracked["root"], &0.into()));
    let committed = repo.scan(&["--ref", "main"]);
    assert_eq!((&committed["root"], &committed["embedded"]), (&untracked["root"], &0.into()));
    assert_all_found(&repo);
    let full = repo.scan(&["--full"]);
    assert_eq!(full["root"], untracked["root"]);
}

#[test]
fn odd_names_survive_in_a_plain_directory() {
    let plain = Sandbox::plain();
    let count = with_odd_names(&plain);
    assert_eq!(plain.scan(&[])["files"]["total"], count);
    assert_all_found(&plain);
    assert_eq!(plain.scan(&[])["files"]["read"], 0);
}

#[test]
fn odd_names_can_be_given_as_paths() {
    let repo = Sandbox::git();
    with_odd_names(&repo);
    repo.commit("all");
    repo.scan(&[]);
    for (i, (name, shown)) in odd_names().iter().enumerate() {
        repo.write(os(name), format!("changed = {i}\n"));
        let args = ["scan", "--json", "--"].map(OsStr::new);
        let report = repo.json(&[&args[..], &[OsStr::from_bytes(name)]].concat());
        assert_eq!(
            (&report["files"]["modified"], &report["files"]["read"]),
            (&1.into(), &1.into()),
            "{shown}"
        );
    }
}

#[test]
fn odd_names_can_be_deleted() {
    let repo = Sandbox::git();
    repo.write("stays.py", "stays = True\n");
    with_odd_names(&repo);
    repo.commit("all");
    repo.scan(&[]);
    for (name, _) in odd_names() {
        fs::remove_file(repo.path(os(&name))).unwrap();
    }
    let report = repo.scan(&[]);
    assert_eq!(
        (&report["files"]["total"], &report["files"]["deleted"]),
        (&1.into(), &odd_names().len().into())
    );
}

#[test]
fn names_cannot_drive_the_terminal() {
    let repo = Sandbox::git();
    with_odd_names(&repo);
    repo.ok(&["scan"]);
    for command in [&["manifest"][..], &["search", "unmistakable"], &["scan", "--dry-run", "--full"]] {
        let mut command = repo.command(command);
        let run = crate::sandbox::finish(command.env("CODEAGENT_OUTPUT_COLOR", "never")).assert_code(0);
        assert!(!run.stdout.contains('\x1b') && !run.stdout.contains("new\nline"), "{}", run.stdout);
    }
}
