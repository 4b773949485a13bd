//! Names and signatures of declarations, as they are written.

use tree_sitter::Node;

use super::grammar::{Compiled, Name, Named, Role};

const MAX_NAME: usize = 120;
const MAX_SIGNATURE: usize = 300;

/// A declaration's name: what it is qualified by, the name itself, and the byte at which it stands.
pub struct FullName {
    pub owner: Option<String>,
    pub name: String,
    pub at: usize,
}

/// A name as it is written in a node.
pub fn named(node: Node<'_>, owner: Option<String>, text: &str) -> Option<FullName> {
    let name = clean_name(node, text);
    (!name.is_empty()).then(|| FullName { owner, name, at: node.start_byte() })
}

pub fn name_of(node: Node<'_>, from: Name, text: &str) -> Option<FullName> {
    let full = |node: Node<'_>, owner| named(node, owner, text);
    match from {
        Name::Field => full(node.child_by_field_name("name")?, None),
        Name::In(field) => full(node.child_by_field_name(field)?, None),
        Name::Child(kind) => full(named_child(node, kind)?, None),
        Name::Prefixed(prefix, field) => {
            let named = full(node.child_by_field_name(field)?, None)?;
            Some(FullName { name: format!("{prefix}{}", named.name), ..named })
        }
        Name::Fixed(name) => Some(FullName { owner: None, name: name.to_owned(), at: node.start_byte() }),
        Name::By(look) => {
            let Named { owner, node } = look(node, text)?;
            full(node, owner)
        }
    }
}

/// The first named child of a type.
pub fn named_child<'t>(node: Node<'t>, kind: &str) -> Option<Node<'t>> {
    node.named_children(&mut node.walk()).find(|child| child.kind() == kind)
}

fn clean_name(node: Node<'_>, text: &str) -> String {
    let written = text.get(node.byte_range()).unwrap_or_default();
    // In pairs: `name'` is a name of Haskell.
    let inside = |quote: char| written.strip_prefix(quote)?.strip_suffix(quote);
    let unquoted = ['"', '\'', '`'].into_iter().find_map(inside).unwrap_or(written);
    let unquoted = unquoted.trim_matches('"');
    // A symbol: `:name`.
    let symbol = unquoted.strip_prefix(':').filter(|name| name.starts_with(char::is_alphanumeric));
    collapse(symbol.unwrap_or(unquoted), MAX_NAME)
}

/// The text of a declaration from its first word (attributes and decorators left out) to its body.
/// `outer` includes what stands around `inner`, such as `export`; `holder` is what has the body.
pub fn signature_of(
    outer: Node<'_>,
    inner: Node<'_>,
    holder: Node<'_>,
    grammar: &Compiled,
    text: &str,
) -> String {
    let start = first_word(outer, grammar, text);
    let body = grammar.body(holder, text);
    let end = body.map_or(inner.end_byte(), |body| before_comments(holder, body, grammar, text));
    let written = text.get(start..end).unwrap_or_default();
    let signature = collapse(written, MAX_SIGNATURE);
    // The short form of a body in Elixir.
    let short = signature.find(", do:").filter(|_| body.is_none());
    let signature = &signature[..short.unwrap_or(signature.len())];
    let trimmed = signature.trim_end_matches("=>").trim_end_matches(['{', ':', ';', '=', ' ']);
    trimmed.to_owned()
}

/// The first line of a test, whose body is an argument: `describe("…", function()`.
pub fn first_line(outer: Node<'_>, holder: Node<'_>, grammar: &Compiled, text: &str) -> String {
    let start = first_word(outer, grammar, text);
    let end = grammar.body(holder, text).map_or(outer.end_byte(), |body| body.start_byte());
    let line = text.get(start..end).unwrap_or_default().lines().next().unwrap_or_default();
    collapse(line, MAX_SIGNATURE).trim_end_matches(['{', ' ']).to_owned()
}

/// Where a body begins, or the comments right before it. (Asking a node for its previous sibling would search
/// from the root.)
fn before_comments(holder: Node<'_>, body: Node<'_>, grammar: &Compiled, text: &str) -> usize {
    let mut comments = None;
    let mut cursor = holder.walk();
    for child in holder.children(&mut cursor).take_while(|child| child.start_byte() < body.start_byte()) {
        match grammar.role(&child, text) {
            Role::Comment => comments = comments.or(Some(child.start_byte())),
            _ => comments = None,
        }
    }
    comments.unwrap_or_else(|| body.start_byte())
}

/// Where a declaration's own words begin, behind its attributes.
pub fn first_word(node: Node<'_>, grammar: &Compiled, text: &str) -> usize {
    let mut cursor = node.walk();
    let mut more = cursor.goto_first_child();
    while more {
        let child = cursor.node();
        // Some grammars keep attributes among the modifiers.
        let enters = child.kind() == "modifiers" && cursor.goto_first_child();
        if !enters && !matches!(grammar.role(&child, text), Role::Comment | Role::Annotation) {
            return child.start_byte();
        }
        more = enters || cursor.goto_next_sibling() || cursor.goto_parent() && cursor.goto_next_sibling();
    }
    node.start_byte()
}

/// One space for each run of white space, cut after `max` bytes at a character boundary.
pub fn collapse(text: &str, max: usize) -> String {
    let mut out = String::with_capacity(text.len().min(max));
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
        if out.len() > max {
            out.truncate(out.floor_char_boundary(max));
            break;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn collapsing_keeps_character_boundaries() {
        assert_eq!(collapse("  a \r\n\t b ", 10), "a b");
        assert_eq!(collapse("ééé", 3), "é");
        assert_eq!(collapse(&"x".repeat(500), 300).len(), 300);
    }
}
