//! Contents that break programs: encodings, line ends, empty files, code that does not parse.

use std::fs;

use crate::sandbox::{Sandbox, text};

fn utf16(text: &str, unit: fn(u16) -> [u8; 2]) -> Vec<u8> {
    std::iter::once('\u{feff}')
        .chain(text.chars())
        .flat_map(|c| c.encode_utf16(&mut [0; 2]).to_vec())
        .flat_map(unit)
        .collect()
}

#[test]
fn text_is_found_in_any_encoding() {
    let repo = Sandbox::git();
    repo.write("le.py", utf16("def little_endian_zürich():\n    pass\n", u16::to_le_bytes));
    repo.write("be.py", utf16("def big_endian_zürich():\n    pass\n", u16::to_be_bytes));
    repo.write("latin1.py", b"# M\xfcller\ndef latin_one_encoding():\n    pass\n");
    repo.write("bom.py", b"\xef\xbb\xbfdef byte_order_mark():\n    pass\n");
    repo.write("stray.py", b"def stray_bytes():\n    return '\xff\xfe\x80'\n");
    repo.commit("all");
    let report = repo.scan(&[]);
    assert_eq!((&report["files"]["total"], &report["files"]["skipped"]), (&5.into(), &0.into()), "{report}");
    let names = [("little_endian", "le.py"), ("big_endian", "be.py"), ("latin_one_encoding", "latin1.py")];
    for (query, file) in names.into_iter().chain([("byte_order_mark", "bom.py"), ("stray_bytes", "stray.py")])
    {
        let hit = &repo.json(&["search", query, "-k", "1", "--json"])["results"][0];
        assert_eq!((text(&hit["file"]).as_str(), &hit["start_line"]), (file, &1.into()));
        assert!(text(&hit["snippet"]).contains(query), "{hit}");
        assert!(!text(&hit["snippet"]).starts_with('\u{feff}'));
    }
    let latin = &repo.json(&["search", "latin_one_encoding", "-k", "1", "--json"])["results"][0];
    assert!(text(&latin["snippet"]).contains("Müller"), "{latin}");
}

#[test]
fn a_checkout_with_other_line_ends_is_the_same_content() {
    let repo = Sandbox::git();
    repo.write(".gitattributes", "*.py text eol=crlf\n");
    repo.write("a.py", "def first():\n    return 1\n\n\ndef second():\n    return 2\n");
    repo.commit("all");
    let root = text(&repo.scan(&[])["root"]);
    fs::remove_file(repo.path("a.py")).unwrap();
    repo.git(&["checkout", "--", "a.py"]);
    assert!(fs::read(repo.path("a.py")).unwrap().windows(2).any(|pair| pair == b"\r\n"));
    let report = repo.scan(&[]);
    assert_eq!((&report["root"], &report["embedded"]), (&root.clone().into(), &0.into()));
    let full = repo.scan(&["--full"]);
    assert_eq!((&full["root"], &full["embedded"]), (&root.clone().into(), &0.into()));
    assert_eq!(repo.scan(&["--ref", "main"])["root"], *root);
}

#[test]
fn carriage_returns_that_are_committed_stay_searchable() {
    let repo = Sandbox::git();
    repo.write("dos.py", "def dos_line_ends():\r\n    return 1\r\n");
    repo.write("mac.txt", "old mac line ends\rsecond line\r");
    repo.commit("all");
    assert_eq!(repo.scan(&[])["files"]["total"], 2);
    let hit = &repo.json(&["search", "dos_line_ends", "-k", "1", "--json"])["results"][0];
    assert_eq!(
        (&hit["file"], &hit["start_line"], &hit["end_line"]),
        (&"dos.py".into(), &1.into(), &2.into())
    );
}

#[test]
fn files_without_content_are_files_without_chunks() {
    let repo = Sandbox::git();
    repo.write("empty.py", "");
    repo.write("blank.py", " \n\t\n\n   \n");
    repo.write("no_newline.py", "def ends_without_newline(): pass");
    repo.commit("all");
    let report = repo.scan(&[]);
    assert_eq!((&report["files"]["total"], &report["files"]["skipped"]), (&3.into(), &0.into()));
    assert_eq!(report["chunks"]["total"], 1);
    let tree = &repo.json(&["manifest", "--json"])["tree"];
    assert_eq!(tree["empty.py"]["chunk_ids"], serde_json::json!([]));
    assert_eq!(tree["blank.py"]["chunk_ids"], serde_json::json!([]));
    assert_eq!(repo.scan(&[])["files"]["read"], 0);
    assert_eq!(repo.found("ends_without_newline"), ["no_newline.py"]);
}

#[test]
fn an_empty_repository_can_be_scanned_and_searched() {
    for repo in [Sandbox::git(), Sandbox::plain()] {
        let report = repo.scan(&[]);
        assert_eq!((&report["files"]["total"], &report["embedded"]), (&0.into(), &0.into()));
        assert!(repo.found("anything").is_empty());
        repo.ok(&["status"]);
        assert_eq!(repo.json(&["manifest", "--json"])["tree"], serde_json::json!({}));
    }
}

#[test]
fn code_that_does_not_parse_is_indexed_all_the_same() {
    let repo = Sandbox::git();
    repo.write("broken.py", "def broken_syntax_here(:\n    return ((((\nclass\n");
    repo.write("broken.ts", "export function halfWritten(a: { b: => {{{ \n");
    repo.write("broken.cs", "public class { void Unfinished_method( {\n");
    repo.commit("all");
    let report = repo.scan(&[]);
    assert_eq!((&report["files"]["total"], &report["files"]["skipped"]), (&3.into(), &0.into()));
    for (query, file) in [
        ("broken_syntax_here", "broken.py"),
        ("halfWritten", "broken.ts"),
        ("Unfinished_method", "broken.cs"),
    ] {
        assert_eq!(repo.found(query)[0], file);
    }
}

#[test]
fn pathological_nesting_ends_in_time() {
    let repo = Sandbox::git();
    for (open, close) in [("(", ")"), ("[", "]"), ("{", "}")] {
        let nested = format!("x = {}{}\n", open.repeat(10_000), close.repeat(10_000));
        for extension in ["py", "ts", "cs", "json"] {
            repo.write(format!("nested{}.{extension}", open.as_bytes()[0]), &nested);
        }
    }
    repo.write("unclosed.ts", "(".repeat(100_000));
    repo.write("blocks.cs", "if(a){".repeat(10_000));
    repo.write("deep.py", (0..2000).map(|i| format!("{}if x:\n", " ".repeat(i))).collect::<String>());
    repo.write("good.py", "def perfectly_good_function():\n    pass\n");
    let report = repo.scan(&[]);
    let files = report["files"]["total"].as_u64().unwrap() + report["files"]["skipped"].as_u64().unwrap();
    assert_eq!(files, 16, "{report}");
    assert_eq!(repo.found("perfectly_good_function")[0], "good.py");
}

#[test]
fn one_enormous_line_is_cut() {
    let repo = Sandbox::git();
    repo.write("words.txt", "word another ".repeat(20_000));
    repo.write("umlauts.txt", "ü".repeat(100_000));
    let report = repo.scan(&[]);
    assert_eq!(report["files"]["total"], 2, "{report}");
    assert!(report["chunks"]["total"].as_u64().unwrap() > 10);
}
