//! The named nodes of a file's syntax tree with their fields, one a line.

use std::path::Path;

use codeagent::lang;
use tree_sitter::Parser;

use crate::Result;

pub fn print(file: &Path) -> Result<()> {
    let text = std::fs::read_to_string(file)?;
    let language = lang::detect(file.as_os_str().as_encoded_bytes(), text.as_bytes());
    let grammar = language.parser_language().ok_or("the language has no grammar")?;
    let mut parser = Parser::new();
    parser.set_language(&grammar)?;
    let tree = parser.parse(&text, None).ok_or("the file cannot be parsed")?;
    let mut cursor = tree.walk();
    let mut depth = 0;
    loop {
        let node = cursor.node();
        let field = cursor.field_name().map(|name| format!("{name}: ")).unwrap_or_default();
        if node.is_named() || !field.is_empty() {
            let own = text[node.byte_range()].lines().next().unwrap_or_default();
            let line = node.start_position().row + 1;
            println!(
                "{line:>5} {}{field}{}  {}",
                "  ".repeat(depth),
                node.kind(),
                &own[..own.floor_char_boundary(60)]
            );
        }
        if cursor.goto_first_child() {
            depth += 1;
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return Ok(());
            }
            depth -= 1;
        }
    }
}
