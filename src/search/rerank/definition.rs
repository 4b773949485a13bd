//! Whether a chunk defines what the question names.
//!
//! Somebody who writes `QuerySet.filter` or `force_str` asks for the place where it is defined, while every test and
//! caller repeats the name more often than the definition does.

use crate::chunk::ChunkKind;
use crate::store::ChunkRef;

/// The symbols that a question names.
pub struct Definition {
    symbols: Vec<Symbol>,
}

struct Symbol {
    name: String,
    /// What the name was qualified with, the nearest part: `QuerySet` of `models.QuerySet.filter`.
    owner: Option<String>,
}

/// What is left of a match when the owner that was asked for is another one.
const OTHER_OWNER: f32 = 0.5;

impl Definition {
    /// A question of one word names a symbol; in a longer one, whatever is written like code does.
    pub fn new(query: &str) -> Self {
        let words: Vec<&str> = query.split_whitespace().collect();
        let named = words.iter().filter(|word| words.len() == 1 || is_code(word));
        Definition { symbols: named.filter_map(|word| Symbol::parse(word)).collect() }
    }

    /// 0 to 1.
    pub fn of(&self, chunk: &ChunkRef) -> f32 {
        if matches!(chunk.kind, ChunkKind::Block | ChunkKind::Text | ChunkKind::Section) {
            return 0.0;
        }
        let Some(name) = &chunk.name else { return 0.0 };
        let owner = chunk.parent.as_deref().and_then(|parent| parent.rsplit('.').next());
        self.symbols
            .iter()
            .filter(|symbol| symbol.name == *name)
            .map(|symbol| symbol.owned(owner))
            .fold(0.0, f32::max)
    }
}

impl Symbol {
    fn parse(word: &str) -> Option<Symbol> {
        let word = word.trim_end_matches("()");
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
        let mut parts = word.split(|c| !is_part(c)).filter(|part| !part.is_empty()).rev();
        Some(Symbol { name: parts.next()?.to_owned(), owner: parts.next().map(str::to_owned) })
    }

    fn owned(&self, owner: Option<&str>) -> f32 {
        if self.owner.is_none() || self.owner.as_deref() == owner { 1.0 } else { OTHER_OWNER }
    }
}

/// `snake_case`, `camelCase`, `a.b`, `a::b`, `call()`; but neither a plain word nor the end of a sentence.
fn is_code(word: &str) -> bool {
    let word = word.trim_matches(|c: char| ",.;:?!\"'`".contains(c));
    let inner_upper = word.chars().skip(1).any(char::is_uppercase) && word.chars().any(char::is_lowercase);
    inner_upper || word.contains('_') || word.contains("::") || word.contains('.') || word.ends_with("()")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(query: &str, parent: Option<&str>, name: &str, kind: ChunkKind) -> f32 {
        let chunk = ChunkRef {
            id: 0,
            kind,
            start_line: 1,
            end_line: 2,
            start_byte: 0,
            end_byte: 1,
            name: Some(name.into()),
            parent: parent.map(Into::into),
            definition: None,
        };
        Definition::new(query).of(&chunk)
    }

    #[test]
    fn the_named_symbol_is_a_full_match() {
        assert_eq!(value("force_str", None, "force_str", ChunkKind::Function), 1.0);
        assert_eq!(value("QuerySet.filter", Some("db.QuerySet"), "filter", ChunkKind::Method), 1.0);
        assert_eq!(value("tokio::spawn()", Some("tokio"), "spawn", ChunkKind::Function), 1.0);
        assert_eq!(value("where does bulk_create start?", None, "bulk_create", ChunkKind::Method), 1.0);
    }

    #[test]
    fn another_owner_counts_less_and_other_names_nothing() {
        assert_eq!(value("QuerySet.filter", Some("Paginator"), "filter", ChunkKind::Method), OTHER_OWNER);
        assert_eq!(value("force_str", None, "force_bytes", ChunkKind::Function), 0.0);
        assert_eq!(
            value("filter the query", None, "filter", ChunkKind::Function),
            0.0,
            "plain words name nothing"
        );
        assert_eq!(value("merkle", None, "merkle", ChunkKind::Block), 0.0, "a block defines nothing");
        for odd in ["", "   ", "...", "()", "::"] {
            assert_eq!(value(odd, None, "x", ChunkKind::Function), 0.0);
        }
    }
}
