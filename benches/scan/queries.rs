//! What the searches ask for: questions that fit any repository, and names of its own files.

use crate::repo::Repo;

const QUESTIONS: [&str; 30] = [
    "where are authentication tokens validated",
    "retry a failed request with exponential backoff",
    "parse a date from a string",
    "open a connection to the database",
    "how are errors logged",
    "read configuration from environment variables",
    "convert an object to JSON",
    "cache invalidation",
    "rate limiting middleware",
    "unit test for the user model",
    "compare two versions",
    "handle a cancelled operation",
    "escape HTML before rendering",
    "compute a hash of a file",
    "register a service in the container",
    "route a request to a handler",
    "permission check for administrators",
    "send an email",
    "serialize and deserialize messages",
    "background job queue",
    "thread pool and locking",
    "stream a large response",
    "command line arguments",
    "migration that adds a column",
    "validate form input",
    "close the socket when the client disconnects",
    "default timeout",
    "sort a list by key",
    "load a template from disk",
    "deprecated API replacement",
];

const NAMES: usize = 20;

/// The same for the same repository.
pub fn for_repository(repo: &Repo) -> Vec<String> {
    let step = (repo.files.len() / NAMES).max(1);
    let stems = repo.files.iter().step_by(step).take(NAMES);
    let names = stems.filter_map(|file| file.path.file_stem()?.to_str().map(str::to_owned));
    QUESTIONS.iter().map(|question| (*question).to_owned()).chain(names).collect()
}
