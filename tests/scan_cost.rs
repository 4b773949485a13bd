//! What a scan may cost, counted: files that did not change are not read.

mod support;

use support::{Changes, TestRepo};

fn source(name: &str) -> String {
    format!("def {name}():\n    return '{name}'\n")
}

/// Twelve committed files in three directories, scanned.
fn repo() -> TestRepo {
    let repo = TestRepo::new();
    for n in 0..12 {
        repo.write(format!("dir{}/file{n}.py", n % 3), source(&format!("function{n}")));
    }
    repo.commit("initial");
    let first = repo.scan();
    assert_eq!((first.files.read, first.files.hashed, first.embedded), (12, 12, 12));
    repo
}

#[test]
fn nothing_changed_nothing_read() {
    let repo = repo();
    for turn in 0..3 {
        let scan = repo.scan();
        scan.assert_no_op();
        assert_eq!((scan.files.unchanged, scan.reused), (12, 12), "turn {turn}");
        repo.age();
    }
}

#[test]
fn one_edit_one_read() {
    let repo = repo();
    repo.write("dir1/file4.py", source("edited"));
    let scan = repo.scan();
    assert_eq!((scan.files.read, scan.files.hashed, scan.embedded), (1, 1, 1), "{scan:#?}");
    assert_eq!(scan.changes(), Changes { modified: 1, ..Changes::default() });
    repo.scan().assert_no_op();
}

#[test]
fn dirty_and_untracked_files_are_read_once() {
    let repo = repo();
    repo.write("dir0/file0.py", source("dirty"));
    repo.write("dir0/staged.py", source("staged"));
    repo.git(&["add", "dir0/staged.py"]);
    repo.write("dir0/untracked.py", source("untracked"));
    assert_eq!(repo.scan().files.read, 3);
    repo.scan().assert_no_op();
    repo.write("dir2/file2.py", source("another"));
    assert_eq!(repo.scan().files.read, 1, "only the one that changed since");
}

#[test]
fn committing_what_was_scanned_reads_nothing() {
    let repo = repo();
    repo.write("dir0/file0.py", source("edited"));
    repo.write("dir0/new.py", source("new"));
    repo.remove("dir1/file1.py");
    repo.rename("dir2", "moved");
    let before = repo.scan();
    let commit = repo.commit("all of it");
    let scan = repo.scan();
    scan.assert_no_op();
    assert_eq!((scan.root, scan.commit), (before.root, Some(commit)));
    repo.scan().assert_no_op();
}

#[test]
fn staging_and_unstaging_reads_nothing() {
    let repo = repo();
    repo.write("dir0/file0.py", source("edited"));
    repo.write("dir0/new.py", source("new"));
    repo.scan();
    repo.git(&["add", "--all"]);
    repo.scan().assert_no_op();
    repo.git(&["reset", "--quiet"]);
    repo.scan().assert_no_op();
}

#[test]
fn a_deleted_or_ignored_file_is_not_read() {
    let repo = repo();
    repo.remove("dir0/file0.py");
    let scan = repo.scan();
    scan.assert_nothing_read();
    assert_eq!(scan.changes(), Changes { deleted: 1, ..Changes::default() });
    repo.write(".git/info/exclude", "*.log\n");
    repo.write("huge.log", "noise\n".repeat(1000));
    repo.scan().assert_no_op();
}

#[test]
fn a_scan_of_one_path_reads_that_path_alone() {
    let repo = repo();
    repo.write("dir0/file0.py", source("first"));
    repo.write("dir1/file1.py", source("second"));
    repo.write("dir1/sub/new.py", source("third"));
    repo.write("elsewhere.py", source("fourth"));
    let scan = repo.scan_with(&["dir0/file0.py"]);
    assert_eq!((scan.files.read, scan.files.modified, scan.files.added), (1, 1, 0), "{scan:#?}");
    let scan = repo.scan_with(&["dir1"]);
    assert_eq!((scan.files.read, scan.files.modified, scan.files.added), (2, 1, 1), "{scan:#?}");
    repo.scan_with(&["dir1", "dir0/file0.py"]).assert_no_op();
    let rest = repo.scan_checked();
    assert_eq!((rest.files.read, rest.files.added), (1, 1), "the rest, and nothing twice: {rest:#?}");
}

#[test]
fn a_scan_of_one_path_sees_deletion_and_works_from_below() {
    let repo = repo();
    repo.write("untracked.py", source("untracked"));
    repo.scan();
    repo.remove("dir0/file0.py");
    repo.remove("dir1");
    repo.remove("untracked.py");
    assert_eq!(repo.scan_with(&["dir0/file0.py"]).files.deleted, 1);
    assert_eq!(repo.sibling("repo/dir0").scan_with(&["../dir1", "../untracked.py"]).files.deleted, 5);
    repo.scan_checked().assert_no_op();
}

#[test]
fn a_scan_of_one_path_forgets_no_commit_that_came_between() {
    let repo = repo();
    let first = repo.git(&["rev-parse", "HEAD"]);
    let before = repo.scan().root;
    repo.write("dir0/file0.py", source("later"));
    repo.write("dir1/file1.py", source("later_too"));
    repo.commit("second");
    // Just written, git cannot vouch for it: it is looked at, and is what the new commit has.
    assert_eq!(repo.scan_with(&["dir0/file0.py"]).files.modified, 1);
    repo.git(&["reset", "--quiet", "--hard", &first]);
    repo.age();
    assert_eq!(repo.scan_checked().root, before);
}

#[test]
fn a_first_scan_of_one_path_indexes_just_that() {
    let repo = TestRepo::with(&[("a.py", "a = 1\n"), ("lib/b.py", "b = 1\n"), ("lib/c.py", "c = 1\n")]);
    repo.write("untracked.py", "u = 1\n");
    let scan = repo.scan_with(&["lib"]);
    assert_eq!((scan.files.read, scan.files.total), (2, 2), "{scan:#?}");
    assert_eq!(repo.indexed(), ["lib/b.py", "lib/c.py"]);
    let scan = repo.scan_checked();
    assert_eq!((scan.files.read, scan.files.added), (2, 2), "{scan:#?}");
}

#[test]
fn a_scan_of_the_root_directory_is_a_scan() {
    let repo = repo();
    repo.write("dir0/file0.py", source("edited"));
    repo.write("new.py", source("new"));
    let commit = repo.commit("second");
    let scan = repo.scan_with(&["."]);
    assert_eq!((scan.files.modified, scan.files.added), (1, 1));
    assert_eq!(scan.commit, Some(commit));
    assert_eq!(scan.root, repo.fresh_root());
}

#[test]
fn a_scan_of_one_path_after_the_rules_changed_keeps_the_rest() {
    let repo = repo();
    repo.write("dir0/file0.py", source("dirty"));
    repo.scan();
    repo.write(".codeagentignore", "dir2/\n");
    repo.scan_with(&["dir1/file1.py"]);
    assert_eq!(repo.scan_checked().files.total, 9);
}

#[test]
fn a_dry_run_changes_nothing() {
    let repo = TestRepo::with(&[("a.py", "a = 1\n"), ("b.py", "b = 1\n")]);
    let plan = repo.json(&["scan", "--dry-run"]);
    assert_eq!((plan["files"]["read"].as_u64(), plan["dry_run"].as_bool()), (Some(2), Some(true)));
    assert!(!repo.exists(".codeagent"), "not even an index");
    repo.scan();
    repo.write("a.py", "a = 2\n");
    repo.remove("b.py");
    let plan = repo.json(&["scan", "--dry-run"]);
    let changes: Vec<_> =
        plan["plan"].as_array().unwrap().iter().map(|p| (&p["change"], &p["path"])).collect();
    assert_eq!(
        format!("{changes:?}"),
        r#"[(String("update"), String("a.py")), (String("delete"), String("b.py"))]"#
    );
    assert_eq!(repo.indexed(), ["a.py", "b.py"]);
    assert_eq!(repo.scan().changes(), Changes { modified: 1, deleted: 1, ..Changes::default() });
}
