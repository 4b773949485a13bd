//! What a file is written in, and what its syntax means: one table of languages, and for each grammar one file
//! of rows. `facts` and `chunk` read these rows; nothing else knows a language.
//!
//! To add a language see CONTRIBUTING.md.

pub mod grammar;
pub mod imports;
mod kind;
pub mod naming;
pub mod parse;
mod table;

mod bash;
mod c;
mod cpp;
mod csharp;
mod css;
mod declarator;
mod dockerfile;
mod ecmascript;
mod elixir;
mod entries;
mod go;
mod haskell;
mod hazard;
mod hcl;
mod header;
mod html;
mod java;
mod json;
mod kotlin;
mod lua;
mod memory;
mod php;
mod python;
#[cfg(test)]
mod rows;
mod ruby;
mod rust;
mod scala;
mod sql;
mod swift;
mod toml;
mod xml;
mod yaml;
mod zig;

pub(crate) use kind::stable_names;
pub use kind::{ChunkKind, ParseStatus};
pub use table::{HEAD, Language, detect};
pub(crate) use table::{Shape, all_grammars};
