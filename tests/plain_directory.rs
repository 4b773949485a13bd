//! A directory without git: the same index, with metadata alone to tell what changed.

mod support;

use support::{Changes, TestRepo};

fn source(name: &str) -> String {
    format!("def {name}():\n    return '{name}'\n")
}

/// Three scanned files.
fn directory() -> TestRepo {
    let dir = TestRepo::plain();
    dir.write("a.py", source("apricot"));
    dir.write("lib/b.py", source("blueberry"));
    dir.write("lib/c.py", source("cherry"));
    let first = dir.scan();
    assert_eq!((first.files.read, first.embedded, first.commit), (3, 3, None));
    dir
}

#[test]
fn nothing_changed_nothing_read() {
    let dir = directory();
    dir.scan().assert_no_op();
    dir.sibling("repo/lib").scan().assert_no_op();
    assert!(!dir.exists("lib/.codeagent"), "from a subdirectory the same index is used");
}

#[test]
fn edited_added_renamed_and_deleted() {
    let dir = directory();
    dir.write("a.py", source("damson"));
    let scan = dir.scan_checked();
    assert_eq!((scan.changes(), scan.files.read), (Changes { modified: 1, ..Changes::default() }, 1));
    dir.write("new/d.py", source("elderberry"));
    let scan = dir.scan_checked();
    assert_eq!((scan.changes(), scan.files.read), (Changes { added: 1, ..Changes::default() }, 1));
    dir.rename("lib", "moved");
    let scan = dir.scan_checked();
    assert_eq!((scan.changes(), scan.embedded), (Changes { renamed: 2, ..Changes::default() }, 0));
    dir.remove("moved");
    let scan = dir.scan_checked();
    assert_eq!((scan.changes(), scan.files.read), (Changes { deleted: 2, ..Changes::default() }, 0));
    assert_eq!(dir.indexed(), ["a.py", "new/d.py"]);
}

#[test]
fn a_scan_of_one_path_sees_that_path() {
    let dir = directory();
    dir.write("a.py", source("damson"));
    dir.write("lib/b.py", source("elderberry"));
    dir.remove("lib/c.py");
    let scan = dir.scan_with(&["lib/c.py"]);
    assert_eq!((scan.changes(), scan.files.read), (Changes { deleted: 1, ..Changes::default() }, 0));
    let scan = dir.scan_with(&["lib"]);
    assert_eq!((scan.changes(), scan.files.read), (Changes { modified: 1, ..Changes::default() }, 1));
    assert_eq!(dir.scan_checked().files.read, 1);
}

#[test]
fn ignore_files_are_honoured() {
    let dir = directory();
    dir.write(".gitignore", "*.log\n");
    dir.write("lib/.gitignore", "c.py\n");
    dir.write("noise.log", "noise\n");
    dir.write("generated/g.py", source("generated"));
    dir.write(".codeagentignore", "generated/\n");
    let scan = dir.scan_checked();
    assert_eq!(scan.skipped("excluded"), 1);
    assert_eq!(dir.indexed(), [".codeagentignore", ".gitignore", "a.py", "lib/.gitignore", "lib/b.py"]);
    dir.remove("lib/.gitignore");
    dir.scan_checked().assert_nothing_embedded();
    assert!(dir.indexed().contains(&"lib/c.py".to_owned()));
}

#[cfg(unix)]
#[test]
fn modes_links_and_nested_repositories() {
    let dir = directory();
    let before = dir.scan().root;
    dir.chmod("a.py", 0o755);
    assert_eq!(dir.scan_checked().files.modified, 1);
    dir.chmod("a.py", 0o644);
    assert_eq!(dir.scan_checked().root, before);
    dir.write("../outside/secret.py", source("secret"));
    dir.symlink("../outside", "link");
    dir.write("inner/code.py", source("foreign"));
    dir.sibling("repo/inner").git(&["init", "--quiet"]);
    let scan = dir.scan_checked();
    assert_eq!((scan.files.total, scan.skipped("symlink")), (3, 1), "{scan:#?}");
    assert!(scan.warnings.iter().any(|w| w.contains("inner")), "{:?}", scan.warnings);
    let answer = dir.search_with("secret foreign", &["-k", "50"]);
    assert!(!answer.shows("secret") && !answer.shows("foreign"));
}

#[test]
fn a_search_sees_what_just_happened() {
    let dir = directory();
    dir.remove("lib/b.py");
    dir.write("a.py", source("damson"));
    let answer = dir.search_with("damson blueberry", &["-k", "50"]);
    assert_eq!(answer.files(), ["a.py", "lib/c.py"]);
    assert!(answer.shows("damson") && !answer.shows("apricot"));
    dir.write("new.py", source("elderberry"));
    assert_eq!(dir.search_with("elderberry", &["--no-refresh"]).freshness.stale, 1);
}

#[test]
fn the_same_files_have_the_same_root_with_and_without_git() {
    let dir = directory();
    let repo = TestRepo::with(&[
        ("a.py", &source("apricot")),
        ("lib/b.py", &source("blueberry")),
        ("lib/c.py", &source("cherry")),
    ]);
    assert_eq!(dir.scan().root, repo.scan().root);
}

#[test]
fn a_directory_that_becomes_a_repository_keeps_its_index() {
    let dir = directory();
    let before = dir.scan().root;
    dir.git(&["init", "--quiet"]);
    let scan = dir.scan();
    scan.assert_nothing_embedded();
    assert_eq!(scan.root, before);
    dir.commit("first");
    dir.scan_checked().assert_nothing_embedded();
    dir.remove(".git");
    let scan = dir.scan_checked();
    scan.assert_nothing_embedded();
    assert_eq!(scan.root, before);
}
