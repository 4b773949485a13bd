//! Runs that may fail: how they ended, what they said, as whom they ran.

use std::ffi::OsStr;
use std::fs;
use std::io::Read;
use std::ops::Deref;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::TestRepo;

const BINARY: &str = env!("CARGO_BIN_EXE_codeagent");

/// Far above what any command needs, also on a busy machine: whoever takes longer hangs.
const PATIENCE: Duration = Duration::from_secs(120);

/// A [`TestRepo`] on which the program may also fail, hang or die.
pub struct Sandbox {
    repo: TestRepo,
}

impl Deref for Sandbox {
    type Target = TestRepo;

    fn deref(&self) -> &TestRepo {
        &self.repo
    }
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
        Sandbox::around(TestRepo::plain())
    }

    /// An empty repository on branch `main`.
    pub fn git() -> Sandbox {
        Sandbox::around(TestRepo::new())
    }

    fn around(repo: TestRepo) -> Sandbox {
        let sandbox = Sandbox { repo };
        // Another user must be able to get in.
        fs::set_permissions(sandbox.outside(), fs::Permissions::from_mode(0o755)).unwrap();
        sandbox
    }

    /// The directory around the repository, removed with it.
    pub fn outside(&self) -> &Path {
        self.root().parent().expect("inside the sandbox")
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

    /// Nothing of the terminal we may run in, and nothing to read.
    fn without_terminal(command: &mut Command) -> &mut Command {
        for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLORTERM", "TERM", "COLUMNS", "LINES"] {
            command.env_remove(name);
        }
        command.stdin(Stdio::null())
    }

    /// `codeagent`, to be started in the root.
    pub fn command<S: AsRef<OsStr>>(&self, args: &[S]) -> Command {
        let mut command = self.repo.command();
        Sandbox::without_terminal(&mut command).args(args);
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
        let mut command = self.repo.isolated("setpriv");
        Sandbox::without_terminal(&mut command).args(&change).arg(BINARY).args(args);
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
