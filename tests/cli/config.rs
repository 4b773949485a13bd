//! Where settings come from, which one wins, and what a mistake says.

use std::fs;

use crate::sandbox::{Sandbox, finish};

/// The value of a setting and the kind of place it comes from.
fn setting(repo: &Sandbox, name: &str, environment: &[(&str, &str)]) -> (serde_json::Value, String) {
    let mut command = repo.command(&["config", "show", "--json"]);
    let all = finish(command.envs(environment.iter().copied())).assert_code(0).json();
    let (section, key) = name.split_once('.').unwrap();
    let found = all.as_array().unwrap().iter().find(|s| s["section"] == section && s["key"] == key);
    let found = found.unwrap_or_else(|| panic!("no {name} in {all}"));
    (found["value"].clone(), found["origin"].to_string())
}

#[test]
fn flags_win_over_environment_over_project_over_user_over_default() {
    let repo = Sandbox::sample();
    let (value, origin) = setting(&repo, "search.limit", &[]);
    assert_eq!(value, 10);
    assert!(origin.contains("default"), "{origin}");

    repo.write("../home/.config/codeagent/config.yaml", "search:\n  limit: 20\nchunk:\n  max_tokens: 900\n");
    let (value, origin) = setting(&repo, "search.limit", &[]);
    assert_eq!(value, 20);
    assert!(origin.contains("config.yaml"), "{origin}");

    repo.write(".codeagent.yaml", "search:\n  limit: 30\n");
    let (value, origin) = setting(&repo, "search.limit", &[]);
    assert_eq!(value, 30);
    assert!(origin.contains(".codeagent.yaml"), "{origin}");
    assert_eq!(setting(&repo, "chunk.max_tokens", &[]).0, 900, "files are merged key by key");

    let (value, origin) = setting(&repo, "search.limit", &[("CODEAGENT_SEARCH_LIMIT", "1")]);
    assert_eq!(value, 1);
    assert!(origin.contains("CODEAGENT_SEARCH_LIMIT"), "{origin}");

    repo.ok(&["scan"]);
    let count = |args: &[&str]| {
        let mut command = repo.command(&[&["search", "token price shop", "--json"], args].concat());
        let run = finish(command.env("CODEAGENT_SEARCH_LIMIT", "1")).assert_code(0);
        run.json()["results"].as_array().unwrap().len()
    };
    assert_eq!(count(&[]), 1);
    assert_eq!(count(&["-k", "2"]), 2);
}

#[test]
fn unknown_keys_are_errors_with_a_suggestion() {
    let repo = Sandbox::sample();
    for (yaml, wrong, right) in [
        ("index:\n  max_file_sise: 3\n", "max_file_sise", "max_file_size"),
        ("indx:\n  exclude: []\n", "indx", "index"),
        ("search:\n  limits: 3\n", "limits", "limit"),
    ] {
        repo.write(".codeagent.yaml", yaml);
        for command in [&["scan"][..], &["config", "show"], &["search", "x"]] {
            repo.run(command).assert_error(2, wrong, right);
        }
    }
    fs::remove_file(repo.path(".codeagent.yaml")).unwrap();
    let run = finish(repo.command(&["scan"]).env("CODEAGENT_SEARCH_LIMITS", "3"));
    run.assert_error(2, "CODEAGENT_SEARCH_LIMITS", "CODEAGENT_SEARCH_LIMIT");
    assert!(!repo.path(".codeagent").exists(), "nothing was tried");
}

#[test]
fn bad_values_are_errors_that_name_the_place() {
    let repo = Sandbox::sample();
    for yaml in [
        "search:\n  limit: many\n",
        "search:\n  limit: 0\n",
        "index:\n  max_file_size: 10 parsecs\n",
        "index: 5\n",
        "index:\n  exclude: [\"a[b\"]\n",
        "nonsense: [",
        "- a\n- list\n",
    ] {
        repo.write(".codeagent.yaml", yaml);
        let run = repo.run(&["scan"]);
        assert!(run.code == Some(2) && run.stderr.contains(".codeagent.yaml"), "{yaml:?}: {run:?}");
    }
    repo.write(".codeagent.yaml", "");
    let run = finish(repo.command(&["scan"]).env("CODEAGENT_SEARCH_LIMIT", "many")).assert_code(2);
    assert!(run.stderr.contains("CODEAGENT_SEARCH_LIMIT"), "{}", run.stderr);
    repo.ok(&["scan"]);
}

#[test]
fn the_example_is_accepted_as_it_is_and_changes_nothing() {
    let repo = Sandbox::sample();
    let before = repo.json(&["config", "show", "--json"]);
    let example = concat!(env!("CARGO_MANIFEST_DIR"), "/.codeagent.example.yaml");
    fs::copy(example, repo.path(".codeagent.yaml")).unwrap();
    repo.ok(&["scan"]);
    let after = repo.json(&["config", "show", "--json"]);
    let (before, after) = (before.as_array().unwrap(), after.as_array().unwrap());
    for (old, new) in before.iter().zip(after) {
        assert_eq!((&old["key"], &old["value"]), (&new["key"], &new["value"]));
    }
    assert_eq!(before.len(), after.len());
}

#[test]
fn a_repository_cannot_choose_a_store_outside_of_itself() {
    let repo = Sandbox::sample();
    let outside = repo.path("../outside");
    for dir in ["../outside", "/tmp/codeagent-outside", "a/../../outside"] {
        repo.write(".codeagent.yaml", format!("store:\n  dir: {dir}\n"));
        repo.run(&["scan"]).assert_error(2, "store.dir", "CODEAGENT_STORE_DIR");
        repo.run(&["clean"]).assert_error(2, "store.dir", "CODEAGENT_STORE_DIR");
    }
    assert!(!outside.exists());
    repo.write(".codeagent.yaml", "store:\n  dir: tools/index\n");
    repo.ok(&["scan"]);
    assert!(repo.path("tools/index/index/data.mdb").exists());
    assert_eq!(repo.git(&["status", "--porcelain"]), "?? .codeagent.yaml");
}

#[test]
fn a_linked_store_inside_the_repository_does_not_lead_outside() {
    let repo = Sandbox::sample();
    repo.write("../outside/keep.txt", "somebody else's");
    std::os::unix::fs::symlink("../outside", repo.path("cache")).unwrap();
    repo.write(".codeagent.yaml", "store:\n  dir: cache\n");
    repo.run(&["scan"]).assert_error(2, "store.dir", "CODEAGENT_STORE_DIR");
    // Nor does a link where the index is by default.
    fs::remove_file(repo.path(".codeagent.yaml")).unwrap();
    std::os::unix::fs::symlink("../outside", repo.path(".codeagent")).unwrap();
    for command in [["scan"], ["clean"]] {
        repo.run(&command).assert_error(2, "the index directory", "CODEAGENT_STORE_DIR");
    }
    let left: Vec<_> = fs::read_dir(repo.path("../outside")).unwrap().collect();
    assert_eq!(left.len(), 1);
}

#[test]
fn the_user_may_put_the_store_anywhere() {
    let repo = Sandbox::sample();
    let store = repo.path("../elsewhere/store");
    let scan = |args: &[&str]| finish(repo.command(args).env("CODEAGENT_STORE_DIR", &store)).assert_code(0);
    scan(&["scan"]);
    assert!(store.join("index/data.mdb").exists());
    assert!(!repo.path(".codeagent").exists());
    assert_eq!(scan(&["search", "validate_token", "--json"]).json()["results"][0]["file"], "src/auth.py");
    scan(&["clean"]);
    assert!(!store.exists());

    let user = format!("store:\n  dir: {}\n", store.display());
    repo.write("../home/.config/codeagent/config.yaml", user);
    repo.ok(&["scan"]);
    // One place for all repositories holds a directory for each.
    let own: Vec<_> = fs::read_dir(&store).unwrap().flatten().map(|entry| entry.path()).collect();
    assert_eq!(own.len(), 1);
    assert!(own[0].join("index/data.mdb").exists());
    assert!(!repo.path(".codeagent").exists());
}

#[test]
fn the_store_does_not_move_in_with_other_files() {
    let repo = Sandbox::sample();
    repo.write("build/.gitignore", "*.o\n");
    let mut scan = repo.command(&["scan"]);
    finish(scan.env("CODEAGENT_STORE_DIR", repo.path("build"))).assert_error(
        2,
        "is not empty",
        "CODEAGENT_STORE_DIR",
    );
    assert_eq!(fs::read_dir(repo.path("build")).unwrap().count(), 1);

    // A foreign ignore file in our own directory survives a clean.
    repo.write(".codeagent/.gitignore", "*.o\n");
    repo.ok(&["scan"]);
    repo.ok(&["clean"]);
    assert_eq!(repo.read(".codeagent/.gitignore"), "*.o\n");
}

#[test]
fn include_and_exclude_decide_what_is_indexed() {
    let repo = Sandbox::sample();
    repo.scan(&[]);
    repo.write(".codeagent.yaml", "index:\n  include: [\"src/**\"]\n  exclude: [\"**/*.ts\"]\n");
    let report = repo.scan(&[]);
    assert_eq!((&report["files"]["total"], &report["embedded"]), (&1.into(), &0.into()), "{report}");
    assert!(repo.found("price token shop").iter().all(|file| file == "src/auth.py"));
    fs::remove_file(repo.path(".codeagent.yaml")).unwrap();
    let back = repo.scan(&[]);
    assert_eq!((&back["files"]["total"], &back["embedded"]), (&3.into(), &0.into()), "{back}");
}

#[test]
fn untracked_files_can_be_left_out() {
    let repo = Sandbox::sample();
    repo.write("scratch.py", "def scratch():\n    pass\n");
    let run = finish(repo.command(&["scan", "--json"]).env("CODEAGENT_INDEX_UNTRACKED", "false"));
    assert_eq!(run.assert_code(0).json()["files"]["total"], 3);
    assert_eq!(repo.scan(&[])["files"]["total"], 4);
}
