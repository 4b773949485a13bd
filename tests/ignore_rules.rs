//! What git ignores is never indexed, and neither is what the user excludes; both take effect with the next
//! scan after the rule changes.

mod support;

use support::TestRepo;

fn source(name: &str) -> String {
    format!("def {name}():\n    return '{name}'\n")
}

/// A repository in which every path holds a small Python file; nothing is committed.
fn untracked(paths: &[&str]) -> TestRepo {
    let repo = TestRepo::new();
    paths.iter().enumerate().for_each(|(n, path)| repo.write(path, source(&format!("function{n}"))));
    repo
}

#[track_caller]
fn assert_indexed(repo: &TestRepo, expected: &[&str]) {
    repo.scan_checked();
    assert_eq!(repo.indexed(), expected);
}

#[test]
fn nested_gitignore_files_with_exceptions() {
    let repo = untracked(&["a.py", "build/x.py", "lib/a.tmp.py", "lib/keep.tmp.py", "lib/sub/b.tmp.py"]);
    repo.write(".gitignore", "/build/\n*.tmp.py\n");
    repo.write("lib/.gitignore", "!keep.tmp.py\n");
    repo.write("lib/sub/.gitignore", "*\n");
    assert_indexed(&repo, &[".gitignore", "a.py", "lib/.gitignore", "lib/keep.tmp.py"]);
    // The rules change: what they hid appears, what they now hide goes.
    repo.write(".gitignore", "a.py\n");
    repo.remove("lib/sub/.gitignore");
    let visible =
        [".gitignore", "build/x.py", "lib/.gitignore", "lib/a.tmp.py", "lib/keep.tmp.py", "lib/sub/b.tmp.py"];
    assert_indexed(&repo, &visible);
}

#[test]
fn an_ignored_file_that_is_tracked_counts() {
    let repo = untracked(&["forced.py", "hidden.py"]);
    repo.write(".gitignore", "*.py\n");
    repo.git(&["add", "--force", "forced.py"]);
    assert_indexed(&repo, &[".gitignore", "forced.py"]);
    repo.commit("forced");
    repo.write("forced.py", source("changed"));
    assert_indexed(&repo, &[".gitignore", "forced.py"]);
    assert!(repo.search("changed").shows("changed"));
}

#[test]
fn the_repositorys_private_excludes() {
    let repo = untracked(&["a.py", "private.py"]);
    repo.write(".git/info/exclude", "private.py\n");
    assert_indexed(&repo, &["a.py"]);
    repo.write(".git/info/exclude", "");
    assert_indexed(&repo, &["a.py", "private.py"]);
}

#[test]
fn a_linked_worktree_obeys_the_shared_private_excludes() {
    let repo = TestRepo::with(&[("a.py", "a = 1\n")]);
    repo.write(".git/info/exclude", "private.py\n");
    let linked = repo.worktree("linked");
    linked.write("private.py", source("private"));
    assert_indexed(&linked, &["a.py"]);
}

#[test]
fn the_users_global_excludes() {
    let repo = untracked(&["a.py", "editor.swp.py", "other.bak.py"]);
    repo.write("../home/.config/git/ignore", "*.swp.py\n");
    assert_indexed(&repo, &["a.py", "other.bak.py"]);
    repo.write("../home/my-excludes", "*.bak.py\n");
    repo.git(&["config", "core.excludesFile", "~/my-excludes"]);
    assert_indexed(&repo, &["a.py", "editor.swp.py"]);
}

#[test]
fn codeagentignore_takes_files_out_of_the_index_tracked_or_not() {
    let repo = untracked(&["a.py", "gen/api.py", "gen/keep.py", "untracked.py"]);
    repo.git(&["add", "a.py", "gen"]);
    repo.git(&["commit", "--quiet", "-m", "first"]);
    assert_indexed(&repo, &["a.py", "gen/api.py", "gen/keep.py", "untracked.py"]);
    repo.write(".codeagentignore", "gen/*\n!gen/keep.py\nuntracked.py\n");
    let scan = repo.scan_checked();
    assert_eq!(scan.skipped("excluded"), 2, "left out, but not silently: {scan:#?}");
    assert_eq!(scan.embedded, 1, "only the rules themselves are new");
    assert_eq!(repo.indexed(), [".codeagentignore", "a.py", "gen/keep.py"]);
    assert!(repo.search("function1").files().iter().all(|file| *file != "gen/api.py"));
    repo.scan().assert_no_op();
    repo.remove(".codeagentignore");
    let scan = repo.scan_checked();
    scan.assert_nothing_embedded();
    assert_eq!(repo.indexed(), ["a.py", "gen/api.py", "gen/keep.py", "untracked.py"]);
}

#[test]
fn a_ref_obeys_its_own_codeagentignore() {
    let repo = TestRepo::with(&[("a.py", "a = 1\n"), ("b.py", "b = 2\n")]);
    repo.git(&["checkout", "--quiet", "-b", "strict"]);
    repo.write(".codeagentignore", "b.py\n");
    repo.commit("strict");
    repo.git(&["checkout", "--quiet", "main"]);
    assert_eq!(repo.scan().skipped("excluded"), 0);
    assert_eq!(repo.scan_with(&["--ref", "strict"]).skipped("excluded"), 1);
    assert_eq!(repo.scan_with(&["--ref", "main"]).skipped("excluded"), 0);
}

#[test]
fn include_and_exclude_globs_of_the_configuration() {
    let repo = untracked(&["src/a.py", "src/gen/b.py", "docs/c.py", "src/d.txt"]);
    repo.write(".codeagent.yaml", "index:\n  include: ['src/**/*.py']\n  exclude: ['**/gen/**']\n");
    assert_indexed(&repo, &["src/a.py"]);
    repo.write(".codeagent.yaml", "index:\n  exclude: ['**/gen/**', '*.yaml']\n");
    assert_indexed(&repo, &["docs/c.py", "src/a.py", "src/d.txt"]);
    // The environment is above the file.
    let narrow = repo.with_env("CODEAGENT_INDEX_INCLUDE", "docs/**");
    assert_indexed(&narrow, &["docs/c.py"]);
    assert_indexed(&repo, &["docs/c.py", "src/a.py", "src/d.txt"]);
}

#[test]
fn untracked_files_can_be_left_out() {
    let repo = untracked(&["a.py", "b.py"]);
    repo.git(&["add", "a.py"]);
    let tracked_only = repo.with_env("CODEAGENT_INDEX_UNTRACKED", "false");
    assert_indexed(&repo, &["a.py", "b.py"]);
    assert_indexed(&tracked_only, &["a.py"]);
    tracked_only.scan().assert_no_op();
    assert_indexed(&repo, &["a.py", "b.py"]);
}

#[test]
fn our_own_directory_is_invisible_to_git_and_to_us() {
    let repo = TestRepo::with(&[("a.py", "a = 1\n")]);
    repo.scan();
    assert_eq!(repo.git(&["status", "--porcelain", "--untracked-files=all"]), "");
    repo.remove(".codeagent/.gitignore");
    assert_indexed(&repo, &["a.py"]);
}
