//! Writes what the workers made. Content rows go in as batches finish, so that an interrupted scan resumes
//! where it stopped; the view pointer moves last, in one transaction with its manifest.

use std::time::{Duration, Instant};

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::plan::Plan;
use super::work::{ChunkedFile, Done, NewRow, WorkChunk, Workshop};
use super::{Phase, Progress};
use crate::chunk::{ParseStatus, SkipReason, detect};
use crate::error::{Error, Result};
use crate::hash::{ChunkId, ChunkKey};
use crate::merkle::{Child, Edit, Leaf, LeafKind, NewNode, Node, Summary};
use crate::source::{Candidate, Now};
use crate::store::{
    ChunkRef, FileKey, FileRow, IndexedFile, NewChunk, RoTxn, RwTxn, StatKey, StatRow, Store, ViewName,
    damaged, lmdb,
};
use crate::terms::TermCounts;

/// Files handed from the workers to the writer at once, at most this many and about this many bytes.
const BATCH_FILES: usize = 256;
const BATCH_BYTES: u64 = 8 << 20;
/// How much finished work an interrupted scan may lose.
pub(super) const COMMIT_EVERY: Duration = Duration::from_secs(5);

/// What the content stage found and did.
#[derive(Default)]
pub(super) struct Content {
    pub edits: Vec<Edit>,
    pub read: u64,
    pub new_chunks: u64,
    pub warnings: Vec<String>,
    /// Paths that could not be settled; the next scan must look at them again.
    pub unsettled: Vec<bstr::BString>,
}

/// Reads what the plan says on all cores and stores it. The returned transaction holds the last batch, not
/// yet committed, so that a small scan needs one commit in all.
pub(super) fn content<'s>(
    store: &'s Store,
    view: &ViewName,
    workshop: &Workshop<'_>,
    plan: Plan,
    progress: &dyn Progress,
    wtxn: RwTxn<'s>,
) -> Result<(Content, RwTxn<'s>)> {
    let mut content = Content { edits: plan.known, ..Content::default() };
    progress.begin(Phase::Chunk, plan.unread.len() as u64);
    let writer = Writer { store, view };
    // One batch is written while the next is being made: memory is bounded by a few.
    let wtxn = std::thread::scope(|scope| {
        let (send, receive) = std::sync::mpsc::sync_channel(1);
        let unread = &plan.unread;
        scope.spawn(move || {
            for batch in batches(unread) {
                let done: Vec<_> =
                    batch.par_iter().map(|candidate| (candidate, workshop.process(candidate))).collect();
                if send.send(done).is_err() {
                    return;
                }
            }
        });
        let mut wtxn = wtxn;
        let mut committed = Instant::now();
        for batch in receive {
            let files = batch.len() as u64;
            let done = settle(batch, &mut content);
            let new = writer.write(&mut wtxn, done, &mut content)?;
            progress.advance(files, new);
            if committed.elapsed() > COMMIT_EVERY {
                wtxn.commit().map_err(lmdb)?;
                wtxn = store.write_txn()?;
                committed = Instant::now();
            }
        }
        Ok::<_, Error>(wtxn)
    })?;
    content.edits.sort_by(|a, b| a.0.cmp(&b.0));
    Ok((content, wtxn))
}

/// One bad file never fails the scan: it is named, and looked at again next time.
fn settle(batch: Vec<(&Candidate, Result<Done>)>, content: &mut Content) -> Vec<Done> {
    let mut done = Vec::with_capacity(batch.len());
    for (candidate, result) in batch {
        match result {
            Ok(one) => done.push(one),
            Err(error) => {
                content.warnings.push(error.to_string());
                content.unsettled.push(candidate.path.clone());
            }
        }
    }
    done
}

fn batches(unread: &[Candidate]) -> Vec<&[Candidate]> {
    let mut batches = Vec::new();
    let mut rest = unread;
    while !rest.is_empty() {
        let mut bytes = 0;
        let fits = rest.iter().take(BATCH_FILES).take_while(|candidate| {
            let before = bytes;
            bytes += match candidate.now {
                Now::Disk { stat, .. } => stat.size,
                _ => 0,
            };
            before < BATCH_BYTES
        });
        let (batch, after) = rest.split_at(fits.count().max(1));
        batches.push(batch);
        rest = after;
    }
    batches
}

struct Writer<'a> {
    store: &'a Store,
    view: &'a ViewName,
}

impl Writer<'_> {
    /// Stores one batch and returns how many chunks were new.
    fn write(&self, wtxn: &mut RwTxn<'_>, done: Vec<Done>, content: &mut Content) -> Result<u64> {
        let (ids, new) = self.write_chunks(wtxn, &done)?;
        for one in done {
            content.read += u64::from(one.read);
            content.warnings.extend(warning(&one));
            if let Some((oid, hash)) = &one.alias {
                self.store.caches.put_alias(wtxn, oid.as_bytes(), hash)?;
            }
            let stat_key = StatKey::new(self.view, &one.path);
            match one.stat {
                Some((stat, hash)) => {
                    self.store.caches.put_stat(wtxn, &stat_key, &StatRow { stat, content: hash })?;
                }
                None if one.leaf.is_none() => self.store.caches.drop_stat(wtxn, &stat_key)?,
                None => {}
            }
            if let Some((key, row)) = one.row {
                self.store.files.put(wtxn, &key, &stored_row(row, &ids))?;
            }
            content.edits.push((one.path, one.leaf));
        }
        content.new_chunks += new;
        Ok(new)
    }

    /// Gives every chunk of the batch its number, storing those that no file ever had.
    fn write_chunks(
        &self,
        wtxn: &mut RwTxn<'_>,
        done: &[Done],
    ) -> Result<(FxHashMap<ChunkKey, ChunkId>, u64)> {
        let mut ids = FxHashMap::default();
        let (mut new, mut terms): (Vec<NewChunk<'_>>, Vec<&TermCounts>) = (Vec::new(), Vec::new());
        let next = self.store.chunks.count(wtxn)?;
        for (file, part) in done.iter().filter_map(chunked).flat_map(|f| f.chunks.iter().map(move |c| (f, c)))
        {
            if ids.contains_key(&part.key) {
                continue;
            }
            // A chunk without terms was known when it was cut, and rows are never removed while we write.
            let id = match (self.store.chunks.id(wtxn, &part.key)?, &part.terms) {
                (Some(id), _) => id,
                (None, Some(counts)) => {
                    let text = &file.text[part.chunk.bytes()];
                    new.push(NewChunk { key: part.key, text, length: counts.length() });
                    terms.push(counts);
                    next.saturating_add(new.len() as u32 - 1)
                }
                (None, None) => return Err(damaged("a chunk vanished while the index was written")),
            };
            ids.insert(part.key, id);
        }
        if !new.is_empty() {
            let first = self.store.chunks.append(wtxn, &new)?;
            self.store.postings.append(wtxn, first, &terms)?;
        }
        Ok((ids, new.len() as u64))
    }
}

fn chunked(done: &Done) -> Option<&ChunkedFile> {
    match &done.row {
        Some((_, NewRow::Indexed(file))) => Some(file),
        _ => None,
    }
}

fn warning(done: &Done) -> Option<String> {
    match &done.leaf {
        Some(Leaf { kind: LeafKind::Skipped(SkipReason::Unreadable), .. }) => {
            Some(format!("{}: cannot be read", done.path))
        }
        _ => match chunked(done)?.status {
            ParseStatus::Fallback => Some(format!("{}: too hard to parse, chunked by lines", done.path)),
            ParseStatus::FixedInterval => {
                Some(format!("{}: too large to parse, chunked at fixed intervals", done.path))
            }
            _ => None,
        },
    }
}

fn stored_row(row: NewRow, ids: &FxHashMap<ChunkKey, ChunkId>) -> FileRow {
    let file = match row {
        NewRow::Indexed(file) => file,
        NewRow::Skipped(reason) => return FileRow::Skipped(reason),
    };
    let chunks = file.chunks.into_iter().map(|WorkChunk { chunk, key, .. }| ChunkRef {
        // Every chunk of the batch got its number above.
        id: ids.get(&key).copied().unwrap_or_default(),
        kind: chunk.kind,
        start_line: chunk.start_line,
        end_line: chunk.end_line,
        start_byte: chunk.start_byte,
        end_byte: chunk.end_byte,
        name: chunk.name,
        signature: chunk.signature,
        parent: chunk.parent,
    });
    FileRow::Indexed(IndexedFile {
        language: file.language.name().to_owned(),
        status: file.status,
        bytes: file.text.len() as u32,
        lines: file.lines,
        chunks: chunks.collect(),
    })
}

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
