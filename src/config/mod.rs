//! The configuration: defaults, then the user's file, the repository's file, the environment, the command line,
//! each over the one before. Every effective value knows where it came from.
//!
//! Nothing here reads the process: [`Inputs`] holds all that decides the outcome, [`Inputs::from_process`] being
//! the one place that fills it from outside. Nothing unknown is passed over: a misspelt key is an error.

mod env;
mod example;
pub mod keys;
mod resolve;
pub mod size;
mod types;
mod value;
mod yaml;

use std::fmt;
use std::path::PathBuf;

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

pub use self::env::Env;
pub use self::example::example;
use self::keys::{KEYS, Key, Kind};
pub use self::types::*;
use self::value::Refusal;
use crate::error::{Context, Error, Result};

/// The name of the repository's own file, in its main root.
pub const PROJECT_FILE: &str = ".codeagent.yaml";

/// Everything that decides the configuration.
#[derive(Debug, Clone, Default)]
pub struct Inputs {
    /// The main root of the repository.
    pub project_root: Option<PathBuf>,
    pub user_file: Option<PathBuf>,
    pub env: Env,
    /// A list key may come more than once; its values add up.
    pub flags: Vec<Flag>,
}

impl Inputs {
    /// The environment of this process, and the files that it points at.
    pub fn from_process(project_root: Option<PathBuf>, flags: Vec<Flag>) -> Self {
        let env: Env = std::env::vars_os().collect();
        Inputs { project_root, user_file: env::user_file(&env), env, flags }
    }
}

/// A setting given on the command line.
#[derive(Debug, Clone)]
pub struct Flag {
    pub section: String,
    pub key: String,
    pub value: String,
    /// As the user wrote it: `--limit`.
    pub flag: String,
}

impl Flag {
    pub fn new(section: &str, key: &str, value: impl ToString, flag: &str) -> Self {
        Flag { section: section.into(), key: key.into(), value: value.to_string(), flag: flag.into() }
    }
}

/// Where a value was set. Displays as what a user would look for: `path:line`, the variable, the flag.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Origin {
    Default,
    File {
        #[serde(serialize_with = "displayed")]
        path: PathBuf,
        line: u64,
    },
    Env {
        name: String,
    },
    Flag {
        name: String,
    },
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Default => f.write_str("default"),
            Origin::File { path, line } => write!(f, "{}:{line}", path.display()),
            Origin::Env { name } | Origin::Flag { name } => f.write_str(name),
        }
    }
}

/// Unlike serde's own form, does not fail for a path that is not UTF-8.
fn displayed<S: Serializer>(path: &std::path::Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&path.display())
}

/// One effective value. Sizes are in bytes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Setting {
    pub section: &'static str,
    pub key: &'static str,
    pub value: Value,
    pub origin: Origin,
    pub doc: &'static str,
}

impl Setting {
    /// The value as a person would write it: `10MiB`.
    pub fn text(&self) -> String {
        keys::find(self.section, self.key)
            .map_or_else(|| self.value.to_string(), |k| k.kind.render(&self.value))
    }
}

/// The configuration and how it came about.
#[derive(Debug, Clone)]
pub struct Loaded {
    pub config: Config,
    /// One for each key, in the order of [`KEYS`].
    pub origins: Vec<Setting>,
}

/// A value that some source gives to a key.
#[derive(Debug)]
struct Assignment {
    key: &'static Key,
    value: Value,
    origin: Origin,
}

impl Assignment {
    fn checked(key: &'static Key, value: Result<Value, Refusal>, origin: Origin) -> Result<Self> {
        match value {
            Ok(value) => Ok(Assignment { key, value, origin }),
            Err(refusal) => {
                let hint = match key.kind {
                    Kind::Globs => format!("for example [\"docs/**\", \"**/*.min.js\"]. {}", key.doc),
                    _ => format!("the default is {}. {}", key.default, key.doc),
                };
                Err(Error::usage(format!("{origin}: {} {refusal}", key.path())).with_hint(hint))
            }
        }
    }
}

pub fn load(inputs: &Inputs) -> Result<Loaded> {
    let mut layers = vec![defaults()?];
    let project_file = inputs.project_root.as_ref().map(|root| root.join(PROJECT_FILE));
    for file in [&inputs.user_file, &project_file].into_iter().flatten() {
        layers.push(yaml::read(file)?);
    }
    layers.push(env::read(&inputs.env)?);
    layers.push(flags(&inputs.flags)?);

    let origins = effective(layers.into_iter().flatten());
    let config: Config =
        serde_json::from_value(tree(&origins)).context(|| "the table of settings is inconsistent".into())?;
    check_chunk_bounds(&config.chunk, &origins)?;
    Ok(Loaded { config, origins })
}

impl Default for Config {
    fn default() -> Self {
        // Without inputs nothing can be wrong but the table itself, and the tests load it.
        load(&Inputs::default()).expect("the defaults of the table are valid").config
    }
}

fn defaults() -> Result<Vec<Assignment>> {
    KEYS.iter()
        .map(|key| Assignment::checked(key, key.kind.from_text(key.default), Origin::Default))
        .collect()
}

fn flags(flags: &[Flag]) -> Result<Vec<Assignment>> {
    let mut found: Vec<Assignment> = Vec::new();
    for flag in flags {
        let origin = Origin::Flag { name: flag.flag.clone() };
        let key = resolve::resolve(&flag.section, &flag.key, &origin)?;
        let mut next = Assignment::checked(key, key.kind.from_text(&flag.value), origin)?;
        let earlier = found.iter_mut().find(|earlier| earlier.key == key).map(|earlier| &mut earlier.value);
        if let (Some(Value::Array(earlier)), Value::Array(more)) = (earlier, &mut next.value) {
            earlier.append(more);
        } else {
            found.push(next);
        }
    }
    Ok(found)
}

/// The last assignment to each key, in the order of the table.
fn effective(assignments: impl Iterator<Item = Assignment>) -> Vec<Setting> {
    let mut settings: Vec<Setting> = Vec::with_capacity(KEYS.len());
    for Assignment { key, value, origin } in assignments {
        let setting = Setting { section: key.section, key: key.key, value, origin, doc: key.doc };
        match settings.iter_mut().find(|s| (s.section, s.key) == (key.section, key.key)) {
            Some(earlier) => *earlier = setting,
            None => settings.push(setting),
        }
    }
    settings
}

/// `{section: {key: value}}`, the form that [`Config`] is read from.
fn tree(settings: &[Setting]) -> Value {
    let section = |name: &'static str| {
        let entries = settings.iter().filter(move |s| s.section == name);
        entries.map(|s| (s.key.to_owned(), s.value.clone())).collect::<Map<_, _>>()
    };
    keys::sections().into_iter().map(|name| (name, section(name))).collect()
}

/// The one rule that joins two keys; either of them may be the mistake, so both are named.
fn check_chunk_bounds(chunk: &ChunkConfig, settings: &[Setting]) -> Result<()> {
    if chunk.min_tokens < chunk.max_tokens {
        return Ok(());
    }
    let describe = |key: &str| {
        let found = settings.iter().find(|s| (s.section, s.key) == ("chunk", key));
        found.map_or_else(String::new, |s| format!("chunk.{key} ({}, from {})", s.text(), s.origin))
    };
    let (min, max) = (describe("min_tokens"), describe("max_tokens"));
    Err(Error::usage(format!("{min} must be less than {max}")).with_hint("lower the one or raise the other"))
}

#[cfg(test)]
mod tests;
