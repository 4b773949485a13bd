//! A configuration file. The document is read into a tree that remembers on which line each key stands, because
//! most mistakes are not in the YAML but in what it says.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor, value::SeqAccessDeserializer};
use serde_json::Value;
use serde_saphyr::options::MergeKeyPolicy;
use serde_saphyr::{MessageFormatter, Spanned, UserMessageFormatter};

use super::resolve::{known_section, resolve};
use super::{Assignment, Origin};
use crate::error::{Context, Error, Result};

/// No honest configuration comes near this; more is a mistake or an attack.
const MAX_BYTES: u64 = 1 << 20;

/// What the file sets, in its own order; nothing if it does not exist.
pub fn read(path: &Path) -> Result<Vec<Assignment>> {
    match read_text(path) {
        Ok(text) => assignments(&text, path),
        Err(error) if error.kind() == io::ErrorKind::NotFound => refuse_other_extension(path),
        Err(error) => Err(error)
            .context(|| format!("cannot read the configuration {}", path.display()))
            .map_err(|e| e.with_hint("make it a readable UTF-8 file, or move it away to go on without it")),
    }
}

fn read_text(path: &Path) -> io::Result<String> {
    // Checked before opening: opening a pipe would wait for a writer.
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    let mut text = String::new();
    File::open(path)?.take(MAX_BYTES + 1).read_to_string(&mut text)?;
    if text.len() as u64 > MAX_BYTES {
        return Err(io::Error::other("larger than 1 MiB"));
    }
    Ok(text)
}

/// A `.yml` file would be ignored in silence, so it is pointed out.
fn refuse_other_extension(path: &Path) -> Result<Vec<Assignment>> {
    let other = path.with_extension("yml");
    if other.is_file() {
        return Err(Error::usage(format!("{}: this name is not read", other.display()))
            .with_hint(format!("rename it to {}", path.display())));
    }
    Ok(Vec::new())
}

fn assignments(text: &str, path: &Path) -> Result<Vec<Assignment>> {
    let at = |line| Origin::File { path: path.to_owned(), line };
    let sections = match parse(text).map_err(|e| explain(&e, &at))? {
        Node::Map(sections) => sections,
        Node::Leaf(Value::Null) => return Ok(Vec::new()),
        Node::Leaf(_) => {
            return Err(Error::usage(format!("{}: the file must be a mapping of sections", at(1)))
                .with_hint("write `section:`, and below it indented `key: value` lines"));
        }
    };
    let mut found = Vec::new();
    for (section, node) in sections {
        let origin = at(section.referenced.line());
        let section = section.value;
        known_section(&section, &origin)?;
        let settings = match node {
            Node::Map(settings) => settings,
            Node::Leaf(Value::Null) => continue,
            Node::Leaf(_) => {
                return Err(Error::usage(format!("{origin}: section `{section}` must be a mapping of keys"))
                    .with_hint(format!("write `{section}:`, and below it indented `key: value` lines")));
            }
        };
        for (name, node) in settings {
            let origin = at(name.referenced.line());
            let key = resolve(&section, &name.value, &origin)?;
            match node.into_value() {
                // `key:` with nothing behind it, as when all of its list is commented out.
                Value::Null => {}
                value => found.push(Assignment::checked(key, key.kind.check(value), origin)?),
            }
        }
    }
    Ok(found)
}

/// Strict where leniency would guess (duplicates, `yes` for true), and bounded, so that aliases cannot blow a
/// small file up. Depth is what bounds the recursion of [`Node`].
fn parse(text: &str) -> Result<Node, serde_saphyr::Error> {
    let options = serde_saphyr::options! {
        merge_keys: MergeKeyPolicy::Error,
        strict_booleans: true,
        with_snippet: false,
        budget: serde_saphyr::budget! { max_depth: 16, max_nodes: 20_000, max_aliases: 100 },
        alias_limits: serde_saphyr::alias_limits! { max_total_replayed_events: 20_000 },
    };
    serde_saphyr::from_str_with_options(text, options)
}

fn explain(error: &serde_saphyr::Error, at: &dyn Fn(u64) -> Origin) -> Error {
    use serde_saphyr::Error as Yaml;
    let origin = at(error.location().map_or(1, |l| l.line()));
    let (what, hint) = match error {
        Yaml::DuplicateMappingKey { key, .. } => (
            format!("{} is set twice", key.as_ref().map_or("a key".into(), |key| format!("`{key}`"))),
            "keep one of the two",
        ),
        Yaml::UnknownAnchor { .. } => {
            ("a value that starts with `*` is a YAML alias".into(), "put the glob in quotes: \"**/*.min.js\"")
        }
        Yaml::Budget { .. } | Yaml::AliasReplayLimitExceeded { .. } => (
            "too many values or aliases for a configuration".into(),
            "write the few that you need without aliases",
        ),
        other => (
            format!("not valid YAML: {}", UserMessageFormatter.format_message(other)),
            "check the indentation, and put values that start with one of * ! & [ { in quotes",
        ),
    };
    Error::usage(format!("{origin}: {what}")).with_hint(hint)
}

#[derive(Debug)]
enum Node {
    Map(Vec<(Spanned<String>, Node)>),
    Leaf(Value),
}

impl Node {
    fn into_value(self) -> Value {
        match self {
            Node::Leaf(value) => value,
            Node::Map(entries) => entries.into_iter().map(|(k, node)| (k.value, node.into_value())).collect(),
        }
    }
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NodeVisitor)
    }
}

struct NodeVisitor;

impl<'de> Visitor<'de> for NodeVisitor {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a setting")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Node, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(Node::Map(entries))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Node, A::Error> {
        Value::deserialize(SeqAccessDeserializer::new(seq)).map(Node::Leaf)
    }

    fn visit_unit<E>(self) -> Result<Node, E> {
        Ok(Node::Leaf(Value::Null))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Node, E> {
        Ok(Node::Leaf(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Node, E> {
        Ok(Node::Leaf(value.into()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Node, E> {
        Ok(Node::Leaf(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Node, E> {
        Ok(Node::Leaf(value.into()))
    }

    fn visit_str<E>(self, value: &str) -> Result<Node, E> {
        Ok(Node::Leaf(value.into()))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Whatever a file holds, it is either understood or refused with a place and a next step.
        #[test]
        fn any_text_is_survived(text in r#"([a-z]{1,3}|index|exclude|threads|[\[\]{}:,&*!|>?"'#<-]|[ \n\t]|\PC){0,40}"#) {
            if let Err(error) = assignments(&text, Path::new("f.yaml")) {
                prop_assert!(error.to_string().starts_with("f.yaml:"), "{}", error);
                prop_assert!(error.hint().is_some());
            }
        }
    }
}
