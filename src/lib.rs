//! A git-integrated incremental code index.

pub mod chunk;
pub mod error;
pub mod hash;

pub use error::{Error, ErrorKind, Result};
