//! Opening the environment: creation, growth, read-only directories, damaged files.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use heed::types::{Bytes, Str};
use heed::{CommitOrAbort, Database, Env, EnvFlags, EnvOpenOptions, WithoutTls};

use super::caches::Caches;
use super::chunks::ChunkTexts;
use super::facts::FactRows;
use super::files::Files;
use super::manifest::Manifests;
use super::postings::Postings;
use super::vectors::Vectors;
use super::views::Views;
use super::{RoTxn, RwTxn, damaged, lmdb, schema};
use crate::error::{Context, Error, ErrorKind, Result};

/// Raw database: each module gives its own rows types.
pub(super) type Db = Database<'static, Bytes, Bytes>;

const NAMES: [&str; 13] = [
    "meta",
    "views",
    "nodes",
    "summaries",
    "files",
    "facts",
    "chunk_ids",
    "texts",
    "lengths",
    "postings",
    "vectors",
    "aliases",
    "stats",
];

/// Room for readers: every process counts each of its concurrent read transactions.
const MAX_READERS: u32 = 1022;

/// What makes the directory ignore itself, and tells that it is ours.
const IGNORE: &str = "# Made by codeagent; safe to delete.\n*\n";

/// The directory that holds one repository's index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Location {
    pub dir: PathBuf,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Answer questions; never creates or upgrades anything.
    Read,
    /// Create or upgrade as needed. Hold the [`WriterLock`](super::WriterLock) before writing.
    Write,
}

pub struct Store {
    env: Env<WithoutTls>,
    meta: Db,
    pub views: Views,
    pub manifests: Manifests,
    pub files: Files,
    pub facts: FactRows,
    pub chunks: ChunkTexts,
    pub postings: Postings,
    pub vectors: Vectors,
    pub caches: Caches,
    sized: [(&'static str, Db); NAMES.len()],
}

/// Bytes on disk, in all and by database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreSizes {
    pub file: u64,
    pub databases: Vec<(&'static str, u64)>,
}

impl Location {
    pub fn new(dir: PathBuf) -> Self {
        Location { dir }
    }

    fn data_dir(&self) -> PathBuf {
        self.dir.join("index")
    }

    pub fn exists(&self) -> bool {
        self.data_dir().join("data.mdb").exists()
    }

    /// Creates the directory with an ignore file of its own, so that `git status` stays clean. Refuses to move
    /// in with somebody else's files.
    pub fn create(&self) -> Result<()> {
        if !self.is_ours_to_use() {
            return Err(Error::usage(format!("{} is not empty and holds no index", self.dir.display()))
                .with_hint("choose an empty or new directory for `store.dir` (CODEAGENT_STORE_DIR)"));
        }
        let made = fs::create_dir_all(self.data_dir()).and_then(|()| {
            let complete = !self.ignore_file_is(|text| text != IGNORE && IGNORE.starts_with(text));
            let ignore = self.dir.join(".gitignore");
            if ignore.exists() && complete { Ok(()) } else { fs::write(ignore, IGNORE) }
        });
        made.map_err(|e| {
            Error::failed(format!("cannot create the index directory {}", self.dir.display())).with_source(e).with_hint(
                "make the directory writable, or choose another place with `store.dir` in the configuration or CODEAGENT_STORE_DIR",
            )
        })
    }

    fn is_ours_to_use(&self) -> bool {
        let named = self.dir.file_name().is_some_and(|name| name == ".codeagent" || name == "codeagent");
        let ours = |name: &std::ffi::OsStr| ["index", "rerun", "write.lock"].iter().any(|our| name == *our);
        let only_ours = || {
            let entries = fs::read_dir(&self.dir).into_iter().flatten().flatten();
            entries.map(|entry| entry.file_name()).all(|name| ours(&name))
        };
        // A full disk may have cut our ignore file short.
        named || self.exists() || self.ignore_file_is(|text| IGNORE.starts_with(text)) || only_ours()
    }

    fn ignore_file_is(&self, like: impl FnOnce(&str) -> bool) -> bool {
        fs::read_to_string(self.dir.join(".gitignore")).is_ok_and(|text| like(&text))
    }

    /// Removes everything we made, and the directory if nothing else is in it. Nothing we did not make is
    /// touched: the directory may have been chosen by a configuration. The caller holds the writer lock.
    pub fn remove(&self) -> Result<()> {
        let gone = |result: io::Result<()>| match result {
            Err(e) if e.kind() != io::ErrorKind::NotFound => {
                Err(e).context(|| format!("cannot remove the index in {}", self.dir.display()))
            }
            _ => Ok(()),
        };
        if self.ignore_file_is(|text| text == IGNORE) {
            gone(fs::remove_file(self.dir.join(".gitignore")))?;
        }
        for file in ["index/data.mdb", "index/lock.mdb", "write.lock"] {
            // An empty directory in its place holds nothing of anybody's.
            let path = self.dir.join(file);
            gone(fs::remove_file(&path).or_else(|e| fs::remove_dir(&path).map_err(|_| e)))?;
        }
        for note in fs::read_dir(self.dir.join("rerun")).into_iter().flatten().flatten() {
            gone(fs::remove_file(note.path()))?;
        }
        for dir in ["index", "rerun", ""] {
            // Not empty means somebody else's files: they stay.
            let _ = fs::remove_dir(self.dir.join(dir));
        }
        Ok(())
    }
}

impl Store {
    /// Opens the index; `Ok(None)` when there is none and `access` does not create one.
    pub fn open(location: &Location, access: Access, max_size: u64) -> Result<Option<Store>> {
        if access == Access::Read && !location.exists() {
            return Ok(None);
        }
        if access == Access::Write {
            location.create()?;
        }
        reserve_lock_file(&location.data_dir())?;
        let env = open_env(&location.data_dir(), access, max_size)?;
        check_length(&env, &location.data_dir())?;
        let dbs = match open_existing(&env)? {
            Some(dbs) => dbs,
            None if access == Access::Write => create(&env)?,
            None => return Ok(None),
        };
        if access == Access::Write {
            env.clear_stale_readers().map_err(lmdb)?;
        }
        Ok(Some(Store::from_parts(env, dbs)))
    }

    fn from_parts(env: Env<WithoutTls>, dbs: [Db; NAMES.len()]) -> Store {
        let [
            meta,
            views,
            nodes,
            summaries,
            files,
            facts,
            chunk_ids,
            texts,
            lengths,
            postings,
            vectors,
            aliases,
            stats,
        ] = dbs;
        let mut sized = NAMES.map(|name| (name, meta));
        for (slot, db) in sized.iter_mut().zip(dbs) {
            slot.1 = db;
        }
        Store {
            env,
            meta,
            views: Views::new(views),
            manifests: Manifests::new(nodes, summaries),
            files: Files::new(files),
            facts: FactRows::new(facts),
            chunks: ChunkTexts::new(meta, chunk_ids, texts, lengths),
            postings: Postings::new(postings),
            vectors: Vectors::new(meta, vectors),
            caches: Caches::new(aliases, stats),
            sized,
        }
    }

    pub fn read_txn(&self) -> Result<heed::RoTxn<'_, WithoutTls>> {
        self.env.read_txn().map_err(lmdb)
    }

    pub fn write_txn(&self) -> Result<RwTxn<'_>> {
        self.env.write_txn().map_err(lmdb)
    }

    /// The number under which a chunking recipe is known, or `None` if nothing was ever chunked with it.
    pub fn recipe(&self, txn: &RoTxn<'_>, recipe: &str) -> Result<Option<u32>> {
        match self.meta.get(txn, &recipe_key(recipe)).map_err(lmdb)? {
            Some(bytes) => Ok(Some(be_u32(bytes)?)),
            None => Ok(None),
        }
    }

    /// Like [`Self::recipe`], assigning the next number to a new recipe.
    pub fn assign_recipe(&self, wtxn: &mut RwTxn<'_>, recipe: &str) -> Result<u32> {
        if let Some(id) = self.recipe(wtxn, recipe)? {
            return Ok(id);
        }
        let known = self.meta.prefix_iter(wtxn, b"recipe\0").map_err(lmdb)?.count() as u32;
        self.meta.put(wtxn, &recipe_key(recipe), &(known + 1).to_be_bytes()).map_err(lmdb)?;
        Ok(known + 1)
    }

    #[cfg(test)]
    pub(super) fn set_schema_for_tests(&self, wtxn: &mut RwTxn<'_>, version: u32) {
        self.meta.put(wtxn, b"schema", &version.to_be_bytes()).unwrap();
    }

    pub fn sizes(&self, txn: &RoTxn<'_>) -> Result<StoreSizes> {
        let mut databases = Vec::new();
        for (name, db) in &self.sized {
            let stat = db.stat(txn).map_err(lmdb)?;
            let pages = stat.branch_pages + stat.leaf_pages + stat.overflow_pages;
            databases.push((*name, pages as u64 * u64::from(stat.page_size)));
        }
        Ok(StoreSizes { file: self.env.real_disk_size().map_err(lmdb)?, databases })
    }
}

fn recipe_key(recipe: &str) -> Vec<u8> {
    let mut key = b"recipe\0".to_vec();
    key.extend_from_slice(blake3::hash(recipe.as_bytes()).as_bytes());
    key
}

pub(super) fn be_u32(bytes: &[u8]) -> Result<u32> {
    let bytes = <[u8; 4]>::try_from(bytes).map_err(|_| damaged("a counter in the index is damaged"))?;
    Ok(u32::from_be_bytes(bytes))
}

/// LMDB makes its lock file as a hole and maps it: on a full disk the first access would kill the process.
/// With the space taken beforehand, a full disk is an ordinary error. Only ever extends: others may use it.
fn reserve_lock_file(dir: &Path) -> Result<()> {
    const SIZE: u64 = MAX_READERS as u64 * 64 + 4096;
    let path = dir.join("lock.mdb");
    if fs::metadata(&path).is_ok_and(|meta| meta.len() >= SIZE) {
        return Ok(());
    }
    // Where we may not write, there will be no lock file at all.
    let Ok(mut file) = fs::File::options().create(true).append(true).open(&path) else { return Ok(()) };
    let have = file.metadata().map_or(0, |meta| meta.len());
    let zeroes = vec![0; SIZE.saturating_sub(have) as usize];
    file.write_all(&zeroes).map_err(|e| lmdb(heed::Error::Io(e)))
}

/// Opens with the largest map the machine grants (the map is address space, not disk).
fn open_env(dir: &Path, access: Access, max_size: u64) -> Result<Env<WithoutTls>> {
    let mut size = usize::try_from(max_size).unwrap_or(usize::MAX / 2) & !0xffff;
    let mut flags = EnvFlags::empty();
    loop {
        let error = match try_open(dir, size, flags) {
            Ok(env) => return Ok(env),
            Err(error) => error,
        };
        match &error {
            heed::Error::Io(e) if e.raw_os_error() == Some(12) && size > 1 << 30 => size /= 2,
            heed::Error::Io(e)
                if access == Access::Read && is_read_only(e) && !flags.contains(EnvFlags::NO_LOCK) =>
            {
                // A directory we may not write: without a lock file there is no writer either.
                flags |=
                    if flags.contains(EnvFlags::READ_ONLY) { EnvFlags::NO_LOCK } else { EnvFlags::READ_ONLY };
            }
            heed::Error::Io(e) if is_read_only(e) => {
                return Err(Error::failed(format!("cannot write to the index in {}", dir.display()))
                    .with_source(error)
                    .with_hint("make the directory writable, or set CODEAGENT_STORE_DIR to one that is"));
            }
            _ => return Err(lmdb(error)),
        }
    }
}

fn is_read_only(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem)
}

/// The one place that maps a file into memory.
///
/// Safety: LMDB asks that nobody writes to the mapped file but LMDB itself, under its lock file. The directory
/// is ours (`.codeagent/`), every process opens it through this function, and heed shares one mapping per
/// process. `NO_LOCK` is only ever combined with `READ_ONLY`, for directories in which nobody can write.
#[allow(unsafe_code)]
fn try_open(dir: &Path, size: usize, flags: EnvFlags) -> Result<Env<WithoutTls>, heed::Error> {
    let mut options = EnvOpenOptions::new().read_txn_without_tls();
    options.map_size(size).max_dbs(NAMES.len() as u32).max_readers(MAX_READERS);
    unsafe { options.flags(flags).open(dir) }
}

/// A file shorter than its own page count would kill the process on first access: refuse it instead.
fn check_length(env: &Env<WithoutTls>, dir: &Path) -> Result<()> {
    let info = env.info();
    let page = u64::from(env.unnamed_database_stat().page_size);
    let length = fs::metadata(dir.join("data.mdb")).context(|| "cannot inspect the index file".into())?.len();
    let needed = (info.last_page_number as u64 + 1).saturating_mul(page);
    if length < needed && info.last_txn_id > 0 {
        return Err(damaged("the index file is cut short"));
    }
    Ok(())
}

fn open_existing(env: &Env<WithoutTls>) -> Result<Option<[Db; NAMES.len()]>> {
    let rtxn = env.read_txn().map_err(lmdb)?;
    let opened = env
        .open_databases_and_commit(rtxn, |opener, rtxn| -> heed::Result<_> {
            let mut found = Vec::new();
            for name in NAMES {
                match opener.open_database::<Bytes, Bytes>(rtxn, Some(name))? {
                    Some(db) => found.push(db),
                    None => return Ok(CommitOrAbort::Abort(())),
                }
            }
            match <[_; NAMES.len()]>::try_from(found) {
                Ok(dbs) => Ok(CommitOrAbort::Commit(dbs)),
                Err(_) => Ok(CommitOrAbort::Abort(())),
            }
        })
        .map_err(lmdb)?;
    let Some(dbs) = opened.commit() else { return Ok(None) };
    let meta = dbs[0].remap_key_type::<Str>();
    Ok(schema::is_current(Some(&meta), env)?.then_some(dbs))
}

fn create(env: &Env<WithoutTls>) -> Result<[Db; NAMES.len()]> {
    /// Our error and LMDB's, through heed's closure.
    struct Either(Error);
    impl From<heed::Error> for Either {
        fn from(error: heed::Error) -> Self {
            Either(lmdb(error))
        }
    }
    let wtxn = env.write_txn().map_err(lmdb)?;
    let created = env.create_databases_and_commit(wtxn, |opener, wtxn| -> Result<_, Either> {
        let mut dbs = Vec::new();
        for name in NAMES {
            dbs.push(opener.create_database::<Bytes, Bytes>(wtxn, Some(name))?);
        }
        let named = |name: &str| NAMES.iter().position(|known| *known == name).map(|at| dbs[at]);
        schema::settle(&dbs[0].remap_key_type::<Str>(), &named, wtxn).map_err(Either)?;
        match <[_; NAMES.len()]>::try_from(dbs) {
            Ok(dbs) => Ok(CommitOrAbort::Commit(dbs)),
            Err(_) => Ok(CommitOrAbort::Abort(())),
        }
    });
    match created {
        Ok(outcome) => {
            outcome.commit().ok_or_else(|| Error::new(ErrorKind::BadIndex, "the index cannot be created"))
        }
        Err(Either(error)) => Err(error),
    }
}
