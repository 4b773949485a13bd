//! A commit straight from git objects: nothing is checked out.

use bstr::BString;
use gix::object::tree::EntryKind;
use gix::objs::tree::EntryMode;

use super::read::FileReader;
use super::{Candidate, Git, GitRef, Listing, Now, Oid, Scope};
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
        for (path, entry) in changed {
            let now = match entry {
                Some((mode, oid)) => committed(&repo, mode, oid, false)?,
                None => Now::Gone,
            };
            if let Now::Skipped { reason: SkipReason::Submodule, .. } = now {
                listing.foreign.push((SkipReason::Submodule, path.clone()));
            }
            listing.candidates.push(Candidate { now: in_scope(scope, &path, now), path });
        }
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

pub(super) fn in_scope(scope: &Scope, path: &BString, now: Now) -> Now {
    match now {
        Now::Gone => Now::Gone,
        now if scope.contains(path) => now,
        _ => Now::skipped(SkipReason::Excluded, b""),
    }
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
