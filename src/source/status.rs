//! Which worktree files git's index cannot vouch for.
//!
//! gix compares file metadata with the index in parallel and walks for untracked files. It is told never to
//! read a file: whatever metadata cannot settle (changed, touched, racy) comes back as a suspect, and our own
//! metadata cache decides whether its bytes must be read.

use std::sync::atomic::AtomicBool;

use bstr::{BStr, BString};
use gix::dir::entry::Kind as DiskKind;
use gix::dir::walk::EmissionMode;
use gix::index::Entry as IndexEntry;
use gix::status::plumbing::index_as_worktree::traits::{CompareBlobs, ReadData, SubmoduleStatus};
use gix::status::plumbing::index_as_worktree::{Change, EntryStatus};
use gix::status::plumbing::index_as_worktree_with_renames::{Entry, VisitEntry};

use crate::error::{Context, Result};

#[derive(Debug, Default)]
pub(super) struct Suspects {
    /// Tracked paths to look at on disk; `false`: known to be gone.
    pub tracked: Vec<(BString, bool)>,
    pub untracked: Vec<BString>,
    /// Untracked directories that are repositories of their own.
    pub nested: Vec<BString>,
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
    let options = gix::status::index_worktree::Options {
        sorting: None,
        dirwalk_options: dirwalk,
        rewrites: None,
        thread_limit: None,
    };
    let patterns: Vec<BString> = only.iter().map(literal).collect();
    let mut found = Suspects::default();
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
}

/// A pathspec that matches this path, whatever characters it has, from the root.
fn literal(path: &BString) -> BString {
    let mut spec = BString::from(":(top,literal)");
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
