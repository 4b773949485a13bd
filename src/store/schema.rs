//! The version of the stored format, with its history, and the way from an older one.

use heed::types::{Bytes, Str};
use heed::{Database, Env, WithoutTls};

use super::{RwTxn, damaged, lmdb};
use crate::error::{Error, ErrorKind, Result};

/// History (newest last). A change of any key, codec or of the meaning of a row adds a line here and a step to
/// [`UPGRADES`].
///
/// 1. First format, with terms of version 1.
/// 2. Facts beside the chunk memo, whose rows point into them. Views must be scanned again; chunks, postings and
///    vectors stay, so nothing is embedded twice.
pub const SCHEMA_VERSION: u32 = 2;

/// Stored postings are made of terms: whoever cuts terms differently must also say here what becomes of them.
const _: () =
    assert!(crate::terms::TERMS_VERSION == 1, "new terms need a new schema version and an upgrade step");

/// Finds a database by its name.
type Named<'a, 'd> = &'a dyn Fn(&str) -> Option<Database<'d, Bytes, Bytes>>;

/// One step from version `i + 1` to `i + 2`, run in the transaction that also records the new version.
const UPGRADES: &[fn(Named<'_, '_>, &mut RwTxn<'_>) -> Result<()>] = &[forget_views];

/// Drops what is read by a codec that changed, and the views that point to it.
fn forget_views(named: Named<'_, '_>, wtxn: &mut RwTxn<'_>) -> Result<()> {
    for db in ["views", "summaries", "files"].iter().filter_map(|name| named(name)) {
        db.clear(wtxn).map_err(lmdb)?;
    }
    Ok(())
}

const KEY: &str = "schema";

/// Makes an empty environment ours, upgrades an older one, refuses a newer one.
pub(super) fn settle(meta: &Database<Str, Bytes>, named: Named<'_, '_>, wtxn: &mut RwTxn<'_>) -> Result<()> {
    let found = read(meta, wtxn)?;
    for version in found.unwrap_or(SCHEMA_VERSION)..SCHEMA_VERSION {
        match UPGRADES.get(version as usize - 1) {
            Some(step) => step(named, wtxn)?,
            None => return Err(damaged("the index has an unknown older format")),
        }
    }
    if found != Some(SCHEMA_VERSION) {
        meta.put(wtxn, KEY, &SCHEMA_VERSION.to_be_bytes()).map_err(lmdb)?;
    }
    Ok(())
}

/// Whether the environment can be used as it is; an error when it never can.
pub(super) fn is_current(meta: Option<&Database<Str, Bytes>>, env: &Env<WithoutTls>) -> Result<bool> {
    let Some(meta) = meta else { return Ok(false) };
    let rtxn = env.read_txn().map_err(lmdb)?;
    Ok(read(meta, &rtxn)? == Some(SCHEMA_VERSION))
}

fn read(meta: &Database<Str, Bytes>, txn: &heed::RoTxn<'_, heed::AnyTls>) -> Result<Option<u32>> {
    let Some(bytes) = meta.get(txn, KEY).map_err(lmdb)? else { return Ok(None) };
    let version = <[u8; 4]>::try_from(bytes).map_err(|_| damaged("the index has no readable version"))?;
    match u32::from_be_bytes(version) {
        0 => Err(damaged("the index has an unknown older format")),
        v if v > SCHEMA_VERSION => Err(Error::new(
            ErrorKind::BadIndex,
            format!(
                "the index was written by a newer codeagent (format {v}, this one reads {SCHEMA_VERSION})"
            ),
        )
        .with_hint("update codeagent, or run `codeagent clean` and scan again")),
        v => Ok(Some(v)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Access, Location, NewChunk, Store};
    use super::*;
    use crate::hash::ChunkKey;

    #[test]
    fn an_older_format_keeps_its_chunks_and_is_scanned_again() {
        let dir = tempfile::tempdir().unwrap();
        let location = Location::new(dir.path().join("store"));
        let store = Store::open(&location, Access::Write, 1 << 30).unwrap().unwrap();
        let mut wtxn = store.write_txn().unwrap();
        let key = ChunkKey::of(b"text");
        store.chunks.append(&mut wtxn, &[NewChunk { key, text: "text".into(), length: 1 }]).unwrap();
        store.set_schema_for_tests(&mut wtxn, 1);
        wtxn.commit().unwrap();
        drop(store);
        assert!(Store::open(&location, Access::Read, 1 << 30).unwrap().is_none(), "readers never upgrade");
        let store = Store::open(&location, Access::Write, 1 << 30).unwrap().unwrap();
        let rtxn = store.read_txn().unwrap();
        assert_eq!(store.chunks.id(&rtxn, &key).unwrap(), Some(0));
        assert!(store.views.all(&rtxn).unwrap().is_empty());
    }

    #[test]
    fn a_newer_format_is_refused_with_the_next_step() {
        let dir = tempfile::tempdir().unwrap();
        let location = Location::new(dir.path().join("store"));
        let store = Store::open(&location, Access::Write, 1 << 30).unwrap().unwrap();
        let mut wtxn = store.write_txn().unwrap();
        store.set_schema_for_tests(&mut wtxn, SCHEMA_VERSION + 1);
        wtxn.commit().unwrap();
        drop(store);
        for access in [Access::Read, Access::Write] {
            let error = Store::open(&location, access, 1 << 30).err().expect("must be refused");
            assert_eq!(error.kind(), ErrorKind::BadIndex);
            assert!(error.hint().is_some_and(|hint| hint.contains("update codeagent")));
        }
    }
}
