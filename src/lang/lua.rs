//! Lua.

use super::grammar::{Grammar, Rules};

pub static LUA: Grammar =
    Grammar::of(Rules { ..Rules::new(tree_sitter_lua::LANGUAGE, "tree-sitter-lua", "0.5.0") });
