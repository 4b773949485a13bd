//! What a file is written in, and what its syntax means: one table of languages, and for each grammar one file
//! of rows. `facts` and `chunk` read these rows; nothing else knows a language.
//!
//! To add a language see CONTRIBUTING.md.

mod csharp;
mod ecmascript;
pub mod grammar;
pub mod imports;
mod kind;
pub mod naming;
pub mod parse;
mod python;
mod table;

pub(crate) use kind::stable_names;
pub use kind::{ChunkKind, ParseStatus};
pub use table::{Language, detect};
pub(crate) use table::{Shape, all_grammars};
