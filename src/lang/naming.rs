//! Names and signatures of declarations, as they are written.

use std::borrow::Cow;

use tree_sitter::Node;

use super::grammar::{Compiled, Name, Named, Role};

const MAX_NAME: usize = 120;
const MAX_SIGNATURE: usize = 300;

/// A declaration's name: what it is qualified by, the name itself, and the bytes between which it stands.
pub struct FullName {
    pub owner: Option<String>,
    pub name: String,
    pub at: usize,
    pub end: usize,
}

pub fn name_of(node: Node<'_>, from: Name, text: &str) -> Option<FullName> {
    let full = |node: Node<'_>, owner| {
        let name = clean_name(node, text);
        (!name.is_empty()).then(|| FullName { owner, name, at: node.start_byte(), end: node.end_byte() })
    };
    match from {
        Name::Each(find) => full(*find(node).first()?, None),
        Name::Field => full(node.child_by_field_name("name")?, None),
        Name::In(field) => full(node.child_by_field_name(field)?, None),
        Name::Child(kind) => full(named_child(node, kind)?, None),
        Name::Prefixed(prefix, field) => {
            let named = full(node.child_by_field_name(field)?, None)?;
            Some(FullName { name: format!("{prefix}{}", named.name), ..named })
        }
        Name::Fixed(name) => {
            let at = node.start_byte();
            Some(FullName { owner: None, name: name.to_owned(), at, end: at })
        }
        Name::Made(make) => {
            let name = collapse(&make(node, text)?, MAX_NAME);
            let at = node.start_byte();
            (!name.is_empty()).then_some(FullName { owner: None, name, at, end: at })
        }
        Name::By(look) => {
            let Named { owner, node } = look(node, text)?;
            full(node, owner)
        }
        Name::PrefixedBy(prefix, look) => {
            let Named { owner, node } = look(node, text)?;
            let named = full(node, owner)?;
            Some(FullName { name: format!("{prefix}{}", named.name), ..named })
        }
    }
}

/// What `Name::Each` finds.
pub fn full_name(node: Node<'_>, text: &str) -> FullName {
    FullName { owner: None, name: clean_name(node, text), at: node.start_byte(), end: node.end_byte() }
}

/// The names in every field `name`.
pub fn all_names(node: Node<'_>) -> Vec<Node<'_>> {
    node.children_by_field_name("name", &mut node.walk()).filter(Node::is_named).collect()
}

/// The first named child of a type.
pub fn named_child<'t>(node: Node<'t>, kind: &str) -> Option<Node<'t>> {
    node.named_children(&mut node.walk()).find(|child| child.kind() == kind)
}

fn clean_name(node: Node<'_>, text: &str) -> String {
    let written = text.get(node.byte_range()).unwrap_or_default();
    let is_quote = |c| matches!(c, '"' | '\'' | '`');
    // `a."b"` is not quoted as a whole, and `name'` is a name of Haskell.
    let unquoted = if written.starts_with(is_quote) { written.trim_matches(is_quote) } else { written };
    match node.kind() {
        // `:name`
        "simple_symbol" => collapse(unquoted.trim_start_matches(':'), MAX_NAME),
        "nested_namespace_specifier" => collapse(&unquoted.replace("::", "."), MAX_NAME),
        _ => collapse(unquoted, MAX_NAME),
    }
}

/// The nodes that a declaration is made of.
pub struct Shape<'t> {
    /// Where its own words begin, with what stands around it, such as `export`.
    pub start: usize,
    pub node: Node<'t>,
    /// What has the body.
    pub holder: Node<'t>,
    /// In a binding, behind its first declarator: where that begins. What is before it belongs to each.
    pub head_end: Option<usize>,
}

/// Where a signature ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    Body,
    /// Behind the value if that is short, else before it.
    ShortValue,
    At(usize),
}

/// The text of a declaration from its first word (attributes and decorators left out).
pub fn signature_of(shape: &Shape<'_>, end: End, grammar: &Compiled, text: &str) -> String {
    let &Shape { start, node, holder, head_end } = shape;
    if let End::At(end) = end {
        return shorten(text.get(start..end).unwrap_or_default());
    }
    let body = grammar.body(holder, text).filter(|body| end == End::Body || !is_short(*body));
    let end = body.map_or(node.end_byte(), |body| {
        keyword_end(body).unwrap_or_else(|| before_comments(holder, body, grammar, text))
    });
    let signature = match head_end {
        Some(head) => {
            let head = text.get(start..head).unwrap_or_default();
            let own = text.get(node.start_byte()..end).unwrap_or_default();
            shorten(&format!("{head} {own}"))
        }
        None => shorten(text.get(start..end).unwrap_or_default()),
    };
    // The short form of a body in Elixir.
    let short = signature.find(", do:").filter(|_| body.is_none());
    let signature = &signature[..short.unwrap_or(signature.len())];
    let trimmed = signature.trim_end_matches("=>").trim_end_matches(['{', ':', ';', '=', '\\', ' ']);
    trimmed.to_owned()
}

fn is_short(value: Node<'_>) -> bool {
    const SHORT: usize = 80;
    value.byte_range().len() <= SHORT && value.start_position().row == value.end_position().row
}

/// The end of the word that some bodies begin with: `type T struct { … }`.
fn keyword_end(body: Node<'_>) -> Option<usize> {
    body.child(0).filter(|first| matches!(first.kind(), "struct" | "interface")).map(|first| first.end_byte())
}

/// The signature of an entry of data: its first line, or its name where that line is all brackets.
pub fn first_line(entry: Node<'_>, name: &str, text: &str) -> String {
    // A file may be one line, and entries stand in each other, so no more is read than can be shown.
    let start = entry.start_byte();
    let end = text.floor_char_boundary(entry.end_byte().min(start + 2 * MAX_SIGNATURE));
    let written = text.get(start..end).unwrap_or_default();
    let line = collapse(written.lines().next().unwrap_or_default(), MAX_SIGNATURE);
    let line = line.trim_end_matches(['{', '[', '(', ':', '=', ',', '|', ' ']);
    let says = line.contains(char::is_alphanumeric);
    if says { line.to_owned() } else { name.to_owned() }
}

/// Where a body begins, or the comments and initialisers right before it. (Asking a node for its previous sibling would search
/// from the root.)
fn before_comments(holder: Node<'_>, body: Node<'_>, grammar: &Compiled, text: &str) -> usize {
    let mut comments = None;
    let mut cursor = holder.walk();
    for child in holder.children(&mut cursor).take_while(|child| child.start_byte() < body.start_byte()) {
        match grammar.role(&child, text) {
            Role::Comment | Role::Trailing => comments = comments.or(Some(child.start_byte())),
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

/// The last row of a node. Some grammars count the line break as part of a comment.
pub fn last_row(node: Node<'_>) -> u32 {
    let end = node.end_position();
    let is_before = end.column == 0 && end.row > node.start_position().row;
    (if is_before { end.row - 1 } else { end.row }) as u32
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

/// Without the comments and directives that reach to the end of their lines, and would hide what follows on one line.
fn uncommented(text: &str) -> Cow<'_, str> {
    const MARKS: [&str; 3] = ["//", "--", "#"];
    if !text.contains('\n') || !MARKS.iter().any(|mark| text.contains(mark)) {
        return Cow::Borrowed(text);
    }
    let is_code = |before: &str| {
        // Not in a string, and not in the middle of something.
        before.ends_with(char::is_whitespace) && before.matches(['"', '\'', '`']).count().is_multiple_of(2)
    };
    let own = |(at, line): (usize, &str)| {
        let marks = MARKS.iter().flat_map(|mark| line.match_indices(mark)).map(|(at, _)| at);
        // A macro begins with `#` itself.
        let ends = marks.filter(|end| is_code(&line[..*end]) || *end == 0 && at > 0);
        line[..ends.min().unwrap_or(line.len())].to_owned()
    };
    Cow::Owned(text.lines().enumerate().map(own).collect::<Vec<_>>().join("\n"))
}

/// A signature on one line; a long one ends between words, and shows that it does.
pub fn shorten(text: &str) -> String {
    // What stands in each other would otherwise be read again and again.
    let text = &text[..text.floor_char_boundary(16 * MAX_SIGNATURE)];
    // A character more, whatever its width, tells that there is more.
    let mut out = collapse(&uncommented(text), MAX_SIGNATURE + 4);
    if out.len() > MAX_SIGNATURE {
        let end = out.floor_char_boundary(MAX_SIGNATURE - '…'.len_utf8());
        out.truncate(out[..end].rfind(' ').map_or(end, |space| space + 1));
        out.push('…');
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

    #[test]
    fn long_signatures_end_between_words() {
        assert_eq!(shorten("f(a,\n  b)"), "f(a, b)");
        let long = shorten(&"é word ".repeat(80));
        assert!(long.len() <= MAX_SIGNATURE && long.ends_with(" word …"), "{long}");
        assert_eq!(shorten(&"é".repeat(400)).len(), MAX_SIGNATURE - 1);
    }
}
