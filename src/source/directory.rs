//! A directory without git: walked whole, with ignore files honoured; metadata decides what is read.

use std::path::Path;
use std::sync::Mutex;

use bstr::{BStr, BString, ByteSlice};
use ignore::{WalkBuilder, WalkState};

use super::judge::Judge;
use super::read::FileReader;
use super::{Candidate, Listing, Now, Scope, disk, is_within};
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
                        found.foreign.push((SkipReason::NestedRepository, path));
                        return WalkState::Skip;
                    }
                    Ok(Some(Visited::Unreadable(path))) => {
                        let now = Now::skipped(SkipReason::Unreadable, b"");
                        found.candidates.push(Candidate::new(path.clone(), now));
                        found.foreign.push((SkipReason::Unreadable, path));
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
        let text_of = |path: &BStr| disk::read_small(&self.root.join(path.to_path().ok()?)).ok().flatten();
        let mut judge = Judge::new(scope, Box::new(text_of));
        let candidates = candidates.into_iter().map(|c| judge.candidate(c.path, c.now)).collect();
        Ok(Listing { candidates, complete: only.is_empty(), foreign: found.foreign, ..Listing::default() })
    }

    fn visit(
        &self,
        entry: Result<ignore::DirEntry, ignore::Error>,
        scope: &Scope,
    ) -> Result<Option<Visited>> {
        let entry = match entry {
            Ok(entry) => entry,
            // One unreadable directory does not end the walk: it is counted and named.
            Err(error) if error.io_error().is_some() => {
                let path = path_of(&error).and_then(|path| disk::relative(self.root, path));
                return Ok(path.map(Visited::Unreadable));
            }
            Err(error) => return Err(error).context(|| format!("cannot walk {}", self.root.display())),
        };
        let Some(path) = disk::relative(self.root, entry.path()) else { return Ok(None) };
        if entry.file_type().is_some_and(|kind| kind.is_dir()) {
            let foreign = !path.is_empty() && entry.path().join(".git").exists();
            return Ok(foreign.then_some(Visited::Repository(path)));
        }
        let now = disk::look(entry.path(), scope.max_file_size)?;
        Ok(Some(Visited::File(Candidate::new(path, now))))
    }

    pub(super) fn reader(&self, max_file_size: u64) -> FileReader {
        FileReader::plain(self.root.to_path_buf(), max_file_size)
    }
}

/// The path that a walk's error is about.
fn path_of(error: &ignore::Error) -> Option<&Path> {
    match error {
        ignore::Error::WithPath { path, .. } => Some(path),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => path_of(err),
        _ => None,
    }
}

enum Visited {
    File(Candidate),
    Repository(BString),
    Unreadable(BString),
}

#[derive(Default)]
struct Found {
    candidates: Vec<Candidate>,
    foreign: Vec<(SkipReason, BString)>,
    error: Option<Error>,
}
