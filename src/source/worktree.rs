//! A worktree: the checked-out commit, overlaid with what is staged, modified, deleted or untracked.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use bstr::{BStr, BString, ByteSlice};
use gix::index::entry::{Flags, Mode};

use super::attributes::{governed, outermost};
use super::git::Head;
use super::judge::Judge;
use super::read::FileReader;
use super::staged::staged_paths;
use super::status::{Suspects, suspects};
use super::tree::{changes, committed, known_tree, small_blob};
use super::{Git, Listing, Now, Scope, disk, is_within};
use crate::chunk::SkipReason;
use crate::error::{Context, Error, Result};
use crate::hash::ScopeHash;
use crate::store::ViewRow;

pub struct WorktreeSource<'a> {
    pub git: &'a Git,
    pub root: PathBuf,
}

impl WorktreeSource<'_> {
    pub(super) fn list(&self, since: Option<&ViewRow>, scope: &Scope, only: &[BString]) -> Result<Listing> {
        let repo = self.git.local();
        let index = repo.index_or_empty().context(|| "cannot read git's index".into())?;
        if index.is_sparse() {
            return Err(Error::failed("git's index is sparse, which cannot be read yet")
                .with_hint("run `git sparse-checkout reapply --no-sparse-index`, then scan again"));
        }
        let head = Head::of(&repo)?;
        let base = since.filter(|view| view.scope == scope.hash).and_then(|view| {
            // Both are trees we can compare; an unborn branch is the empty tree.
            if view.base_tree.is_none() {
                Some(gix::ObjectId::empty_tree(repo.object_hash()))
            } else {
                known_tree(&repo, view)
            }
        });
        // Where the view cannot be compared with what is here, some paths are not enough: it is made anew.
        let only = if since.is_some() && base.is_none() { &[] } else { only };
        let overlay = Overlay::of(&repo, &index, &head, scope, only)?;
        let modes = repo.config_snapshot().boolean("core.fileMode").unwrap_or(true);
        let partial = !only.is_empty();
        let here =
            Here { repo: &repo, index: &index, root: &self.root, scope, overlay: &overlay, partial, modes };
        let attributes = match since {
            _ if !partial => here.uncommitted_attributes(&head),
            // Those elsewhere were not looked at: nothing new is said about the view as a whole.
            since => since.and_then(|view| view.attributes),
        };
        let base = base.filter(|_| since.is_some_and(|view| view.attributes == attributes));
        let mut listing = match (since, base) {
            (Some(view), Some(base)) => here.delta(view, base, &head, only)?,
            (None, _) if !only.is_empty() => here.part(only)?,
            _ => here.everything(&head)?,
        };
        if only.is_empty() {
            // Some paths are compared with the old base still, about which the index says nothing.
            listing.vouched = here.vouched()?;
        }
        listing.attributes = attributes;
        listing.filters = filters(&repo, &index, &overlay, &self.root);
        listing.foreign = here.foreign(only);
        Ok(listing)
    }

    pub(super) fn reader(&self, max_file_size: u64) -> Result<FileReader> {
        FileReader::worktree(self.git.local(), self.root.clone(), max_file_size)
    }
}

/// Everything in which the worktree may differ from the commit.
struct Overlay {
    staged: Vec<BString>,
    suspects: Suspects,
    untracked_attributes: BTreeSet<BString>,
    /// Tracked paths that a sparse checkout leaves out.
    absent: Vec<BString>,
}

impl Overlay {
    fn of(
        repo: &gix::Repository,
        index: &gix::index::State,
        head: &Head,
        scope: &Scope,
        only: &[BString],
    ) -> Result<Overlay> {
        let mut suspects = suspects(repo, index, only, scope.untracked)?;
        // Our own directory ignores itself; this holds even if somebody deletes that file.
        suspects.untracked.retain(|path| !path.starts_with(b".codeagent/"));
        suspects.nested.iter_mut().for_each(|path| {
            if path.last() == Some(&b'/') {
                path.pop();
            }
        });
        let mut staged = staged_paths(repo, head.tree, index)?;
        staged.retain(|path| is_within(only, path));
        let absent = index.entries().iter().filter(|e| e.flags.contains(Flags::SKIP_WORKTREE));
        let absent = absent.map(|e| e.path(index).to_owned()).filter(|path| is_within(only, path)).collect();
        let attributes = suspects.untracked.iter().filter(|path| governed(path.as_bstr()).is_some());
        let untracked_attributes = attributes.cloned().collect();
        Ok(Overlay { staged, suspects, untracked_attributes, absent })
    }

    fn paths(&self) -> impl Iterator<Item = &BString> {
        let tracked = self.suspects.tracked.iter().map(|(path, _)| path);
        let found = [&self.suspects.untracked, &self.suspects.nested, &self.suspects.unreadable];
        let lists = found.into_iter().chain([&self.staged, &self.absent]);
        tracked.chain(lists.flatten())
    }
}

/// One look at the worktree.
struct Here<'a> {
    repo: &'a gix::Repository,
    index: &'a gix::index::State,
    root: &'a std::path::Path,
    scope: &'a Scope,
    overlay: &'a Overlay,
    /// Whether only some paths are looked at.
    partial: bool,
    /// Whether the disk tells which files are executable (`core.fileMode`); otherwise the index does.
    modes: bool,
}

impl Here<'_> {
    /// Only what can differ from `view`: between its tree and the commit's, and in either overlay.
    fn delta(&self, view: &ViewRow, base: super::Oid, head: &Head, only: &[BString]) -> Result<Listing> {
        let mut overlay: BTreeSet<BString> = self.overlay.paths().cloned().collect();
        let mut paths = overlay.clone();
        paths.extend(view.overlay.iter().filter(|path| is_within(only, path)).cloned());
        let head_tree = head.tree.unwrap_or_else(|| gix::ObjectId::empty_tree(self.repo.object_hash()));
        let moved = changes(self.repo, Some(base), Some(head_tree))?;
        let moved: Vec<BString> =
            moved.into_iter().map(|(path, _)| path).filter(|path| is_within(only, path)).collect();
        for dir in outermost(moved.iter()) {
            // Attributes speak about files that did not change themselves.
            let below = self.index.prefixed_entries(dir.as_bstr()).unwrap_or_default();
            paths.extend(below.iter().map(|entry| entry.path(self.index).to_owned()));
        }
        paths.extend(moved);
        if !only.is_empty() {
            // The base stays, so whatever was looked at now must be looked at again from the new base.
            overlay.extend(view.overlay.iter().cloned());
            overlay.extend(paths.iter().cloned());
        }
        let mut listing = self.evaluate(paths)?;
        listing.overlay = overlay.into_iter().collect();
        if only.is_empty() {
            self.name_head(&mut listing, head);
        } else {
            listing.base_tree = view.base_tree.clone();
            listing.commit = view.commit.clone();
            listing.branch = view.branch.clone();
        }
        Ok(listing)
    }

    fn everything(&self, head: &Head) -> Result<Listing> {
        let mut listing = self.part(&[])?;
        self.name_head(&mut listing, head);
        Ok(listing)
    }

    /// The first look at some paths. Without a tree as its base, the next scan looks at every path.
    fn part(&self, only: &[BString]) -> Result<Listing> {
        let overlay: BTreeSet<BString> = self.overlay.paths().cloned().collect();
        let mut paths = overlay.clone();
        let tracked = self.index.entries().iter().map(|entry| entry.path(self.index));
        paths.extend(tracked.filter(|path| is_within(only, path)).map(ToOwned::to_owned));
        let mut listing = self.evaluate(paths)?;
        listing.complete = true;
        listing.overlay = overlay.into_iter().collect();
        Ok(listing)
    }

    fn name_head(&self, listing: &mut Listing, head: &Head) {
        listing.base_tree = head.tree.map(|id| id.to_string());
        listing.commit = head.commit.map(|id| id.to_string());
        listing.branch = head.branch.clone();
    }

    fn evaluate(&self, paths: BTreeSet<BString>) -> Result<Listing> {
        let tracked: BTreeMap<&BString, bool> =
            self.overlay.suspects.tracked.iter().map(|(p, e)| (p, *e)).collect();
        let untracked: BTreeSet<&BString> = self.overlay.suspects.untracked.iter().collect();
        let nested: BTreeSet<&BString> = self.overlay.suspects.nested.iter().collect();
        let mut candidates = Vec::with_capacity(paths.len());
        let mut absent = AbsentDir::default();
        let mut judge = self.judge();
        for path in paths {
            let now = if self.overlay.suspects.unreadable.contains(&path) {
                Now::skipped(SkipReason::Unreadable, b"")
            } else if nested.contains(&path) {
                Now::skipped(SkipReason::NestedRepository, b"")
            } else if untracked.contains(&path) {
                self.look(&path)?
            } else {
                match tracked.get(&path) {
                    Some(true) => self.look(&path)?,
                    Some(false) => Now::Gone,
                    None => self.tracked(&path, &mut absent)?,
                }
            };
            candidates.push(judge.candidate(path, now));
        }
        Ok(Listing { candidates, ..Listing::default() })
    }

    fn look(&self, path: &BString) -> Result<Now> {
        let Ok(relative) = path.to_path() else { return Ok(Now::skipped(SkipReason::Unreadable, b"")) };
        match disk::look(&self.root.join(relative), self.scope.max_file_size)? {
            Now::Disk { stat, .. } if !self.modes => {
                let staged = self.index.entry_by_path(path.as_bstr());
                let executable = staged.is_some_and(|entry| entry.mode == Mode::FILE_EXECUTABLE);
                Ok(Now::Disk { stat, executable })
            }
            now => Ok(now),
        }
    }

    /// A path that git's index vouches for: the worktree holds exactly the staged blob.
    fn tracked(&self, path: &BString, absent: &mut AbsentDir) -> Result<Now> {
        let Some(entry) = self.index.entry_by_path(path.as_bstr()) else { return Ok(Now::Gone) };
        if entry.flags.contains(Flags::SKIP_WORKTREE) {
            // As git does, believe the disk more than the flag: somebody may have put the file back.
            return if absent.holds(self.root, path) { Ok(Now::Gone) } else { self.look(path) };
        }
        match entry.mode.to_tree_entry_mode() {
            Some(mode) => Ok(committed(self.repo, mode, entry.id, true)?.with_size(entry.stat.size.into())),
            None => Ok(Now::Gone),
        }
    }

    fn vouched(&self) -> Result<Vec<(BString, Now)>> {
        let staged: BTreeSet<&BString> = self.overlay.staged.iter().collect();
        let mut vouched = Vec::new();
        let mut judge = self.judge();
        for (path, _) in self.overlay.suspects.tracked.iter().filter(|(path, _)| !staged.contains(path)) {
            let Some(entry) = self.index.entry_by_path(path.as_bstr()) else { continue };
            let Some(mode) = entry.mode.to_tree_entry_mode() else { continue };
            let size = u64::from(entry.stat.size);
            let now = if mode.is_blob() && size > self.scope.max_file_size {
                disk::too_large(size)
            } else {
                committed(self.repo, mode, entry.id, true)?
            };
            vouched.push((path.clone(), judge.candidate(path.clone(), now).now));
        }
        Ok(vouched)
    }

    fn judge(&self) -> Judge<'_> {
        Judge::new(self.scope, Box::new(|path| self.attributes(path)))
    }

    /// The attributes file at `path`, if it belongs to the view: tracked, or untracked and not ignored, which nobody
    /// found out where only some paths are looked at.
    fn attributes(&self, path: &BStr) -> Option<Vec<u8>> {
        let entry = self.index.entry_by_path(path);
        let untracked = || {
            if self.partial { self.scope.untracked } else { self.overlay.untracked_attributes.contains(path) }
        };
        if self.index.entry_range(path).is_none() && !untracked() {
            return None;
        }
        let on_disk = disk::read_small(&self.root.join(path.to_path().ok()?)).ok().flatten();
        on_disk.or_else(|| {
            let absent = entry.filter(|entry| entry.flags.contains(Flags::SKIP_WORKTREE))?;
            small_blob(self.repo, (absent.mode.to_tree_entry_mode()?, absent.id))
        })
    }

    /// What the attribute files say that differ from the commit's.
    fn uncommitted_attributes(&self, head: &Head) -> Option<ScopeHash> {
        let tree = head.tree.and_then(|tree| self.repo.find_tree(tree).ok());
        let committed = |path: &BStr| {
            let entry = tree.as_ref()?.lookup_entry(path.split(|b| *b == b'/')).ok()??;
            small_blob(self.repo, (entry.mode(), entry.object_id()))
        };
        let in_git_form = |text: Vec<u8>| text.replace("\r\n", "\n");
        let mut hasher = ScopeHash::hasher();
        let paths: BTreeSet<&BString> =
            self.overlay.paths().filter(|path| governed(path.as_bstr()).is_some()).collect();
        let mut differs = false;
        for path in paths {
            let here = self.attributes(path.as_bstr()).map(in_git_form);
            if here != committed(path.as_bstr()).map(in_git_form) {
                let text =
                    here.map_or(*blake3::hash(b"").as_bytes(), |text| *ScopeHash::of(&text).as_bytes());
                hasher.update(path).update(b"\0").update(&text);
                differs = true;
            }
        }
        differs.then(|| ScopeHash::finish(&hasher))
    }

    fn foreign(&self, only: &[BString]) -> Vec<(SkipReason, BString)> {
        let submodules = self.index.entries().iter().filter(|e| e.mode == Mode::COMMIT);
        let submodules = submodules.map(|e| (SkipReason::Submodule, e.path(self.index).to_owned()));
        let nested =
            self.overlay.suspects.nested.iter().map(|path| (SkipReason::NestedRepository, path.clone()));
        let unreadable =
            self.overlay.suspects.unreadable.iter().map(|path| (SkipReason::Unreadable, path.clone()));
        submodules.chain(nested).chain(unreadable).filter(|(_, path)| is_within(only, path)).collect()
    }
}

/// A fingerprint of what turns a dirty file into git's form: settings and every `.gitattributes`, tracked ones by
/// their blob, others by their metadata.
fn filters(
    repo: &gix::Repository,
    index: &gix::index::State,
    overlay: &Overlay,
    root: &std::path::Path,
) -> [u8; 32] {
    const NAME: &[u8] = b".gitattributes";
    let mut hasher = blake3::Hasher::new();
    let config = repo.config_snapshot();
    for key in ["core.autocrlf", "core.eol", "core.safecrlf", "core.attributesFile"] {
        hasher.update(config.string(key).as_deref().map_or(b"", |value| value.as_bytes())).update(b"\0");
    }
    let mut files: Vec<PathBuf> = vec![repo.common_dir().join("info/attributes")];
    files.extend(config.trusted_path("core.attributesFile").ok().flatten());
    for entry in index.entries() {
        let path = entry.path(index);
        if path.ends_with(NAME) {
            hasher.update(path).update(b"\0").update(entry.id.as_bytes());
        }
    }
    let suspects = overlay.suspects.tracked.iter().map(|(path, _)| path).chain(&overlay.suspects.untracked);
    let dirty = suspects.filter(|path| path.ends_with(NAME)).filter_map(|path| path.to_path().ok());
    files.extend(dirty.map(|path| root.join(path)));
    for file in files {
        let stat = std::fs::symlink_metadata(file).map(|meta| super::Stat::of(&meta));
        hasher.update(format!("{stat:?}").as_bytes());
    }
    *hasher.finalize().as_bytes()
}

/// The directory that was last found to be missing: a sparse checkout leaves out whole directories, and one
/// look at each is enough as long as paths come in order.
#[derive(Default)]
struct AbsentDir(Option<BString>);

impl AbsentDir {
    fn holds(&mut self, root: &std::path::Path, path: &BString) -> bool {
        if self.0.as_ref().is_some_and(|dir| path.starts_with(dir)) {
            return true;
        }
        let missing = path.find_iter("/").find(|at| {
            // A link in place of the directory may lead anywhere: what is behind it is not ours.
            let is_dir = |dir| std::fs::symlink_metadata(root.join(dir)).is_ok_and(|meta| meta.is_dir());
            path[..*at].to_path().is_ok_and(|dir| !is_dir(dir))
        });
        self.0 = missing.map(|at| path[..=at].into());
        self.0.is_some()
    }
}
