//! What the facts add to a hit: read for the few chunks that are shown, never while ranking.

use serde::Serialize;

use super::Place;
use crate::error::Result;
use crate::facts::{Facts, Flags, Visibility, clean_doc};
use crate::lang::detect;
use crate::store::{FileKey, RoTxn, Store};

/// Of the definition that a chunk is, or is called after.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Description {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub qualified_name: Option<String>,
    /// The declaration up to its body, on one line.
    pub signature: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub docstring: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub visibility: Option<Visibility>,
    #[serde(skip_serializing_if = "Flags::is_empty")]
    pub flags: Flags,
    /// Types and imported modules that the chunk uses.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dependencies: Vec<String>,
    /// What a type declares, where the chunk is its header.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub members: Vec<String>,
}

/// `text`: the chunk's own.
pub fn describe(
    store: &Store,
    txn: &RoTxn<'_>,
    recipe: u32,
    place: &Place,
    text: &str,
) -> Result<Description> {
    let key = FileKey { recipe, language: detect(&place.path, b""), content: place.content };
    let facts = store.facts.get(txn, &key)?;
    Ok(of_chunk(&facts, place, text))
}

fn of_chunk(facts: &Facts, place: &Place, text: &str) -> Description {
    let chunk = &place.chunk;
    let dependencies = facts.dependencies(chunk.start_byte..chunk.end_byte);
    let known = chunk.definition.and_then(|at| Some((at, facts.definitions.get(at as usize)?)));
    let Some((at, definition)) = known else {
        return Description { dependencies, ..Description::default() };
    };
    // The documentation of a function that was cut stands in its first part alone.
    let doc = definition.doc.and_then(|(start, end)| {
        let from = start.checked_sub(chunk.start_byte)? as usize;
        text.get(from..end.checked_sub(chunk.start_byte)? as usize)
    });
    let members = if definition.kind.is_type() {
        facts.members(at).map(|member| member.name.clone()).collect()
    } else {
        Vec::new()
    };
    Description {
        qualified_name: Some(facts.qualified_name(definition)),
        signature: Some(definition.signature.clone()),
        docstring: doc.map(clean_doc).filter(|doc| !doc.is_empty()),
        visibility: Some(definition.visibility),
        flags: definition.flags,
        dependencies,
        members,
    }
}
