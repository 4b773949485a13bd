//! References: a name with what it is called on, as it is written.

use tree_sitter::Node;

use super::walk::Walk;
use super::{Reference, ReferenceKind};
use crate::lang::imports::text_of;

impl Walk<'_, '_> {
    /// Notes the name at the end of a node, with what is before it from `start`.
    pub(super) fn refer(&mut self, kind: ReferenceKind, start: usize, node: Node<'_>) {
        // Of a long chain of calls only the last part is read, so that chains cost what they are long.
        const LONGEST: usize = 200;
        let end = node.end_byte();
        let start = start.max(end.saturating_sub(LONGEST));
        let start = (start..=end).find(|at| self.text.is_char_boundary(*at)).unwrap_or(end);
        let Some(path) = self.text.get(start..end) else { return };
        let Some((receiver, name)) = split_path(path) else { return };
        if receiver.is_none() && self.is_common(kind, name) {
            return;
        }
        let byte = start + name.as_ptr().addr() - path.as_ptr().addr();
        // A mark is part of the name where it is part of the word: `empty?`, but not `value!`.
        let ends_word = node.child_count() == 0 && path.ends_with(['!', '?']);
        let name = if ends_word { &path[byte - start..] } else { name };
        // A definition does not refer to itself: `function Owner.name()`.
        if byte == self.name_at {
            return;
        }
        let below = path[byte - start..].bytes().filter(|b| *b == b'\n').count();
        let line = (node.end_position().row - below) as u32 + 1;
        let receiver = receiver.map(|receiver| crate::lang::naming::collapse(receiver, LONGEST));
        self.facts.references.push(Reference {
            kind,
            name: name.to_owned(),
            receiver,
            line,
            byte: byte as u32,
        });
    }

    /// Nobody looks for it: it is everywhere, or by its looks a type parameter.
    fn is_common(&self, kind: ReferenceKind, name: &str) -> bool {
        let is_parameter = kind == ReferenceKind::Type && matches!(name.as_bytes(), [b'A'..=b'Z']);
        is_parameter || self.grammar.rules.common.contains(&name)
    }

    /// What is called in a list of tokens: `path::name(…)`, `value.name(…)`.
    pub(super) fn tokens(&mut self, list: Node<'_>) {
        // Where the path begins that the token before belongs to, and that token if it is a name.
        let mut path = None;
        let mut before: Option<Node<'_>> = None;
        for token in list.children(&mut list.walk()) {
            let written = text_of(Some(token), self.text);
            if token.kind_id() == list.kind_id() {
                if let (Some(start), Some(name)) = (path, before.take())
                    && written.starts_with('(')
                {
                    self.refer(ReferenceKind::Call, start, name);
                }
            } else if token.is_named() && written.starts_with(|c: char| c.is_alphabetic() || c == '_') {
                path = path.filter(|_| before.is_none()).or(Some(token.start_byte()));
                before = Some(token);
            } else {
                path = path.filter(|_| matches!(written, "." | "::" | "?" | "await"));
                before = None;
            }
        }
    }

    /// Notes a word that is called.
    pub(super) fn command(&mut self, callee: Node<'_>) {
        let name = text_of(Some(callee), self.text);
        self.facts.references.push(Reference {
            kind: ReferenceKind::Call,
            name: name.to_owned(),
            receiver: None,
            line: callee.start_position().row as u32 + 1,
            byte: callee.start_byte() as u32,
        });
    }
}

/// Splits `a.b::c<T>` into what is before the last name, if anything, and the last name.
fn split_path(path: &str) -> Option<(Option<&str>, &str)> {
    let path = without_arguments(path.trim_end_matches(['!', '?']))?;
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '@' | '#');
    let end = path.trim_end_matches(['!', '?']);
    let start =
        end.rfind(|c| !is_name(c)).map_or(0, |at| at + end[at..].chars().next().map_or(1, char::len_utf8));
    // `Type::$name` is a static property called `name`.
    let is_static = path[..start].ends_with("::") && path[start..].starts_with('$');
    let start = if is_static { start + 1 } else { start };
    let name = &end[start..];
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let before = path[..start].trim_end();
    let receiver =
        before.trim_end_matches("->").trim_end_matches(['.', ':', '?', '!', '\\', '&', '$']).trim_end();
    // A name after something that does not qualify it: `not x`, `(x`.
    let qualified = receiver.len() < before.len();
    Some((Some(receiver).filter(|receiver| qualified && !receiver.is_empty()), name))
}

/// Without type arguments at the end: `f::<T>`, `List<int>`, `Map[K, V]`.
fn without_arguments(path: &str) -> Option<&str> {
    let path = path.trim_end();
    let (open, close) = match path.as_bytes().last()? {
        b'>' => (b'<', b'>'),
        b']' => (b'[', b']'),
        _ => return Some(path),
    };
    let mut depth = 0usize;
    for (at, byte) in path.bytes().enumerate().rev() {
        if byte == close {
            depth += 1;
        } else if byte == open {
            depth -= 1;
            if depth == 0 {
                return Some(path[..at].trim_end_matches(':').trim_end());
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_split_before_their_last_name() {
        for (path, receiver, name) in [
            ("name", None, "name"),
            ("a.b.name", Some("a.b"), "name"),
            ("a::b::name::<T>", Some("a::b"), "name"),
            ("List<Map<int, T>>", None, "List"),
            ("a?.name", Some("a"), "name"),
            ("a!.name!", Some("a"), "name"),
            ("this->name", Some("this"), "name"),
            ("\\a\\name", Some("\\a"), "name"),
            (".name", None, "name"),
            ("f(x)\n  .name", Some("f(x)"), "name"),
            ("not name", None, "name"),
            ("é.ñame", Some("é"), "ñame"),
            ("this.#name", Some("this"), "#name"),
        ] {
            assert_eq!(split_path(path), Some((receiver, name)), "{path}");
        }
    }

    #[test]
    fn what_ends_in_no_name_is_no_path() {
        for path in ["", "f(x)", "a[", "a]", ">", "<>", "1", "a.", "…"] {
            assert_eq!(split_path(path), None, "{path}");
        }
    }
}
