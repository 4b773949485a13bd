//! Stores new manifest nodes with the sum of what lies below each.

use crate::error::Result;
use crate::lang::detect;
use crate::merkle::{Child, Leaf, LeafKind, NewNode, Node, Summary};
use crate::store::{FileKey, FileRow, IndexedFile, RoTxn, RwTxn, Store, damaged};

/// Stores the nodes an edit made, children before parents, with the sum of what lies below each.
pub(super) fn manifest(store: &Store, wtxn: &mut RwTxn<'_>, recipe: u32, made: Vec<NewNode>) -> Result<()> {
    for NewNode { hash, node } in made {
        if store.manifests.summary(wtxn, recipe, &hash)?.is_some() {
            continue;
        }
        let summary = summarize(store, wtxn, recipe, &node)?;
        store.manifests.put_node(wtxn, &hash, &node)?;
        store.manifests.put_summary(wtxn, recipe, &hash, &summary)?;
    }
    Ok(())
}

fn summarize(store: &Store, txn: &RoTxn<'_>, recipe: u32, node: &Node) -> Result<Summary> {
    let mut sum = Summary::default();
    for (name, child) in node.entries() {
        match child {
            Child::Dir(hash) => {
                let below = store.manifests.summary(txn, recipe, hash)?;
                sum.add(&below.ok_or_else(|| damaged("a summary is missing from the index"))?);
            }
            Child::Leaf(Leaf { kind: LeafKind::Skipped(reason), .. }) => {
                *sum.counts.skipped.entry(reason.as_str().to_owned()).or_default() += 1;
            }
            Child::Leaf(Leaf { kind: LeafKind::Indexed, hash, .. }) => {
                let key = FileKey { recipe, language: detect(name, b""), content: *hash };
                match store.files.get(txn, &key)? {
                    Some(FileRow::Indexed(file)) => add_file(&mut sum, &file),
                    _ => return Err(damaged("a file of the manifest is missing from the index")),
                }
            }
        }
    }
    Ok(sum)
}

fn add_file(sum: &mut Summary, file: &IndexedFile) {
    sum.counts.files += 1;
    sum.counts.bytes += u64::from(file.bytes);
    sum.counts.chunks += file.chunks.len() as u64;
    *sum.counts.languages.entry(file.language.clone()).or_default() += 1;
    sum.live.extend(file.chunks.iter().map(|chunk| chunk.id));
}
