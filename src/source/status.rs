//! Which worktree files git's index cannot vouch for.
//!
//! gix compares file metadata with the index in parallel and walks for untracked files. It is told never to
//! read a file: whatever metadata cannot settle (changed, touched, racy) comes back as a suspect, and our own
//! metadata cache decides whether its bytes must be read.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use bstr::{BStr, BString, ByteSlice};
use gix::dir::entry::Kind as DiskKind;
use gix::dir::walk::EmissionMode;
use gix::index::Entry as IndexEntry;
use gix::status::plumbing::index_as_worktree::traits::{CompareBlobs, ReadData, SubmoduleStatus};
use gix::status::plumbing::index_as_worktree::{Change, EntryStatus};
use gix::status::plumbing::index_as_worktree_with_renames::{Entry, VisitEntry};

use super::{disk, is_within};
use crate::error::{Context, Result};

#[derive(Debug, Default)]
pub(super) struct Suspects {
    /// Tracked paths to look at on disk; `false`: known to be gone.
    pub tracked: Vec<(BString, bool)>,
    pub untracked: Vec<BString>,
    /// Untracked directories that are repositories of their own.
    pub nested: Vec<BString>,
    /// Directories that may not be read.
    pub unreadable: Vec<BString>,
}

pub(super) fn suspects(
    repo: &gix::Repository,
    index: &gix::index::State,
    only: &[BString],
    untracked: bool,
) -> Result<Suspects> {
    let dirwalk = if untracked {
        let options = repo.dirwalk_options().context(|| "cannot read git's configuration".into())?;
        Some(options.emit_untracked(EmissionMode::Matching).emit_ignored(None).emit_empty_directories(false))
    } else {
        None
    };
    let compare = |patterns: Vec<BString>, dirwalk| -> Result<Suspects> {
        let mut found = Suspects::default();
        let options = gix::status::index_worktree::Options {
            sorting: None,
            dirwalk_options: dirwalk,
            rewrites: None,
            thread_limit: None,
        };
        repo.index_worktree_status(
            index,
            patterns,
            &mut found,
            NeverRead,
            NeverDescend,
            &mut gix::progress::Discard,
            &AtomicBool::new(false),
            options,
        )
        .context(|| "cannot compare the worktree with git's index".into())?;
        Ok(found)
    };
    let mut patterns: Vec<BString> = only.iter().map(|path| pathspec("top,literal", path)).collect();
    let error = match compare(patterns.clone(), dirwalk) {
        Ok(found) => return Ok(found),
        Err(error) => error,
    };
    // gix gives up at a directory it may not read; git walks around it, and so do we.
    let root = repo.workdir().unwrap_or(repo.git_dir());
    let unreadable = disk::unreadable_dirs(root);
    if unreadable.is_empty() {
        return Err(error);
    }
    patterns.extend(unreadable.iter().map(|dir| pathspec("top,exclude,literal", dir)));
    let mut found = Suspects { unreadable, ..compare(patterns, None)? };
    if untracked {
        walk_untracked(root, index, only, &mut found);
    }
    Ok(found)
}

/// Lists untracked files by the same rules, passing over what cannot be read.
fn walk_untracked(root: &Path, index: &gix::index::State, only: &[BString], found: &mut Suspects) {
    let is_foreign = |dir: &Path| dir != root && dir.join(".git").exists();
    let mut walk = ignore::WalkBuilder::new(root);
    walk.hidden(false).parents(false).filter_entry(|entry| entry.file_name() != ".git");
    for entry in walk.build().flatten() {
        let Some(path) = disk::relative(root, entry.path()).filter(|path| is_within(only, path)) else {
            continue;
        };
        let is_dir = entry.file_type().is_some_and(|kind| kind.is_dir());
        if is_dir && is_foreign(entry.path()) {
            found.nested.push(path);
        } else if !is_dir && index.entry_by_path(path.as_bstr()).is_none() {
            found.untracked.push(path);
        }
    }
    let nested = found.nested.clone();
    found.untracked.retain(|path| nested.is_empty() || !is_within(&nested, path));
}

/// A pathspec for this path from the root, whatever characters it has.
fn pathspec(magic: &str, path: &BString) -> BString {
    let mut spec = BString::from(format!(":({magic})"));
    spec.extend_from_slice(path);
    spec
}

impl<'index> VisitEntry<'index> for Suspects {
    type ContentChange = ();
    type SubmoduleStatus = ();

    fn visit_entry(&mut self, entry: Entry<'index, (), ()>) {
        match entry {
            Entry::Modification { rela_path, status, .. } => {
                let exists = !matches!(status, EntryStatus::Change(Change::Removed));
                self.tracked.push((rela_path.to_owned(), exists));
            }
            Entry::DirectoryContents { entry, .. } => match entry.disk_kind {
                Some(DiskKind::Repository) => self.nested.push(entry.rela_path),
                Some(DiskKind::Directory) => {}
                _ => self.untracked.push(entry.rela_path),
            },
            Entry::Rewrite { .. } => {}
        }
    }
}

/// Leaves every question about bytes to the caller.
#[derive(Clone)]
struct NeverRead;

impl CompareBlobs for NeverRead {
    type Output = ();

    fn compare_blobs<'a, 'b>(
        &mut self,
        _entry: &IndexEntry,
        _size: u64,
        _data: impl ReadData<'a>,
        _buf: &mut Vec<u8>,
    ) -> Result<Option<()>, gix::Error> {
        Ok(Some(()))
    }
}

#[derive(Clone)]
struct NeverDescend;

impl SubmoduleStatus for NeverDescend {
    type Output = ();

    fn status(&mut self, _entry: &IndexEntry, _path: &BStr) -> Result<Option<()>, gix::Error> {
        Ok(None)
    }
}
