//! `search`: the shape of its answers, filters, batches, freshness.

use std::fs;

use serde_json::{Value, json};

use crate::sandbox::{Sandbox, finish, keys, text};

fn hits(answer: &Value) -> &Vec<Value> {
    answer["results"].as_array().expect("a list of results")
}

#[test]
fn hits_have_the_documented_fields() {
    let repo = Sandbox::sample();
    let scanned = repo.scan(&[]);
    let answer = repo.json(&["search", "validate_token", "-k", "1", "--json"]);
    assert_eq!(keys(&answer), ["freshness", "query", "results"]);
    let hit = &hits(&answer)[0];
    let fields = [
        "dependencies",
        "docstring",
        "end_line",
        "file",
        "id",
        "kind",
        "language",
        "members",
        "name",
        "parent",
        "qualified_name",
        "score",
        "signature",
        "snippet",
        "start_line",
        "visibility",
    ];
    assert_eq!(keys(hit), fields);
    assert_eq!(hit["file"], "src/auth.py");
    assert_eq!(hit["language"], "python");
    assert!(hit["score"].as_f64().is_some_and(|score| score > 0.0 && score <= 1.0));
    // The snippet is the very lines it claims to be.
    let source = fs::read_to_string(repo.path("src/auth.py")).unwrap();
    let (start, end) = (hit["start_line"].as_u64().unwrap(), hit["end_line"].as_u64().unwrap());
    let lines: Vec<&str> = source.lines().skip(start as usize - 1).take((end - start + 1) as usize).collect();
    assert_eq!(text(&hit["snippet"]).trim(), lines.join("\n").trim());
    assert!(lines.iter().any(|line| line.contains("def validate_token")));

    let freshness = &answer["freshness"];
    let fields = ["current_commit", "dirty", "indexed_commit", "refreshed", "stale", "view"];
    assert_eq!(keys(freshness), fields);
    assert_eq!(freshness["indexed_commit"], scanned["commit"]);
    assert_eq!(freshness["current_commit"], scanned["commit"]);
    assert_eq!((&freshness["dirty"], &freshness["stale"]), (&0.into(), &0.into()));
}

#[test]
fn filters_narrow_the_answer() {
    let repo = Sandbox::sample();
    repo.scan(&[]);
    let all = |filter: &[&str], what: &str, value: &str| {
        let answer = repo.json(&[&["search", "token price shop", "--json"], filter].concat());
        assert!(!hits(&answer).is_empty(), "{filter:?}");
        assert!(hits(&answer).iter().all(|hit| hit[what] == value), "{filter:?}: {answer}");
    };
    all(&["--lang", "python"], "language", "python");
    all(&["--lang", "py"], "language", "python");
    all(&["--lang", "TypeScript"], "language", "typescript");
    all(&["--path", "src/web"], "file", "src/web/cart.ts");
    all(&["--path", "./src/web/"], "file", "src/web/cart.ts");
    all(&["--path", "**/*.md"], "file", "README.md");
    all(&["--path", "README.md"], "file", "README.md");
    let both = repo.json(&["search", "token price", "--lang", "python", "--lang", "ts", "--json"]);
    let mut languages: Vec<String> = hits(&both).iter().map(|hit| text(&hit["language"])).collect();
    languages.sort();
    languages.dedup();
    assert_eq!(languages, ["python", "typescript"]);
    let kind = text(&hits(&repo.json(&["search", "token", "--lang", "python", "--json"]))[0]["kind"]);
    all(&["--kind", &kind], "kind", &kind);
}

#[test]
fn a_filter_that_nothing_passes_gives_no_results() {
    let repo = Sandbox::sample();
    repo.scan(&[]);
    for filter in [["--lang", "csharp"], ["--path", "nowhere/**"], ["--kind", "enum"]] {
        let answer = repo.json(&[&["search", "token", "--json"], &filter[..]].concat());
        assert!(hits(&answer).is_empty(), "{filter:?}: {answer}");
        let human = repo.ok(&[&["search", "token"], &filter[..]].concat());
        assert_eq!(human.stdout, "No results.\n");
    }
}

#[test]
fn unknown_filters_are_usage_errors() {
    let repo = Sandbox::sample();
    repo.scan(&[]);
    repo.run(&["search", "x", "--lang", "klingon"]).assert_error(2, "unknown language `klingon`", "python");
    repo.run(&["search", "x", "--kind", "gizmo"]).assert_error(2, "gizmo", "method");
    repo.run(&["search", "x", "--path", "a[b"]).assert_code(2);
}

#[test]
fn odd_queries_are_answered() {
    let repo = Sandbox::sample();
    repo.scan(&[]);
    let long = "token ".repeat(5000);
    for query in ["", " ", "\n"] {
        repo.run(&["search", "--", query]).assert_error(2, "the query is empty", "ask in words");
    }
    for query in ["*", "\"unbalanced", "💥", "a\u{0}b".trim_end_matches('\0'), &long] {
        if query.contains('\0') {
            continue; // cannot be an argument
        }
        repo.json(&["search", "--json", "--", query]);
    }
    repo.json(&["search", "--json", "-k", "10000", "token"]);
}

#[test]
fn a_batch_answers_every_query() {
    let repo = Sandbox::sample();
    repo.scan(&[]);
    repo.write(
        "../queries.jsonl",
        "{\"id\": \"a\", \"query\": \"validate token\"}\n\n{\"query\": \"total price\", \"id\": 7}\n",
    );
    let (queries, out) = (repo.path("../queries.jsonl"), repo.path("../out.jsonl"));
    let (queries, out) = (queries.to_str().unwrap(), out.to_str().unwrap());
    repo.ok(&["search", "--batch", queries, "--out", out, "-k", "2"]);
    let lines: Vec<Value> =
        fs::read_to_string(out).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.iter().map(|line| line["id"].clone()).collect::<Vec<_>>(), [json!("a"), json!(7)]);
    for line in &lines {
        assert_eq!(keys(line), ["id", "ms", "results"]);
        assert!(hits(line).len() <= 2 && !hits(line).is_empty());
    }
    assert_eq!(lines[0]["results"][0]["file"], "src/auth.py");
    assert_eq!(lines[1]["results"][0]["file"], "src/web/cart.ts");
    // One process or many: the same answers.
    let single = repo.json(&["search", "validate token", "-k", "2", "--json"]);
    assert_eq!(single["results"], lines[0]["results"]);

    let report = repo.json(&["search", "--batch", queries, "--out", out, "--json"]);
    assert_eq!(report["answered"], 2);
}

#[test]
fn a_batch_with_a_bad_line_says_which() {
    let repo = Sandbox::sample();
    repo.scan(&[]);
    repo.write("q.jsonl", "{\"id\": 1, \"query\": \"token\"}\nnonsense\n");
    repo.run(&["search", "--batch", "q.jsonl", "--out", "out.jsonl"]).assert_error(
        2,
        "q.jsonl line 2",
        "\"query\"",
    );
    repo.run(&["search", "--batch", "q.jsonl"]).assert_code(2);
    repo.run(&["search", "--out", "out.jsonl", "token"]).assert_code(2);
    repo.run(&["search", "token", "--batch", "q.jsonl", "--out", "out.jsonl"]).assert_code(2);
    let missing = repo.run(&["search", "--batch", "missing.jsonl", "--out", "out.jsonl"]).assert_code(2);
    assert!(missing.stderr.contains("missing.jsonl"));
}

#[test]
fn batch_files_are_relative_to_the_directory_one_works_in() {
    let repo = Sandbox::sample();
    repo.scan(&[]);
    repo.write("src/q.jsonl", "{\"id\": 1, \"query\": \"token\"}\n");
    let mut command = repo.command(&["-C", "repo/src", "search", "--batch", "q.jsonl", "--out", "out.jsonl"]);
    finish(command.current_dir(repo.outside())).assert_code(0);
    assert!(repo.path("src/out.jsonl").exists());
}

#[test]
fn answers_are_never_stale_unless_asked_for() {
    let repo = Sandbox::sample();
    repo.scan(&[]);
    repo.write("src/refund.py", "def refund_customer_payment(order):\n    return order.undo()\n");
    let old = repo.json(&["search", "refund_customer_payment", "--json", "--no-refresh"]);
    assert!(hits(&old).iter().all(|hit| hit["file"] != "src/refund.py"));

    let fresh = repo.json(&["search", "refund_customer_payment", "--json"]);
    assert_eq!(fresh["results"][0]["file"], "src/refund.py");
    assert_eq!((&fresh["freshness"]["refreshed"], &fresh["freshness"]["dirty"]), (&true.into(), &1.into()));

    fs::remove_file(repo.path("src/refund.py")).unwrap();
    assert!(!repo.found("refund_customer_payment").contains(&"src/refund.py".to_owned()));
}

#[test]
fn too_large_a_change_is_reported_instead() {
    let repo = Sandbox::sample();
    repo.scan(&[]);
    for i in 0..4 {
        repo.write(format!("new{i}.py"), format!("def refund_{i}(order):\n    return {i}\n"));
    }
    let mut command = repo.command(&["search", "refund", "--json"]);
    let run = finish(command.env("CODEAGENT_SEARCH_REFRESH_MAX_FILES", "3")).assert_code(0);
    let freshness = &run.json()["freshness"];
    assert_eq!((&freshness["refreshed"], &freshness["stale"]), (&false.into(), &4.into()));
    let mut human = repo.command(&["search", "refund"]);
    let human = finish(human.env("CODEAGENT_SEARCH_REFRESH_MAX_FILES", "3")).assert_code(0);
    assert!(human.stderr.contains("4 changed paths are not in this answer"), "{}", human.stderr);
}

#[test]
fn without_vectors_search_is_lexical_and_says_so() {
    let repo = Sandbox::sample();
    let off =
        |args: &[&str]| finish(repo.command(args).env("CODEAGENT_EMBEDDING_ENABLED", "false")).assert_code(0);
    let report = off(&["scan", "--json"]).json();
    assert_eq!((&report["embedded"], &report["pending"]), (&0.into(), &report["chunks"]["total"]));
    let answer = off(&["search", "validate_token", "--json"]).json();
    assert_eq!(answer["results"][0]["file"], "src/auth.py");
    assert!(text(&answer["note"]).contains("lexical results only"));
    assert!(off(&["search", "validate_token"]).stderr.contains("lexical results only"));
    // Switching it on embeds what is missing, without reading a file.
    let on = repo.scan(&[]);
    assert_eq!((&on["files"]["read"], &on["embedded"]), (&0.into(), &on["chunks"]["total"]));
}
