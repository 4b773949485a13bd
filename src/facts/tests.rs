//! What becomes of one realistic file of each language: `fixtures/lang/sample.*`, read and reviewed as snapshots.

use std::fmt::Write;
use std::path::Path;

use super::*;
use crate::chunk::{Chunked, Limits, chunk};
use crate::lang::{Language, detect};

/// Small enough that samples show splitting and merging.
pub(crate) const SMALL: Limits = Limits { min_tokens: 40, max_tokens: 160, fixed_interval_above: 1 << 20 };

/// Every sample with its language, by file name.
pub(crate) fn samples() -> Vec<(String, Language, String)> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/lang");
    let mut samples: Vec<_> = std::fs::read_dir(dir)
        .unwrap()
        .map(|entry| {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            let text = std::fs::read_to_string(&path).unwrap();
            let language = detect(name.as_bytes(), text.as_bytes());
            (name, language, text)
        })
        .collect();
    samples.sort_by(|a, b| a.0.cmp(&b.0));
    samples
}

fn render_chunks(chunked: &Chunked) -> String {
    let mut out = format!("{}\n", chunked.status);
    for c in &chunked.chunks {
        let place = format!("{}-{}", c.start_line, c.end_line);
        let name = c.name.as_deref().unwrap_or("-");
        let parent = c.parent.as_deref().unwrap_or("");
        let signature = c.signature.as_deref().unwrap_or("");
        writeln!(out, "{place:8}{:12}[{parent}] {name} | {signature}", c.kind).unwrap();
    }
    out
}

fn render_facts(facts: &Facts, text: &str) -> String {
    let mut out = String::new();
    for d in &facts.definitions {
        let place = format!("{}-{}", d.start_line, d.end_line);
        let flags: Vec<&str> = d.flags.iter().map(Flag::as_str).collect();
        let name = facts.qualified_name(d);
        writeln!(out, "{place:8}{:12}{name} | {} {}", d.kind, d.visibility, flags.join(" ")).unwrap();
        if let Some(doc) = d.doc(text) {
            writeln!(out, "            doc: {}", doc.lines().next().unwrap_or_default()).unwrap();
        }
        if let Some(props) = &d.props {
            writeln!(out, "            props: {props}").unwrap();
        }
    }
    for i in &facts.imports {
        let what = if i.export { "export" } else { "import" };
        let alias = i.alias.as_deref().map(|alias| format!(" as {alias}")).unwrap_or_default();
        writeln!(out, "{:<8}{what:12}{} {}{alias}", i.line, i.module, i.name.as_deref().unwrap_or(""))
            .unwrap();
    }
    for r in &facts.references {
        let receiver = r.receiver.as_deref().map(|r| format!(" of {r}")).unwrap_or_default();
        writeln!(out, "{:<8}{:12}{}{receiver}", r.line, r.kind, r.name).unwrap();
    }
    out
}

#[test]
fn golden() {
    for (name, language, text) in samples() {
        let chunked = chunk(&text, language, &SMALL);
        insta::assert_snapshot!(format!("{name}.chunks"), render_chunks(&chunked));
        if language.has_grammar() || !chunked.facts.definitions.is_empty() {
            insta::assert_snapshot!(format!("{name}.facts"), render_facts(&chunked.facts, &text));
        }
    }
}

#[test]
fn every_grammar_has_a_sample_that_parses() {
    let samples = samples();
    for language in Language::all().filter(|language| language.has_grammar()) {
        let own = samples.iter().find(|(_, of, _)| *of == language);
        let Some((name, _, text)) = own else { panic!("{language} has no fixtures/lang/sample.*") };
        let chunked = chunk(text, language, &SMALL);
        assert_eq!(chunked.status, crate::lang::ParseStatus::Parsed, "{name}");
    }
}

#[test]
fn definitions_nest_and_are_found_by_their_place() {
    for (name, language, text) in samples() {
        let facts = chunk(&text, language, &SMALL).facts;
        assert!(facts.definitions.is_sorted_by_key(|d| d.at), "{name}");
        for (at, d) in facts.definitions.iter().enumerate() {
            assert!(d.parent.is_none_or(|parent| (parent as usize) < at), "{name}: {}", d.name);
            assert!(d.start_byte <= d.at && d.at < d.end_byte, "{name}: {}", d.name);
            assert!(text.get(d.bytes()).is_some(), "{name}: {}", d.name);
            assert!(!d.signature.is_empty(), "{name}: {}", d.name);
        }
        for r in &facts.references {
            let there = text.get(r.byte as usize..).unwrap_or_default();
            assert!(there.starts_with(&r.name) || r.kind == ReferenceKind::Override, "{name}: {}", r.name);
            let line = text[..r.byte as usize].matches('\n').count() as u32 + 1;
            assert!(r.line == line || r.kind == ReferenceKind::Override, "{name}: {} on {line}", r.name);
        }
    }
}
