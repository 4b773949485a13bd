//! A git-integrated incremental code index.

pub mod embed;
pub mod error;
pub mod hash;
pub mod terms;

pub use error::{Error, ErrorKind, Result};
