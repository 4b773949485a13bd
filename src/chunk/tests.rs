//! What holds for every text, and what becomes of four small files.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::*;
use crate::facts::tests::{SMALL, samples};

/// The C# sample.
fn csharp() -> String {
    samples().into_iter().find(|(name, ..)| name == "sample.cs").unwrap().2
}

fn language(name: &str) -> Language {
    Language::from_name(name).unwrap()
}

/// Everything that `chunk` promises about its output.
pub(super) fn check(text: &str, language: Language, limits: &Limits) -> Chunked {
    let chunked = chunk(text, language, limits);
    let mut lines: Vec<(usize, usize)> = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        lines.push((at, at + line.len()));
        at += line.len();
    }
    let mut end = 0;
    let mut covered = vec![0; lines.len()];
    for c in &chunked.chunks {
        let bytes = c.bytes();
        assert!(bytes.start >= end && bytes.start < bytes.end, "{c:?} overlaps or is empty");
        end = bytes.end;
        let own = text.get(bytes.clone()).expect("on character boundaries");
        assert!(!own.trim().is_empty() || own.bytes().any(lines::is_ink));
        let tokens = estimate_tokens(own);
        assert!(tokens <= limits.max_tokens.max(4), "{tokens} tokens in {c:?}");
        let (first, last) = (c.start_line as usize - 1, c.end_line as usize - 1);
        assert!(lines[first].0 <= bytes.start && bytes.end <= lines[last].1, "{c:?} is on other lines");
        if first != last {
            assert_eq!(lines[first].0, bytes.start, "{c:?} begins inside a line");
            assert!(text[bytes.end..lines[last].1].trim().is_empty(), "{c:?} ends inside a line");
        }
        for (line, covered) in covered.iter_mut().enumerate().take(last + 1).skip(first) {
            let (start, end) = lines[line];
            let inside = &text[start.max(bytes.start)..end.min(bytes.end).max(start)];
            *covered += inside.chars().filter(|c| !c.is_whitespace()).count();
        }
    }
    for (line, (start, end)) in lines.iter().enumerate() {
        let ink = text[*start..*end].chars().filter(|c| !c.is_whitespace()).count();
        assert_eq!(covered[line], ink, "line {} is not covered", line + 1);
    }
    check_facts(&chunked, text);
    chunked
}

/// Everything that facts promise to those who store and read them.
fn check_facts(chunked: &Chunked, text: &str) {
    let facts = &chunked.facts;
    assert!(facts.definitions.is_sorted_by_key(|d| d.at));
    for (at, d) in facts.definitions.iter().enumerate() {
        assert!(d.parent.is_none_or(|parent| (parent as usize) < at), "{d:?} is its own ancestor");
        assert!(text.get(d.bytes()).is_some_and(|own| !own.is_empty()), "{d:?} is nowhere");
        assert!(d.start_line <= d.end_line && !d.name.is_empty(), "{d:?}");
        assert!(d.doc.is_none_or(|(start, end)| text.get(start as usize..end as usize).is_some()), "{d:?}");
    }
    for r in &facts.references {
        assert!(text.get(r.byte as usize..).is_some() && !r.name.is_empty(), "{r:?}");
    }
    for chunk in &chunked.chunks {
        assert!(chunk.definition.is_none_or(|at| (at as usize) < facts.definitions.len()), "{chunk:?}");
    }
}

#[test]
fn samples_hold_under_many_limits() {
    for (name, language, text) in samples() {
        for max_tokens in [4, 10, 30, 100, 300, 1000] {
            for min_tokens in [0, 5, 50, 2000] {
                let limits = Limits { min_tokens, max_tokens, ..Limits::default() };
                let status = check(&text, language, &limits).status;
                assert_ne!(status, ParseStatus::Fallback, "{name}");
            }
        }
    }
}

#[test]
fn line_endings_and_marks_change_nothing() {
    for (name, language, text) in samples() {
        let outline = |text: &str| -> Vec<_> {
            let chunks = check(text, language, &SMALL).chunks.into_iter();
            chunks.map(|c| (c.kind, c.name, c.signature, c.start_line, c.end_line)).collect()
        };
        let plain = outline(&text);
        assert_eq!(outline(&text.replace('\n', "\r\n")), plain, "{name} with CRLF");
        assert_eq!(outline(text.trim_end()), plain, "{name} without a last line break");
        assert_eq!(outline(&format!("\u{feff}{text}")).len(), plain.len(), "{name} with a mark");
    }
}

#[test]
fn odd_files() {
    let json = format!("[{}]", "{\"a\":1},".repeat(6000));
    let brackets = "[(".repeat(5000) + &")]".repeat(5000);
    let blocks = "{\n".repeat(5000) + &"}\n".repeat(5000);
    let classes = (0..2000).map(|n| format!("class C{n} {{\n")).collect::<String>();
    let texts = [
        "",
        "\n\n\n\r\n",
        "\u{feff}",
        " \t ",
        "x",
        "\"unterminated\nclass A { void f() {",
        "'''\ndef f(:\n  \"",
        "`${`${`${",
        "/* never closed",
        "#if A\nclass B {\n#else\n",
        "\0\u{1}\n\0",
        "\r\r\ra\rb\r",
        &json,
        &brackets,
        &blocks,
        &classes,
    ];
    for language in Language::all() {
        for text in texts {
            check(text, language, &Limits::default());
        }
    }
}

#[test]
fn deep_nesting_needs_little_stack() {
    let small = std::thread::Builder::new().stack_size(1 << 20);
    let run = small.spawn(|| {
        for name in ["csharp", "typescript", "tsx", "python", "json", "yaml", "toml", "xml", "html", "css"] {
            for (open, close) in [
                ("[", "]"),
                ("(\n", ")\n"),
                ("class A {\n", "}\n"),
                ("if x:\n", "\n"),
                ("{", ""),
                ("{\"a\":\n", "}\n"),
                ("<a>\n", "</a>\n"),
            ] {
                let text = open.repeat(10_000) + &close.repeat(10_000);
                check(&text, language(name), &Limits::default());
            }
        }
    });
    run.unwrap().join().unwrap();
}

#[test]
fn large_files_are_cut_at_line_ends() {
    let limits = Limits { fixed_interval_above: 1000, ..SMALL };
    let chunked = check(&csharp(), language("csharp"), &limits);
    assert_eq!(chunked.status, ParseStatus::FixedInterval);
    assert!(chunked.chunks.len() > 3);
}

#[test]
fn a_split_function_keeps_its_name() {
    let body: String =
        (0..120).map(|n| format!("    if (x > {n})\n    {{\n        y += {n};\n    }}\n")).collect();
    let text = format!("class A\n{{\nint Sum(int x)\n{{\n{body}}}\n}}\n");
    let chunks = check(&text, language("csharp"), &SMALL).chunks;
    let parts: Vec<_> = chunks.iter().filter(|c| c.name.as_deref() == Some("Sum")).collect();
    assert!(parts.len() > 3);
    for part in &parts[1..] {
        assert!(text[part.bytes()].trim_start().starts_with("if"), "cut between statements");
        assert_eq!(part.signature.as_deref(), Some("int Sum(int x)"));
    }
}

fn names(text: &str, of: &str, limits: &Limits) -> Vec<(Option<String>, Option<String>)> {
    check(text, language(of), limits).chunks.into_iter().map(|c| (c.parent, c.name)).collect()
}

#[test]
fn records_on_lines_are_named_by_an_entry() {
    let record = |n: u32| format!("{{\"text\": \"{}\", \"id\": \"r{n}\"}}\n", "word ".repeat(60));
    let text: String = (0..3).map(record).collect();
    let expected = ["r0", "r1", "r2"].map(|name| (None, Some(name.to_owned())));
    assert_eq!(names(&text, "json", &SMALL), expected);
}

#[test]
fn large_entries_are_cut_into_members_that_know_where_they_are() {
    let member = |n: u32| {
        format!("    \"m{n}\": {{\n{}      \"z\": 0\n    }},\n", "      \"a\": \"bcdefgh\",\n".repeat(20))
    };
    let text =
        format!("// a comment\n{{\n  \"outer\": {{\n{}{}    \"end\": 1\n  }}\n}}\n", member(0), member(1));
    let outer = Some("outer".to_owned());
    let expected = [Some("m0"), Some("m1"), Some("end")].map(|name| (outer.clone(), name.map(str::to_owned)));
    assert_eq!(names(&text, "json", &SMALL), expected);
}

#[test]
fn templates_do_not_hide_the_entries_around_them() {
    let value = "  image: registry.example.org/station/barometer\n".repeat(8);
    let text = format!(
        "first:\n{value}{{{{- if .Values.extra }}}}\nsecond:\n{value}{{{{- end }}}}\nthird:\n{value}"
    );
    let names = names(&text, "yaml", &SMALL);
    let named = |name: &str| names.iter().any(|(_, own)| own.as_deref() == Some(name));
    assert!(named("first") && named("second") && named("third"), "{names:?}");
}

#[test]
fn data_on_one_line_and_in_many_is_cut_in_linear_time() {
    let limits = Limits { fixed_interval_above: usize::MAX, ..Limits::default() };
    let line = format!("[{}1]", "{\"id\":\"x\",\"v\":[1,2,{\"k\":null}]},".repeat(20_000));
    let chunked = check(&line, language("json"), &limits);
    assert!(chunked.chunks.iter().all(|c| c.name.is_none()), "no part of the line is one record");
    let lines = format!("{{\n{}\"end\": 0\n}}\n", "\"key\": {\"a\": [1, 2], \"b\": \"c\"},\n".repeat(20_000));
    let facts = check(&lines, language("json"), &limits).facts;
    assert!(facts.definitions.iter().all(|d| facts.qualified_name(d).matches('.').count() < 2));
}

#[test]
fn errors_are_reported_and_survived() {
    let text = &csharp().replace("decimal total = 0;", "decimal total = = ;");
    let chunked = check(text, language("csharp"), &SMALL);
    assert_eq!(chunked.status, ParseStatus::Errors);
    assert!(chunked.chunks.iter().any(|c| c.name.as_deref() == Some("Add")));
}

fn any_limits() -> impl Strategy<Value = Limits> {
    (0usize..60, 4usize..200).prop_map(|(min_tokens, max_tokens)| Limits { min_tokens, max_tokens, ..SMALL })
}

fn any_language() -> impl Strategy<Value = Language> {
    let grammars: Vec<Language> = Language::all().filter(|l| l.has_grammar()).collect();
    let all: Vec<Language> = Language::all().collect();
    prop_oneof![prop::sample::select(grammars), prop::sample::select(all)]
}

/// One edit: where (as a share of the text), how much to drop, what to put there instead.
fn any_edit() -> impl Strategy<Value = (f64, usize, &'static str)> {
    let pieces = [
        "",
        "\n",
        "{",
        "}",
        "(",
        "\"",
        "'''",
        "/*",
        "#if X\n",
        "class ",
        "é",
        "\r\n",
        "    ",
        "`",
        "=>",
        "\n\n# h\n",
    ];
    (0.0..1.0, 0usize..40, prop::sample::select(pieces.to_vec()))
}

fn edit(mut text: String, edits: &[(f64, usize, &str)]) -> String {
    for (place, drop, put) in edits {
        let at = text.floor_char_boundary((text.len() as f64 * place) as usize);
        let end = text.ceil_char_boundary((at + drop).min(text.len()));
        text.replace_range(at..end, put);
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn holds_for_any_text(text in "(\\PC|[ \t\r\n{}()\\[\\]\"'#/*:;=>]){0,400}", language in any_language(), limits in any_limits()) {
        check(&text, language, &limits);
    }

    #[test]
    fn holds_for_damaged_code(
        sample in prop::sample::select(samples()),
        edits in prop::collection::vec(any_edit(), 1..12),
        other in any_language(),
        limits in any_limits(),
    ) {
        let text = edit(sample.2, &edits);
        check(&text, sample.1, &limits);
        check(&text, other, &limits);
    }

    #[test]
    fn any_bytes_can_be_inspected(bytes in prop::collection::vec(any::<u8>(), 0..300), language in any_language()) {
        if let Content::Text(text) = inspect(&bytes, language) {
            check(&text, language, &SMALL);
        }
    }
}
