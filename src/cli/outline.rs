//! `codeagent outline`: what one file says. Needs no index: a file's facts follow from its bytes.

use std::path::Path;

use bstr::{BString, ByteSlice};
use serde::Serialize;

use super::args::OutlineArgs;
use super::json;
use crate::chunk::{self, Chunked, Content};
use crate::error::{Error, Result};
use crate::facts::views::{Source, View};
use crate::facts::{Definition, Facts, Flags, Import, Reference, Visibility, subject};
use crate::index::chunk_limits;
use crate::lang::{self, Language};
use crate::search::display_path;
use crate::workspace::Workspace;

pub fn run(workspace: &Workspace, dir: &Path, args: &OutlineArgs) -> Result<String> {
    let target = workspace.target(args.revision.as_deref())?;
    let path = workspace.relative(dir, &args.file)?;
    let bytes = workspace.read_file(&target, &path)?;
    let language = lang::detect(&path, &bytes[..bytes.len().min(lang::HEAD)]);
    let text = match chunk::inspect(&bytes, language) {
        Content::Text(text) => text,
        Content::Skip(reason) => {
            return Err(Error::usage(format!("{}: nothing to outline ({reason})", display_path(&path)))
                .with_hint("give the path of a text file"));
        }
    };
    let chunked = chunk::chunk(&text, language, &chunk_limits(&workspace.config.config));
    if args.json {
        return json(&Outline::of(&path, language, &text, &chunked));
    }
    let shown = display_path(&path);
    let source = Source { path: &shown, language, text: &text, facts: &chunked.facts };
    Ok(visible(&view(args).render(&source)))
}

fn view(args: &OutlineArgs) -> View {
    match (args.definitions, args.data) {
        (true, _) => View::Definitions,
        (_, true) => View::Data,
        _ => View::Symbols,
    }
}

/// Control characters of a file cannot drive the terminal.
fn visible(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && c != '\n' && c != '\t' { '\u{fffd}' } else { c }).collect()
}

#[derive(Serialize)]
struct Outline<'a> {
    file: String,
    language: Language,
    lines: usize,
    parse_status: lang::ParseStatus,
    chunks: usize,
    /// Stems of the files that this one seems to test.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    seems_to_test: Vec<String>,
    definitions: Vec<Defined<'a>>,
    imports: &'a [Import],
    references: &'a [Reference],
}

#[derive(Serialize)]
struct Defined<'a> {
    kind: &'a str,
    name: &'a str,
    qualified_name: String,
    parent: Option<String>,
    signature: &'a str,
    visibility: Visibility,
    flags: Flags,
    start_line: u32,
    end_line: u32,
    start_byte: u32,
    end_byte: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    docstring: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    props: Option<&'a str>,
    dependencies: Vec<String>,
}

impl<'a> Outline<'a> {
    fn of(path: &BString, language: Language, text: &str, chunked: &'a Chunked) -> Self {
        let facts = &chunked.facts;
        Outline {
            file: display_path(path),
            language,
            lines: text.lines().count(),
            parse_status: chunked.status,
            chunks: chunked.chunks.len(),
            seems_to_test: subject::stems_under_test(&path.to_str_lossy()),
            definitions: facts.definitions.iter().map(|d| Defined::of(d, facts, text)).collect(),
            imports: &facts.imports,
            references: &facts.references,
        }
    }
}

impl<'a> Defined<'a> {
    fn of(definition: &'a Definition, facts: &Facts, text: &str) -> Self {
        Defined {
            kind: definition.kind.as_str(),
            name: &definition.name,
            qualified_name: facts.qualified_name(definition),
            parent: facts.scope_of(definition),
            signature: &definition.signature,
            visibility: definition.visibility,
            flags: definition.flags,
            start_line: definition.start_line,
            end_line: definition.end_line,
            start_byte: definition.start_byte,
            end_byte: definition.end_byte,
            docstring: definition.doc(text),
            props: definition.props.as_deref(),
            dependencies: facts.dependencies(definition.start_byte..definition.end_byte),
        }
    }
}
