//! Opening a repository and naming what is checked out.

use std::path::{Path, PathBuf};

use gix::bstr::ByteSlice;
use gix::sec::trust::{DefaultForLevel, Mapping};
use gix::sec::{Permission, Trust};

use super::Oid;
use crate::error::{Context, Error, Result};
use crate::store::ViewName;

/// A repository, shared between threads.
pub struct Git {
    repo: gix::ThreadSafeRepository,
}

/// A commit somebody named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GitRef {
    pub view: ViewName,
    pub commit: Oid,
    pub tree: Oid,
    /// The branch or tag, as people write it.
    pub label: String,
}

impl Git {
    /// Finds the repository that `dir` belongs to. Git's environment (`GIT_DIR`, `GIT_INDEX_FILE`, …) is not
    /// consulted: hooks inherit it, and it would point the scan at the wrong place.
    pub fn discover(dir: &Path) -> Result<Option<Git>> {
        let trust = Mapping { full: options(Trust::Full), reduced: options(Trust::Reduced) };
        match gix::ThreadSafeRepository::discover_opts(dir, Default::default(), trust) {
            Ok(repo) => Ok(Some(Git { repo })),
            Err(_) if gix::discover::upwards(dir).is_err() => Ok(None),
            Err(error) => {
                Err(error).context(|| format!("cannot open the git repository at {}", dir.display()))
            }
        }
    }

    pub(super) fn local(&self) -> gix::Repository {
        let mut repo = self.repo.to_thread_local();
        repo.object_cache_size_if_unset(1 << 20);
        repo
    }

    /// The worktree's root; `None` in a bare repository.
    pub fn workdir(&self) -> Option<PathBuf> {
        self.repo.work_dir().map(Path::to_path_buf)
    }

    pub fn git_dir(&self) -> PathBuf {
        self.local().git_dir().to_path_buf()
    }

    /// Where the index lives: beside the *main* worktree, so that all linked worktrees share one.
    pub fn store_dir(&self) -> PathBuf {
        let repo = self.local();
        let common = repo.common_dir();
        if repo.worktree().is_some_and(|w| w.is_main()) {
            return repo.workdir().unwrap_or(common).join(".codeagent");
        }
        match repo.main_repo().ok().and_then(|main| main.workdir().map(Path::to_path_buf)) {
            Some(main) => main.join(".codeagent"),
            None => common.join("codeagent"),
        }
    }

    /// The main worktree's root, where `.codeagent.yaml` is looked for after this worktree's own.
    pub fn main_workdir(&self) -> Option<PathBuf> {
        self.local().main_repo().ok().and_then(|main| main.workdir().map(Path::to_path_buf))
    }

    pub fn worktree_view(&self) -> ViewName {
        let repo = self.local();
        let id = repo.worktree().and_then(|w| w.id().ok().flatten().map(|id| id.to_str_lossy().into_owned()));
        match id {
            Some(id) => ViewName::linked_worktree(&id),
            None => ViewName::main_worktree(),
        }
    }

    /// The commit that is checked out, if there is one.
    pub fn head_commit(&self) -> Option<String> {
        Some(self.local().head_id().ok()?.to_string())
    }

    /// A file of a commit, if it is there.
    pub fn file_at(&self, at: &GitRef, path: &str) -> Result<Option<Vec<u8>>> {
        let repo = self.local();
        let what = || format!("cannot read {path} of {}", at.label);
        let tree = repo.find_tree(at.tree).context(what)?;
        let Some(entry) = tree.lookup_entry_by_path(path).context(what)? else { return Ok(None) };
        if !entry.mode().is_blob() {
            return Ok(None);
        }
        Ok(Some(entry.object().context(what)?.data.clone()))
    }

    /// Resolves a revision (`main`, `origin/x`, `v1.0`, `HEAD~3`, a hash) to a view of its own.
    ///
    /// A branch or tag keeps its view when it moves; anything else is named by its commit.
    pub fn resolve(&self, revision: &str) -> Result<GitRef> {
        let repo = self.local();
        let not_found = || {
            Error::usage(format!("there is no branch, tag or commit {revision:?}"))
                .with_hint("`git branch -a` lists branches, `git log` commits")
        };
        let id = repo.rev_parse_single(revision).map_err(|_| not_found())?;
        let commit = id
            .object()
            .and_then(|object| object.peel_to_kind(gix::object::Kind::Commit))
            .map_err(|_| not_found())?
            .into_commit();
        let tree = commit.tree_id().map_err(|_| not_found())?.detach();
        let named = repo.try_find_reference(revision).ok().flatten();
        let (view, label) = match named {
            Some(reference) if reference.name().as_bstr() != "HEAD" => {
                let name = reference.name();
                (
                    ViewName::git_ref(&name.as_bstr().to_str_lossy()),
                    name.shorten().to_str_lossy().into_owned(),
                )
            }
            _ => (ViewName::git_ref(&commit.id.to_string()), commit.id.to_hex_with_len(12).to_string()),
        };
        Ok(GitRef { view, commit: commit.id, tree, label })
    }
}

fn options(trust: Trust) -> gix::open::Options {
    let mut permissions = gix::open::Permissions::default_for_level(trust);
    permissions.env.git_prefix = Permission::Deny;
    permissions.env.objects = Permission::Deny;
    // What a blob id names is its own content, whatever replaces it in this repository.
    gix::open::Options::default_for_level(trust)
        .permissions(permissions)
        .config_overrides(["core.useReplaceRefs=false"])
}

/// The checked-out commit, its tree and the branch, as far as they exist.
pub(super) struct Head {
    pub commit: Option<Oid>,
    pub tree: Option<Oid>,
    pub branch: Option<String>,
}

impl Head {
    pub fn of(repo: &gix::Repository) -> Result<Head> {
        let branch = repo.head_name().ok().flatten().map(|name| name.shorten().to_str_lossy().into_owned());
        let head = repo.head().context(|| "cannot read HEAD".into())?;
        if head.is_unborn() {
            return Ok(Head { commit: None, tree: None, branch });
        }
        let commit = repo.head_commit().context(|| "cannot read the checked-out commit".into())?;
        let tree = commit.tree_id().context(|| "cannot read the checked-out tree".into())?.detach();
        Ok(Head { commit: Some(commit.id), tree: Some(tree), branch })
    }
}
