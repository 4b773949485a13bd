//! Code that was embedded once is never embedded again, wherever it turns up: each is a counted fact.

mod support;

use std::fs::File;
use std::time::SystemTime;

use support::{Changes, Scan, TestRepo};

fn source(name: &str) -> String {
    format!("def {name}():\n    \"\"\"What {name} is for.\"\"\"\n    return '{name}'\n")
}

/// Eight committed files, scanned: eight chunks, each embedded.
fn repo() -> (TestRepo, Scan) {
    let repo = TestRepo::new();
    for n in 0..8 {
        repo.write(format!("src/part{}/file{n}.py", n % 2), source(&format!("function{n}")));
    }
    repo.commit("initial");
    let first = repo.scan();
    assert_eq!((first.embedded, first.reused, first.chunks.new), (8, 0, 8));
    (repo, first)
}

/// Every chunk of the view was known.
#[track_caller]
fn assert_all_reused(scan: &Scan, chunks: u64) {
    scan.assert_nothing_embedded();
    assert_eq!((scan.reused, scan.chunks.reused), (chunks, chunks), "{scan:#?}");
}

#[test]
fn switching_branches_forth_and_back() {
    let (repo, first) = repo();
    repo.git(&["checkout", "--quiet", "-b", "feature"]);
    repo.write("src/part0/file0.py", source("rewritten"));
    repo.write("src/added.py", source("added"));
    repo.remove("src/part1/file1.py");
    repo.commit("feature");
    let feature = repo.scan();
    assert_eq!((feature.embedded, feature.reused), (2, 6));
    for _ in 0..2 {
        repo.git(&["checkout", "--quiet", "main"]);
        let back = repo.scan();
        assert_all_reused(&back, 8);
        assert_eq!(back.root, first.root);
        repo.git(&["checkout", "--quiet", "feature"]);
        let forth = repo.scan();
        assert_all_reused(&forth, 8);
        assert_eq!(forth.root, feature.root);
    }
}

#[test]
fn renaming_a_file() {
    let (repo, _) = repo();
    repo.git(&["mv", "src/part0/file0.py", "src/part0/renamed.py"]);
    let scan = repo.scan();
    assert_all_reused(&scan, 8);
    assert_eq!(scan.changes(), Changes { renamed: 1, ..Changes::default() });
}

#[test]
fn moving_a_directory() {
    let (repo, _) = repo();
    repo.rename("src", "deeply/nested/elsewhere");
    let scan = repo.scan();
    assert_all_reused(&scan, 8);
    assert_eq!(scan.changes(), Changes { renamed: 8, ..Changes::default() });
    repo.commit("moved");
    assert_all_reused(&repo.scan(), 8);
}

#[test]
fn touching_every_file() {
    let (repo, first) = repo();
    for turn in 0..2 {
        for file in repo.git(&["ls-files"]).lines() {
            File::options()
                .append(true)
                .open(repo.path(file))
                .unwrap()
                .set_modified(SystemTime::now())
                .unwrap();
        }
        let scan = repo.scan();
        assert_all_reused(&scan, 8);
        assert_eq!((&scan.root, scan.files.read), (&first.root, 8), "turn {turn}: bytes decide, not times");
        repo.scan().assert_no_op();
        repo.age();
    }
    // Git has looked at the bytes already, and vouches for them.
    repo.scan().assert_no_op();
}

#[test]
fn a_clone_elsewhere_with_the_index_copied() {
    let (repo, first) = repo();
    let clone = repo.git_clone("some/other/place", &[]);
    repo.copy_index_to(&clone);
    let scan = clone.scan();
    assert_all_reused(&scan, 8);
    assert_eq!(scan.root, first.root);
    assert_eq!(clone.search("function3").results[0].file, "src/part1/file3.py");
    // No trace of where it was made, and no tie to it.
    repo.write("src/part0/file0.py", source("only_in_the_original"));
    repo.scan();
    clone.scan().assert_no_op();
}

#[test]
fn an_index_restored_with_other_times() {
    let (repo, first) = repo();
    let copy = repo.copy_to("restored");
    copy.age();
    let scan = copy.scan();
    assert_all_reused(&scan, 8);
    assert_eq!(scan.root, first.root);
    copy.scan().assert_no_op();
}

#[test]
fn a_clone_that_is_behind_the_copied_index() {
    let (repo, first) = repo();
    let clone = repo.git_clone("behind", &[]);
    repo.write("src/part0/file0.py", source("later"));
    repo.commit("later");
    repo.scan();
    repo.copy_index_to(&clone);
    let scan = clone.scan_checked();
    assert_all_reused(&scan, 8);
    assert_eq!(scan.root, first.root, "the view names a commit that this clone does not have");
}

#[test]
fn a_second_worktree_shares_the_index() {
    let (repo, first) = repo();
    let linked = repo.worktree("linked");
    let scan = linked.scan();
    assert_all_reused(&scan, 8);
    assert_eq!(scan.root, first.root);
    assert_ne!(scan.view, first.view);
    assert!(!linked.exists(".codeagent"), "one index, in the main worktree");
    assert_eq!(linked.git(&["status", "--porcelain", "--ignored"]), "");
    // What one embeds, the other has.
    linked.write("src/new.py", source("new"));
    assert_eq!(linked.scan().embedded, 1);
    repo.write("another/place.py", source("new"));
    assert_all_reused(&repo.scan(), 9);
}

#[test]
fn reverting_a_commit() {
    let (repo, first) = repo();
    repo.write("src/part0/file0.py", source("mistake"));
    repo.remove("src/part1");
    repo.commit("mistake");
    assert_eq!(repo.scan().embedded, 1);
    repo.git(&["revert", "--no-edit", "HEAD"]);
    let scan = repo.scan();
    assert_all_reused(&scan, 8);
    assert_eq!(scan.root, first.root);
}

#[test]
fn identical_files_are_embedded_once() {
    let repo = TestRepo::new();
    for n in 0..20 {
        repo.write(format!("copy{n}/same.py"), source("same"));
        repo.write(format!("copy{n}/other.py"), source(&format!("other{}", n % 2)));
    }
    let scan = repo.scan();
    assert_eq!((scan.files.total, scan.chunks.total), (40, 40));
    assert_eq!((scan.embedded, scan.chunks.new), (3, 3), "three distinct chunks");
    let answer = repo.search("same");
    let top = &answer.results[0];
    assert_eq!((top.file.as_str(), top.also_in.len()), ("copy0/same.py", 19), "one result, all its places");
}

#[test]
fn an_unchanged_function_of_an_edited_file() {
    let long = |name: &str| {
        let body: String = (0..60).map(|n| format!("    {name}_value_{n} = compute({n})\n")).collect();
        format!("def {name}():\n{body}    return {name}_value_0\n\n")
    };
    let repo = TestRepo::with(&[("a.py", &[long("first"), long("second"), long("third")].concat())]);
    let first = repo.scan();
    assert_eq!(first.embedded, 3, "one chunk a function");
    repo.write("a.py", ["import os\n\n".to_owned(), long("first"), long("changed"), long("third")].concat());
    let scan = repo.scan();
    assert!(scan.embedded <= 2 && scan.reused >= 2, "the untouched ones are known: {scan:#?}");
    let hit = repo.search("third_value_7").results.remove(0);
    assert_eq!(hit.start_line, 3 + 2 * 63, "and found where they are now");
}

#[test]
fn a_full_scan_reads_all_and_embeds_nothing() {
    let (repo, first) = repo();
    let scan = repo.scan_with(&["--full"]);
    assert_all_reused(&scan, 8);
    assert_eq!((scan.root, scan.files.read), (first.root, 8));
    assert_eq!(scan.files.unchanged, 8);
}

#[test]
fn re_embedding_is_possible() {
    let (repo, first) = repo();
    for args in [&["--re-embed"] as &[&str], &["--full", "--re-embed"]] {
        let scan = repo.scan_with(args);
        assert_eq!((scan.embedded, scan.reused, scan.chunks.new), (8, 0, 0), "{args:?}");
        assert_eq!(scan.root, first.root);
    }
    repo.scan().assert_no_op();
}

#[test]
fn vectors_that_were_not_wanted_are_made_up_for_later() {
    let (repo, _) = repo();
    repo.write("src/new.py", source("new"));
    let off = repo.with_env("CODEAGENT_EMBEDDING_ENABLED", "false").scan();
    assert_eq!((off.embedded, off.chunks.new), (0, 1));
    let scan = repo.scan();
    assert_eq!((scan.embedded, scan.reused, scan.files.read), (1, 8, 0));
}
