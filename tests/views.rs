//! Many branches and worktrees live in one index; a query only ever sees its own.

mod support;

use support::{Answer, TestRepo};

fn source(name: &str) -> String {
    format!("def {name}():\n    return '{name}'\n")
}

/// Every line of every result is a line of that file as it is now.
#[track_caller]
fn assert_true_to_disk(repo: &TestRepo, answer: &Answer) {
    for hit in &answer.results {
        let text = repo.read(&hit.file);
        let lines: Vec<&str> = text.lines().collect();
        let shown = lines[hit.start_line as usize - 1..hit.end_line as usize].join("\n");
        assert_eq!(shown, hit.snippet, "{}:{}", hit.file, hit.start_line);
    }
}

#[test]
fn worktrees_on_different_branches_see_their_own_files() {
    let repo = TestRepo::with(&[("shared.py", &source("shared")), ("edited.py", &source("original"))]);
    let linked = repo.worktree("linked");
    linked.write("only_linked.py", source("apricot"));
    linked.write("edited.py", source("edited_in_linked"));
    linked.commit("linked");
    repo.write("only_main.py", source("blueberry"));
    repo.commit("main");
    repo.scan();
    linked.scan();
    for (here, own, other) in [(&repo, "blueberry", "apricot"), (&linked, "apricot", "blueberry")] {
        for query in ["apricot", "blueberry", "original", "edited_in_linked", "shared"] {
            let answer = here.search_with(query, &["-k", "50"]);
            assert_true_to_disk(here, &answer);
            assert!(!answer.shows(other), "{query}: {answer:#?}");
        }
        assert!(here.search(own).shows(own));
        assert!(here.search("shared").files().contains(&"shared.py"));
    }
    assert!(!repo.search("edited_in_linked").shows("edited_in_linked"));
}

#[test]
fn a_worktree_that_was_never_scanned_answers_for_itself() {
    let repo = TestRepo::with(&[("a.py", &source("apricot"))]);
    repo.scan();
    let linked = repo.worktree("linked");
    let (code, message) = linked.fails(&["search", "apricot", "--no-refresh"]);
    assert_eq!((code, message.contains("codeagent scan")), (3, true), "{message}");
}

#[test]
fn a_ref_is_searched_without_a_checkout() {
    let repo = TestRepo::with(&[("a.py", &source("apricot"))]);
    repo.git(&["checkout", "--quiet", "-b", "feature"]);
    repo.write("feature.py", source("blueberry"));
    let commit = repo.commit("feature");
    let on_disk = repo.scan();
    repo.git(&["checkout", "--quiet", "main"]);
    repo.scan();
    let scan = repo.scan_with(&["--ref", "feature"]);
    scan.assert_nothing_embedded();
    assert_eq!((&scan.root, scan.commit.as_ref()), (&on_disk.root, Some(&commit)), "as it was on disk");
    assert!(!repo.search_with("blueberry", &["-k", "50"]).shows("blueberry"), "not here");
    let answer = repo.search_with("blueberry", &["--ref", "feature"]);
    assert_eq!(answer.results[0].file, "feature.py");
    assert_eq!(answer.freshness.indexed_commit, Some(commit));
    assert!(!repo.exists("feature.py"));
    repo.scan_with(&["--ref", "feature"]).assert_no_op();
}

#[test]
fn a_ref_does_not_see_what_is_uncommitted() {
    let repo = TestRepo::with(&[("a.py", &source("apricot")), ("b.py", &source("blueberry"))]);
    let clean = repo.scan().root;
    repo.write("a.py", source("cherry"));
    repo.remove("b.py");
    repo.write("untracked.py", source("damson"));
    repo.scan();
    let scan = repo.scan_with(&["--ref", "main"]);
    assert_eq!(scan.root, clean);
    let answer = repo.search_with("cherry damson apricot", &["--ref", "main", "-k", "50"]);
    assert!(answer.shows("apricot") && !answer.shows("cherry") && !answer.shows("damson"));
}

#[test]
fn a_ref_that_moves_is_refreshed() {
    let repo = TestRepo::with(&[("a.py", &source("apricot"))]);
    repo.git(&["branch", "moving"]);
    repo.scan_with(&["--ref", "moving"]);
    repo.write("b.py", source("blueberry"));
    repo.remove("a.py");
    let second = repo.commit("second");
    repo.git(&["branch", "--force", "moving", "main"]);
    let stale = repo.search_with("apricot", &["--ref", "moving", "--no-refresh"]);
    assert!(stale.shows("apricot"));
    assert_ne!(stale.freshness.indexed_commit, stale.freshness.current_commit);
    let answer = repo.search_with("apricot blueberry", &["--ref", "moving"]);
    assert!(answer.shows("blueberry") && !answer.shows("apricot"));
    assert_eq!(answer.freshness.indexed_commit, Some(second));
    assert!(answer.freshness.refreshed);
}

#[test]
fn tags_and_commits_can_be_named() {
    let repo = TestRepo::with(&[("a.py", &source("apricot"))]);
    repo.git(&["tag", "--annotate", "-m", "first", "v1"]);
    let first = repo.git(&["rev-parse", "HEAD"]);
    repo.write("a.py", source("blueberry"));
    repo.commit("second");
    let (tag, hash) = (repo.scan_with(&["--ref", "v1"]), repo.scan_with(&["--ref", "HEAD~"]));
    assert_eq!((tag.commit.as_ref(), hash.commit.as_ref()), (Some(&first), Some(&first)));
    assert_eq!(tag.root, hash.root);
    assert!(repo.search_with("apricot", &["--ref", &first[..10]]).shows("apricot"));
    let (code, message) = repo.fails(&["scan", "--ref", "no-such-branch"]);
    assert_eq!((code, message.contains("no-such-branch")), (2, true), "{message}");
}

#[test]
fn a_bare_repository_is_indexed_by_ref() {
    let repo = TestRepo::with(&[("a.py", &source("apricot")), ("lib/b.py", &source("blueberry"))]);
    let expected = repo.scan().root;
    let bare = repo.git_clone("bare.git", &["--bare"]);
    let (code, message) = bare.fails(&["scan"]);
    assert_eq!((code, message.contains("--ref")), (2, true), "{message}");
    let scan = bare.scan_with(&["--ref", "HEAD"]);
    assert_eq!((scan.root, scan.files.read), (expected, 2));
    assert_eq!(bare.search_with("blueberry", &["--ref", "HEAD"]).results[0].file, "lib/b.py");
    // A worktree of a bare repository shares its index.
    let linked = bare.worktree("linked");
    linked.scan().assert_nothing_embedded();
    assert!(!linked.exists(".codeagent"));
    assert_eq!(linked.search("apricot").results[0].file, "a.py");
}

#[test]
fn a_search_sees_what_just_happened() {
    let repo = TestRepo::with(&[("a.py", &source("apricot")), ("b.py", &source("blueberry"))]);
    repo.scan();
    repo.remove("b.py");
    repo.write("a.py", format!("# a new first line\n\n{}", source("apricot")));
    repo.write("new.py", source("cherry"));
    let answer = repo.search_with("apricot blueberry cherry", &["-k", "50"]);
    assert_true_to_disk(&repo, &answer);
    assert_eq!(answer.files(), ["a.py", "new.py"]);
    assert!(answer.freshness.refreshed);
    assert_eq!((answer.freshness.stale, answer.freshness.dirty), (0, 3));
    let again = repo.search("apricot");
    assert!(!again.freshness.refreshed);
}

#[test]
fn without_a_refresh_the_answer_is_old_and_says_so() {
    let repo = TestRepo::with(&[("a.py", &source("apricot")), ("b.py", &source("blueberry"))]);
    repo.scan();
    let fresh = repo.search_with("blueberry", &["--no-refresh"]);
    assert_eq!((fresh.freshness.stale, fresh.freshness.dirty), (0, 0));
    repo.remove("b.py");
    repo.write("a.py", source("changed"));
    repo.write("new.py", source("cherry"));
    let answer = repo.search_with("blueberry cherry", &["--no-refresh"]);
    assert_eq!(answer.files(), ["a.py", "b.py"], "the view as it was indexed, whole");
    assert_eq!(answer.freshness.stale, 3);
    assert!(!answer.freshness.refreshed);
    let fresh = repo.search("blueberry cherry");
    assert_eq!((fresh.files(), fresh.freshness.stale), (vec!["a.py", "new.py"], 0));
}

#[test]
fn too_much_change_is_not_waited_for_but_counted() {
    let repo = TestRepo::with(&[("a.py", &source("apricot"))]);
    repo.scan();
    (0..5).for_each(|n| repo.write(format!("new{n}.py"), source(&format!("new{n}"))));
    let hasty = repo.with_env("CODEAGENT_SEARCH_REFRESH_MAX_FILES", "4");
    let answer = hasty.search("new3");
    assert_eq!((answer.freshness.stale, answer.freshness.refreshed), (5, false));
    assert_eq!(answer.files(), ["a.py"]);
    let patient = repo.with_env("CODEAGENT_SEARCH_REFRESH_MAX_FILES", "5");
    assert_eq!(patient.search("new3").results[0].file, "new3.py");
}

#[test]
fn a_commit_elsewhere_shows_as_another_current_commit() {
    let repo = TestRepo::with(&[("a.py", &source("apricot"))]);
    let first = repo.scan().commit;
    repo.write("a.py", source("blueberry"));
    let second = repo.commit("second");
    let answer = repo.search_with("apricot", &["--no-refresh"]);
    assert_eq!(answer.freshness.indexed_commit, first);
    assert_eq!(answer.freshness.current_commit.as_ref(), Some(&second));
    assert_eq!(repo.search("blueberry").freshness.indexed_commit, Some(second));
}
