//! The name of everything that decides how a text is cut: equal recipes give equal chunks.

use std::fmt::Write;

use super::Limits;
use crate::lang::all_grammars;

/// The version of the rules in this module. Every change that can move a chunk's border, or change a chunk's
/// kind, name, signature or parent, takes a new number; what it changed stays written here.
///
/// 1. C#, TypeScript, TSX and Python by syntax, Markdown by headings, all else by lines.
/// 2. Twenty more languages and nine data formats by syntax, reStructuredText, AsciiDoc and Org by
///    headings; facts beside the chunks; a chunk's key holds what it stands in.
pub const VERSION: u32 = 2;

pub fn recipe(limits: &Limits) -> String {
    let Limits { min_tokens, max_tokens, fixed_interval_above } = limits;
    let mut text =
        format!("chunk {VERSION}; tokens {min_tokens}..{max_tokens}; fixed above {fixed_interval_above}");
    let mut last = "";
    for grammar in
        all_grammars().map(|g| &g.rules).filter(|g| std::mem::replace(&mut last, g.package) != g.package)
    {
        // Writing to a string cannot fail.
        let _ = write!(text, "; {} {}", grammar.package, grammar.version);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_recipe_names_version_limits_and_grammars() {
        let text = recipe(&Limits::default());
        assert!(text.starts_with("chunk 2; tokens "));
        assert_eq!(text.matches("tree-sitter-typescript").count(), 1);
        assert_ne!(text, recipe(&Limits { max_tokens: 99, ..Limits::default() }));
    }
}
