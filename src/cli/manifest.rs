//! `codeagent manifest`: the Merkle tree in the shape of the reference specification.

use bstr::{BString, ByteSlice};
use serde_json::{Map, Value, json as object};

use super::args::ManifestArgs;
use super::json;
use super::style::{DIM, STRONG, paint, plural, timestamp};
use crate::error::Result;
use crate::hash::{ChunkId, ChunkKey, NodeHash};
use crate::lang::detect;
use crate::merkle::{Child, Leaf, LeafKind};
use crate::search::{display_path, not_indexed, view_row};
use crate::store::{Access, FileKey, FileRow, RoTxn, Store, ViewRow};
use crate::workspace::{Target, Workspace};

pub fn run(workspace: &Workspace, args: &ManifestArgs) -> Result<String> {
    let target = workspace.target(args.revision.as_deref())?;
    let view = workspace.view(&target);
    let Some(store) = workspace.open_store(Access::Read)? else { return Err(not_indexed(&view)) };
    let txn = store.read_txn()?;
    let row = view_row(&store, &txn, &view)?;
    let worktree = matches!(target, Target::Worktree).then_some(workspace.root.as_path());
    let printer = Printer { store: &store, txn: &txn, row: &row, worktree };
    if args.json { json(&printer.json()?) } else { printer.human() }
}

struct Printer<'a> {
    store: &'a Store,
    txn: &'a RoTxn<'a>,
    row: &'a ViewRow,
    /// Where to look up modification times; they are no part of the manifest.
    worktree: Option<&'a std::path::Path>,
}

impl Printer<'_> {
    fn json(&self) -> Result<Value> {
        let counts = self
            .store
            .manifests
            .summary(self.txn, self.row.recipe, &self.row.root)?
            .unwrap_or_default()
            .counts;
        Ok(object!({
            "version": "1.0",
            "root_hash": self.row.root.to_hex(),
            "updated": timestamp(self.row.scanned_at),
            "commit": self.row.commit,
            "stats": {
                "files": counts.files,
                "chunks": counts.chunks,
                "languages": counts.languages.keys().collect::<Vec<_>>(),
                "skipped": counts.skipped,
            },
            "tree": self.directory(&self.row.root, &BString::default())?,
        }))
    }

    /// A directory's entries; the caller adds its hash.
    fn directory(&self, hash: &NodeHash, prefix: &BString) -> Result<Map<String, Value>> {
        let mut entries = Map::new();
        for (name, child) in self.store.manifests.node(self.txn, hash)?.into_entries() {
            let mut path = prefix.clone();
            path.extend_from_slice(&name);
            let shown = display_path(&name);
            match child {
                Child::Dir(below) => {
                    path.push(b'/');
                    let mut directory = Map::from_iter([("hash".to_owned(), below.to_hex().into())]);
                    directory.append(&mut self.directory(&below, &path)?);
                    entries.insert(format!("{shown}/"), directory.into());
                }
                Child::Leaf(leaf) => {
                    // `hash` is the directory's own; a file of that name steps aside.
                    let shown = if shown == "hash" { "./hash".to_owned() } else { shown };
                    entries.insert(shown, self.file(&name, &path, &leaf)?);
                }
            }
        }
        Ok(entries)
    }

    fn file(&self, name: &BString, path: &BString, leaf: &Leaf) -> Result<Value> {
        let mut file = Map::from_iter([("hash".to_owned(), leaf.hash.to_hex().into())]);
        if let Some(mtime) = self.mtime(path) {
            file.insert("mtime".into(), mtime.into());
        }
        match leaf.kind {
            LeafKind::Skipped(reason) => {
                file.insert("skipped".into(), reason.as_str().into());
            }
            LeafKind::Indexed => {
                let ids = self.chunk_ids(name, leaf)?;
                let mut sorted = ids.clone();
                sorted.sort_unstable();
                let texts = self.store.chunks.texts(self.txn, &sorted)?;
                // A chunk's public id is the hash of its text: the same in every store.
                let key = |id: &ChunkId| {
                    let at = sorted.binary_search(id).unwrap_or_default();
                    ChunkKey::of(texts[at].as_bytes()).to_hex()[..16].to_owned()
                };
                file.insert("chunk_ids".into(), ids.iter().map(key).collect::<Vec<_>>().into());
            }
        }
        Ok(file.into())
    }

    fn chunk_ids(&self, name: &BString, leaf: &Leaf) -> Result<Vec<ChunkId>> {
        let key = FileKey { recipe: self.row.recipe, language: detect(name, b""), content: leaf.hash };
        Ok(match self.store.files.get(self.txn, &key)? {
            Some(FileRow::Indexed(file)) => file.chunks.iter().map(|chunk| chunk.id).collect(),
            _ => Vec::new(),
        })
    }

    fn mtime(&self, path: &BString) -> Option<String> {
        let meta = std::fs::symlink_metadata(self.worktree?.join(path.to_path().ok()?)).ok()?;
        let since = meta.modified().ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
        Some(timestamp(since.as_secs()))
    }

    fn human(&self) -> Result<String> {
        let mut text = format!("{} {}\n", paint(STRONG, &self.row.root.to_hex()), paint(STRONG, "."));
        let mut todo = vec![(BString::default(), Child::Dir(self.row.root))];
        while let Some((path, child)) = todo.pop() {
            let depth = path.iter().filter(|b| **b == b'/').count();
            let name = path.trim_end_with(|c| c == '/').rsplit(|b| *b == b'/').next().unwrap_or_default();
            let indent = "  ".repeat(depth);
            match &child {
                Child::Dir(hash) => {
                    if !path.is_empty() {
                        let indent = "  ".repeat(depth - 1);
                        text.push_str(&format!(
                            "{} {indent}{}/\n",
                            paint(DIM, &hash.to_hex()[..12]),
                            display_path(name)
                        ));
                    }
                    for (name, child) in
                        self.store.manifests.node(self.txn, hash)?.into_entries().into_iter().rev()
                    {
                        let mut below = path.clone();
                        below.extend_from_slice(&name);
                        if matches!(child, Child::Dir(_)) {
                            below.push(b'/');
                        }
                        todo.push((below, child));
                    }
                }
                Child::Leaf(leaf) => {
                    let what = match leaf.kind {
                        LeafKind::Indexed => {
                            plural(self.chunk_ids(&name.into(), leaf)?.len() as u64, "chunk")
                        }
                        LeafKind::Skipped(reason) => format!("skipped: {reason}"),
                    };
                    let hash = paint(DIM, &leaf.hash.to_hex()[..12]);
                    text.push_str(&format!("{hash} {indent}{}  {}\n", display_path(name), paint(DIM, &what)));
                }
            }
        }
        Ok(text)
    }
}
