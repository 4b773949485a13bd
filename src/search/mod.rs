//! Answers questions from one view: two channels (terms, vectors) rank chunks, their ranks are fused, the chunks are
//! located in the view and reordered by where they stand. One read transaction answers one query, so an answer is consistent with
//! exactly one state of the view and never waits for a writer.

mod describe;
mod filter;
mod fuse;
mod lexical;
mod locate;
mod rerank;
mod vector;

use std::sync::Arc;

use roaring::RoaringBitmap;
use serde::Serialize;

pub use describe::Description;
pub use filter::Filter;
pub use locate::{Place, locate};

use crate::embed::Embedder;
use crate::error::{Error, ErrorKind, Result};
use crate::hash::{ChunkId, ChunkKey};
use crate::store::{RoTxn, Store, ViewName, ViewRow};
use rerank::Ranked;

/// How deep each channel ranks before fusion; everything that is fused is located and reordered.
const DEPTH: usize = 200;

pub struct Query {
    pub text: String,
    pub limit: usize,
    pub filter: Filter,
}

/// One result, as `search --json` prints it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Hit {
    /// The hash of the chunk's text: the same wherever and whenever that text is found.
    pub id: String,
    pub file: String,
    pub start_line: u32,
    pub end_line: u32,
    /// 0 to 1, to compare with other results of the same query.
    pub score: f32,
    pub language: String,
    pub kind: String,
    pub name: Option<String>,
    pub parent: Option<String>,
    #[serde(flatten)]
    pub description: Description,
    pub snippet: String,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub generated: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub vendored: bool,
    /// Other files of the view that hold the very same chunk.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also_in: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Answer {
    pub results: Vec<Hit>,
    /// Why the answer is weaker than it could be, if it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

pub struct Searcher<'a> {
    store: &'a Store,
    view: ViewName,
    embedder: Option<Arc<dyn Embedder>>,
}

impl<'a> Searcher<'a> {
    pub fn new(store: &'a Store, view: ViewName, embedder: Option<Arc<dyn Embedder>>) -> Self {
        Searcher { store, view, embedder }
    }

    pub fn search(&self, query: &Query) -> Result<Answer> {
        let txn = self.store.read_txn()?;
        let row = view_row(self.store, &txn, &self.view)?;
        let live = self.store.manifests.live(&txn, row.recipe, &row.root)?;
        let candidates = query.filter.candidates(self.store, &txn, &row, live)?;
        let lexical = lexical::rank(self.store, &txn, &candidates, &query.text, DEPTH.max(query.limit))?;
        let (vectors, note) = self.rank_vectors(&txn, &candidates, query)?;
        let fused = fuse::fuse(&[&lexical, &vectors]);
        let wanted = fused.iter().map(|(id, _)| *id).collect();
        let places = locate(self.store, &txn, &row, &query.filter, &wanted)?;
        let ranked = rerank::rerank(&query.text, &fused, places, query.limit);
        Ok(Answer { results: self.present(&txn, row.recipe, ranked)?, note })
    }

    fn rank_vectors(
        &self,
        txn: &RoTxn<'_>,
        candidates: &RoaringBitmap,
        query: &Query,
    ) -> Result<(Vec<ChunkId>, Option<String>)> {
        let Some(embedder) = &self.embedder else {
            return Ok((Vec::new(), Some("embedding is off: lexical results only".into())));
        };
        let Some(space) = self.store.vectors.space(txn, embedder.identity())? else {
            let model = &embedder.identity().model;
            return Ok((
                Vec::new(),
                Some(format!(
                    "nothing is embedded with {model} yet: lexical results only; run `codeagent scan`"
                )),
            ));
        };
        let missing = candidates - self.store.vectors.present(txn, space)?;
        let note = (!missing.is_empty()).then(|| {
            format!(
                "{} of {} chunks have no vector yet; run `codeagent scan` to finish",
                missing.len(),
                candidates.len()
            )
        });
        let ranked = vector::rank(
            self.store,
            txn,
            space,
            embedder.as_ref(),
            candidates,
            &query.text,
            DEPTH.max(query.limit),
        )?;
        Ok((ranked, note))
    }

    fn present(&self, txn: &RoTxn<'_>, recipe: u32, ranked: Vec<Ranked>) -> Result<Vec<Hit>> {
        let mut hits = Vec::with_capacity(ranked.len());
        for Ranked { id, score, places } in ranked {
            let mut places = places.into_iter();
            let Some(place) = places.next() else { continue };
            let passage = self.store.chunks.text(txn, id)?;
            // What stands behind the chunk's own text was for the index.
            let own = (place.chunk.end_byte - place.chunk.start_byte) as usize;
            let snippet = passage.get(..own).unwrap_or(&passage).to_owned();
            let description = describe::describe(self.store, txn, recipe, &place, &snippet)?;
            hits.push(Hit {
                id: ChunkKey::of(passage.as_bytes()).to_hex(),
                file: display_path(&place.path),
                start_line: place.chunk.start_line,
                end_line: place.chunk.end_line,
                score,
                language: place.language,
                kind: place.chunk.kind.as_str().to_owned(),
                name: place.chunk.name,
                parent: place.chunk.parent,
                description,
                snippet,
                generated: place.generated,
                vendored: place.vendored,
                also_in: places.map(|other| display_path(&other.path)).collect(),
            });
        }
        Ok(hits)
    }
}

/// The view's row, or an error that says how to get one.
pub fn view_row(store: &Store, txn: &RoTxn<'_>, view: &ViewName) -> Result<ViewRow> {
    store.views.get(txn, view)?.ok_or_else(|| not_indexed(view))
}

pub fn not_indexed(view: &ViewName) -> Error {
    let (what, hint) = if view.is_ref() {
        (
            "this ref is not indexed yet, and too much of it is new to do that now",
            "run `codeagent scan --ref` with its name first",
        )
    } else {
        ("nothing is indexed here yet", "run `codeagent scan` first")
    };
    Error::new(ErrorKind::NotIndexed, what).with_hint(hint)
}

/// A path for people and JSON: UTF-8 as it is; other bytes and control characters as `\xNN`, and a
/// literal `\x` as `\\x`.
pub fn display_path(path: &[u8]) -> String {
    let mut shown = String::with_capacity(path.len());
    for part in path.utf8_chunks() {
        for (at, c) in part.valid().char_indices() {
            if c == '\\' && part.valid()[at..].starts_with("\\x") {
                // So that no name looks like another one's escape.
                shown.push_str("\\\\");
            } else if c.is_control() {
                shown.extend(c.to_string().bytes().map(|b| format!("\\x{b:02x}")));
            } else {
                shown.push(c);
            }
        }
        shown.extend(part.invalid().iter().map(|b| format!("\\x{b:02x}")));
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_names_are_shown_unambiguously_on_one_line() {
        assert_eq!(display_path("a/ü.rs".as_bytes()), "a/ü.rs");
        assert_eq!(display_path(b"a\n\xff\x1b[31m"), "a\\x0a\\xff\\x1b[31m");
        assert_eq!(display_path(b"a\\x0a"), "a\\\\x0a");
    }
}
