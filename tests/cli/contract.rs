//! What scripts rely on: where commands run, what they print, how they end.

use std::fs;
use std::io::Read;
use std::process::Stdio;

use crate::sandbox::{Sandbox, finish, finish_child, keys, text};

const REPORTING: [&[&str]; 6] = [
    &["scan", "--json"],
    &["scan", "--json", "--dry-run"],
    &["search", "token", "--json"],
    &["status", "--json"],
    &["manifest", "--json"],
    &["config", "show", "--json"],
];

#[test]
fn commands_work_from_any_directory_of_the_repository() {
    let repo = Sandbox::sample();
    let root = text(&repo.scan(&[])["root"]);
    let inside = finish(repo.command(&["scan", "--json"]).current_dir(repo.path("src/web"))).assert_code(0);
    assert_eq!(inside.json()["root"], *root);
    assert!(!repo.path("src/web/.codeagent").exists(), "one index, at the root");

    let outside = repo.outside();
    for dir in ["repo", "repo/src", "./repo/src/web/.."] {
        let run = finish(repo.command(&["-C", dir, "scan", "--json"]).current_dir(outside)).assert_code(0);
        let report = run.json();
        assert_eq!((&report["root"], &report["files"]["read"]), (&root.clone().into(), &0.into()), "{dir}");
        let after = finish(repo.command(&["scan", "--json", "-C", dir]).current_dir(outside)).assert_code(0);
        assert_eq!(after.json()["root"], *root, "the option may also follow the command");
    }
}

#[test]
fn paths_are_relative_to_the_directory_one_works_in() {
    let repo = Sandbox::sample();
    repo.scan(&[]);
    repo.write("src/web/cart.ts", "export const changedOne = 1;\n");
    repo.write("src/auth.py", "changed_two = 2\n");
    let run = finish(repo.command(&["scan", "--json", "cart.ts"]).current_dir(repo.path("src/web")));
    let files = &run.assert_code(0).json()["files"];
    assert_eq!((&files["read"], &files["modified"]), (&1.into(), &1.into()));
    let report = repo.json(&["-C", "src", "scan", "--json", "auth.py"]);
    assert_eq!(report["files"]["modified"], 1);
    repo.run(&["scan", "../elsewhere.py"]).assert_error(2, "outside", "relative to the current directory");
}

#[test]
fn index_is_another_name_for_scan() {
    let repo = Sandbox::sample();
    let report = repo.json(&["index", "--json"]);
    assert_eq!(report["files"]["added"], 3);
    assert_eq!(report["root"], repo.scan(&[])["root"]);
}

#[test]
fn every_report_is_one_json_value() {
    let repo = Sandbox::sample();
    repo.scan(&[]);
    for command in REPORTING {
        let run = repo.ok(command);
        run.json();
        assert_eq!(run.stderr, "", "{command:?} says nothing beside its report");
    }
    assert_eq!(repo.json(&["clean", "--json"])["removed"], true);
    assert_eq!(repo.json(&["clean", "--json"])["removed"], false);
}

#[test]
fn scan_json_has_the_documented_fields() {
    let repo = Sandbox::sample();
    let first = repo.scan(&[]);
    let documented = [
        "branch",
        "chunks",
        "commit",
        "dry_run",
        "elapsed_ms",
        "embedded",
        "files",
        "languages",
        "pending",
        "phases",
        "reused",
        "root",
        "view",
        "warnings",
    ];
    assert_eq!(keys(&first), documented);
    let files = [
        "added",
        "deleted",
        "hashed",
        "modified",
        "read",
        "renamed",
        "skipped",
        "skipped_by_reason",
        "total",
        "unchanged",
    ];
    assert_eq!(keys(&first["files"]), files);
    assert_eq!(keys(&first["chunks"]), ["new", "reused", "total"]);

    assert_eq!(text(&first["view"]), "worktree");
    assert_eq!(text(&first["commit"]), repo.git(&["rev-parse", "HEAD"]).trim());
    assert_eq!(text(&first["root"]).len(), 64);
    assert_eq!(first["files"]["total"], 3);
    assert_eq!(first["files"]["added"], 3);
    assert_eq!(first["files"]["read"], 3);
    assert_eq!(first["files"]["hashed"], 3);
    assert_eq!(first["chunks"]["total"], first["chunks"]["new"]);
    assert_eq!(first["embedded"], first["chunks"]["new"]);
    assert_eq!(keys(&first["languages"]), ["markdown", "python", "typescript"]);
    assert!(first["warnings"].as_array().unwrap().is_empty());
    assert!(first["elapsed_ms"].is_u64());
    assert!(first["phases"].as_object().unwrap().values().all(|ms| ms.is_number()));
}

#[test]
fn scan_json_counts_what_changed() {
    let repo = Sandbox::sample();
    repo.write("old.txt", "to be renamed\n");
    repo.write("gone.txt", "to be deleted\n");
    repo.commit("second");
    let first = repo.scan(&[]);
    repo.write("added.txt", "brand new\n");
    repo.write("README.md", "# Shop\n\nChanged.\n");
    fs::rename(repo.path("old.txt"), repo.path("new.txt")).unwrap();
    fs::remove_file(repo.path("gone.txt")).unwrap();
    let second = repo.scan(&[]);
    let files = &second["files"];
    let count = |name: &str| files[name].as_u64().unwrap();
    assert_eq!([count("added"), count("modified"), count("deleted"), count("renamed")], [1; 4], "{files}");
    assert_eq!((count("total"), count("unchanged")), (5, 2), "{files}");
    assert_eq!(second["embedded"], 2);
    assert_ne!(second["root"], first["root"]);

    let third = repo.scan(&[]);
    assert_eq!((&third["files"]["read"], &third["files"]["hashed"]), (&0.into(), &0.into()));
    assert_eq!(third["embedded"], 0);
    assert_eq!(third["root"], second["root"]);
}

#[test]
fn a_dry_run_writes_nothing() {
    let repo = Sandbox::sample();
    let plan = repo.scan(&["--dry-run"]);
    assert_eq!(plan["plan"].as_array().unwrap().len(), 3);
    assert_eq!(plan["dry_run"], true);
    assert!(!repo.path(".codeagent").exists());

    let root = text(&repo.scan(&[])["root"]);
    repo.write("src/auth.py", "changed = True\n");
    let plan = repo.scan(&["--dry-run"]);
    let expected = serde_json::json!([{ "path": "src/auth.py", "change": "update" }]);
    assert_eq!(plan["plan"], expected);
    assert_eq!(text(&repo.json(&["manifest", "--json"])["root_hash"]), root);
}

#[test]
fn quiet_is_quiet() {
    let repo = Sandbox::sample();
    let run = repo.ok(&["scan", "--quiet"]);
    assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("", ""));
}

#[test]
fn output_that_is_no_terminal_has_no_escape_codes() {
    let repo = Sandbox::sample();
    repo.write("image.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    let human: [&[&str]; 6] = [
        &["scan"],
        &["scan", "--dry-run"],
        &["search", "token"],
        &["status"],
        &["manifest"],
        &["config", "show"],
    ];
    for command in human {
        for no_color in [None, Some("1")] {
            let mut command = repo.command(command);
            command.envs(no_color.map(|value| ("NO_COLOR", value)));
            let run = finish(&mut command).assert_code(0);
            assert!(!run.stdout.contains('\x1b') && !run.stderr.contains('\x1b'), "{command:?}: {run:?}");
        }
    }
    let failed = repo.run(&["search", "token", "--lang", "klingon"]).assert_code(2);
    assert!(!failed.stderr.contains('\x1b'));
}

#[test]
fn colour_can_be_forced_and_no_color_still_wins_over_auto() {
    let repo = Sandbox::sample();
    repo.scan(&[]);
    let forced = finish(repo.command(&["manifest"]).env("CODEAGENT_OUTPUT_COLOR", "always")).assert_code(0);
    assert!(forced.stdout.contains("\x1b["));
    let never = finish(repo.command(&["manifest"]).env("CODEAGENT_OUTPUT_COLOR", "never")).assert_code(0);
    assert!(!never.stdout.contains('\x1b'));
    let json = finish(repo.command(&["manifest", "--json"]).env("CODEAGENT_OUTPUT_COLOR", "always"));
    json.assert_code(0).json();
}

#[test]
fn exit_codes_tell_failures_apart() {
    let repo = Sandbox::sample();
    repo.run(&["search", "anything"]).assert_error(3, "nothing is indexed", "codeagent scan");
    repo.run(&["status"]).assert_error(3, "nothing is indexed", "codeagent scan");
    repo.run(&["manifest"]).assert_error(3, "nothing is indexed", "codeagent scan");
    repo.run(&["frobnicate"]).assert_code(2);
    repo.run(&["scan", "--no-such-flag"]).assert_code(2);
    repo.run::<&str>(&[]).assert_code(2);
    repo.run(&["search"]).assert_code(2);
    repo.run(&["search", "token", "-k", "0"]).assert_code(2);
    repo.run(&["scan", "--full", "--ref", "main", "src"]).assert_code(2);
    repo.run(&["-C", "no/such/dir", "scan"]).assert_error(2, "no/such/dir", "-C");
    repo.run(&["scan", "--ref", "no-such-branch"]).assert_error(2, "no-such-branch", "git branch");
    repo.ok(&["scan"]);
    repo.run(&["search", "token", "--ref", "main", "--no-refresh"]).assert_error(
        3,
        "this ref is not indexed",
        "codeagent scan --ref",
    );
    repo.ok(&["--help"]);
    repo.ok(&["--version"]);
    let out = repo.path("no/such/dir/out.jsonl");
    repo.write("queries.jsonl", "{\"id\": 1, \"query\": \"token\"}\n");
    let run = repo.run(&["search", "--batch", "queries.jsonl", "--out", out.to_str().unwrap()]);
    let run = run.assert_code(1);
    assert!(run.stderr.contains("cannot write"), "{}", run.stderr);
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let repo = Sandbox::git();
    for i in 0..1500 {
        repo.write(
            format!("a_directory_with_a_long_name/file_with_a_long_name_{i:05}.txt"),
            format!("text {i}\n"),
        );
    }
    repo.ok(&["scan"]);
    for command in [&["manifest"][..], &["manifest", "--json"], &["scan", "--dry-run", "--full"]] {
        let mut command = repo.command(command);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut start = [0; 10];
        // More than a pipe holds is still to come when the reading end is closed.
        let mut pipe = child.stdout.take().unwrap();
        pipe.read_exact(&mut start).unwrap();
        drop(pipe);
        let run = finish_child(child).assert_code(0);
        assert_eq!(run.stderr, "", "{command:?}");
    }
}

#[test]
fn a_full_device_is_an_error() {
    let Ok(full) = fs::File::options().write(true).open("/dev/full") else {
        eprintln!("SKIPPED: there is no /dev/full");
        return;
    };
    let repo = Sandbox::sample();
    repo.scan(&[]);
    let child = repo.command(&["manifest"]).stdout(full).stderr(Stdio::piped()).spawn().unwrap();
    let run = finish_child(child).assert_code(1);
    assert!(run.stderr.contains("cannot write to standard output"), "{}", run.stderr);
}

#[test]
fn git_status_stays_clean() {
    let repo = Sandbox::sample();
    repo.ok(&["scan"]);
    repo.found("token");
    assert_eq!(repo.git(&["status", "--porcelain", "--untracked-files=all"]), "");
    assert_eq!(repo.git(&["stash", "list"]), "");
}

#[test]
fn a_directory_without_git_works_too() {
    let plain = Sandbox::plain();
    plain.write("a/tokens.py", "def validate_token(token):\n    return token\n");
    plain.write(".gitignore", "ignored.py\n");
    plain.write("ignored.py", "def validate_token_ignored(token):\n    return token\n");
    let report = plain.scan(&[]);
    assert_eq!(report["commit"], serde_json::Value::Null);
    assert_eq!(report["files"]["total"], 2);
    assert_eq!(plain.scan(&[])["files"]["read"], 0);
    assert_eq!(plain.found("validate token")[0], "a/tokens.py");
    plain.run(&["scan", "--ref", "main"]).assert_error(2, "needs a git repository", "not inside one");
    let inside = finish(plain.command(&["search", "validate token", "--json"]).current_dir(plain.path("a")));
    assert_eq!(inside.assert_code(0).json()["results"][0]["file"], "a/tokens.py");
}
