//! A directory without git: walked whole, with ignore files honoured; metadata decides what is read.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use bstr::{BString, ByteVec};
use ignore::{WalkBuilder, WalkState};

use super::read::FileReader;
use super::tree::in_scope;
use super::{Candidate, Listing, Scope, disk, is_within};
use crate::chunk::SkipReason;
use crate::error::{Context, Error, Result};

pub struct Directory<'a> {
    pub root: &'a Path,
}

impl Directory<'_> {
    pub(super) fn list(&self, scope: &Scope, only: &[BString]) -> Result<Listing> {
        let found = Mutex::new(Found::default());
        let mut walk = WalkBuilder::new(self.root);
        walk.hidden(false).require_git(false).parents(false).git_global(true).follow_links(false);
        walk.filter_entry(|entry| !matches!(entry.file_name().to_str(), Some(".git" | ".codeagent")));
        walk.build_parallel().run(|| {
            Box::new(|entry| {
                let outcome = self.visit(entry, scope);
                let mut found = found.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                match outcome {
                    Ok(Some(Visited::File(candidate))) => found.candidates.push(candidate),
                    Ok(Some(Visited::Repository(path))) => {
                        found.foreign.push(path);
                        return WalkState::Skip;
                    }
                    Ok(None) => {}
                    Err(error) => {
                        found.error.get_or_insert(error);
                        return WalkState::Quit;
                    }
                }
                WalkState::Continue
            })
        });
        let found = found.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(error) = found.error {
            return Err(error);
        }
        let mut candidates = found.candidates;
        candidates.retain(|c| is_within(only, &c.path));
        candidates.sort_by(|a, b| a.path.cmp(&b.path));
        let foreign = found.foreign.into_iter().map(|path| (SkipReason::NestedRepository, path)).collect();
        Ok(Listing { candidates, complete: only.is_empty(), foreign, ..Listing::default() })
    }

    fn visit(
        &self,
        entry: Result<ignore::DirEntry, ignore::Error>,
        scope: &Scope,
    ) -> Result<Option<Visited>> {
        let entry = match entry {
            Ok(entry) => entry,
            // One unreadable directory does not end the walk; it simply has no files for us.
            Err(error) if error.io_error().is_some() => return Ok(None),
            Err(error) => return Err(error).context(|| format!("cannot walk {}", self.root.display())),
        };
        let Some(path) = relative(self.root, entry.path()) else { return Ok(None) };
        if entry.file_type().is_some_and(|kind| kind.is_dir()) {
            let foreign = !path.is_empty() && entry.path().join(".git").exists();
            return Ok(foreign.then_some(Visited::Repository(path)));
        }
        let now = disk::look(entry.path(), scope.max_file_size)?;
        Ok(Some(Visited::File(Candidate { now: in_scope(scope, &path, now), path })))
    }

    pub(super) fn reader(&self, max_file_size: u64) -> FileReader {
        FileReader::plain(self.root.to_path_buf(), max_file_size)
    }
}

enum Visited {
    File(Candidate),
    Repository(BString),
}

#[derive(Default)]
struct Found {
    candidates: Vec<Candidate>,
    foreign: Vec<BString>,
    error: Option<Error>,
}

/// Root-relative, `/`-separated, in bytes.
fn relative(root: &Path, path: &Path) -> Option<BString> {
    let relative: PathBuf = path.strip_prefix(root).ok()?.to_path_buf();
    let bytes = Vec::from_path_buf(relative).ok()?;
    #[cfg(windows)]
    let bytes = bytes.into_iter().map(|b| if b == b'\\' { b'/' } else { b }).collect::<Vec<_>>();
    Some(bytes.into())
}
