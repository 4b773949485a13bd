//! Turns one candidate into everything that will be stored about it. Runs on all cores, writes nothing.

use std::sync::Mutex;

use bstr::{BString, ByteSlice};

use super::plan::{leaf, skipped_leaf};
use crate::chunk::{self, Chunk, Content, Limits, SkipReason};
use crate::error::Result;
use crate::hash::{ChunkKey, ContentHash};
use crate::lang::{HEAD, Language, ParseStatus, detect};
use crate::merkle::{Leaf, LeafKind};
use crate::source::{Candidate, FileReader, Now, Oid, Read, Scope, Source, Stat};
use crate::store::{FileKey, PackedFacts, RoTxn, Store};
use crate::terms::{TermCounter, TermCounts};

/// One file, read.
pub(super) struct Done {
    pub path: BString,
    /// What the path is now; `None` when it vanished meanwhile.
    pub leaf: Option<Leaf>,
    pub read: bool,
    pub alias: Option<(Oid, ContentHash)>,
    pub stat: Option<(Stat, ContentHash)>,
    /// To be stored unless the memo has it already.
    pub row: Option<(FileKey, NewRow)>,
}

pub(super) enum NewRow {
    Indexed(ChunkedFile),
    Skipped(SkipReason),
}

pub(super) struct ChunkedFile {
    pub language: Language,
    pub status: ParseStatus,
    pub text: String,
    pub lines: u32,
    pub generated: bool,
    pub chunks: Vec<WorkChunk>,
    pub facts: PackedFacts,
}

pub(super) struct WorkChunk {
    pub chunk: Chunk,
    pub key: ChunkKey,
    /// `None` when the store already knows the chunk.
    pub terms: Option<TermCounts>,
}

/// What every worker shares.
pub(super) struct Workshop<'a> {
    pub store: &'a Store,
    pub source: &'a Source<'a>,
    pub scope: &'a Scope,
    pub recipe: u32,
    pub limits: Limits,
    /// Chunk again what the memo knows.
    pub full: bool,
    readers: Mutex<Vec<(FileReader, TermCounter)>>,
}

impl<'a> Workshop<'a> {
    pub fn new(
        store: &'a Store,
        source: &'a Source<'a>,
        scope: &'a Scope,
        recipe: u32,
        limits: Limits,
        full: bool,
    ) -> Self {
        Workshop { store, source, scope, recipe, limits, full, readers: Mutex::new(Vec::new()) }
    }

    pub fn process(&self, candidate: &Candidate) -> Result<Done> {
        // Readers are costly to open and not shareable: keep as many as there are workers.
        let spare = self.readers.lock().unwrap_or_else(|p| p.into_inner()).pop();
        let (mut reader, mut counter) = match spare {
            Some(spare) => spare,
            None => (self.source.reader(self.scope.max_file_size)?, TermCounter::new()),
        };
        let done = self.process_with(candidate, &mut reader, &mut counter);
        self.readers.lock().unwrap_or_else(|p| p.into_inner()).push((reader, counter));
        done
    }

    fn process_with(
        &self,
        candidate: &Candidate,
        reader: &mut FileReader,
        counter: &mut TermCounter,
    ) -> Result<Done> {
        let mut done = Done {
            path: candidate.path.clone(),
            leaf: None,
            read: false,
            alias: None,
            stat: None,
            row: None,
        };
        let (bytes, oid, stat) = match reader.read(candidate.path.as_bstr(), &candidate.now)? {
            Read::Content { bytes, oid, stat } => (bytes, oid, stat),
            Read::Instead(Now::Skipped { reason, hash }) => {
                done.leaf = Some(skipped_leaf(reason, hash));
                return Ok(done);
            }
            Read::Instead(_) => return Ok(done),
        };
        let content = ContentHash::of(&bytes);
        done.read = true;
        done.alias = oid.map(|oid| (oid, content));
        done.stat = stat.map(|stat| (stat, content));
        let executable =
            matches!(candidate.now, Now::Blob { executable: true, .. } | Now::Disk { executable: true, .. });
        let key = FileKey { recipe: self.recipe, language: detect(&candidate.path, b""), content };
        let txn = self.store.read_txn()?;
        // Who says where the file stands that it is written by hand is believed.
        let skip_generated = self.scope.skip_generated && candidate.origin.generated.is_none();
        let memo = if self.full { None } else { self.store.files.kind(&txn, &key, skip_generated)? };
        let kind = match memo {
            Some(kind) => kind,
            None => {
                let row = self.chunk(&candidate.path, &bytes, &txn, counter)?;
                let kind = match &row {
                    NewRow::Indexed(file) if file.generated && skip_generated => {
                        LeafKind::Skipped(SkipReason::Generated)
                    }
                    NewRow::Indexed(_) => LeafKind::Indexed,
                    NewRow::Skipped(reason) => LeafKind::Skipped(*reason),
                };
                done.row = Some((key, row));
                kind
            }
        };
        done.leaf = Some(leaf(kind, executable, content, candidate.origin));
        Ok(done)
    }

    fn chunk(
        &self,
        path: &BString,
        bytes: &[u8],
        txn: &RoTxn<'_>,
        counter: &mut TermCounter,
    ) -> Result<NewRow> {
        let language = detect(path, &bytes[..bytes.len().min(HEAD)]);
        let text = match chunk::inspect(bytes, language) {
            Content::Text(text) => text.into_owned(),
            Content::Skip(reason) => return Ok(NewRow::Skipped(reason)),
        };
        let chunked = chunk::chunk(&text, language, &self.limits);
        let mut chunks = Vec::with_capacity(chunked.chunks.len());
        for chunk in chunked.chunks {
            let passage = chunk.passage(&text);
            let key = ChunkKey::of(passage.as_bytes());
            let terms = match self.store.chunks.id(txn, &key)? {
                Some(_) => None,
                None => Some(counter.counted(&passage)),
            };
            chunks.push(WorkChunk { chunk, key, terms });
        }
        let lines = text.lines().count() as u32;
        let generated = chunk::is_generated(&text, language);
        let (facts, status) = (PackedFacts::of(&chunked.facts)?, chunked.status);
        Ok(NewRow::Indexed(ChunkedFile { language, status, text, lines, generated, chunks, facts }))
    }
}
