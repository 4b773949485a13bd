//! A commit straight from git objects: nothing is checked out.

use bstr::{BStr, BString, ByteSlice};
use gix::object::tree::EntryKind;
use gix::objs::tree::EntryMode;
use rustc_hash::FxHashMap;

use super::attributes::outermost;
use super::judge::Judge;
use super::read::FileReader;
use super::{Candidate, Git, GitRef, Listing, Now, Oid, Scope, disk};
use crate::chunk::SkipReason;
use crate::error::{Context, Result};
use crate::store::ViewRow;

pub struct TreeSource<'a> {
    pub git: &'a Git,
    pub at: GitRef,
}

impl TreeSource<'_> {
    pub(super) fn list(&self, since: Option<&ViewRow>, scope: &Scope) -> Result<Listing> {
        let repo = self.git.local();
        let base = since.filter(|view| view.scope == scope.hash).and_then(|view| known_tree(&repo, view));
        let mut changed = changes(&repo, base, Some(self.at.tree))?;
        if let (Some(view), Some(_)) = (since, base) {
            // The view may have been seeded from a worktree: what differed there is looked up here.
            let tree = repo.find_tree(self.at.tree).context(|| "cannot read the tree".into())?;
            for path in &view.overlay {
                let entry = tree
                    .lookup_entry(path.split(|b| *b == b'/'))
                    .context(|| "cannot read the tree".into())?;
                changed.push((path.clone(), entry.map(|e| (e.mode(), e.object_id()))));
            }
            // Attributes speak about files that did not change themselves.
            for dir in outermost(changed.iter().map(|(path, _)| path)) {
                changed.extend(below(&repo, self.at.tree, dir)?);
            }
        }
        changed.sort_by(|a, b| a.0.cmp(&b.0));
        changed.dedup_by(|a, b| a.0 == b.0);
        let mut listing = Listing {
            complete: base.is_none(),
            base_tree: Some(self.at.tree.to_string()),
            commit: Some(self.at.commit.to_string()),
            branch: Some(self.at.label.clone()),
            ..Listing::default()
        };
        let mut trees =
            Trees { repo: &repo, known: FxHashMap::from_iter([(BString::default(), self.at.tree)]) };
        let mut judge = Judge::new(
            scope,
            Box::new(|path| {
                let id = if base.is_some() {
                    trees.entry(path)
                } else {
                    let at = changed.binary_search_by(|(known, _)| known.as_bstr().cmp(path));
                    at.ok().and_then(|at| changed[at].1)
                };
                small_blob(&repo, id?)
            }),
        );
        for (path, entry) in &changed {
            let now = match entry {
                Some((mode, oid)) => committed(&repo, *mode, *oid, false)?,
                None => Now::Gone,
            };
            if let Now::Skipped { reason: SkipReason::Submodule, .. } = now {
                listing.foreign.push((SkipReason::Submodule, path.clone()));
            }
            listing.candidates.push(judge.candidate(path.clone(), now));
        }
        drop(judge);
        Ok(listing)
    }

    pub(super) fn measure(&self, unread: &mut [Candidate]) {
        let repo = self.git.local();
        for candidate in unread {
            if let Now::Blob { oid, size, .. } = &mut candidate.now {
                *size = repo.try_find_header(*oid).ok().flatten().map_or(0, |header| header.size());
            }
        }
    }

    pub(super) fn reader(&self, max_file_size: u64) -> Result<FileReader> {
        Ok(FileReader::objects(self.git.local(), max_file_size))
    }
}

/// Looks up paths whose parents were looked up before, reading each directory of a commit once for each of its
/// own entries that is asked for.
struct Trees<'a> {
    repo: &'a gix::Repository,
    /// By directory, which ends in `/` unless it is the root.
    known: FxHashMap<BString, Oid>,
}

impl Trees<'_> {
    /// The file at `path`, none if its directory was never asked for and found.
    fn entry(&mut self, path: &BStr) -> Option<(EntryMode, Oid)> {
        let (dir, name) = split(path);
        let tree = match self.known.get(dir) {
            Some(tree) => *tree,
            None => {
                let (parent, name) = split(dir[..dir.len() - 1].as_bstr());
                let (mode, id) = self.child(*self.known.get(parent)?, name)?;
                self.known.insert(dir.to_owned(), mode.is_tree().then_some(id)?);
                id
            }
        };
        self.child(tree, name)
    }

    fn child(&self, tree: Oid, name: &BStr) -> Option<(EntryMode, Oid)> {
        let tree = self.repo.find_tree(tree).ok()?;
        let entry = tree.find_entry(name.as_bytes())?;
        Some((entry.mode(), entry.object_id()))
    }
}

/// The directory with its `/`, and the name in it.
fn split(path: &BStr) -> (&BStr, &BStr) {
    let (dir, name) = path.split_at(path.rfind_byte(b'/').map_or(0, |slash| slash + 1));
    (dir.as_bstr(), name.as_bstr())
}

/// A file that holds rules, if it is one and can be read.
pub(super) fn small_blob(repo: &gix::Repository, (mode, id): (EntryMode, Oid)) -> Option<Vec<u8>> {
    let is_small = || repo.find_header(id).is_ok_and(|header| header.size() <= disk::SMALL);
    if !mode.is_blob() || !is_small() {
        return None;
    }
    Some(std::mem::take(&mut repo.find_object(id).ok()?.data))
}

/// Everything below a directory (ends in `/`, empty: the root) of a tree.
fn below(repo: &gix::Repository, tree: Oid, dir: BString) -> Result<Vec<TreeChange>> {
    let root = repo.find_tree(tree).context(|| "cannot read the tree".into())?;
    let found = match dir.strip_suffix(b"/") {
        None => Some(tree),
        Some(path) => {
            let entry =
                root.lookup_entry(path.split(|b| *b == b'/')).context(|| "cannot read the tree".into())?;
            entry.filter(|entry| entry.mode().is_tree()).map(|entry| entry.object_id())
        }
    };
    let Some(found) = found else { return Ok(Vec::new()) };
    let mut files = changes(repo, None, Some(found))?;
    files.iter_mut().for_each(|(path, _)| *path = [dir.as_slice(), path].concat().into());
    Ok(files)
}

/// What a committed entry is to us.
pub(super) fn committed(repo: &gix::Repository, mode: EntryMode, oid: Oid, on_disk: bool) -> Result<Now> {
    Ok(match mode.kind() {
        EntryKind::Tree => Now::Gone,
        EntryKind::Blob => Now::Blob { oid, executable: false, on_disk, size: 0 },
        EntryKind::BlobExecutable => Now::Blob { oid, executable: true, on_disk, size: 0 },
        EntryKind::Link => match repo.try_find_object(oid) {
            Ok(Some(target)) => Now::skipped(SkipReason::Symlink, &target.data),
            _ => Now::skipped(SkipReason::Unreadable, oid.as_bytes()),
        },
        EntryKind::Commit => Now::skipped(SkipReason::Submodule, oid.as_bytes()),
    })
}

/// The tree a view was made from, if this repository still has it.
pub(super) fn known_tree(repo: &gix::Repository, view: &ViewRow) -> Option<Oid> {
    let id = gix::ObjectId::from_hex(view.base_tree.as_deref()?.as_bytes()).ok()?;
    (id.kind() == repo.object_hash() && (id.is_empty_tree() || repo.has_object(id))).then_some(id)
}

/// A path and what it is in the new tree.
type TreeChange = (BString, Option<(EntryMode, Oid)>);

/// The paths in which two trees differ; equal subtrees are skipped by their id. No tree is an empty tree.
pub(super) fn changes(repo: &gix::Repository, old: Option<Oid>, new: Option<Oid>) -> Result<Vec<TreeChange>> {
    use gix::object::tree::diff::ChangeDetached as Change;
    if old == new {
        return Ok(Vec::new());
    }
    let find = |id: Option<Oid>| {
        let id = id.unwrap_or_else(|| gix::ObjectId::empty_tree(repo.object_hash()));
        if id.is_empty_tree() {
            Ok(repo.empty_tree())
        } else {
            repo.find_tree(id).context(|| format!("cannot read the git tree {id}"))
        }
    };
    let (old, new) = (find(old)?, find(new)?);
    let options = gix::diff::Options::default().with_rewrites(None);
    let found = repo
        .diff_tree_to_tree(Some(&old), Some(&new), options)
        .context(|| "cannot compare two git trees".into())?;
    let mut changes = Vec::with_capacity(found.len());
    for change in found {
        match change {
            Change::Addition { location, entry_mode, id, .. }
            | Change::Modification { location, entry_mode, id, .. } => {
                if !entry_mode.is_tree() {
                    changes.push((location, Some((entry_mode, id))));
                }
            }
            Change::Deletion { location, entry_mode, .. } => {
                if !entry_mode.is_tree() {
                    changes.push((location, None));
                }
            }
            Change::Rewrite { .. } => {}
        }
    }
    // A file that became a directory is reported as both; the surviving leaf comes first.
    changes.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.is_some().cmp(&a.1.is_some())));
    changes.dedup_by(|later, first| later.0 == first.0);
    Ok(changes)
}
