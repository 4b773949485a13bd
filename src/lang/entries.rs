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
