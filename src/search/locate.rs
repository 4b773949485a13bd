//! From chunk numbers to files and lines, by descending only the directories whose live set holds a hit.
//! There is no reverse index that could drift: a place is found because the view holds it.

use std::collections::BTreeMap;

use bstr::{BString, ByteSlice};
use roaring::RoaringBitmap;

use super::Filter;
use crate::error::Result;
use crate::hash::{ChunkId, ContentHash, NodeHash};
use crate::lang::detect;
use crate::merkle::{Child, Leaf, LeafKind};
use crate::store::{ChunkRef, FileKey, FileRow, IndexedFile, RoTxn, Store, ViewRow};

/// Where a chunk stands in the view.
#[derive(Debug, Clone, PartialEq)]
pub struct Place {
    pub path: BString,
    pub language: String,
    pub content: ContentHash,
    /// Written by a program.
    pub generated: bool,
    /// Somebody else's code.
    pub vendored: bool,
    pub chunk: ChunkRef,
}

/// Every place of the wanted chunks that passes the filter, in tree order.
pub fn locate(
    store: &Store,
    txn: &RoTxn<'_>,
    view: &ViewRow,
    filter: &Filter,
    wanted: &RoaringBitmap,
) -> Result<BTreeMap<ChunkId, Vec<Place>>> {
    let mut places: BTreeMap<ChunkId, Vec<Place>> = BTreeMap::new();
    if wanted.is_empty() {
        return Ok(places);
    }
    let holds = |live: &RoaringBitmap| !live.is_disjoint(wanted);
    for_each_file(store, txn, view, filter, &holds, &mut |path, leaf, row| {
        let generated = leaf.origin.generated.unwrap_or(row.generated);
        for chunk in row.chunks.into_iter().filter(|c| wanted.contains(c.id) && filter.allows_kind(c.kind)) {
            let place = Place {
                path: path.clone(),
                language: row.language.clone(),
                content: leaf.hash,
                generated,
                vendored: leaf.origin.vendored,
                chunk,
            };
            places.entry(place.chunk.id).or_default().push(place);
        }
    })?;
    Ok(places)
}

/// Visits the files that the filter allows, in every directory that `enter` accepts by its live set.
pub(super) fn for_each_file(
    store: &Store,
    txn: &RoTxn<'_>,
    view: &ViewRow,
    filter: &Filter,
    enter: &dyn Fn(&RoaringBitmap) -> bool,
    visit: &mut dyn FnMut(&BString, &Leaf, IndexedFile),
) -> Result<()> {
    let mut todo: Vec<(BString, NodeHash)> = vec![(BString::default(), view.root)];
    while let Some((prefix, hash)) = todo.pop() {
        if !enter(&store.manifests.live(txn, view.recipe, &hash)?) {
            continue;
        }
        let mut below = Vec::new();
        for (name, child) in store.manifests.node(txn, &hash)?.into_entries() {
            let mut path = prefix.clone();
            path.extend_from_slice(&name);
            match child {
                Child::Dir(hash) => {
                    path.push(b'/');
                    below.push((path, hash));
                }
                Child::Leaf(leaf) if leaf.kind == LeafKind::Indexed && filter.allows_path(&path) => {
                    let language = detect(name.as_bstr(), b"");
                    let key = FileKey { recipe: view.recipe, language, content: leaf.hash };
                    if let Some(FileRow::Indexed(file)) = store.files.get(txn, &key)?
                        && filter.allows_language(&file.language)
                    {
                        visit(&path, &leaf, file);
                    }
                }
                Child::Leaf(_) => {}
            }
        }
        todo.extend(below.into_iter().rev());
    }
    Ok(())
}
