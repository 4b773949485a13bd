//! What files say, under the hash of their bytes: read only by those who navigate, and apart from the chunk
//! memo, which every search reads.

use super::env::Db;
use super::files::FileKey;
use super::pack::{pack, unpack};
use super::{RoTxn, RwTxn, damaged, lmdb};
use crate::error::{Context, Result};
use crate::facts::{Columns, Facts};

/// `facts`: the key of `files` → zstd of postcard of [`Columns`]. No row: the file says nothing.
pub struct FactRows {
    db: Db,
}

/// Facts as they are stored. Made by the workers, so that the one writer only has to write.
pub struct PackedFacts(Option<Vec<u8>>);

impl PackedFacts {
    pub fn of(facts: &Facts) -> Result<PackedFacts> {
        if *facts == Facts::default() {
            return Ok(PackedFacts(None));
        }
        let raw = postcard::to_stdvec(&Columns::of(facts)).context(|| "cannot encode facts".into())?;
        Ok(PackedFacts(Some(pack(&raw).context(|| "cannot compress facts".into())?)))
    }
}

impl FactRows {
    pub(super) fn new(db: Db) -> Self {
        FactRows { db }
    }

    pub fn get(&self, txn: &RoTxn<'_>, key: &FileKey) -> Result<Facts> {
        let Some(packed) = self.db.get(txn, &key.encode()).map_err(lmdb)? else {
            return Ok(Facts::default());
        };
        let columns = unpack(packed).ok().and_then(|raw| postcard::from_bytes::<Columns>(&raw).ok());
        columns.and_then(|columns| columns.facts()).ok_or_else(|| damaged("the facts of a file are damaged"))
    }

    pub fn put(&self, wtxn: &mut RwTxn<'_>, key: &FileKey, facts: &PackedFacts) -> Result<()> {
        match &facts.0 {
            Some(packed) => self.db.put(wtxn, &key.encode(), packed).map_err(lmdb),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::scratch;
    use super::*;
    use crate::chunk::{Limits, chunk};
    use crate::hash::ContentHash;
    use crate::lang::Language;

    #[test]
    fn facts_come_back_and_nothing_takes_no_room() {
        let scratch = scratch();
        let store = &scratch.store;
        let python = Language::from_name("python").unwrap();
        let text = "import os\n\nclass A(B):\n    \"\"\"Doc.\"\"\"\n    def f(self): return os.path\n";
        let facts = chunk(text, python, &Limits::default()).facts;
        assert!(!facts.definitions.is_empty() && !facts.references.is_empty() && !facts.imports.is_empty());
        let key =
            |text: &str| FileKey { recipe: 1, language: python, content: ContentHash::of(text.as_bytes()) };
        let mut wtxn = store.write_txn().unwrap();
        store.facts.put(&mut wtxn, &key(text), &PackedFacts::of(&facts).unwrap()).unwrap();
        store.facts.put(&mut wtxn, &key(""), &PackedFacts::of(&Facts::default()).unwrap()).unwrap();
        wtxn.commit().unwrap();
        let rtxn = store.read_txn().unwrap();
        assert_eq!(store.facts.get(&rtxn, &key(text)).unwrap(), facts);
        assert_eq!(store.facts.get(&rtxn, &key("")).unwrap(), Facts::default());
    }

    #[test]
    fn damage_is_an_error() {
        let scratch = scratch();
        let key = FileKey { recipe: 1, language: Language::TEXT, content: ContentHash::of(b"x") };
        let mut wtxn = scratch.store.write_txn().unwrap();
        scratch.store.facts.put(&mut wtxn, &key, &PackedFacts(Some(b"garbage".to_vec()))).unwrap();
        assert!(scratch.store.facts.get(&wtxn, &key).is_err());
    }
}
