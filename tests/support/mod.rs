//! Real repositories in temporary directories, made with git itself, and the real program run on them.
//!
//! Nothing of the user's or the machine's configuration is visible to either: `HOME` is a directory of the test,
//! git reads no global or system file, and no `CODEAGENT_*` or `GIT_*` variable is inherited.
#![allow(dead_code, unused_imports)] // each test binary uses its own part of this

mod reports;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, UNIX_EPOCH};
use std::{env, fs};

use serde_json::Value;
use tempfile::TempDir;

pub use reports::{Answer, Changes, Freshness, Hit, Leaf, Scan, leaves};

/// A directory under test: a repository, a worktree of one, or a plain directory. Removed with its last user.
#[derive(Clone)]
pub struct TestRepo {
    sandbox: Arc<TempDir>,
    root: PathBuf,
    env: Vec<(String, String)>,
}

impl TestRepo {
    /// An empty git repository on the branch `main`.
    pub fn new() -> TestRepo {
        TestRepo::init(&[])
    }

    pub fn init(options: &[&str]) -> TestRepo {
        let repo = TestRepo::plain();
        repo.git(&[&["init", "--quiet", "--initial-branch=main"], options].concat());
        repo
    }

    /// A git repository with these files committed.
    pub fn with(files: &[(&str, &str)]) -> TestRepo {
        let repo = TestRepo::new();
        repo.write_all(files);
        repo.commit("initial");
        repo
    }

    /// A directory without git.
    pub fn plain() -> TestRepo {
        let sandbox = TempDir::new().expect("a temporary directory");
        // Compare paths as the program reports them, links resolved.
        let base = sandbox.path().canonicalize().expect("the temporary directory exists");
        fs::create_dir_all(base.join("home/.config")).unwrap();
        fs::create_dir(base.join("repo")).unwrap();
        TestRepo { sandbox: Arc::new(sandbox), root: base.join("repo"), env: Vec::new() }
    }

    /// Another directory of the same sandbox.
    pub fn sibling(&self, name: &str) -> TestRepo {
        TestRepo { root: self.base().join(name), ..self.clone() }
    }

    /// The same directory, with one more variable for the program.
    pub fn with_env(&self, name: &str, value: impl Into<String>) -> TestRepo {
        let mut repo = self.clone();
        repo.env.push((name.into(), value.into()));
        repo
    }

    /// The same directory with an index of its own that lies elsewhere.
    pub fn with_store(&self, name: &str) -> TestRepo {
        self.with_env("CODEAGENT_STORE_DIR", self.base().join(name).to_str().expect("UTF-8"))
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    pub fn home(&self) -> PathBuf {
        self.base().join("home")
    }

    fn base(&self) -> PathBuf {
        self.root.ancestors().find(|p| p.join("home").is_dir()).expect("inside the sandbox").to_path_buf()
    }

    pub fn path(&self, relative: impl AsRef<Path>) -> PathBuf {
        self.root.join(relative)
    }

    pub fn exists(&self, relative: &str) -> bool {
        self.path(relative).symlink_metadata().is_ok()
    }
}

/// Files.
impl TestRepo {
    pub fn write(&self, path: impl AsRef<Path>, content: impl AsRef<[u8]>) {
        let full = self.path(path);
        fs::create_dir_all(full.parent().expect("a file has a parent")).unwrap();
        fs::write(full, content).unwrap();
    }

    pub fn write_all(&self, files: &[(&str, &str)]) {
        files.iter().for_each(|(path, content)| self.write(path, content));
    }

    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap()
    }

    /// Removes a file, a link or a whole directory.
    pub fn remove(&self, path: &str) {
        let full = self.path(path);
        if full.symlink_metadata().unwrap().is_dir() {
            fs::remove_dir_all(full).unwrap();
        } else {
            fs::remove_file(full).unwrap();
        }
    }

    pub fn rename(&self, from: &str, to: &str) {
        fs::create_dir_all(self.path(to).parent().unwrap()).unwrap();
        fs::rename(self.path(from), self.path(to)).unwrap();
    }

    #[cfg(unix)]
    pub fn chmod(&self, path: &str, mode: u32) {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(self.path(path), fs::Permissions::from_mode(mode)).unwrap();
    }

    #[cfg(unix)]
    pub fn symlink(&self, target: &str, path: &str) {
        std::os::unix::fs::symlink(target, self.path(path)).unwrap();
    }

    /// Copies this whole directory, index and all, with new modification times.
    pub fn copy_to(&self, name: &str) -> TestRepo {
        let copy = self.sibling(name);
        copy_dir(&self.root, &copy.root);
        copy
    }

    /// Copies the index directory into another repository, as a CI cache would.
    pub fn copy_index_to(&self, other: &TestRepo) {
        copy_dir(&self.path(".codeagent"), &other.path(".codeagent"));
    }
}

fn copy_dir(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_dir(&entry.path(), &target);
        } else {
            // Not fs::copy, which may share blocks and metadata: these are new files.
            fs::write(&target, fs::read(entry.path()).unwrap()).unwrap();
            fs::set_permissions(&target, entry.metadata().unwrap().permissions()).unwrap();
        }
    }
}

/// Git.
impl TestRepo {
    /// Runs git here, which must succeed; returns its standard output, trimmed.
    pub fn git(&self, args: &[&str]) -> String {
        let output = self.try_git(args);
        assert!(output.status.success(), "git {args:?} failed:\n{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).trim_end().to_owned()
    }

    pub fn try_git(&self, args: &[&str]) -> Output {
        let quick = ["-c", "gc.auto=0", "-c", "maintenance.auto=false", "-c", "core.fsync=none"];
        let mut command = self.isolated("git");
        command.args(quick).args(args);
        command.output().expect("git runs")
    }

    /// Commits everything in the worktree.
    pub fn commit(&self, message: &str) -> String {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "-m", message]);
        self.git(&["rev-parse", "HEAD"])
    }

    /// Makes every tracked file old and lets git take note. Right after a checkout git cannot vouch for files as
    /// young as its own index; from here on it does, and metadata alone decides.
    pub fn age(&self) {
        // Another time each time: git could not tell an edit that keeps size and (faked) second.
        static TURN: AtomicU64 = AtomicU64::new(0);
        let past = UNIX_EPOCH + Duration::from_secs(1_600_000_000 + TURN.fetch_add(1, Ordering::Relaxed));
        for file in self.git(&["ls-files", "-z"]).split_terminator('\0') {
            let is_file = self.path(file).symlink_metadata().is_ok_and(|meta| meta.is_file());
            if is_file {
                let file = fs::File::options().write(true).open(self.path(file)).unwrap();
                file.set_modified(past).unwrap();
            }
        }
        // Fails where files are modified, which is none of our business.
        self.try_git(&["update-index", "--refresh"]);
    }

    pub fn git_clone(&self, name: &str, options: &[&str]) -> TestRepo {
        let clone = self.sibling(name);
        let target = clone.root.to_str().expect("UTF-8");
        self.git(&[&["clone", "--quiet"], options, &[".", target]].concat());
        clone
    }

    /// A linked worktree on a new branch, started at `HEAD`.
    pub fn worktree(&self, name: &str) -> TestRepo {
        let linked = self.sibling(name);
        self.git(&["worktree", "add", "--quiet", "-b", name, linked.root.to_str().expect("UTF-8")]);
        linked
    }
}

/// The program.
impl TestRepo {
    /// Runs the program here and returns what happened, whatever that is.
    pub fn codeagent<S: AsRef<OsStr>>(&self, args: &[S]) -> Output {
        self.command().args(args).output().expect("codeagent runs")
    }

    /// The program, isolated and started here; add arguments and spawn.
    pub fn command(&self) -> Command {
        let mut command = self.isolated(env!("CARGO_BIN_EXE_codeagent"));
        command.envs(self.env.iter().map(|(name, value)| (name, value)));
        command
    }

    /// Runs the program, which must succeed; returns its standard output.
    pub fn run(&self, args: &[&str]) -> String {
        let output = self.codeagent(args);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "codeagent {args:?} failed:\n{errors}");
        String::from_utf8(output.stdout).expect("output is UTF-8")
    }

    /// Runs the program, which must fail; returns its exit code and standard error.
    pub fn fails(&self, args: &[&str]) -> (i32, String) {
        let output = self.codeagent(args);
        assert!(!output.status.success(), "codeagent {args:?} succeeded");
        let code = output.status.code().expect("it ended by itself");
        (code, String::from_utf8_lossy(&output.stderr).into_owned())
    }

    pub fn json(&self, args: &[&str]) -> Value {
        let text = self.run(&[args, &["--json"]].concat());
        serde_json::from_str(&text).unwrap_or_else(|e| panic!("codeagent {args:?}: {e} in:\n{text}"))
    }

    pub fn scan(&self) -> Scan {
        self.scan_with(&[])
    }

    pub fn scan_with(&self, args: &[&str]) -> Scan {
        serde_json::from_value(self.json(&[&["scan"], args].concat())).expect("a scan report")
    }

    pub fn search(&self, query: &str) -> Answer {
        self.search_with(query, &[])
    }

    pub fn search_with(&self, query: &str, args: &[&str]) -> Answer {
        serde_json::from_value(self.json(&[&["search", query], args].concat())).expect("an answer")
    }

    pub fn manifest(&self) -> Value {
        self.json(&["manifest"])
    }

    /// The paths of searchable files in the view, sorted.
    pub fn indexed(&self) -> Vec<String> {
        let all = leaves(&self.manifest());
        all.into_iter().filter(|(_, leaf)| leaf.skipped.is_none()).map(|(path, _)| path).collect()
    }

    /// Scans, and proves the result right: a scan without any history gives the same root.
    #[track_caller]
    pub fn scan_checked(&self) -> Scan {
        let scan = self.scan();
        assert_eq!(scan.root, self.fresh_root(), "an incremental scan differs from a first one: {scan:#?}");
        scan
    }

    /// The root that a scan into a new, empty index gives: what the files say, without any history.
    pub fn fresh_root(&self) -> String {
        let store = TempDir::new_in(self.base()).unwrap();
        let dir = store.path().join("index");
        self.with_env("CODEAGENT_STORE_DIR", dir.to_str().expect("UTF-8")).scan().root
    }

    /// Any program, started here, that sees nothing of the user's or the machine's configuration.
    pub fn isolated(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        for (name, _) in env::vars_os() {
            let shown = name.to_string_lossy();
            if ["CODEAGENT_", "GIT_", "XDG_"].iter().any(|prefix| shown.starts_with(prefix)) {
                command.env_remove(&name);
            }
        }
        let home = self.home();
        command
            .current_dir(&self.root)
            .env("HOME", &home)
            .env("USERPROFILE", &home)
            .env("XDG_CONFIG_HOME", home.join(".config"))
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CEILING_DIRECTORIES", self.base())
            .env("LC_ALL", "C");
        for who in ["AUTHOR", "COMMITTER"] {
            command
                .env(format!("GIT_{who}_NAME"), "Test")
                .env(format!("GIT_{who}_EMAIL"), "test@example.com")
                .env(format!("GIT_{who}_DATE"), "2024-01-01T00:00:00Z");
        }
        command
    }
}
