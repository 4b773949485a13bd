//! What the grammars of data share: how the records of a list are called, which value is the whole file.

use tree_sitter::Node;

use super::imports::text_of;

/// The entries that name a record, best first.
const NAMES: [&str; 3] = ["name", "id", "key"];

/// Only the entries that a record begins with are looked at: lists are long, and records stand in records.
const LOOKED_AT: usize = 8;

/// The value that a record is called after. `entries` are pairs of a key and what may be its name.
pub fn record_name<'t>(
    entries: impl Iterator<Item = (Node<'t>, Option<Node<'t>>)>,
    text: &str,
) -> Option<Node<'t>> {
    let mut best: Option<(usize, Node<'t>)> = None;
    for (key, value) in entries.take(LOOKED_AT) {
        let written = unquoted(Some(key), text);
        let rank = NAMES.iter().position(|name| *name == written);
        if let (Some(rank), Some(value)) = (rank, value)
            && best.is_none_or(|(known, _)| rank < known)
        {
            best = Some((rank, value));
        }
    }
    best.map(|(_, node)| node)
}

/// The text of a scalar without its quotes.
pub fn unquoted<'t>(node: Option<Node<'_>>, text: &'t str) -> &'t str {
    text_of(node, text).trim_matches(['"', '\''])
}

/// Nothing but space is behind the node. So few nodes end with their text that more may be asked of them, such
/// as their parent, which is searched for from the root.
pub fn ends_text(node: Node<'_>, text: &str) -> bool {
    text.get(node.end_byte()..).is_some_and(|rest| rest.trim_start().is_empty())
}

/// Hides templates, `{{ … }}` and `{% … %}`: one that has its lines to itself becomes a comment, any other a word.
/// Nothing if there is none.
pub fn mask_templates(text: &str) -> Option<String> {
    let mut bytes = text.as_bytes().to_vec();
    let mut at = 0;
    let mut found = false;
    while let Some((start, end)) = next_template(text, at) {
        // Only what is between two templates is looked at, so that a long line of them costs what it is long.
        let before = &text[at..start];
        let opens_line = at == 0 || before.contains('\n');
        let behind = text[end..].chars().find(|c| *c == '\n' || !c.is_whitespace());
        let alone = opens_line
            && before.rsplit('\n').next().is_some_and(|indent| indent.trim().is_empty())
            && behind.is_none_or(|c| c == '\n');
        for byte in bytes[start..end].iter_mut().filter(|byte| !matches!(byte, b'\n' | b'\r')) {
            *byte = if alone { b'#' } else { b'x' };
        }
        (at, found) = (end, true);
    }
    String::from_utf8(bytes).ok().filter(|_| found)
}

/// The bytes of the first template behind `from`.
fn next_template(text: &str, from: usize) -> Option<(usize, usize)> {
    let mut from = from;
    loop {
        let start = from + text.get(from..)?.find('{')?;
        let close = match text.as_bytes().get(start + 1) {
            Some(b'{') => "}}",
            Some(b'%') => "%}",
            _ => {
                from = start + 1;
                continue;
            }
        };
        let end = start + text[start..].find(close)? + close.len();
        return Some((start, end));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_hidden_where_they_stand() {
        let text = "a: {{ .é }}\n  {{- if b }}\nc: x-{% d %}-y\n{{ e\n}}\n{f: 1}\n";
        let masked = mask_templates(text).unwrap();
        assert_eq!(masked, "a: xxxxxxxxx\n  ###########\nc: x-xxxxxxx-y\n####\n##\n{f: 1}\n");
        assert_eq!(masked.len(), text.len());
        assert_eq!(mask_templates("{a: {b: {{"), None);
    }
}
