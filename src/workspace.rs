//! Finds out where we are: the repository or directory, its configuration, its index and its view.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use bstr::{BString, ByteSlice, ByteVec};

use crate::config::{self, Flag, Inputs, Loaded, Origin, PROJECT_FILE};
use crate::embed::{self, Embedder};
use crate::error::{Context, Error, Result};
use crate::index::Scanner;
use crate::source::{self, Directory, Git, GitRef, Scope, Source, TreeSource, WorktreeSource};
use crate::store::{Access, Location, Store, ViewName};

pub struct Workspace {
    /// The worktree's root; the repository itself when it is bare.
    pub root: PathBuf,
    pub git: Option<Git>,
    pub config: Loaded,
    pub location: Location,
}

/// What a command is about: the worktree, or a ref.
pub enum Target {
    Worktree,
    Ref(GitRef),
}

impl Workspace {
    /// `dir` may be any directory inside; `flags` override the configuration.
    pub fn discover(dir: &Path, flags: Vec<Flag>) -> Result<Workspace> {
        let dir = dir.canonicalize().map_err(|e| {
            Error::usage(format!("cannot use the directory {}", dir.display()))
                .with_source(e)
                .with_hint("check the -C option")
        })?;
        let git = Git::discover(&dir)?;
        let root = match &git {
            Some(git) => git.workdir().unwrap_or_else(|| git.git_dir()),
            None => plain_root(&dir),
        };
        let root = root.canonicalize().context(|| format!("cannot use {}", root.display()))?;
        let main = git.as_ref().and_then(Git::main_workdir).unwrap_or_else(|| root.clone());
        // A linked worktree may carry a file of its own; otherwise the main worktree's applies.
        let config_root = if root.join(PROJECT_FILE).exists() { root.clone() } else { main.clone() };
        let config = config::load(&Inputs::from_process(Some(config_root), flags))?;
        let location = location(&config, git.as_ref(), &main)?;
        Ok(Workspace { root, git, config, location })
    }

    pub fn worktree_view(&self) -> ViewName {
        self.git.as_ref().map_or_else(ViewName::main_worktree, Git::worktree_view)
    }

    /// Whether there is a worktree to scan at all.
    pub fn is_bare(&self) -> bool {
        self.git.as_ref().is_some_and(|git| git.workdir().is_none())
    }

    pub fn target(&self, revision: Option<&str>) -> Result<Target> {
        match (revision, &self.git) {
            (None, _) if self.is_bare() => Err(Error::usage("this repository is bare: it has no worktree")
                .with_hint("name a branch or commit with --ref, for example --ref HEAD")),
            (None, _) => Ok(Target::Worktree),
            (Some(revision), Some(git)) => Ok(Target::Ref(git.resolve(revision)?)),
            (Some(_), None) => Err(Error::usage("--ref needs a git repository")
                .with_hint(format!("{} is not inside one", self.root.display()))),
        }
    }

    pub fn view(&self, target: &Target) -> ViewName {
        match target {
            Target::Worktree => self.worktree_view(),
            Target::Ref(at) => at.view.clone(),
        }
    }

    pub fn open_store(&self, access: Access) -> Result<Option<Store>> {
        Store::open(&self.location, access, self.config.config.store.max_size)
    }

    /// The configured embedder; `None` when embedding is off.
    pub fn embedder(&self) -> Result<Option<Arc<dyn Embedder>>> {
        let embedding = &self.config.config.embedding;
        if embedding.enabled { embed::open(&embedding.model).map(Some) } else { Ok(None) }
    }

    pub fn scanner<'a>(
        &'a self,
        store: &'a Store,
        target: Target,
        embedder: Option<Arc<dyn Embedder>>,
    ) -> Result<Scanner<'a>> {
        let view = self.view(&target);
        let config = &self.config.config;
        let scope = Scope::new(&config.index, self.ignore_text(&target)?.as_deref(), self.git.is_some())?;
        let source = match (target, &self.git) {
            (Target::Ref(at), Some(git)) => Source::Tree(TreeSource { git, at }),
            (_, Some(git)) => Source::Worktree(WorktreeSource { git, root: self.root.clone() }),
            (_, None) => Source::Directory(Directory { root: &self.root }),
        };
        Ok(Scanner { store, source, view, scope, config, embedder })
    }

    fn ignore_text(&self, target: &Target) -> Result<Option<Vec<u8>>> {
        let name = crate::source::IGNORE_FILE;
        if let (Target::Ref(at), Some(git)) = (target, &self.git) {
            return git.file_at(at, name);
        }
        source::read_small(&self.root.join(name)).context(|| format!("cannot read {name}"))
    }

    /// The bytes of one file of the worktree or of a commit.
    pub fn read_file(&self, target: &Target, path: &BString) -> Result<Vec<u8>> {
        let shown = path.to_str_lossy();
        if let (Target::Ref(at), Some(git)) = (target, &self.git) {
            return git.file_at(at, &shown)?.ok_or_else(|| {
                Error::usage(format!("{} has no file {shown}", at.label))
                    .with_hint("paths are relative to the current directory (or to -C DIR)")
            });
        }
        source::read_within(&self.root, path, self.config.config.index.max_file_size)
            .map_err(|e| Error::usage(format!("cannot read {shown}")).with_source(e))
            .map_err(|e| e.with_hint("give a file of the repository, relative to the current directory"))
    }

    /// A path a user gave, relative to `from`, as the index knows it. Refuses what lies outside the root.
    pub fn relative(&self, from: &Path, given: &Path) -> Result<BString> {
        let full = normalize(&from.canonicalize().unwrap_or_else(|_| from.to_path_buf()).join(given));
        // A directory on the way may itself be a link into the root; the file need not exist any more.
        let full = match (full.parent().and_then(|p| p.canonicalize().ok()), full.file_name()) {
            (Some(parent), Some(name)) if !full.starts_with(&self.root) => parent.join(name),
            _ => full,
        };
        let relative = full.strip_prefix(&self.root).map_err(|_| {
            Error::usage(format!("{} is outside of {}", given.display(), self.root.display()))
                .with_hint("paths are relative to the current directory (or to -C DIR)")
        })?;
        let bytes = Vec::from_path_buf(relative.to_path_buf()).unwrap_or_default();
        #[cfg(windows)]
        let bytes = bytes.into_iter().map(|b| if b == b'\\' { b'/' } else { b }).collect::<Vec<_>>();
        Ok(bytes.into())
    }
}

/// Without git, the nearest directory that was indexed or configured is the root, else the directory itself.
fn plain_root(dir: &Path) -> PathBuf {
    let marked = |dir: &&Path| dir.join(".codeagent/index").is_dir() || dir.join(PROJECT_FILE).is_file();
    dir.ancestors().find(marked).unwrap_or(dir).to_path_buf()
}

/// Resolves `.` and `..` by name, as a shell shows paths.
fn normalize(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                out.pop();
            }
            Component::CurDir => {}
            part => out.push(part),
        }
    }
    out
}

fn location(config: &Loaded, git: Option<&Git>, main: &Path) -> Result<Location> {
    let setting = config.origins.iter().find(|s| s.section == "store" && s.key == "dir");
    let dir = Path::new(&config.config.store.dir);
    let (root, chosen, by) = match setting.map(|s| &s.origin) {
        None | Some(Origin::Default) => {
            let chosen = git.map_or_else(|| main.join(dir), Git::store_dir);
            // Beside the main worktree, or in the repository itself if that is bare and has none.
            let root = chosen.parent().unwrap_or(main).to_path_buf();
            (root, chosen, "the index directory".to_owned())
        }
        Some(Origin::File { path, .. }) if path.ends_with(PROJECT_FILE) => {
            (main.to_path_buf(), main.join(dir), format!("{}: store.dir", path.display()))
        }
        // The user may put it anywhere; one place for all repositories has room for each.
        Some(Origin::File { .. }) if dir.is_absolute() => return Ok(Location::new(dir.join(own_name(main)))),
        Some(_) => return Ok(Location::new(main.join(dir))),
    };
    // What a repository holds (its own file, a link) must not make us write or clean outside of it.
    let named_inside = !dir.is_absolute() && dir.components().all(|c| c != Component::ParentDir);
    if !named_inside || leads_outside(&root, &chosen) {
        return Err(Error::usage(format!("{by} must lie inside the repository, {} does not", chosen.display()))
            .with_hint("use a relative path without links there, or set another place in your user configuration or in CODEAGENT_STORE_DIR"));
    }
    Ok(Location::new(chosen))
}

/// A directory name for the repository at `root`, told from others of the same name by its place.
fn own_name(root: &Path) -> String {
    let name = root.file_name().unwrap_or_default().to_string_lossy();
    let place = blake3::hash(root.as_os_str().as_encoded_bytes()).to_hex();
    format!("{name}-{}", &place[..12])
}

/// Whether a link on the way takes `path`, which need not exist yet, out of `root`.
fn leads_outside(root: &Path, path: &Path) -> bool {
    let exists = path.ancestors().find(|ancestor| ancestor.symlink_metadata().is_ok());
    match (root.canonicalize(), exists.map(Path::canonicalize)) {
        (Ok(root), Some(Ok(real))) => !real.starts_with(root),
        // A link to nowhere, or nothing to judge by.
        (_, real) => real.is_some(),
    }
}
