//! Whatever happens to a worktree, the next scan sees it: every scan here is also compared with a scan that
//! knows no history.

mod support;

use support::{Changes, TestRepo};

const ALPHA: &str = "def alpha():\n    return 'first'\n";
const BETA: &str = "def beta():\n    return 'second'\n";
const GAMMA: &str = "def gamma():\n    return 'third'\n";

/// Three committed and scanned files.
fn repo() -> TestRepo {
    let repo = TestRepo::with(&[("alpha.py", ALPHA), ("lib/beta.py", BETA), ("lib/deep/gamma.py", GAMMA)]);
    repo.scan_checked();
    repo
}

fn added(added: u64) -> Changes {
    Changes { added, ..Changes::default() }
}

fn modified(modified: u64) -> Changes {
    Changes { modified, ..Changes::default() }
}

fn deleted(deleted: u64) -> Changes {
    Changes { deleted, ..Changes::default() }
}

fn renamed(renamed: u64) -> Changes {
    Changes { renamed, ..Changes::default() }
}

#[test]
fn staged_unstaged_and_untracked_files_are_seen() {
    let repo = repo();
    repo.write("staged.py", "def staged(): pass\n");
    repo.git(&["add", "staged.py"]);
    repo.write("alpha.py", "def alpha():\n    return 'unstaged'\n");
    repo.write("new/untracked.py", "def untracked(): pass\n");
    let scan = repo.scan_checked();
    assert_eq!(scan.changes(), Changes { added: 2, modified: 1, ..Changes::default() });
    assert_eq!(scan.files.read, 3);
    let expected = ["alpha.py", "lib/beta.py", "lib/deep/gamma.py", "new/untracked.py", "staged.py"];
    assert_eq!(repo.indexed(), expected);
    assert!(repo.search("unstaged").shows("'unstaged'"));
}

#[test]
fn the_worktree_wins_over_the_staged_version() {
    let repo = repo();
    let before = repo.scan().root;
    repo.write("alpha.py", "def alpha():\n    return 'stagedonly'\n");
    repo.git(&["add", "alpha.py"]);
    assert_eq!(repo.scan_checked().changes(), modified(1));
    repo.write("alpha.py", "def alpha():\n    return 'diskonly'\n");
    assert_eq!(repo.scan_checked().changes(), modified(1));
    let answer = repo.search_with("alpha", &["--no-refresh"]);
    assert!(answer.shows("diskonly") && !answer.shows("stagedonly"));
    // Staged, but taken back on disk: what counts is what stands there.
    repo.write("alpha.py", ALPHA);
    assert_eq!(repo.scan_checked().root, before);
}

#[test]
fn deleted_files_leave_the_view_however_they_were_deleted() {
    let repo = repo();
    repo.remove("alpha.py");
    assert_eq!(repo.scan_checked().changes(), deleted(1));
    repo.git(&["rm", "--quiet", "lib/beta.py"]);
    assert_eq!(repo.scan_checked().changes(), deleted(1));
    repo.remove("lib");
    assert_eq!(repo.scan_checked().changes(), deleted(1));
    assert!(repo.indexed().is_empty());
    repo.git(&["reset", "--quiet", "--hard"]);
    assert_eq!(repo.scan_checked().changes(), added(3));
}

#[test]
fn a_file_git_stopped_tracking_is_still_there_until_it_is_ignored() {
    let repo = repo();
    let before = repo.scan().root;
    repo.git(&["rm", "--quiet", "--cached", "alpha.py"]);
    assert_eq!(repo.scan_checked().root, before);
    repo.write(".git/info/exclude", "alpha.py\n");
    assert_eq!(repo.scan_checked().changes(), deleted(1));
}

#[test]
fn renamed_files_and_directories() {
    let repo = repo();
    repo.git(&["mv", "alpha.py", "lib/renamed.py"]);
    assert_eq!(repo.scan_checked().changes(), renamed(1), "by git");
    repo.rename("lib/beta.py", "moved.py");
    assert_eq!(repo.scan_checked().changes(), renamed(1), "behind git's back");
    repo.git(&["add", "--all"]);
    repo.rename("lib", "sources/lib");
    assert_eq!(repo.scan_checked().changes(), renamed(2), "a directory");
    assert_eq!(repo.indexed(), ["moved.py", "sources/lib/deep/gamma.py", "sources/lib/renamed.py"]);
    repo.commit("moved");
    repo.scan_checked().assert_no_op();
}

#[cfg(unix)]
#[test]
fn a_changed_mode_is_a_change_and_its_return_is_the_old_root() {
    let repo = repo();
    let before = repo.scan().root;
    repo.chmod("alpha.py", 0o755);
    let scan = repo.scan_checked();
    assert_eq!(scan.changes(), modified(1));
    assert_ne!(scan.root, before);
    assert_eq!(scan.embedded, 0);
    repo.commit("executable");
    repo.scan_checked().assert_no_op();
    repo.chmod("alpha.py", 0o644);
    assert_eq!(repo.scan_checked().root, before);
}

#[cfg(unix)]
#[test]
fn a_staged_mode_that_the_disk_does_not_have_changes_nothing() {
    let repo = repo();
    let before = repo.scan().root;
    repo.git(&["update-index", "--chmod=+x", "alpha.py"]);
    assert_eq!(repo.scan_checked().root, before);
}

/// `main` and `other` change the same line of `alpha.py`; `other` also deletes `beta.py`, which `main` edits.
fn conflicting() -> TestRepo {
    let repo = repo();
    repo.git(&["checkout", "--quiet", "-b", "other"]);
    repo.write("alpha.py", "def alpha():\n    return 'theirs'\n");
    repo.remove("lib/beta.py");
    repo.commit("other");
    repo.git(&["checkout", "--quiet", "main"]);
    repo.write("alpha.py", "def alpha():\n    return 'ours'\n");
    repo.write("lib/beta.py", "def beta():\n    return 'kept'\n");
    repo.commit("main");
    repo
}

#[test]
fn conflicts_are_indexed_as_they_stand_on_disk() {
    let repo = conflicting();
    let before = repo.scan_checked().root;
    assert!(!repo.try_git(&["merge", "other"]).status.success(), "a conflict is wanted");
    let scan = repo.scan_checked();
    assert_eq!(scan.changes(), modified(1), "the deleted-by-them file stays as ours");
    let answer = repo.search("alpha");
    assert!(answer.shows("<<<<<<<") && answer.shows("'ours'") && answer.shows("'theirs'"));
    repo.scan().assert_no_op();
    repo.remove("lib/beta.py");
    assert_eq!(repo.scan_checked().changes(), deleted(1), "resolved on disk, not yet in the index");
    repo.git(&["merge", "--abort"]);
    assert_eq!(repo.scan_checked().root, before);
}

#[test]
fn a_resolved_conflict_is_like_any_commit() {
    let repo = conflicting();
    assert!(!repo.try_git(&["merge", "other"]).status.success(), "a conflict is wanted");
    repo.scan_checked();
    repo.write("alpha.py", "def alpha():\n    return 'both'\n");
    assert_eq!(repo.scan_checked().changes(), modified(1));
    repo.commit("merged");
    repo.scan_checked().assert_no_op();
}

#[test]
fn intent_to_add_is_read_from_disk() {
    let repo = repo();
    repo.write("planned.py", "def planned(): pass\n");
    repo.git(&["add", "--intent-to-add", "planned.py"]);
    assert_eq!(repo.scan_checked().changes(), added(1));
    assert!(repo.search("planned").files().contains(&"planned.py"));
    repo.scan().assert_no_op();
    repo.remove("planned.py");
    assert_eq!(repo.scan_checked().changes(), deleted(1));
}

#[test]
fn files_and_directories_take_each_others_place() {
    let repo = repo();
    let before = repo.scan().root;
    repo.remove("alpha.py");
    repo.write("alpha.py/inner.py", "def inner(): pass\n");
    repo.remove("lib");
    repo.write("lib", "a file where a directory was\n");
    repo.scan_checked();
    assert_eq!(repo.indexed(), ["alpha.py/inner.py", "lib"], "untracked");
    repo.git(&["add", "--all"]);
    repo.scan_checked().assert_no_op();
    repo.commit("swapped");
    repo.scan_checked().assert_no_op();
    repo.git(&["checkout", "--quiet", "HEAD~"]);
    assert_eq!(repo.scan_checked().root, before);
    repo.git(&["checkout", "--quiet", "main"]);
    repo.scan_checked();
    assert_eq!(repo.indexed(), ["alpha.py/inner.py", "lib"], "committed");
}

#[cfg(unix)]
#[test]
fn links_are_known_and_never_followed() {
    let repo = repo();
    repo.write("../outside/secret.py", "def secret(): pass\n");
    repo.remove("alpha.py");
    repo.symlink("lib/beta.py", "alpha.py");
    repo.symlink("../outside", "elsewhere");
    repo.symlink("nowhere", "dangling");
    let scan = repo.scan_checked();
    assert_eq!((scan.files.total, scan.skipped("symlink")), (2, 3), "{scan:#?}");
    assert!(!repo.search("secret").shows("secret"));
    repo.commit("links");
    repo.scan_checked().assert_no_op();
    repo.remove("alpha.py");
    repo.symlink("lib/deep/gamma.py", "alpha.py");
    assert_ne!(repo.scan_checked().root, scan.root, "a link whose target changes is another link");
    repo.remove("alpha.py");
    repo.write("alpha.py", ALPHA);
    repo.remove("lib");
    repo.symlink("../outside", "lib");
    let scan = repo.scan_checked();
    assert_eq!(repo.indexed(), ["alpha.py"], "{scan:#?}");
}

#[test]
fn unborn_branch_and_empty_repository() {
    let repo = TestRepo::new();
    let empty = repo.scan_checked();
    assert_eq!((empty.files.total, empty.commit, empty.branch.as_deref()), (0, None, Some("main")));
    repo.scan().assert_no_op();
    assert!(repo.search("anything").results.is_empty());
    repo.write_all(&[("alpha.py", ALPHA), ("beta.py", BETA)]);
    repo.git(&["add", "beta.py"]);
    assert_eq!(repo.scan_checked().changes(), added(2));
    repo.scan().assert_no_op();
    let commit = repo.commit("first");
    let scan = repo.scan_checked();
    scan.assert_no_op();
    assert_eq!(scan.commit, Some(commit));
    // Back to a branch without a commit: everything on disk is still there.
    repo.git(&["checkout", "--quiet", "--orphan", "unborn"]);
    let orphan = repo.scan_checked();
    assert_eq!((orphan.changes(), orphan.commit), (Changes::default(), None));
    repo.git(&["rm", "--quiet", "-r", "-f", "."]);
    assert_eq!(repo.scan_checked().root, empty.root);
}

#[test]
fn an_empty_commit_and_a_detached_head() {
    let repo = repo();
    let first = repo.git(&["rev-parse", "HEAD"]);
    let second = repo.commit("nothing");
    let scan = repo.scan_checked();
    scan.assert_no_op();
    assert_eq!((scan.commit, scan.branch.as_deref()), (Some(second), Some("main")));
    repo.git(&["checkout", "--quiet", "--detach", "HEAD~"]);
    let scan = repo.scan_checked();
    scan.assert_no_op();
    assert_eq!((scan.commit, scan.branch), (Some(first), None));
}

#[test]
fn amended_reset_and_stashed() {
    let repo = repo();
    let before = repo.scan().root;
    let first = repo.git(&["rev-parse", "HEAD"]);
    repo.write("alpha.py", "def alpha():\n    return 'amended'\n");
    repo.write("extra.py", "def extra(): pass\n");
    repo.git(&["add", "alpha.py"]);
    repo.git(&["commit", "--quiet", "--amend", "-m", "amended"]);
    assert_eq!(repo.scan_checked().changes(), Changes { added: 1, modified: 1, ..Changes::default() });
    repo.write("alpha.py", "def alpha():\n    return 'stashed'\n");
    let dirty = repo.scan_checked().root;
    repo.git(&["stash", "--quiet", "--include-untracked"]);
    assert_eq!(repo.scan_checked().changes(), Changes { modified: 1, deleted: 1, ..Changes::default() });
    repo.git(&["stash", "pop", "--quiet"]);
    assert_eq!(repo.scan_checked().root, dirty);
    repo.git(&["reset", "--quiet", "--mixed", &first]);
    let scan = repo.scan_checked();
    assert_eq!((scan.root, scan.commit), (dirty, Some(first)), "the commit moved, the files did not");
    repo.git(&["reset", "--quiet", "--hard"]);
    repo.remove("extra.py");
    assert_eq!(repo.scan_checked().root, before);
}

#[test]
fn a_write_of_equal_size_right_after_a_scan_is_seen() {
    let repo = TestRepo::with(&[("tracked.py", "value = 'aaaa'\n")]);
    for (turn, letter) in ('b'..'h').enumerate() {
        let text = format!("value = '{}'\n", letter.to_string().repeat(4));
        repo.write("tracked.py", &text);
        repo.write("untracked.py", &text);
        let scan = repo.scan();
        assert_eq!(scan.root, repo.fresh_root(), "turn {turn}");
        assert_eq!(scan.files.modified + scan.files.added, 2, "turn {turn}: {scan:#?}");
        // Immediately again, without a scan of the first version that could have been trusted.
        let again = text.to_uppercase();
        repo.write("tracked.py", &again);
        if turn % 2 == 0 {
            repo.git(&["commit", "--quiet", "-am", "racy"]);
        }
        repo.write("tracked.py", again.replace("VALUE", "Value"));
        assert_eq!(repo.scan_checked().changes(), modified(1), "turn {turn}");
    }
}

#[test]
fn another_repository_inside_is_named_and_left_out() {
    let repo = repo();
    repo.write("vendor/inner/code.py", "def foreign(): pass\n");
    repo.sibling("repo/vendor/inner").git(&["init", "--quiet"]);
    let scan = repo.scan_checked();
    assert_eq!((scan.files.total, scan.skipped("nested_repository")), (3, 1), "{scan:#?}");
    assert!(scan.warnings.iter().any(|w| w.contains("vendor/inner")), "{:?}", scan.warnings);
    repo.remove("vendor/inner/.git");
    assert_eq!(repo.scan_checked().files.total, 4, "an ordinary directory again");
}

#[test]
fn a_submodule_is_named_and_left_out() {
    let repo = repo();
    let other = repo.git_clone("other", &[]);
    let source = other.root().to_str().unwrap();
    repo.git(&["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", source, "sub"]);
    let scan = repo.scan_checked();
    assert_eq!((scan.files.total, scan.skipped("submodule")), (4, 1), "{scan:#?}");
    repo.commit("submodule");
    let scan = repo.scan_checked();
    scan.assert_no_op();
    assert!(scan.warnings.iter().any(|w| w.contains("sub")), "{:?}", scan.warnings);
    let moved = repo.sibling("repo/sub");
    moved.write("more.py", "def more(): pass\n");
    moved.commit("inside");
    assert!(repo.scan_checked().changes().added == 0);
}
