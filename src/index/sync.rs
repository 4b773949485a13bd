//! Writes what the workers made. Content rows go in as batches finish, so that an interrupted scan resumes
//! where it stopped; the view pointer moves last, in one transaction with its manifest.

use std::ops::Range;
use std::time::{Duration, Instant};

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::plan::Plan;
use super::work::{ChunkedFile, Done, NewRow, WorkChunk, Workshop};
use super::{Phase, Progress};
use crate::chunk::{ParseStatus, SkipReason};
use crate::error::{Error, Result};
use crate::hash::{ChunkId, ChunkKey};
use crate::merkle::{Edit, Leaf, LeafKind};
use crate::source::{Candidate, Now};
use crate::store::{
    BLOCK_IDS, ChunkRef, FileRow, IndexedFile, NewChunk, RwTxn, StatKey, StatRow, Store, ViewName, damaged,
    lmdb,
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
    place: &Place<'s>,
    workshop: &Workshop<'_>,
    plan: Plan,
    progress: &dyn Progress,
    wtxn: RwTxn<'s>,
) -> Result<(Content, RwTxn<'s>)> {
    let mut content = Content { edits: plan.known, ..Content::default() };
    progress.begin(Phase::Chunk, plan.unread.len() as u64);
    let store = place.store;
    let mut writer = Writer { place, unposted: Unposted::default() };
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
                writer.unposted.post(store, &mut wtxn)?;
                wtxn.commit().map_err(lmdb)?;
                wtxn = store.write_txn()?;
                committed = Instant::now();
            }
        }
        writer.unposted.post(store, &mut wtxn)?;
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
                Now::Blob { size, .. } => size,
                Now::Gone | Now::Skipped { .. } => 0,
            };
            before < BATCH_BYTES
        });
        let (batch, after) = rest.split_at(fits.count().max(1));
        batches.push(batch);
        rest = after;
    }
    batches
}

/// Where content goes, and whose metadata it was read under.
pub(super) struct Place<'a> {
    pub store: &'a Store,
    pub view: &'a ViewName,
    pub filters: [u8; 32],
}

struct Writer<'a> {
    place: &'a Place<'a>,
    unposted: Unposted,
}

/// Terms of new chunks whose postings are not written yet. They wait until their block is full or a commit
/// comes, because a whole block goes in densely and at once.
#[derive(Default)]
struct Unposted {
    first: ChunkId,
    terms: Vec<TermCounts>,
}

impl Unposted {
    fn push(&mut self, id: ChunkId, terms: TermCounts) {
        if self.terms.is_empty() {
            self.first = id;
        }
        self.terms.push(terms);
    }

    /// Writes the blocks that are full.
    fn post_full(&mut self, store: &Store, wtxn: &mut RwTxn<'_>) -> Result<()> {
        let room = (BLOCK_IDS - self.first % BLOCK_IDS) as usize;
        if self.terms.len() < room {
            return Ok(());
        }
        let full = room + (self.terms.len() - room) / BLOCK_IDS as usize * BLOCK_IDS as usize;
        let rest = self.terms.split_off(full);
        self.post(store, wtxn)?;
        self.first += full as ChunkId;
        self.terms = rest;
        Ok(())
    }

    /// Writes everything.
    fn post(&mut self, store: &Store, wtxn: &mut RwTxn<'_>) -> Result<()> {
        let terms: Vec<&TermCounts> = self.terms.iter().collect();
        store.postings.append(wtxn, self.first, &terms)?;
        self.terms.clear();
        Ok(())
    }
}

impl Writer<'_> {
    /// Stores one batch and returns how many chunks were new.
    fn write(&mut self, wtxn: &mut RwTxn<'_>, mut done: Vec<Done>, content: &mut Content) -> Result<u64> {
        let (ids, new) = self.write_chunks(wtxn, &mut done)?;
        for one in done {
            content.read += u64::from(one.read);
            content.warnings.extend(warning(&one));
            if is_unreadable(&one) {
                content.unsettled.push(one.path.clone());
            }
            if let Some((oid, hash)) = &one.alias {
                self.place.store.caches.put_alias(wtxn, oid.as_bytes(), hash)?;
            }
            let stat_key = StatKey::new(self.place.view, &self.place.filters, &one.path);
            match one.stat {
                Some((stat, hash)) => {
                    self.place.store.caches.put_stat(wtxn, &stat_key, &StatRow { stat, content: hash })?;
                }
                None if one.leaf.is_none() => self.place.store.caches.drop_stat(wtxn, &stat_key)?,
                None => {}
            }
            if let Some((key, row)) = one.row {
                if let NewRow::Indexed(file) = &row {
                    self.place.store.facts.put(wtxn, &key, &file.facts)?;
                }
                self.place.store.files.put(wtxn, &key, &stored_row(row, &ids))?;
            }
            content.edits.push((one.path, one.leaf));
        }
        content.new_chunks += new;
        Ok(new)
    }

    /// Gives every chunk of the batch its number, storing those that no file ever had.
    fn write_chunks(
        &mut self,
        wtxn: &mut RwTxn<'_>,
        done: &mut [Done],
    ) -> Result<(FxHashMap<ChunkKey, ChunkId>, u64)> {
        let mut ids = FxHashMap::default();
        let mut new: Vec<NewChunk<'_>> = Vec::new();
        let first = self.place.store.chunks.count(wtxn)?;
        for (file, part) in done.iter().filter_map(chunked).flat_map(|f| f.chunks.iter().map(move |c| (f, c)))
        {
            if ids.contains_key(&part.key) {
                continue;
            }
            // A chunk without terms was known when it was cut, and rows are never removed while we write.
            let id = match (self.place.store.chunks.id(wtxn, &part.key)?, &part.terms) {
                (Some(id), _) => id,
                (None, Some(counts)) => {
                    let text = part.chunk.passage(&file.text);
                    new.push(NewChunk { key: part.key, text, length: counts.length() });
                    first.saturating_add(new.len() as u32 - 1)
                }
                (None, None) => return Err(damaged("a chunk vanished while the index was written")),
            };
            ids.insert(part.key, id);
        }
        let count = new.len() as u32;
        if count > 0 {
            self.place.store.chunks.append(wtxn, &new)?;
            self.unpost(done, &ids, first..first + count);
            self.unposted.post_full(self.place.store, wtxn)?;
        }
        Ok((ids, u64::from(count)))
    }

    /// Keeps the terms of the chunks that got the numbers `new`, in their order.
    fn unpost(&mut self, done: &mut [Done], ids: &FxHashMap<ChunkKey, ChunkId>, new: Range<ChunkId>) {
        let mut next = new.start;
        for one in done {
            let Some((_, NewRow::Indexed(file))) = &mut one.row else { continue };
            for part in &mut file.chunks {
                if ids.get(&part.key) == Some(&next)
                    && next < new.end
                    && let Some(terms) = part.terms.take()
                {
                    self.unposted.push(next, terms);
                    next += 1;
                }
            }
        }
    }
}

fn chunked(done: &Done) -> Option<&ChunkedFile> {
    match &done.row {
        Some((_, NewRow::Indexed(file))) => Some(file),
        _ => None,
    }
}

/// It may be readable next time, without anything else telling.
fn is_unreadable(done: &Done) -> bool {
    matches!(done.leaf, Some(Leaf { kind: LeafKind::Skipped(SkipReason::Unreadable), .. }))
}

fn warning(done: &Done) -> Option<String> {
    match &done.leaf {
        _ if is_unreadable(done) => Some(format!("{}: cannot be read", done.path)),
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
        parent: chunk.parent,
        definition: chunk.definition,
    });
    FileRow::Indexed(IndexedFile {
        language: file.language.name().to_owned(),
        status: file.status,
        bytes: file.text.len() as u32,
        lines: file.lines,
        generated: file.generated,
        chunks: chunks.collect(),
    })
}
