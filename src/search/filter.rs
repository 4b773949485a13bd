//! What a query may return: languages, path globs, kinds. Applied before ranking, so a filtered query has as
//! many results as there are.

use bstr::{BString, ByteSlice};
use globset::GlobSet;
use roaring::RoaringBitmap;

use super::locate::for_each_file;
use crate::error::{Error, Result};
use crate::lang::{ChunkKind, Language};
use crate::source::globs;
use crate::store::{RoTxn, Store, ViewRow};

#[derive(Debug, Clone, Default)]
pub struct Filter {
    languages: Vec<String>,
    paths: Option<GlobSet>,
    kinds: Vec<ChunkKind>,
}

impl Filter {
    /// Languages by name, paths as globs (a bare directory means everything below it), kinds by name.
    pub fn new(languages: &[String], paths: &[String], kinds: &[String]) -> Result<Filter> {
        let mut filter = Filter::default();
        for name in languages {
            let name = name.to_ascii_lowercase();
            let language = Language::from_alias(&name).ok_or_else(|| {
                Error::usage(format!("unknown language `{name}`")).with_hint(format!(
                    "one of: {}",
                    Language::all().map(Language::name).collect::<Vec<_>>().join(", ")
                ))
            })?;
            filter.languages.push(language.name().to_owned());
        }
        if !paths.is_empty() {
            filter.paths = Some(globs(paths)?);
        }
        for kind in kinds {
            filter.kinds.push(kind.to_ascii_lowercase().parse()?);
        }
        Ok(filter)
    }

    fn is_empty(&self) -> bool {
        self.languages.is_empty() && self.paths.is_none() && self.kinds.is_empty()
    }

    pub(super) fn allows_path(&self, path: &BString) -> bool {
        self.paths.as_ref().is_none_or(|globs| globs.is_match(path.to_path_lossy()))
    }

    pub(super) fn allows_language(&self, language: &str) -> bool {
        self.languages.is_empty() || self.languages.iter().any(|allowed| allowed == language)
    }

    pub(super) fn allows_kind(&self, kind: ChunkKind) -> bool {
        self.kinds.is_empty() || self.kinds.contains(&kind)
    }

    /// The live chunks that stand in at least one allowed place.
    pub(super) fn candidates(
        &self,
        store: &Store,
        txn: &RoTxn<'_>,
        view: &ViewRow,
        live: RoaringBitmap,
    ) -> Result<RoaringBitmap> {
        if self.is_empty() {
            return Ok(live);
        }
        let mut allowed = RoaringBitmap::new();
        for_each_file(store, txn, view, self, &|live| !live.is_empty(), &mut |_, _, file| {
            allowed.extend(file.chunks.iter().filter(|c| self.allows_kind(c.kind)).map(|c| c.id));
        })?;
        Ok(allowed)
    }
}
