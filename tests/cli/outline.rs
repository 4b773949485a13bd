//! `codeagent outline`: one file, without an index.

use serde_json::Value;

use crate::sandbox::Sandbox;

const CODE: &str = "import { api } from './api';\n\n/** How often. */\nexport const RETRIES = 3;\n\nexport enum Mode {\n  Fast,\n  Slow,\n}\n\n/** Loads things. */\nexport class Loader {\n  async load(id: string): Promise<void> {\n    await api.get(id, RETRIES);\n  }\n}\n";

fn repo() -> Sandbox {
    let repo = Sandbox::sample();
    repo.write("src/loader.ts", CODE);
    repo
}

#[test]
fn the_three_views_of_a_file() {
    let repo = repo();
    let view = |flag: &[&str]| repo.ok(&[&["outline", "src/loader.ts"], flag].concat()).stdout;
    insta::assert_snapshot!("outline_symbols", view(&[]));
    insta::assert_snapshot!("outline_definitions", view(&["--definitions"]));
    insta::assert_snapshot!("outline_data", view(&["--data"]));
    assert_eq!(view(&["--symbols"]), view(&[]), "symbols are what is shown by default");
    assert!(!repo.path(".codeagent").exists(), "no index is needed or made");
}

#[test]
fn json_holds_every_fact() {
    let repo = repo();
    let outline = repo.json(&["outline", "src/loader.ts", "--json"]);
    let find = |list: &str, name: &str| -> Value {
        let list = outline[list].as_array().unwrap();
        list.iter().find(|fact| fact["name"] == name).unwrap_or_else(|| panic!("{name}: {outline}")).clone()
    };
    assert_eq!((&outline["language"], &outline["parse_status"]), (&"typescript".into(), &"parsed".into()));
    let load = find("definitions", "load");
    assert_eq!((&load["kind"], &load["qualified_name"]), (&"method".into(), &"Loader.load".into()));
    assert_eq!((&load["start_line"], &load["end_line"]), (&13.into(), &15.into()));
    assert_eq!(load["flags"], serde_json::json!(["async"]));
    assert_eq!(load["dependencies"], serde_json::json!(["Promise", "./api"]));
    assert_eq!(find("definitions", "Loader")["docstring"], "Loads things.");
    assert_eq!(find("imports", "api")["module"], "./api");
    let call = find("references", "get");
    assert_eq!(
        (&call["kind"], &call["receiver"], &call["line"]),
        (&"call".into(), &"api".into(), &14.into())
    );
}

#[test]
fn a_file_of_another_commit() {
    let repo = repo();
    repo.git(&["add", "."]);
    repo.git(&["commit", "--quiet", "-m", "loader"]);
    repo.write("src/loader.ts", "export const other = 1;\n");
    let old = repo.ok(&["outline", "src/loader.ts", "--ref", "HEAD"]).stdout;
    assert!(old.contains("Loader.load()") && !old.contains("other"), "{old}");
    assert!(repo.ok(&["outline", "src/loader.ts"]).stdout.contains("other"));
}

#[test]
fn what_cannot_be_outlined_is_said_with_the_next_step() {
    let repo = repo();
    repo.write("logo.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    std::os::unix::fs::symlink("/etc", repo.path("outside")).unwrap();
    repo.run(&["outline", "src/none.ts"]).assert_error(
        2,
        "cannot read src/none.ts",
        "a file of the repository",
    );
    repo.run(&["outline", "src"]).assert_error(2, "directory", "a file of the repository");
    repo.run(&["outline", "outside/hostname"]).assert_error(2, "leads outside", "a file of the repository");
    repo.run(&["outline", "../x.ts"]).assert_error(2, "outside", "relative");
    repo.run(&["outline", "logo.png"]).assert_error(2, "binary", "text file");
    repo.run(&["outline", "src/none.ts", "--ref", "HEAD"]).assert_error(2, "no file src/none.ts", "relative");
}
