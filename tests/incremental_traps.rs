//! States in which what is remembered and what is true once came apart: each ends with a scan that must give the
//! root of a first one, and none may show what is not a file of the view.
//!
//! Files are aged wherever git's index is to vouch for them: young ones are read anyway, which hides mistakes.
#![cfg(unix)]

mod support;

use std::fs::{self, File};
use std::io::Write;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant, UNIX_EPOCH};

use support::{TestRepo, leaves};

const CODE: &str = "def quicksilver():\n    return 'kept'\n";
const OTHER: &str = "def permanent():\n    return 'other'\n";

fn mkfifo(repo: &TestRepo, path: &str) {
    let made = repo.isolated("mkfifo").arg(repo.path(path)).status().expect("mkfifo runs");
    assert!(made.success());
}

/// Runs a command that must end by itself soon.
#[track_caller]
fn soon(command: &mut Command) -> Output {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let end = Instant::now() + Duration::from_secs(60);
    while child.try_wait().unwrap().is_none() {
        if Instant::now() > end {
            child.kill().unwrap();
            panic!("{command:?} hangs");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    child.wait_with_output().unwrap()
}

mod kinds {
    use super::*;

    #[test]
    fn a_file_with_the_text_of_a_link_leaves_nothing_behind() {
        let repo = TestRepo::with(&[("target", CODE), ("other.py", OTHER)]);
        repo.symlink("target", "l");
        repo.commit("a link");
        repo.age();
        let first = repo.scan_checked();

        repo.remove("l");
        repo.write("l", "target");
        repo.scan_checked();
        assert!(repo.indexed().contains(&"l".to_owned()), "a file for now");

        repo.remove("l");
        repo.git(&["checkout", "--quiet", "--", "l"]);
        repo.age();
        assert_eq!(repo.scan_checked().root, first.root);
        assert!(!repo.search("target").files().contains(&"l"));
        assert!(!repo.indexed().contains(&"l".to_owned()));
    }

    #[test]
    fn a_link_in_the_place_of_a_file_with_its_target_as_text() {
        let repo = TestRepo::with(&[("l", "target"), ("target", CODE)]);
        repo.age();
        let first = repo.scan_checked();
        repo.remove("l");
        repo.symlink("target", "l");
        repo.scan_checked();
        assert!(!repo.indexed().contains(&"l".to_owned()), "a link for now");
        repo.remove("l");
        repo.git(&["checkout", "--quiet", "--", "l"]);
        repo.age();
        assert_eq!(repo.scan_checked().root, first.root);
        assert!(repo.indexed().contains(&"l".to_owned()));
    }

    #[test]
    fn a_pipe_in_the_place_of_an_empty_file_leaves_nothing_behind() {
        let repo = TestRepo::with(&[("empty.py", ""), ("other.py", OTHER)]);
        repo.age();
        let first = repo.scan_checked();
        repo.remove("empty.py");
        mkfifo(&repo, "empty.py");
        let piped = soon(repo.command().args(["scan", "--json"]));
        assert!(piped.status.success(), "{piped:?}");
        repo.scan_checked();

        repo.remove("empty.py");
        repo.git(&["checkout", "--quiet", "--", "empty.py"]);
        repo.age();
        assert_eq!(repo.scan_checked().root, first.root);
    }
}

mod outside {
    use super::*;

    #[test]
    fn a_link_over_a_sparse_directory_does_not_lead_out() {
        let repo = TestRepo::with(&[("lib/secret.py", CODE), ("other.py", OTHER)]);
        repo.age();
        repo.scan_checked();

        let outside = repo.sibling("outside");
        outside.write("secret.py", "def smuggled():\n    return 'smuggled'\n");
        repo.git(&["update-index", "--skip-worktree", "lib/secret.py"]);
        repo.remove("lib");
        repo.symlink(outside.root().to_str().unwrap(), "lib");
        for _ in 0..2 {
            repo.scan_checked();
            let answer = repo.search("smuggled");
            assert!(!answer.shows("smuggled"), "{answer:#?}");
        }
        let full = repo.scan_with(&["--full"]);
        assert_eq!(full.root, repo.fresh_root());
        let named = repo.codeagent(&["scan", "lib/secret.py"]);
        assert!(!repo.search("smuggled").shows("smuggled"), "{named:?}");
    }

    #[test]
    fn an_ignore_file_that_is_a_link_is_refused() {
        let repo = TestRepo::with(&[("code.py", CODE)]);
        repo.sibling("outside").write("rules", "passphrase[\n");
        repo.symlink("../outside/rules", ".codeagentignore");
        refused(&repo, "passphrase");
    }

    #[test]
    fn an_ignore_file_that_is_a_pipe_is_refused() {
        let repo = TestRepo::with(&[("code.py", CODE)]);
        mkfifo(&repo, ".codeagentignore");
        refused(&repo, "passphrase");
    }

    /// Refused both by a first scan and by a later one, which says why; fine again without that file.
    fn refused(repo: &TestRepo, secret: &str) {
        for _ in 0..2 {
            let output = soon(repo.command().arg("scan"));
            assert!(output.status.code().is_some_and(|code| code != 0), "{output:?}");
            let errors = String::from_utf8_lossy(&output.stderr);
            assert!(errors.contains(".codeagentignore") && errors.contains("regular file"), "{errors}");
            assert!(!errors.contains(secret) && output.stdout.is_empty(), "{output:?}");
        }
        repo.remove(".codeagentignore");
        repo.scan_checked();
        assert_eq!(repo.indexed(), ["code.py"]);
    }
}

mod rules {
    use super::*;

    #[test]
    fn a_directory_that_becomes_a_repository_forgets_what_was_deleted() {
        let repo = TestRepo::plain();
        repo.write_all(&[("gone.py", CODE), ("kept.py", OTHER), ("ignored.py", "x = 1\n")]);
        repo.scan_checked();
        repo.git(&["init", "--quiet", "--initial-branch=main"]);
        repo.write(".gitignore", "ignored.py\n");
        repo.remove("gone.py");
        repo.scan_checked();
        assert_eq!(repo.indexed(), [".gitignore", "kept.py"]);
        assert!(!repo.search("quicksilver").files().contains(&"gone.py"));

        repo.commit("now tracked");
        repo.age();
        repo.scan_checked();
    }

    #[test]
    fn the_size_cap_goes_down_and_up() {
        let large: String = (0..200).map(|n| format!("def function{n}():\n    return {n}\n")).collect();
        let repo = TestRepo::with(&[("large.py", &large), ("small.py", CODE)]);
        repo.age();
        let first = repo.scan_checked();
        assert_eq!(repo.indexed(), ["large.py", "small.py"]);

        let capped = repo.with_env("CODEAGENT_INDEX_MAX_FILE_SIZE", "1000");
        let low = capped.scan_checked();
        assert_eq!((low.embedded, low.skipped("too_large")), (0, 1), "{low:#?}");
        assert_eq!(capped.indexed(), ["small.py"]);

        let back = repo.scan_checked();
        assert_eq!((back.root, back.embedded), (first.root, 0));
        assert_eq!(repo.indexed(), ["large.py", "small.py"]);
    }

    #[test]
    fn a_size_cap_from_the_start_is_lifted_later() {
        let large: String = (0..200).map(|n| format!("def function{n}():\n    return {n}\n")).collect();
        let repo = TestRepo::with(&[("large.py", &large), ("small.py", CODE)]);
        repo.age();
        repo.with_env("CODEAGENT_INDEX_MAX_FILE_SIZE", "1000").scan_checked();
        repo.scan_checked();
        assert_eq!(repo.indexed(), ["large.py", "small.py"]);
    }

    #[test]
    fn the_size_cap_holds_for_commits_too() {
        let large: String = (0..200).map(|n| format!("def function{n}():\n    return {n}\n")).collect();
        let repo = TestRepo::with(&[("large.py", &large), ("small.py", CODE)]);
        let capped = repo.with_env("CODEAGENT_INDEX_MAX_FILE_SIZE", "1000");
        let main = ["--ref", "main"];
        let first = repo.scan_with(&main);
        let low = capped.scan_with(&main);
        assert_eq!((low.files.total, low.embedded), (1, 0), "{low:#?}");
        assert_eq!(low.root, capped.with_store("fresh").scan_with(&main).root);
        let back = repo.scan_with(&main);
        assert_eq!((back.root, back.embedded), (first.root, 0));
    }

    const CRLF: &str = "def windows():\r\n    return 'lines'\r\n";

    #[test]
    fn autocrlf_is_turned_on_after_a_scan() {
        let repo = TestRepo::with(&[("code.py", CODE)]);
        repo.write("untracked.py", CRLF);
        repo.age();
        let first = repo.scan_checked();
        repo.git(&["config", "core.autocrlf", "true"]);
        repo.scan_checked();
        repo.git(&["config", "core.autocrlf", "false"]);
        assert_eq!(repo.scan_checked().root, first.root);
    }

    #[test]
    fn attributes_are_scanned_before_the_files_they_are_about() {
        let repo = TestRepo::with(&[("code.py", CODE)]);
        repo.write("untracked.py", CRLF);
        repo.age();
        repo.scan_checked();
        repo.write(".gitattributes", "* text=auto\n");
        repo.scan_with(&[".gitattributes"]);
        repo.scan_checked();
        repo.remove(".gitattributes");
        repo.scan_with(&[".gitattributes"]);
        repo.scan_checked();
    }
}

mod crafted {
    use super::*;

    fn git_with_input(repo: &TestRepo, args: &[&str], input: &[u8]) -> String {
        let mut command = repo.isolated("git");
        let mut child = command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "git {args:?}");
        String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
    }

    #[test]
    fn a_replaced_blob_is_what_the_worktree_says() {
        let repo = TestRepo::with(&[("code.py", CODE), ("other.py", OTHER)]);
        repo.age();
        let first = repo.scan_checked();
        let blob = repo.git(&["rev-parse", "HEAD:code.py"]);
        let impostor =
            git_with_input(&repo, &["hash-object", "-w", "--stdin"], b"def impostor():\n    pass\n");
        repo.git(&["replace", &blob, &impostor]);
        assert_eq!(repo.scan_checked().root, first.root);
        assert_eq!(repo.scan_with(&["--full"]).root, first.root);
        assert!(!repo.search("impostor").shows("impostor"));
        assert!(repo.search("quicksilver").shows("quicksilver"));

        let known = repo.scan_with(&["--ref", "main"]).root;
        assert_eq!(repo.with_store("fresh").scan_with(&["--ref", "main"]).root, known);

        // Not read from git either, where the worktree lacks a copy.
        repo.git(&["update-index", "--skip-worktree", "code.py"]);
        repo.remove("code.py");
        repo.scan_checked();
        assert!(!repo.search("impostor").shows("impostor"));
    }

    /// A commit whose tree has one entry that git itself would never write, beside `good.py`.
    fn commit_with(repo: &TestRepo, name: &str) -> String {
        let blob = git_with_input(repo, &["hash-object", "-w", "--stdin"], CODE.as_bytes());
        let raw: Vec<u8> =
            (0..20).map(|n| u8::from_str_radix(&blob[2 * n..2 * n + 2], 16).unwrap()).collect();
        let entry = |name: &str| [b"100644 ", name.as_bytes(), b"\0", &raw].concat();
        let mut names = [name, "good.py"];
        names.sort_unstable();
        let write = ["hash-object", "-t", "tree", "-w", "--literally", "--stdin"];
        let tree = git_with_input(repo, &write, &names.map(entry).concat());
        repo.git(&["commit-tree", "-m", "crafted", &tree])
    }

    /// A crafted commit shows its one good file, and leaves no trace in the views that come after it.
    fn left_out(name: &str) {
        let repo = TestRepo::with(&[("good.py", CODE), ("other.py", OTHER)]);
        let crafted = commit_with(&repo, name);
        repo.git(&["branch", "moving", &crafted]);
        for turn in 0..2 {
            let scan = repo.scan_with(&["--ref", "moving"]);
            let named = scan.warnings.iter().any(|warning| warning.contains(name));
            assert!(named || turn > 0, "{name}: {scan:#?}");
            let view = leaves(&repo.json(&["manifest", "--ref", "moving"]));
            assert_eq!(view.keys().collect::<Vec<_>>(), ["good.py"], "{name}: {scan:#?}");
        }
        let expected = repo.with_store("alone").scan_with(&["--ref", "main"]).root;
        assert_eq!(repo.scan_with(&["--ref", "main"]).root, expected, "another view, after {name}");
        repo.git(&["branch", "--force", "moving", "main"]);
        assert_eq!(repo.scan_with(&["--ref", "moving"]).root, expected, "the same view, after {name}");
        repo.scan_checked();
    }

    #[test]
    fn names_that_no_worktree_can_hold_are_left_out() {
        [".", "..", ".git", ".GIT"].into_iter().for_each(left_out);
    }

    #[test]
    #[ignore = "a slash in a tree entry's name moves the entries after it into that directory"]
    fn names_with_slashes_are_left_out() {
        ["a//b", "a/", "a/b", "../up.py", "/root.py"].into_iter().for_each(left_out);
    }

    #[test]
    fn a_branch_may_have_a_long_name() {
        let repo = TestRepo::with(&[("code.py", CODE)]);
        let part = "long-".repeat(39);
        let name = [part.as_str(); 3].join("/");
        assert!(name.len() > 580);
        repo.git(&["branch", &name]);
        let scan = repo.scan_with(&["--ref", &name]);
        assert_eq!(scan.files.total, 1);
        repo.scan_with(&["--ref", &name]).assert_no_op();
        assert!(repo.search_with("quicksilver", &["--ref", &name]).shows("quicksilver"));
    }
}

mod costs {
    use super::*;

    /// 2035-01-01, which no index of git can be younger than.
    fn into_the_future(repo: &TestRepo, path: &str) {
        let file = File::options().write(true).open(repo.path(path)).unwrap();
        file.set_modified(UNIX_EPOCH + Duration::from_secs(2_051_222_400)).unwrap();
    }

    #[test]
    fn files_from_the_future_are_read_once() {
        let repo = TestRepo::with(&[("tracked.py", CODE), ("other.py", OTHER)]);
        repo.age();
        repo.scan_checked();
        repo.write("untracked.py", "def tomorrow():\n    pass\n");
        into_the_future(&repo, "untracked.py");
        into_the_future(&repo, "tracked.py");
        assert_eq!(repo.scan_checked().files.read, 2);
        repo.scan().assert_nothing_read();
        repo.git(&["add", "--all"]);
        repo.scan();
        repo.scan().assert_nothing_read();
    }

    #[test]
    fn a_dozen_large_files() {
        let repo = TestRepo::new();
        for n in 0..12 {
            let line = format!("file {n} has many words in lines that are all alike\n");
            repo.write(format!("large{n}.txt"), line.repeat(4_000_000 / line.len()));
        }
        repo.commit("large");
        let large = repo.with_env("CODEAGENT_INDEX_MAX_FILE_SIZE", "5MB");
        let scan = large.scan();
        assert_eq!((scan.files.total, scan.files.skipped), (12, 0), "{scan:#?}");
        assert!(scan.chunks.total >= 12 && scan.pending == 0, "{scan:#?}");
        large.scan().assert_no_op();
    }
}

mod notes {
    use super::*;

    #[test]
    fn a_note_for_another_worktree_survives_a_scan_that_fails() {
        let repo = TestRepo::with(&[("code.py", CODE)]);
        repo.scan();
        let linked = repo.worktree("linked");
        linked.write("new.py", "def whispered():\n    pass\n");
        let lock = File::options().write(true).open(repo.path(".codeagent/write.lock")).unwrap();
        lock.lock().unwrap();
        assert_eq!(linked.json(&["scan", "--no-wait"])["deferred"], true);
        drop(lock);
        let notes = || fs::read_dir(repo.path(".codeagent/rerun")).unwrap().count();
        assert_eq!(notes(), 1);

        let index = fs::read(repo.path(".git/index")).unwrap();
        repo.write(".git/index", "broken");
        repo.fails(&["scan"]);
        assert_eq!(notes(), 1, "nobody has answered it");

        fs::write(repo.path(".git/index"), index).unwrap();
        repo.scan_checked();
        assert_eq!(notes(), 0);
        assert!(linked.search_with("whispered", &["--no-refresh"]).shows("whispered"));
    }
}
