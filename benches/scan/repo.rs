//! The repository that is measured: a private copy, so that nothing happens to the user's own.

use std::path::{Path, PathBuf};
use std::process::Command;

use codeagent::lang::{self, Language};
use serde_json::Value;

use crate::child::{self, Result, Usage};

pub struct Repo {
    pub root: PathBuf,
    /// Tracked regular files, as git lists them.
    pub files: Vec<Tracked>,
}

pub struct Tracked {
    pub path: PathBuf,
    pub bytes: u64,
    pub language: Language,
}

/// A git command in `dir` that the user's hooks, signing and file watchers have no part in.
pub fn git(dir: &Path) -> Command {
    let mut command = Command::new("git");
    command.current_dir(dir).env("GIT_LFS_SKIP_SMUDGE", "1");
    command.args(["-c", "core.hooksPath=/dev/null", "-c", "commit.gpgSign=false", "-c", "gc.auto=0"]);
    command.args(["-c", "user.name=bench", "-c", "user.email=bench@example.com"]);
    command
}

impl Repo {
    pub fn clone(from: &Path, to: PathBuf) -> Result<Repo> {
        let here = std::env::current_dir()?;
        let mut clone = git(&here);
        child::run(clone.args(["clone", "--quiet", "--local", "--no-hardlinks", "--"]).arg(from).arg(&to))?;
        Repo::open(to)
    }

    pub fn open(root: PathBuf) -> Result<Repo> {
        for setting in ["core.fsmonitor", "core.untrackedCache"] {
            child::run(git(&root).args(["config", setting, "false"]))?;
        }
        let (listed, _) = child::run(git(&root).args(["ls-files", "-z"]))?;
        let mut files = Vec::new();
        for path in listed.split(|byte| *byte == 0).filter_map(to_path) {
            let Ok(metadata) = root.join(&path).symlink_metadata() else { continue };
            if metadata.is_file() {
                let language = lang::detect(path.as_os_str().as_encoded_bytes(), b"");
                files.push(Tracked { path, bytes: metadata.len(), language });
            }
        }
        Ok(Repo { root, files })
    }

    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.bytes).sum()
    }

    pub fn git_status(&self) -> Result<Usage> {
        // Plain: without the options above, as a user types it.
        Ok(child::run(Command::new("git").current_dir(&self.root).arg("status"))?.1)
    }

    /// The measured program, as built, without settings from the environment.
    pub fn codeagent(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_codeagent"));
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("CODEAGENT_") {
                command.env_remove(name);
            }
        }
        command.current_dir(&self.root).args(args);
        command
    }

    pub fn scan(&self) -> Result<(Value, Usage)> {
        let (output, usage) = child::run(&mut self.codeagent(&["scan", "--json"]))?;
        Ok((serde_json::from_slice(&output)?, usage))
    }

    pub fn forget_index(&self) -> Result<()> {
        match std::fs::remove_dir_all(self.root.join(".codeagent")) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error.into()),
            _ => Ok(()),
        }
    }

    pub fn checkout(&self, branch: &str) -> Result<()> {
        child::run(git(&self.root).args(["checkout", "--quiet", "--force", branch])).map(drop)
    }

    /// Two branches that differ in one file of a hundred: `bench-a` is the present commit.
    pub fn make_branches(&self) -> Result<()> {
        child::run(git(&self.root).args(["branch", "--force", "bench-a"]))?;
        child::run(git(&self.root).args(["checkout", "--quiet", "-B", "bench-b"]))?;
        for file in self.files.iter().filter(|file| file.language.has_grammar()).step_by(100) {
            append(&self.root.join(&file.path), file.language, "only on the other branch")?;
        }
        child::run(git(&self.root).args([
            "commit",
            "--quiet",
            "--all",
            "--no-verify",
            "-m",
            "Other branch",
        ]))?;
        self.checkout("bench-a")
    }

    /// The source file of median size: what a typical edit touches.
    pub fn typical_file(&self) -> Option<&Tracked> {
        let mut parsed: Vec<&Tracked> =
            self.files.iter().filter(|file| file.language.has_grammar()).collect();
        parsed.sort_by_key(|file| (file.bytes, &file.path));
        parsed.get(parsed.len() / 2).copied().or(self.files.first())
    }

    /// Gives every file the present time, as a restored cache or a copied directory does.
    pub fn touch_all(&self) -> Result<()> {
        let now = std::time::SystemTime::now();
        for file in &self.files {
            std::fs::File::options().write(true).open(self.root.join(&file.path))?.set_modified(now)?;
        }
        Ok(())
    }
}

/// Adds a comment that no version of the file had before.
pub fn append(path: &Path, language: Language, remark: &str) -> Result<()> {
    let mut text = std::fs::read(path)?;
    let mark = if language.name() == "python" { "#" } else { "//" };
    text.extend_from_slice(format!("\n{mark} {remark}\n").as_bytes());
    Ok(std::fs::write(path, text)?)
}

/// A path as git prints it; `None` for an empty one.
#[cfg(unix)]
pub fn to_path(bytes: &[u8]) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStrExt;
    (!bytes.is_empty()).then(|| PathBuf::from(std::ffi::OsStr::from_bytes(bytes)))
}

#[cfg(not(unix))]
pub fn to_path(bytes: &[u8]) -> Option<PathBuf> {
    std::str::from_utf8(bytes).ok().filter(|path| !path.is_empty()).map(PathBuf::from)
}
