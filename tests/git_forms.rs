//! One commit has one root, however it is checked out and however git keeps its index.

mod support;

use support::{TestRepo, leaves};

const TEXT: &str = "def line_endings():\n    one = 1\n    two = 2\n    return one + two\n";
const POINTER: &str = "version https://git-lfs.github.com/spec/v1\n\
    oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n";

#[test]
fn a_crlf_checkout_has_the_root_of_the_commit() {
    let repo = TestRepo::with(&[("a.py", TEXT), ("docs/b.md", "# Title\n\ntext\n"), ("empty", "")]);
    let expected = repo.scan().root;
    let crlf = repo.git_clone("crlf", &["-c", "core.autocrlf=true"]);
    assert!(crlf.read("a.py").contains("\r\n"), "the checkout is converted");
    let scan = crlf.scan_checked();
    assert_eq!(scan.root, expected);
    assert_eq!(crlf.search("line_endings").results[0].end_line, 4);
    // An edit there and here is the same edit.
    let edited = TEXT.replace("one + two", "two - one");
    crlf.write("a.py", edited.replace('\n', "\r\n"));
    repo.write("a.py", &edited);
    assert_eq!(crlf.scan_checked().root, repo.scan_checked().root);
    crlf.write("new.py", "def new():\r\n    pass\r\n");
    repo.write("new.py", "def new():\n    pass\n");
    assert_eq!(crlf.scan_checked().root, repo.scan_checked().root, "untracked files too");
}

#[test]
fn attributes_decide_line_endings_as_git_does() {
    let attributes = "*.py text eol=crlf\n*.raw -text\n";
    let repo = TestRepo::new();
    repo.write_all(&[(".gitattributes", attributes), ("a.py", TEXT), ("b.raw", "kept\r\nas is\r\n")]);
    repo.commit("attributes");
    let clone = repo.git_clone("clone", &[]);
    assert!(clone.read("a.py").contains("\r\n"), "the checkout is converted");
    let (here, there) = (repo.scan_checked(), clone.scan_checked());
    assert_eq!(here.root, there.root);
    clone.json(&["scan", "--ref", "HEAD"]);
    let committed = clone.json(&["manifest", "--ref", "HEAD"]);
    assert_eq!(leaves(&committed), leaves(&clone.manifest()), "worktree and commit agree byte for byte");
}

#[test]
fn a_file_in_another_encoding_is_known_in_gits() {
    let repo = TestRepo::new();
    repo.write(".gitattributes", "*.txt text working-tree-encoding=UTF-16LE\n");
    let utf16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    repo.write("a.txt", utf16("grüße an alle\n"));
    repo.commit("encoded");
    let scan = repo.scan_checked();
    assert_eq!(scan.root, repo.scan_with(&["--ref", "HEAD"]).root);
    repo.write("a.txt", utf16("grüße an niemand\n"));
    repo.scan_checked();
    assert!(repo.search("niemand").shows("grüße an niemand"));
}

#[cfg(unix)]
#[test]
fn no_program_of_the_repository_is_ever_run() {
    let repo = TestRepo::with(&[(".gitattributes", "*.py filter=evil diff=evil\n"), ("a.py", TEXT)]);
    let script = repo.home().join("evil.sh");
    let marker = repo.home().join("was-run");
    repo.write("../home/evil.sh", format!("#!/bin/sh\ntouch '{}'\ncat\n", marker.display()));
    let home = repo.sibling("home");
    home.chmod("evil.sh", 0o755);
    let script = script.to_str().unwrap();
    for key in ["filter.evil.clean", "filter.evil.smudge", "filter.evil.process", "diff.evil.textconv"] {
        repo.git(&["config", key, script]);
    }
    repo.git(&["config", "filter.evil.required", "true"]);
    for key in ["core.fsmonitor", "core.pager", "core.editor", "core.sshCommand", "core.askPass"] {
        repo.git(&["config", key, script]);
    }
    repo.write("a.py", TEXT.replace("one", "uno"));
    repo.write("untracked.py", "def untracked(): pass\n");
    repo.run(&["scan"]);
    repo.run(&["scan", "--full"]);
    repo.run(&["scan", "--ref", "HEAD"]);
    repo.run(&["search", "line endings"]);
    repo.run(&["status"]);
    repo.run(&["manifest"]);
    assert!(!marker.exists(), "a filter driver was run");
    assert!(repo.search("untracked").files().contains(&"untracked.py"));
}

/// A file behind a filter driver, converted on disk as the driver would do it.
#[cfg(unix)]
#[test]
fn a_converted_file_keeps_its_committed_content_when_touched() {
    let repo = TestRepo::with(&[(".gitattributes", "*.bin filter=store\n"), ("big.bin", POINTER)]);
    let expected = repo.scan().root;
    repo.git(&["config", "filter.store.clean", "cat >/dev/null; git show :big.bin"]);
    repo.git(&["config", "filter.store.smudge", "cat >/dev/null; echo the real thing"]);
    repo.git(&["config", "filter.store.required", "true"]);
    repo.remove("big.bin");
    repo.git(&["checkout", "--quiet", "--", "big.bin"]);
    assert_eq!(repo.read("big.bin"), "the real thing\n");
    let scan = repo.scan_checked();
    assert_eq!((&scan.root, scan.skipped("lfs_pointer")), (&expected, 1));
    repo.write("big.bin", "the real thing\n");
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
    assert_eq!(repo.scan_checked().root, expected, "written again with the same content");
}

#[test]
fn lfs_pointers_are_recognised_and_not_searched() {
    let repo = TestRepo::with(&[("model.onnx", POINTER), ("a.py", TEXT)]);
    let scan = repo.scan_checked();
    assert_eq!((scan.files.total, scan.skipped("lfs_pointer")), (1, 1));
    assert!(!repo.search("git-lfs sha256 12345").files().contains(&"model.onnx"));
}

#[test]
fn a_sparse_checkout_holds_what_is_checked_out() {
    let repo = TestRepo::with(&[("top.py", TEXT), ("in/a.py", "a = 1\n"), ("out/b.py", "b = 2\n")]);
    let whole = repo.scan_checked().root;
    repo.git(&["sparse-checkout", "set", "in"]);
    let scan = repo.scan_checked();
    assert_eq!((scan.files.total, scan.files.deleted), (2, 1));
    assert_eq!(repo.indexed(), ["in/a.py", "top.py"]);
    repo.scan().assert_no_op();
    repo.write("in/a.py", "a = 3\n");
    assert_eq!(repo.scan_checked().files.read, 1);
    // A file that reappears outside of the cone is there for whoever looks at the worktree.
    repo.write("out/b.py", "b = 22\n");
    repo.scan_checked();
    assert_eq!(repo.indexed(), ["in/a.py", "out/b.py", "top.py"]);
    repo.remove("out");
    repo.scan_checked();
    repo.git(&["checkout", "--quiet", "--", "in/a.py"]);
    repo.git(&["sparse-checkout", "disable"]);
    assert_eq!(repo.scan_checked().root, whole);
}

#[test]
fn a_sparse_index_is_refused_with_the_next_step() {
    let repo = TestRepo::with(&[("in/a.py", "a = 1\n"), ("out/b.py", "b = 2\n")]);
    repo.git(&["sparse-checkout", "set", "--sparse-index", "in"]);
    let (code, message) = repo.fails(&["scan"]);
    assert_eq!(code, 1);
    assert!(message.contains("sparse") && message.contains("git sparse-checkout reapply --no-sparse-index"));
    repo.git(&["sparse-checkout", "reapply", "--no-sparse-index"]);
    assert_eq!(repo.scan_checked().files.total, 1, "and the step helps");
}

#[test]
fn every_form_of_gits_index_gives_the_same_root() {
    let forms: [&[&str]; 5] = [
        &["update-index", "--index-version", "4"],
        &["update-index", "--split-index"],
        &["update-index", "--untracked-cache"],
        &["update-index", "--force-write-index"],
        &["-c", "index.skipHash=true", "update-index", "--force-write-index"],
    ];
    for form in forms {
        let repo = TestRepo::with(&[("a.py", TEXT), ("dir/b.py", "b = 1\n")]);
        let expected = repo.scan().root;
        repo.git(form);
        assert_eq!(repo.scan_checked().root, expected, "{form:?}");
        repo.write("dir/b.py", "b = 2\n");
        repo.write("dir/c.py", "c = 3\n");
        repo.git(&["add", "dir/b.py"]);
        let scan = repo.scan_checked();
        assert_eq!((scan.files.modified, scan.files.added), (1, 1), "{form:?}");
    }
}

#[test]
fn a_sha256_repository_has_the_root_of_the_same_files() {
    let files = [("a.py", TEXT), ("dir/b.py", "b = 1\n")];
    let repo = TestRepo::init(&["--object-format=sha256"]);
    repo.write_all(&files);
    repo.commit("sha256");
    assert_eq!(repo.scan_checked().root, TestRepo::with(&files).scan().root);
    repo.write("a.py", "a = 2\n");
    assert_eq!(repo.scan_checked().files.read, 1);
}

/// Hooks run with these set, and not always to the repository one means.
#[test]
fn gits_environment_of_a_hook_does_not_mislead() {
    let repo = TestRepo::with(&[("a.py", TEXT)]);
    let expected = repo.scan().root;
    let other = TestRepo::with(&[("other.py", "other = 1\n")]);
    let git_dir = other.path(".git");
    let hooked = repo
        .with_env("GIT_DIR", git_dir.to_str().unwrap())
        .with_env("GIT_WORK_TREE", other.root().to_str().unwrap())
        .with_env("GIT_INDEX_FILE", git_dir.join("index").to_str().unwrap())
        .with_env("GIT_PREFIX", "nowhere/");
    let scan = hooked.scan();
    assert_eq!(scan.root, expected);
    scan.assert_no_op();
    assert_eq!(hooked.indexed(), ["a.py"]);
}

#[test]
fn changed_attributes_apply_to_files_that_did_not_change() {
    let repo = TestRepo::with(&[("a.py", TEXT)]);
    repo.write("windows.py", "x = 1\r\ny = 2\r\n");
    repo.scan_checked();
    repo.write(".gitattributes", "*.py text\n");
    repo.scan_checked();
    repo.remove(".gitattributes");
    repo.scan_checked();
}
