//! One LMDB environment for every branch, worktree and ref of a repository.
//!
//! Invariants, and the write order that follows from them:
//!
//! * Everything but `views` is keyed by the hash of what it was computed from, or by a dense chunk number that
//!   is never reused. Rows are only added; a row nobody points to is harmless.
//! * A view is the only mutable thing and is written last: content rows first, view pointer last. A process
//!   that dies at any moment leaves the old view, whole, and content rows that the next scan finds again.
//! * Missing vectors are *derived* (`live − present`), so no queue can drift.
//! * Integers in keys are big endian (so that they sort), in values as stated beside each codec. No row holds
//!   an absolute path: the directory can be copied to another place and stays valid.
//!
//! LMDB is known to this module alone.

mod caches;
mod chunks;
mod env;
mod facts;
mod files;
mod lock;
mod manifest;
mod pack;
mod postings;
mod schema;
mod vectors;
mod views;

pub use caches::{Caches, StatKey, StatRow};
pub use chunks::{ChunkTexts, NewChunk};
pub use env::{Access, Location, Store, StoreSizes};
pub use facts::{FactRows, PackedFacts};
pub use files::{ChunkRef, FileKey, FileRow, IndexedFile};
pub use lock::{WriterLock, has_reruns, next_rerun, request_rerun, withdraw_rerun};
pub use manifest::Manifests;
pub use postings::{BLOCK_IDS, PostingList, Postings};
pub use schema::SCHEMA_VERSION;
pub use vectors::{SpaceId, VectorBlock, Vectors};
pub use views::{ViewName, ViewRow, Views};

/// Any transaction that can read; write transactions dereference to it.
pub type RoTxn<'a> = heed::RoTxn<'a>;
pub type RwTxn<'a> = heed::RwTxn<'a>;

use crate::error::{Error, ErrorKind};

/// Turns an LMDB error into ours, with the step that helps.
pub(crate) fn lmdb(error: heed::Error) -> Error {
    use heed::MdbError;
    let with = |kind, what: &str, hint: &str| Error::new(kind, what).with_hint(hint);
    match &error {
        heed::Error::Mdb(MdbError::MapFull) => with(
            ErrorKind::Failed,
            "the index has reached its size limit",
            "raise `store.max_size` in .codeagent.yaml, or run `codeagent clean` and scan again",
        ),
        heed::Error::Io(e) if e.kind() == std::io::ErrorKind::StorageFull || e.raw_os_error() == Some(28) => {
            with(
                ErrorKind::Failed,
                "the disk is full: nothing was lost, the index is as it was before this batch",
                "free some space and run the command again; finished work is not repeated",
            )
        }
        // LMDB calls a short write an I/O error.
        heed::Error::Io(e) if e.raw_os_error() == Some(5) => with(
            ErrorKind::Failed,
            "the disk is full or failing: the index is as it was before this batch",
            "free some space and run the command again; finished work is not repeated",
        )
        .with_source(error),
        heed::Error::Io(e) if e.kind() == std::io::ErrorKind::IsADirectory => {
            damaged("the index file is a directory")
        }
        heed::Error::Mdb(
            MdbError::Corrupted
            | MdbError::PageNotFound
            | MdbError::Invalid
            | MdbError::VersionMismatch
            | MdbError::Panic,
        ) => damaged("the index file is damaged").with_source(error),
        heed::Error::Mdb(MdbError::ReadersFull) => with(
            ErrorKind::Failed,
            "too many processes are reading the index",
            "close some of them and try again",
        ),
        _ => Error::failed("the index cannot be used").with_source(error).with_hint(
            "check the disk and the rights of the directory; `codeagent clean`, then `codeagent scan` rebuilds the index",
        ),
    }
}

/// A stored value that does not decode.
pub(crate) fn damaged(what: &str) -> Error {
    Error::new(ErrorKind::BadIndex, what)
        .with_hint("run `codeagent clean`, then `codeagent scan` to rebuild the index")
}

#[cfg(test)]
pub(crate) mod testing {
    use super::*;

    /// A store in a directory that vanishes with it.
    pub struct Scratch {
        pub store: Store,
        _dir: tempfile::TempDir,
    }

    pub fn scratch() -> Scratch {
        let dir = tempfile::tempdir().unwrap();
        let location = Location::new(dir.path().join(".codeagent"));
        let store = Store::open(&location, Access::Write, 1 << 30).unwrap().unwrap();
        Scratch { store, _dir: dir }
    }
}
