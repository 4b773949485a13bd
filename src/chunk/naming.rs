//! Names and signatures of declarations, as they are written.

use tree_sitter::Node;

use super::grammar::{Compiled, Name, Role};

const MAX_NAME: usize = 120;
const MAX_SIGNATURE: usize = 300;

pub fn name_of(node: Node<'_>, from: Name, text: &str) -> Option<String> {
    let field = |node: Node<'_>, field| node.child_by_field_name(field).map(|n| clean_name(n, text));
    match from {
        Name::Field => field(node, "name"),
        Name::Prefixed(prefix, name) => Some(format!("{prefix}{}", field(node, name)?)),
        Name::Fixed(name) => Some(name.to_owned()),
        Name::Declarator => {
            let mut inner = node;
            // field_declaration > variable_declaration > variable_declarator
            for _ in 0..2 {
                inner = named_child_where(inner, |child| child.kind().starts_with("variable_declarat"))?;
            }
            field(inner, "name")
        }
    }
}

fn named_child_where<'t>(node: Node<'t>, wanted: impl Fn(&Node<'t>) -> bool) -> Option<Node<'t>> {
    node.named_children(&mut node.walk()).find(|child| wanted(child))
}

fn clean_name(node: Node<'_>, text: &str) -> String {
    let written = text.get(node.byte_range()).unwrap_or_default();
    let unquoted = written.trim_matches(|c| matches!(c, '"' | '\'' | '`'));
    collapse(unquoted, MAX_NAME)
}

/// The text of a declaration from its first word (attributes and decorators left out) to its body.
/// `outer` includes what stands around `inner`, such as `export`.
pub fn signature_of(
    outer: Node<'_>,
    inner: Node<'_>,
    value: Option<Node<'_>>,
    grammar: &Compiled,
    text: &str,
) -> Option<String> {
    let start = first_word(outer, grammar);
    let holder = value.unwrap_or(inner);
    let body = grammar.body_fields.iter().find_map(|field| holder.child_by_field_id(*field));
    let end = body.map_or(inner.end_byte(), |body| before_comments(holder, body, grammar));
    let written = text.get(start..end)?;
    let signature = collapse(written, MAX_SIGNATURE);
    let trimmed = signature.trim_end_matches("=>").trim_end_matches(['{', ':', ';', '=', ' ']);
    (!trimmed.is_empty()).then(|| trimmed.to_owned())
}

/// Where a body begins, or the comments right before it. (Asking a node for its previous sibling would search
/// from the root.)
fn before_comments(holder: Node<'_>, body: Node<'_>, grammar: &Compiled) -> usize {
    let mut comments = None;
    let mut cursor = holder.walk();
    for child in holder.children(&mut cursor).take_while(|child| child.start_byte() < body.start_byte()) {
        match grammar.role(&child) {
            Role::Leading => comments = comments.or(Some(child.start_byte())),
            _ => comments = None,
        }
    }
    comments.unwrap_or_else(|| body.start_byte())
}

fn first_word(node: Node<'_>, grammar: &Compiled) -> usize {
    let mut cursor = node.walk();
    let mut more = cursor.goto_first_child();
    while more {
        let child = cursor.node();
        if child.kind() != "attribute_list" && grammar.role(&child) != Role::Leading {
            return child.start_byte();
        }
        more = cursor.goto_next_sibling();
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
