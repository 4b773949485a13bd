//! A git-integrated incremental code index.
//!
//! Git already knows what changed. Everything computed from a file depends only on the file's bytes, so it is
//! stored under the hash of what it was computed from, once, for every branch, worktree and clone. A branch is
//! only a *view*: a pointer to a Merkle root. Modules, in the order data flows through them:
#![deny(unsafe_code)]

pub mod config;
pub mod error;
pub mod hash;
pub mod workspace;

pub mod source;

pub mod merkle;

pub mod lang;

pub mod facts;

pub mod chunk;
pub mod terms;

pub mod embed;

pub mod store;

pub mod index;

pub mod search;

pub mod cli;

pub use error::{Error, ErrorKind, Result};
