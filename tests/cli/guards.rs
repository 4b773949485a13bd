//! What is left out, and that nothing is left out silently.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::Command;

use serde_json::Value;

use crate::sandbox::{Sandbox, finish, is_root, text};

fn warnings(report: &Value) -> Vec<String> {
    report["warnings"].as_array().unwrap().iter().map(text).collect()
}

/// One more file with something to say: it must be found, whatever stands beside it.
fn with_code(repo: &Sandbox) {
    repo.write("good.py", "def perfectly_good_function():\n    return 'searchable'\n");
}

#[track_caller]
fn assert_skipped(report: &Value, expected: &[(&str, u64)]) {
    let expected: serde_json::Map<String, Value> =
        expected.iter().map(|(reason, n)| ((*reason).to_owned(), (*n).into())).collect();
    let total: u64 = expected.values().filter_map(Value::as_u64).sum();
    assert_eq!(report["files"]["skipped_by_reason"], Value::from(expected), "{report}");
    assert_eq!(report["files"]["skipped"], total);
}

#[test]
fn files_that_are_not_text_or_not_for_people_are_skipped_by_reason() {
    for tracked in [false, true] {
        let repo = Sandbox::git();
        with_code(&repo);
        repo.write("image.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
        repo.write("blob.bin", (0..=255u8).cycle().take(5000).collect::<Vec<_>>());
        repo.write("app.min.js", "function a(b,c){return b?c:d(b)}var e=a(1,2);".repeat(200));
        let oid = "4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393";
        let pointer = format!("version https://git-lfs.github.com/spec/v1\noid sha256:{oid}\nsize 12345\n");
        repo.write("model.onnx", pointer);
        symlink("good.py", repo.path("link.py")).unwrap();
        if tracked {
            repo.commit("all");
        }
        let report = repo.scan(&[]);
        let expected = [("binary", 2), ("lfs_pointer", 1), ("minified", 1), ("symlink", 1)];
        assert_skipped(&report, &expected);
        assert_eq!(report["files"]["total"], 1);
        assert_eq!(repo.found("perfectly good function"), ["good.py"]);
        let again = repo.scan(&[]);
        assert_skipped(&again, &expected);
        assert_eq!(
            (&again["files"]["read"], &again["root"]),
            (&0.into(), &report["root"]),
            "tracked: {tracked}"
        );
    }
}

#[test]
fn above_one_mebibyte_files_are_cut_at_fixed_intervals() {
    let repo = Sandbox::git();
    let line = |i: usize| format!("def function_number_{i}(argument):\n    return argument * {i}\n");
    let large: String = (0..20_000).map(line).collect();
    assert!(large.len() > 1 << 20);
    repo.write("large.py", &large);
    repo.write("small.py", line(1_000_000));
    repo.commit("all");
    let report = repo.scan(&[]);
    assert_eq!((&report["files"]["total"], &report["files"]["skipped"]), (&2.into(), &0.into()));
    let answer = repo.json(&["search", "function_number_19999", "-k", "1", "--json"]);
    let hit = &answer["results"][0];
    assert_eq!((text(&hit["file"]), text(&hit["kind"])), ("large.py".into(), "block".into()), "{hit}");
    assert!(text(&hit["snippet"]).contains("function_number_19999"));
    let note = warnings(&report).into_iter().find(|w| w.contains("large.py")).unwrap_or_default();
    assert!(note.contains("fixed intervals"), "the cap is reported: {:?}", warnings(&report));
}

#[test]
fn above_the_size_cap_files_are_skipped_and_counted() {
    for tracked in [false, true] {
        let repo = Sandbox::git();
        with_code(&repo);
        repo.write(".codeagent.yaml", "index:\n  max_file_size: 2KiB\n");
        repo.write("exact.txt", "x".repeat(2048));
        repo.write("large.txt", "x".repeat(2049));
        if tracked {
            repo.commit("all");
        }
        let report = repo.scan(&[]);
        assert_skipped(&report, &[("too_large", 1)]);
        assert_eq!(report["files"]["total"], 3, "the configuration is a file like any other");
        assert_eq!(repo.json(&["manifest", "--json"])["tree"]["large.txt"]["skipped"], "too_large");
        // With a higher cap it is read like any other.
        let raised = finish(repo.command(&["scan", "--json"]).env("CODEAGENT_INDEX_MAX_FILE_SIZE", "4KiB"));
        assert_eq!(raised.assert_code(0).json()["files"]["skipped"], 0, "tracked: {tracked}");
    }
}

#[test]
fn links_are_never_followed() {
    for git in [false, true] {
        let repo = if git { Sandbox::git() } else { Sandbox::plain() };
        with_code(&repo);
        repo.write("../outside/secret.py", "def secret_outside_of_the_root():\n    pass\n");
        symlink("../outside/secret.py", repo.path("secret_link.py")).unwrap();
        symlink("../outside", repo.path("outside_dir")).unwrap();
        symlink(repo.path("../outside"), repo.path("absolute_dir")).unwrap();
        symlink(".", repo.path("loop")).unwrap();
        symlink("loop_b", repo.path("loop_a")).unwrap();
        symlink("loop_a", repo.path("loop_b")).unwrap();
        symlink("nowhere", repo.path("dangling")).unwrap();
        symlink("/etc/passwd", repo.path("passwd")).unwrap();
        let report = repo.scan(&[]);
        assert_eq!(report["files"]["total"], 1, "git: {git}, {report}");
        assert_skipped(&report, &[("symlink", 8)]);
        assert_eq!(repo.found("secret_outside_of_the_root"), ["good.py"]);
        for path in ["outside_dir/secret.py", "secret_link.py"] {
            repo.run(&["scan", path]);
            assert_eq!(repo.found("secret_outside_of_the_root"), ["good.py"], "{path}");
        }
        if git {
            repo.commit("all");
            assert_skipped(&repo.scan(&[]), &[("symlink", 8)]);
            assert_skipped(&repo.scan(&["--ref", "main"]), &[("symlink", 8)]);
        }
    }
}

#[test]
fn a_directory_replaced_by_a_link_takes_its_files_along() {
    let repo = Sandbox::git();
    with_code(&repo);
    repo.write("dir/inner.py", "def inner_function_of_dir():\n    pass\n");
    repo.commit("all");
    repo.scan(&[]);
    repo.write("../outside/inner.py", "def function_planted_outside():\n    pass\n");
    fs::remove_dir_all(repo.path("dir")).unwrap();
    symlink("../outside", repo.path("dir")).unwrap();
    let report = repo.scan(&[]);
    assert_eq!(report["files"]["total"], 1, "{report}");
    assert_eq!(repo.found("function_planted_outside"), ["good.py"]);
}

#[test]
fn other_repositories_are_named_not_read() {
    let repo = Sandbox::git();
    with_code(&repo);
    let library = Sandbox::sample();
    let url = library.root().to_str().unwrap();
    repo.git(&["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", url, "deps/library"]);
    repo.write("vendor/nested/code.py", "def function_of_the_nested_one():\n    pass\n");
    repo.git(&["init", "--quiet", "vendor/nested"]);
    let report = repo.scan(&[]);
    assert_skipped(&report, &[("nested_repository", 1), ("submodule", 1)]);
    let warnings = warnings(&report);
    assert!(warnings.iter().any(|w| w.starts_with("deps/library: submodule")), "{warnings:?}");
    assert!(warnings.iter().any(|w| w.starts_with("vendor/nested: ")), "{warnings:?}");
    assert!(repo.found("validate_token").iter().all(|file| !file.starts_with("deps/")));
    assert!(repo.found("function_of_the_nested_one").iter().all(|file| !file.starts_with("vendor/")));
    let human = repo.ok(&["scan"]);
    assert!(human.stderr.contains("deps/library") && human.stderr.contains("vendor/nested"), "{human:?}");
    assert!(human.stdout.contains("1 submodule"), "{human:?}");
}

#[test]
fn a_pipe_in_the_worktree_does_not_hang_the_scan() {
    for git in [false, true] {
        let repo = if git { Sandbox::git() } else { Sandbox::plain() };
        with_code(&repo);
        let made = Command::new("mkfifo").arg(repo.path("pipe.py")).status();
        assert!(made.is_ok_and(|status| status.success()), "mkfifo is installed");
        let report = repo.scan(&[]);
        assert_eq!(report["files"]["total"], 1);
        if !git {
            assert_skipped(&report, &[("special", 1)]);
        }
        repo.ok(&["scan", "pipe.py"]);
        assert_eq!(repo.found("perfectly good function"), ["good.py"]);
    }
}

#[test]
fn a_tracked_file_that_becomes_a_pipe_or_directory() {
    let repo = Sandbox::git();
    with_code(&repo);
    repo.write("a.py", "def function_a():\n    pass\n");
    repo.write("b.py", "def function_b():\n    pass\n");
    repo.commit("all");
    repo.scan(&[]);
    fs::remove_file(repo.path("a.py")).unwrap();
    assert!(Command::new("mkfifo").arg(repo.path("a.py")).status().unwrap().success());
    fs::remove_file(repo.path("b.py")).unwrap();
    repo.write("b.py/inner.py", "def function_inner():\n    pass\n");
    let report = repo.scan(&[]);
    assert_eq!(report["files"]["total"], 2, "{report}");
    assert_eq!(repo.found("function_inner")[0], "b.py/inner.py");
    assert_eq!(repo.scan(&[])["files"]["read"], 0);
}

#[test]
fn a_file_that_cannot_be_read_is_counted_and_named() {
    let repo = Sandbox::git();
    with_code(&repo);
    repo.write("private.py", "def function_nobody_may_read():\n    pass\n");
    fs::set_permissions(repo.path("private.py"), fs::Permissions::from_mode(0o000)).unwrap();
    fs::set_permissions(repo.root(), fs::Permissions::from_mode(0o777)).unwrap();
    let Some(mut command) = repo.unprivileged(&["scan", "--json"]) else { return };
    let report = finish(&mut command).assert_code(0).json();
    assert_skipped(&report, &[("unreadable", 1)]);
    assert_eq!(report["files"]["total"], 1);
    assert!(warnings(&report).iter().any(|w| w.starts_with("private.py")), "{report}");
    // Once it can be read, the next scan takes it in.
    fs::set_permissions(repo.path("private.py"), fs::Permissions::from_mode(0o644)).unwrap();
    let report = finish(&mut repo.unprivileged(&["scan", "--json"]).unwrap()).assert_code(0).json();
    assert_eq!((&report["files"]["total"], &report["files"]["skipped"]), (&2.into(), &0.into()));
}

#[test]
fn somebody_elses_repository_can_be_scanned() {
    let repo = Sandbox::sample();
    fs::set_permissions(repo.root(), fs::Permissions::from_mode(0o777)).unwrap();
    if !is_root() {
        eprintln!("SKIPPED: only root can make a repository of another user");
        return;
    }
    let Some(mut command) = repo.unprivileged(&["scan", "--json"]) else { return };
    assert_eq!(finish(&mut command).assert_code(0).json()["files"]["total"], 3);
}

#[test]
fn ignored_files_are_not_indexed() {
    let repo = Sandbox::git();
    with_code(&repo);
    repo.write(".gitignore", "build/\n");
    repo.write("build/out.py", "def ignored_by_git():\n    pass\n");
    repo.write(".git/info/exclude", "local.py\n");
    repo.write("local.py", "def ignored_by_exclude():\n    pass\n");
    repo.write(".codeagentignore", "generated/\n");
    repo.write("generated/gen.py", "def ignored_by_codeagent():\n    pass\n");
    repo.write("sub/.gitignore", "*.tmp\n");
    repo.write("sub/x.tmp", "ignored_by_nested\n");
    repo.write("../home/.config/git/ignore", "*.swp\n");
    repo.write("x.swp", "ignored_by_global\n");
    let report = repo.scan(&[]);
    let tree = &repo.json(&["manifest", "--json"])["tree"];
    assert_eq!(report["files"]["total"], 4, "{tree}");
    for name in ["build/", "local.py", "x.swp"] {
        assert!(tree.get(name).is_none(), "{name} in {tree}");
    }
    assert!(tree["sub/"].get("x.tmp").is_none());
    assert!(repo.found("ignored_by_codeagent").iter().all(|file| !file.starts_with("generated/")));
}
