//! One error type for the library: *what* failed, *why* (the source chain) and *what to do now* (the hint).
//!
//! The kind decides the exit code and nothing else; callers that need to branch on a condition get a typed
//! value instead of an error.

use std::error::Error as StdError;
use std::fmt;

pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why an operation failed, as far as a script may want to tell failures apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// Anything without a code of its own: I/O, git, a full disk.
    Failed,
    /// The command line or the configuration is wrong; nothing was tried.
    Usage,
    /// The question needs an index (or a view) that does not exist yet.
    NotIndexed,
    /// The stored index is damaged or was written by an incompatible version.
    BadIndex,
}

impl ErrorKind {
    pub fn exit_code(self) -> u8 {
        match self {
            ErrorKind::Failed => 1,
            ErrorKind::Usage => 2,
            ErrorKind::NotIndexed => 3,
            ErrorKind::BadIndex => 4,
        }
    }
}

#[derive(Debug)]
pub struct Error {
    kind: ErrorKind,
    what: String,
    hint: Option<String>,
    source: Option<Box<dyn StdError + Send + Sync>>,
}

impl Error {
    pub fn new(kind: ErrorKind, what: impl Into<String>) -> Self {
        Error { kind, what: what.into(), hint: None, source: None }
    }

    pub fn failed(what: impl Into<String>) -> Self {
        Error::new(ErrorKind::Failed, what)
    }

    pub fn usage(what: impl Into<String>) -> Self {
        Error::new(ErrorKind::Usage, what)
    }

    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    #[must_use]
    pub fn with_source(mut self, source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        self.source = Some(source.into());
        self
    }

    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The next step for the person who reads the error.
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }
}

impl fmt::Display for Error {
    /// `what: cause: cause of the cause`, leaving out causes that the text before already ends with.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = self.what.clone();
        let mut cause = self.source.as_deref().map(|e| e as &dyn StdError);
        while let Some(error) = cause {
            let reason = error.to_string();
            if !text.ends_with(&reason) {
                text.push_str(": ");
                text.push_str(&reason);
            }
            cause = error.source();
        }
        f.write_str(&text)
    }
}

impl StdError for Error {}

/// Turns any error into ours, saying what was being done.
pub trait Context<T> {
    fn context(self, what: impl FnOnce() -> String) -> Result<T>;
}

impl<T, E: Into<Box<dyn StdError + Send + Sync>>> Context<T> for std::result::Result<T, E> {
    fn context(self, what: impl FnOnce() -> String) -> Result<T> {
        self.map_err(|e| Error::failed(what()).with_source(e))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn display_joins_the_chain_once() {
        let io = std::io::Error::other("disk on fire");
        let error = Error::failed("cannot read a.rs").with_source(io).with_hint("use water");
        assert_eq!(error.to_string(), "cannot read a.rs: disk on fire");
        assert_eq!(error.hint(), Some("use water"));
        assert_eq!(error.kind().exit_code(), 1);
    }
}
