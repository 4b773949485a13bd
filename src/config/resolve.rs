//! From the names somebody wrote to a row of the table; where there is none, what was probably meant.

use super::Origin;
use super::keys::{self, KEYS, Key};
use crate::error::{Error, Result};

/// The setting of that name, or an error that says where the name stands and which one to write instead.
pub fn resolve(section: &str, key: &str, origin: &Origin) -> Result<&'static Key> {
    known_section(section, origin)?;
    keys::find(section, key).ok_or_else(|| {
        let hint = match meant_key(section, key) {
            Some(meant) => format!("did you mean {}?", spell(meant, Some(section), origin)),
            None => list("keys", keys::keys_of(section).map(|k| k.key)),
        };
        let name = if key.is_empty() { "a missing key".into() } else { format!("unknown key `{key}`") };
        Error::usage(format!("{origin}: {name} in section `{section}`")).with_hint(hint)
    })
}

pub fn known_section(section: &str, origin: &Origin) -> Result<()> {
    let sections = keys::sections();
    if sections.contains(&section) {
        return Ok(());
    }
    let hint = match (closest(section, sections.iter().copied()), named(section)) {
        (_, Some(key)) => format!("did you mean {}?", spell(key, None, origin)),
        (Some(name), None) => format!("did you mean `{name}`?"),
        (None, None) => list("sections", sections),
    };
    Err(Error::usage(format!("{origin}: unknown section `{section}`")).with_hint(hint))
}

/// The setting meant by an environment variable of no known section (`rest` is lower case, without the prefix):
/// one or two slips of the finger, or the section left out. Anything else is somebody else's variable.
pub fn meant_variable(rest: &str) -> Option<&'static Key> {
    const SLIPS: usize = 2;
    let near = |k: &&Key| strsim::osa_distance(rest, &format!("{}_{}", k.section, k.key)) <= SLIPS;
    named(rest).or_else(|| KEYS.iter().find(near))
}

/// The setting meant by a key that its section does not have: one of that name elsewhere, else a similar one of
/// the same section.
fn meant_key(section: &str, key: &str) -> Option<&'static Key> {
    let here = closest(key, keys::keys_of(section).map(|k| k.key)).and_then(|key| keys::find(section, key));
    match here {
        Some(found) if letters(found.key) == letters(key) => Some(found),
        similar => named(key).or(similar),
    }
}

fn named(key: &str) -> Option<&'static Key> {
    KEYS.iter().find(|k| letters(k.key) == letters(key))
}

/// The most similar candidate, if any is similar enough to be worth naming.
fn closest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    /// Lower names strangers, higher misses a dropped word (`max_size`): the tests hold both sides.
    const SIMILAR: f64 = 0.82;
    let name = letters(name);
    candidates
        .into_iter()
        .map(|candidate| (strsim::jaro_winkler(&name, &letters(candidate)), candidate))
        .filter(|(score, _)| *score >= SIMILAR)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate)
}

/// `maxFileSize`, `max-file-size` and `max_file_size` are the same name.
fn letters(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// A key as it has to be written at the place the wrong one was found.
fn spell(key: &Key, section: Option<&str>, origin: &Origin) -> String {
    match origin {
        Origin::Env { .. } => format!("`{}`", key.env_name()),
        _ if section == Some(key.section) => format!("`{}`", key.key),
        _ => format!("`{}` in section `{}`", key.key, key.section),
    }
}

fn list<'a>(what: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    format!("valid {what}: {}", names.into_iter().collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_recognised() {
        for (section, name, meant) in [
            ("index", "max_filesize", "index.max_file_size"),
            ("index", "maxFileSize", "index.max_file_size"),
            ("index", "max_size", "store.max_size"),
            ("index", "file_size", "index.max_file_size"),
            ("index", "excludes", "index.exclude"),
            ("index", "excldue", "index.exclude"),
            ("index", "includes", "index.include"),
            ("index", "thread", "index.threads"),
            ("chunk", "max_token", "chunk.max_tokens"),
            ("chunk", "mintokens", "chunk.min_tokens"),
            ("search", "limits", "search.limit"),
            ("search", "refresh_files", "search.refresh_max_files"),
            ("output", "colour", "output.color"),
            ("store", "max_file_size", "index.max_file_size"),
        ] {
            assert_eq!(meant_key(section, name).map(Key::path).as_deref(), Some(meant), "{section}.{name}");
        }
    }

    #[test]
    fn strangers_are_not() {
        for (section, name) in
            [("index", "depth"), ("search", "rerank"), ("store", "path"), ("chunk", "overlap")]
        {
            assert_eq!(meant_key(section, name), None, "{section}.{name}");
        }
    }

    #[test]
    fn sections_are_recognised() {
        let hint = |section| known_section(section, &Origin::Flag { name: "--set".into() }).unwrap_err();
        for (name, expected) in [
            ("idnex", "did you mean `index`?"),
            ("Embeddings", "did you mean `embedding`?"),
            ("chunks", "did you mean `chunk`?"),
            ("max_file_size", "did you mean `max_file_size` in section `index`?"),
            ("server", "valid sections: index, chunk, embedding, search, store, output"),
        ] {
            assert_eq!(hint(name).hint(), Some(expected), "{name}");
            assert_eq!(hint(name).to_string(), format!("--set: unknown section `{name}`"));
        }
    }

    #[test]
    fn variables_are_recognised() {
        for (name, meant) in [
            ("serch_limit", Some("search.limit")),
            ("indexmax_file_size", Some("index.max_file_size")),
            ("model", Some("embedding.model")),
            ("log", None),
            ("home", None),
            ("cache_dir", None),
            ("", None),
        ] {
            assert_eq!(meant_variable(name).map(Key::path).as_deref(), meant, "{name}");
        }
    }
}
