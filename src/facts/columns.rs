//! Facts as they are stored: each string once, each property of all facts side by side, places as distances. Names
//! repeat and places ascend, so this packs to three quarters of what the structs would.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::{Definition, Facts, Flags, Import, Reference, ReferenceKind, Visibility};
use crate::lang::ChunkKind;

/// What separates strings; none holds it, since texts with NUL are mended or skipped before they are read.
const END: char = '\0';

#[derive(Default, Serialize, Deserialize)]
pub struct Columns {
    strings: String,
    definitions: Definitions,
    references: References,
    imports: Imports,
}

#[derive(Default, Serialize, Deserialize)]
struct Definitions {
    kind: Vec<ChunkKind>,
    name: Vec<u32>,
    owner: Vec<u32>,
    /// How far before the definition its parent is; 0 for none.
    parent: Vec<u32>,
    signature: Vec<u32>,
    visibility: Vec<Visibility>,
    flags: Vec<Flags>,
    start_line: Vec<i32>,
    lines: Vec<u32>,
    start_byte: Vec<i32>,
    bytes: Vec<u32>,
    at: Vec<i32>,
    /// Where the documentation begins, relative to the definition, and its length; 0 for none.
    doc: Vec<i32>,
    doc_bytes: Vec<u32>,
    props: Vec<u32>,
}

#[derive(Default, Serialize, Deserialize)]
struct References {
    kind: Vec<ReferenceKind>,
    name: Vec<u32>,
    receiver: Vec<u32>,
    line: Vec<i32>,
    byte: Vec<i32>,
}

#[derive(Default, Serialize, Deserialize)]
struct Imports {
    module: Vec<u32>,
    name: Vec<u32>,
    alias: Vec<u32>,
    line: Vec<i32>,
    export: Vec<bool>,
}

impl Columns {
    pub fn of(facts: &Facts) -> Columns {
        let mut strings = Strings::default();
        let mut columns = Columns::default();
        let (mut line, mut byte) = (0, 0);
        for (at, d) in facts.definitions.iter().enumerate() {
            columns.definitions.push(at as u32, d, &mut strings, &mut line, &mut byte);
        }
        let (mut line, mut byte) = (0, 0);
        for r in &facts.references {
            let to = &mut columns.references;
            to.kind.push(r.kind);
            to.name.push(strings.number(&r.name));
            to.receiver.push(strings.optional(r.receiver.as_deref()));
            to.line.push(distance(&mut line, r.line));
            to.byte.push(distance(&mut byte, r.byte));
        }
        let mut line = 0;
        for i in &facts.imports {
            let to = &mut columns.imports;
            to.module.push(strings.number(&i.module));
            to.name.push(strings.optional(i.name.as_deref()));
            to.alias.push(strings.optional(i.alias.as_deref()));
            to.line.push(distance(&mut line, i.line));
            to.export.push(i.export);
        }
        columns.strings = strings.joined;
        columns
    }

    /// `None` if the columns do not fit together, which is damage.
    pub fn facts(&self) -> Option<Facts> {
        let strings: Vec<&str> = self.strings.split_terminator(END).collect();
        let (mut line, mut byte) = (0, 0);
        let definitions = (0..self.definitions.kind.len())
            .map(|at| self.definitions.get(at, &strings, &mut line, &mut byte))
            .collect::<Option<Vec<Definition>>>()?;
        let from = &self.references;
        let (mut line, mut byte) = (0, 0);
        let reference = |at: usize| {
            Some(Reference {
                kind: *from.kind.get(at)?,
                name: string(&strings, *from.name.get(at)?)?,
                receiver: optional(&strings, *from.receiver.get(at)?)?,
                line: advance(&mut line, *from.line.get(at)?),
                byte: advance(&mut byte, *from.byte.get(at)?),
            })
        };
        let references = (0..from.kind.len()).map(reference).collect::<Option<Vec<Reference>>>()?;
        let from = &self.imports;
        let mut line = 0;
        let import = |at: usize| {
            Some(Import {
                module: string(&strings, *from.module.get(at)?)?,
                name: optional(&strings, *from.name.get(at)?)?,
                alias: optional(&strings, *from.alias.get(at)?)?,
                line: advance(&mut line, *from.line.get(at)?),
                export: *from.export.get(at)?,
            })
        };
        let imports = (0..from.module.len()).map(import).collect::<Option<Vec<Import>>>()?;
        Some(Facts { definitions, references, imports })
    }
}

impl Definitions {
    fn push(&mut self, at: u32, d: &Definition, strings: &mut Strings, line: &mut u32, byte: &mut u32) {
        self.kind.push(d.kind);
        self.name.push(strings.number(&d.name));
        self.owner.push(strings.optional(d.owner.as_deref()));
        self.parent.push(d.parent.map_or(0, |parent| at - parent));
        self.signature.push(strings.number(&d.signature));
        self.visibility.push(d.visibility);
        self.flags.push(d.flags);
        self.start_line.push(distance(line, d.start_line));
        self.lines.push(d.end_line - d.start_line);
        self.start_byte.push(distance(byte, d.start_byte));
        self.bytes.push(d.end_byte - d.start_byte);
        self.at.push(d.at.wrapping_sub(d.start_byte).cast_signed());
        let (doc, doc_end) = d.doc.unwrap_or((d.start_byte, d.start_byte));
        self.doc.push(doc.wrapping_sub(d.start_byte).cast_signed());
        self.doc_bytes.push(doc_end - doc);
        self.props.push(strings.optional(d.props.as_deref()));
    }

    fn get(&self, at: usize, strings: &[&str], line: &mut u32, byte: &mut u32) -> Option<Definition> {
        let start_line = advance(line, *self.start_line.get(at)?);
        let start_byte = advance(byte, *self.start_byte.get(at)?);
        let back = *self.parent.get(at)?;
        let doc_start = start_byte.wrapping_add_signed(*self.doc.get(at)?);
        let doc_bytes = *self.doc_bytes.get(at)?;
        Some(Definition {
            kind: *self.kind.get(at)?,
            name: string(strings, *self.name.get(at)?)?,
            owner: optional(strings, *self.owner.get(at)?)?,
            parent: if back == 0 { None } else { Some((at as u32).checked_sub(back)?) },
            signature: string(strings, *self.signature.get(at)?)?,
            visibility: *self.visibility.get(at)?,
            flags: *self.flags.get(at)?,
            start_line,
            end_line: start_line.checked_add(*self.lines.get(at)?)?,
            start_byte,
            end_byte: start_byte.checked_add(*self.bytes.get(at)?)?,
            at: start_byte.wrapping_add_signed(*self.at.get(at)?),
            doc: if doc_bytes == 0 { None } else { Some((doc_start, doc_start.checked_add(doc_bytes)?)) },
            props: optional(strings, *self.props.get(at)?)?,
        })
    }
}

/// Every string once, numbered from 0 in the order of first use.
#[derive(Default)]
struct Strings {
    joined: String,
    numbers: FxHashMap<String, u32>,
}

impl Strings {
    fn number(&mut self, text: &str) -> u32 {
        if let Some(known) = self.numbers.get(text) {
            return *known;
        }
        let number = self.numbers.len() as u32;
        self.numbers.insert(text.to_owned(), number);
        self.joined.extend(text.chars().filter(|c| *c != END));
        self.joined.push(END);
        number
    }

    /// 0 for none, else one more than the number.
    fn optional(&mut self, text: Option<&str>) -> u32 {
        text.map_or(0, |text| self.number(text) + 1)
    }
}

fn string(strings: &[&str], number: u32) -> Option<String> {
    strings.get(number as usize).map(|text| (*text).to_owned())
}

#[allow(clippy::option_option)] // Damaged, absent, there.
fn optional(strings: &[&str], number: u32) -> Option<Option<String>> {
    match number.checked_sub(1) {
        None => Some(None),
        Some(number) => string(strings, number).map(Some),
    }
}

/// From the last place to this one. Places do not always ascend, so it may be negative.
fn distance(last: &mut u32, place: u32) -> i32 {
    place.wrapping_sub(std::mem::replace(last, place)).cast_signed()
}

fn advance(last: &mut u32, distance: i32) -> u32 {
    *last = last.wrapping_add_signed(distance);
    *last
}

#[cfg(test)]
mod tests {
    use super::super::tests::{SMALL, samples};
    use super::*;
    use crate::chunk::chunk;

    #[test]
    fn facts_survive_and_take_less_room() {
        let (mut columns, mut structs) = (0, 0);
        for (name, language, text) in samples() {
            let facts = chunk(&text, language, &SMALL).facts;
            let stored = Columns::of(&facts);
            assert_eq!(stored.facts().as_ref(), Some(&facts), "{name}");
            columns += postcard::to_stdvec(&stored).unwrap().len();
            structs += postcard::to_stdvec(&facts).unwrap().len();
        }
        assert!(columns < structs, "{columns} of {structs}");
    }

    #[test]
    fn columns_that_do_not_fit_together_are_refused() {
        let facts = chunk(
            "class A:\n    def f(self): g()\n",
            crate::lang::Language::from_name("python").unwrap(),
            &SMALL,
        )
        .facts;
        let mut short = Columns::of(&facts);
        short.strings.clear();
        assert!(short.facts().is_none());
        let mut short = Columns::of(&facts);
        short.definitions.parent[0] = 7;
        assert!(short.facts().is_none());
        let mut short = Columns::of(&facts);
        short.references.line.clear();
        assert!(short.facts().is_none());
    }
}
