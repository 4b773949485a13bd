//! `manifest --json`: the shape of the reference specification.

use serde_json::Value;

use crate::sandbox::{Sandbox, keys, text};

fn is_hash(value: &Value) -> bool {
    value.as_str().is_some_and(|hex| hex.len() == 64 && hex.bytes().all(|b| b.is_ascii_hexdigit()))
}

fn is_time(value: &Value) -> bool {
    value.as_str().is_some_and(|time| time.ends_with('Z') && time.parse::<jiff::Timestamp>().is_ok())
}

#[test]
fn the_tree_has_the_specified_shape() {
    let repo = Sandbox::sample();
    repo.write("logo.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    let scanned = repo.scan(&[]);
    let manifest = repo.json(&["manifest", "--json"]);
    assert_eq!(keys(&manifest), ["commit", "root_hash", "stats", "tree", "updated", "version"]);
    assert_eq!(manifest["version"], "1.0");
    assert_eq!(manifest["root_hash"], scanned["root"]);
    assert!(is_time(&manifest["updated"]));
    assert_eq!(manifest["stats"]["files"], 3);
    assert_eq!(manifest["stats"]["chunks"], scanned["chunks"]["total"]);
    assert_eq!(manifest["stats"]["languages"], serde_json::json!(["markdown", "python", "typescript"]));

    let tree = &manifest["tree"];
    assert_eq!(keys(tree), ["README.md", "logo.png", "src/"]);
    assert!(is_hash(&tree["src/"]["hash"]) && is_hash(&tree["src/"]["web/"]["hash"]));
    let file = &tree["src/"]["web/"]["cart.ts"];
    assert_eq!(keys(file), ["chunk_ids", "hash", "mtime"]);
    assert!(is_hash(&file["hash"]) && is_time(&file["mtime"]));
    assert!(
        file["chunk_ids"].as_array().is_some_and(|ids| !ids.is_empty() && ids.iter().all(Value::is_string))
    );
    assert_eq!(tree["logo.png"]["skipped"], "binary");
    let total: usize = [&tree["README.md"], &tree["src/"]["auth.py"], file]
        .map(|file| file["chunk_ids"].as_array().unwrap().len())
        .iter()
        .sum();
    assert_eq!(manifest["stats"]["chunks"], total);
}

#[test]
fn a_change_moves_the_hashes_above_it_and_no_other() {
    let repo = Sandbox::sample();
    repo.scan(&[]);
    let before = repo.json(&["manifest", "--json"]);
    repo.write("src/web/cart.ts", "export const nothing = 0;\n");
    repo.scan(&[]);
    let after = repo.json(&["manifest", "--json"]);
    let hashes = |manifest: &Value| {
        let src = &manifest["tree"]["src/"];
        [
            text(&manifest["root_hash"]),
            text(&src["hash"]),
            text(&src["web/"]["hash"]),
            text(&src["web/"]["cart.ts"]["hash"]),
            text(&src["auth.py"]["hash"]),
            text(&manifest["tree"]["README.md"]["hash"]),
        ]
    };
    let moved: Vec<bool> = hashes(&before).iter().zip(&hashes(&after)).map(|(a, b)| a != b).collect();
    assert_eq!(moved, [true, true, true, true, false, false]);
}

#[test]
fn equal_files_have_equal_manifests_in_any_repository() {
    let [one, two] = [Sandbox::sample(), Sandbox::sample()];
    one.scan(&[]);
    two.write("extra.txt", "so that chunks get other numbers\n");
    two.scan(&[]);
    std::fs::remove_file(two.path("extra.txt")).unwrap();
    two.scan(&[]);
    let [one, two] = [one, two].map(|repo| repo.json(&["manifest", "--json"]));
    assert_eq!(one["root_hash"], two["root_hash"]);
    let ids = |manifest: &Value| manifest["tree"]["src/"]["auth.py"]["chunk_ids"].clone();
    assert_eq!(ids(&one), ids(&two));
}

#[test]
fn a_ref_has_a_manifest_of_its_own() {
    let repo = Sandbox::sample();
    let worktree = repo.scan(&[]);
    repo.write("src/auth.py", "changed = True\n");
    repo.scan(&[]);
    let report = repo.scan(&["--ref", "main"]);
    assert_eq!((&report["embedded"], &report["root"]), (&0.into(), &worktree["root"]));
    let manifest = repo.json(&["manifest", "--ref", "main", "--json"]);
    assert_eq!(manifest["root_hash"], worktree["root"]);
    let file = &manifest["tree"]["src/"]["auth.py"];
    assert_eq!(keys(file), ["chunk_ids", "hash"], "a commit has no modification times");
}
