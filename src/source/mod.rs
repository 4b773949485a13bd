//! Where bytes come from: git trees, the worktree over them, or a plain directory.
//!
//! A source lists *candidates*: paths that may differ from the last scan, with where their bytes are now. It
//! reads a file only when asked to, and always returns bytes in git form (after clean filters), so the same
//! commit hashes alike in every checkout. Symlinks are never followed; nothing outside the root is read;
//! no program is ever run (filter drivers such as git-lfs are not executed).
//!
//! gix is known to this module alone.

mod attributes;
mod convention;
mod directory;
mod disk;
mod git;
mod judge;
mod read;
mod scope;
mod staged;
mod stat;
mod status;
mod tree;
mod worktree;

use bstr::BString;

pub use directory::Directory;
pub(crate) use disk::{read_small, read_within};
pub use git::{Git, GitRef};
pub use read::{FileReader, Read};
pub(crate) use scope::globs;
pub use scope::{IGNORE_FILE, Scope};
pub use stat::Stat;
pub use tree::TreeSource;
pub use worktree::WorktreeSource;

use crate::chunk::SkipReason;
use crate::error::Result;
use crate::hash::{ContentHash, ScopeHash};
use crate::merkle::Origin;
use crate::store::ViewRow;

/// A git object id, as stored: raw bytes, 20 or 32 of them.
pub type Oid = gix::ObjectId;

/// One path that may differ from the last scan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    pub path: BString,
    pub now: Now,
    /// What path and attributes say of it.
    pub origin: Origin,
}

impl Candidate {
    /// A path of which nothing is said.
    pub(crate) fn new(path: BString, now: Now) -> Candidate {
        Candidate { path, now, origin: Origin::default() }
    }
}

/// Where the bytes of a path are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Now {
    /// Nowhere: the path is not part of the view.
    Gone,
    /// In git, under this id. `on_disk`: the worktree holds a clean copy, which is faster to read. `size` in
    /// bytes, 0 if not known without a look.
    Blob { oid: Oid, executable: bool, on_disk: bool, size: u64 },
    /// On disk only: modified, staged differently or untracked.
    Disk { stat: Stat, executable: bool },
    /// Known and deliberately not read.
    Skipped { reason: SkipReason, hash: ContentHash },
}

impl Now {
    /// With a size where it is a blob.
    pub(crate) fn with_size(mut self, bytes: u64) -> Now {
        if let Now::Blob { size, .. } = &mut self {
            *size = bytes;
        }
        self
    }

    /// A file known by something else than its bytes; no bytes have this hash.
    pub(crate) fn skipped(reason: SkipReason, known: &[u8]) -> Now {
        let mut hasher = ContentHash::hasher();
        hasher.update(b"\0skipped\0").update(&[reason.code()]).update(known);
        Now::Skipped { reason, hash: ContentHash::finish(&hasher) }
    }
}

/// What a source found.
#[derive(Debug, Default)]
pub struct Listing {
    /// Sorted by path, unique.
    pub candidates: Vec<Candidate>,
    /// Whether `candidates` is the whole view: a path that is not listed is gone.
    pub complete: bool,
    pub base_tree: Option<String>,
    pub commit: Option<String>,
    pub branch: Option<String>,
    /// See [`ViewRow::overlay`].
    pub overlay: Vec<BString>,
    /// Overlay paths with what the commit has for them: those that turn out to be just that (a touched file,
    /// say) are not overlay at all.
    pub vouched: Vec<(BString, Now)>,
    /// See [`ViewRow::attributes`].
    pub attributes: Option<ScopeHash>,
    /// What the git form of a dirty file depends on besides its bytes: attributes and settings.
    pub filters: [u8; 32],
    /// Directories that were left out: those of another repository, and unreadable ones.
    pub foreign: Vec<(SkipReason, BString)>,
}

/// One of the three kinds of place a view can be made from.
pub enum Source<'a> {
    Worktree(WorktreeSource<'a>),
    Tree(TreeSource<'a>),
    Directory(Directory<'a>),
}

impl Source<'_> {
    /// Lists what may differ from `since`, or everything when that cannot be told.
    ///
    /// `only` restricts the listing to paths and directories (root-relative); the base of the view then stays
    /// where it was, so the next unrestricted scan still sees every other change.
    pub fn list(&self, since: Option<&ViewRow>, scope: &Scope, only: &[BString]) -> Result<Listing> {
        match self {
            Source::Worktree(worktree) => worktree.list(since, scope, only),
            Source::Tree(tree) => tree.list(since, scope),
            Source::Directory(directory) => directory.list(scope, only),
        }
    }

    /// Fills in the sizes of files that are about to be read.
    pub fn measure(&self, unread: &mut [Candidate]) {
        if let Source::Tree(tree) = self {
            tree.measure(unread);
        }
    }

    /// A reader for one thread.
    pub fn reader(&self, max_file_size: u64) -> Result<FileReader> {
        match self {
            Source::Worktree(worktree) => worktree.reader(max_file_size),
            Source::Tree(tree) => tree.reader(max_file_size),
            Source::Directory(directory) => Ok(directory.reader(max_file_size)),
        }
    }
}

/// Whether `path` is one of `only` or lies below one of them; everything is when `only` is empty.
pub(crate) fn is_within(only: &[BString], path: &[u8]) -> bool {
    only.is_empty()
        || only.iter().any(|dir| {
            path.strip_prefix(dir.as_slice())
                .is_some_and(|rest| dir.is_empty() || rest.is_empty() || rest[0] == b'/')
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn within_means_equal_or_below() {
        let only = [BString::from("src"), BString::from("a/b.rs")];
        assert!(is_within(&only, b"src/x.rs"));
        assert!(is_within(&only, b"a/b.rs"));
        assert!(!is_within(&only, b"srcs/x.rs"));
        assert!(!is_within(&only, b"a/b.rsx"));
        assert!(is_within(&[], b"anything"));
        assert!(is_within(&[BString::default()], b"anything"));
    }
}
