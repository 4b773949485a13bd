//! A repository, a home directory and an environment that nothing outside of the test can reach.

use std::ffi::OsStr;
use std::fs;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

pub const BINARY: &str = env!("CARGO_BIN_EXE_codeagent");

/// Far above what any command needs, also on a busy machine: whoever takes longer hangs.
const PATIENCE: Duration = Duration::from_secs(120);

pub struct Sandbox {
    /// Holds `repo/` and `home/`.
    pub dir: TempDir,
    pub root: PathBuf,
}

/// How a process ended and what it said.
#[derive(Debug)]
pub struct Run {
    /// `None`: killed by a signal.
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Sandbox {
    /// A directory without git.
    pub fn plain() -> Sandbox {
        let dir = tempfile::Builder::new().prefix("codeagent-test-").tempdir().unwrap();
        // Another user must be able to get in.
        fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let base = dir.path().canonicalize().unwrap();
        fs::create_dir_all(base.join("repo")).unwrap();
        fs::create_dir_all(base.join("home")).unwrap();
        Sandbox { root: base.join("repo"), dir }
    }

    /// An empty repository on branch `main`.
    pub fn git() -> Sandbox {
        let sandbox = Sandbox::plain();
        sandbox.in_git(&["init", "--quiet", "--initial-branch=main"]);
        sandbox
    }

    /// A repository with one commit: three languages in two directories.
    pub fn sample() -> Sandbox {
        let sandbox = Sandbox::git();
        sandbox.write("src/auth.py", AUTH_PY);
        sandbox.write("src/web/cart.ts", CART_TS);
        sandbox.write("README.md", README_MD);
        sandbox.commit("first");
        sandbox
    }

    pub fn path(&self, path: impl AsRef<Path>) -> PathBuf {
        self.root.join(path)
    }

    pub fn write(&self, path: impl AsRef<Path>, content: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    pub fn in_git(&self, args: &[&str]) -> String {
        self.in_git_at(&self.root, args)
    }

    pub fn in_git_at(&self, dir: &Path, args: &[&str]) -> String {
        let mut command = Command::new("git");
        self.isolate(&mut command).current_dir(dir).args(args);
        let output = command.output().expect("git is installed");
        assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    pub fn commit(&self, message: &str) {
        self.in_git(&["add", "--all"]);
        self.in_git(&["commit", "--quiet", "--message", message]);
    }

    /// Nothing of the caller's environment but the search path.
    fn isolate<'c>(&self, command: &'c mut Command) -> &'c mut Command {
        let home = self.root.with_file_name("home");
        command
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("TMPDIR", std::env::temp_dir())
            .env("XDG_CONFIG_HOME", home.join(".config"))
            .env("HOME", home)
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .envs(["GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"].map(|key| (key, "Test")))
            .envs(["GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"].map(|key| (key, "test@example.org")))
            .envs(["GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"].map(|key| (key, "2026-01-10T16:30:00Z")))
            .stdin(Stdio::null())
    }

    /// `codeagent`, to be started in the root.
    pub fn command<S: AsRef<OsStr>>(&self, args: &[S]) -> Command {
        let mut command = Command::new(BINARY);
        self.isolate(&mut command).current_dir(&self.root).args(args);
        command
    }

    pub fn run<S: AsRef<OsStr>>(&self, args: &[S]) -> Run {
        finish(&mut self.command(args))
    }

    /// Runs a command that must succeed.
    pub fn ok<S: AsRef<OsStr>>(&self, args: &[S]) -> Run {
        self.run(args).assert_code(0)
    }

    /// Runs a command that must succeed and print one JSON value.
    pub fn json<S: AsRef<OsStr>>(&self, args: &[S]) -> Value {
        self.ok(args).json()
    }

    /// `scan --json` with more options.
    pub fn scan(&self, more: &[&str]) -> Value {
        self.json(&[&["scan", "--json"], more].concat())
    }

    /// The files that a search finds, best first.
    pub fn found(&self, query: &str) -> Vec<String> {
        let answer = self.json(&["search", query, "--json"]);
        answer["results"].as_array().unwrap().iter().map(|hit| text(&hit["file"])).collect()
    }

    /// The same command as a user without any privilege; `None`, said aloud, where that cannot be had.
    pub fn unprivileged(&self, args: &[&str]) -> Option<Command> {
        const NOBODY: &str = "65534";
        if !is_root() {
            return Some(self.command(args));
        }
        let change = [format!("--reuid={NOBODY}"), format!("--regid={NOBODY}"), "--clear-groups".into()];
        let possible = Command::new("setpriv").args(&change).arg(BINARY).arg("--version").output();
        if !possible.is_ok_and(|output| output.status.success()) {
            eprintln!("SKIPPED: runs as root and cannot become another user with setpriv");
            return None;
        }
        let mut command = Command::new("setpriv");
        self.isolate(&mut command).current_dir(&self.root).args(&change).arg(BINARY).args(args);
        Some(command)
    }
}

pub fn is_root() -> bool {
    let output = Command::new("id").arg("-u").output().expect("id is installed");
    output.stdout.trim_ascii() == b"0"
}

/// A JSON string.
pub fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("not a string: {value}")).to_owned()
}

/// The names in a JSON object, sorted.
pub fn keys(value: &Value) -> Vec<&str> {
    let mut keys: Vec<&str> = value.as_object().expect("an object").keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys
}

/// Runs to the end; a process that does not end is a failure, not a hanging test.
pub fn finish(command: &mut Command) -> Run {
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary starts");
    finish_child(child)
}

pub fn finish_child(mut child: Child) -> Run {
    let stdout = drain(child.stdout.take());
    let stderr = drain(child.stderr.take());
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if start.elapsed() > PATIENCE {
            let _ = child.kill();
            let _ = child.wait();
            panic!("the command hangs; it said: {}", stderr.join().unwrap());
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    Run { code: status.code(), stdout: stdout.join().unwrap(), stderr: stderr.join().unwrap() }
}

fn drain(stream: Option<impl Read + Send + 'static>) -> std::thread::JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut stream) = stream {
            let _ = stream.read_to_end(&mut bytes);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

impl Run {
    /// Ended by itself with this code: no signal, no panic.
    #[track_caller]
    pub fn assert_code(self, code: i32) -> Run {
        assert_eq!(self.code, Some(code), "stdout: {}\nstderr: {}", self.stdout, self.stderr);
        assert!(!self.stderr.contains("panicked"), "{}", self.stderr);
        self
    }

    /// Failed with this code, saying what is wrong and what to do.
    #[track_caller]
    pub fn assert_error(self, code: i32, what: &str, hint: &str) -> Run {
        let run = self.assert_code(code);
        let message = run.stderr.lines().find(|line| line.starts_with("error: ")).unwrap_or_default();
        let advice = run.stderr.lines().find(|line| line.starts_with("hint: ")).unwrap_or_default();
        assert!(message.contains(what), "no {what:?} in the error: {}", run.stderr);
        assert!(!advice.is_empty() && advice.contains(hint), "no {hint:?} in the hint: {}", run.stderr);
        assert_eq!(run.stdout, "", "a failure prints no result");
        run
    }

    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|e| panic!("{e}: {}", self.stdout))
    }
}

pub const AUTH_PY: &str = r#""""Who may come in."""

import hashlib


class TokenValidator:
    """Checks signed session tokens."""

    def __init__(self, secret, clock):
        self.secret = secret
        self.clock = clock

    def validate_token(self, token):
        """Rejects a token that is expired or was signed with another secret."""
        payload, expires, signature = token.split(".")
        if int(expires) < self.clock():
            raise PermissionError("the token has expired")
        if self.sign(payload, expires) != signature:
            raise PermissionError("the signature does not match")
        return payload

    def sign(self, payload, expires):
        return hashlib.sha256(f"{payload}{expires}{self.secret}".encode()).hexdigest()
"#;

pub const CART_TS: &str = r#"export interface LineItem {
  sku: string;
  quantity: number;
  unitPrice: number;
}

/** Adds up the shopping cart, with the discount for large orders. */
export function totalPrice(items: LineItem[], discountFrom: number): number {
  let total = 0;
  for (const item of items) {
    total += item.quantity * item.unitPrice;
  }
  return total >= discountFrom ? total * 0.9 : total;
}
"#;

pub const README_MD: &str = "# Shop\n\nA small shop.\n\n## Installation\n\nUnpack the archive somewhere.\n";
