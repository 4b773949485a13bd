//! Environment variables: `CODEAGENT_<SECTION>_<KEY>`, and where the user's own file lies.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use super::keys::{self, ENV_PREFIX};
use super::resolve::{meant_variable, resolve};
use super::{Assignment, Origin};
use crate::error::{Error, Result};

pub type Env = BTreeMap<OsString, OsString>;

pub fn read(env: &Env) -> Result<Vec<Assignment>> {
    let ours = env.iter().filter_map(|(name, value)| {
        let name = name.to_str()?;
        name.strip_prefix(ENV_PREFIX).map(|rest| (name, rest, value))
    });
    ours.filter_map(|(name, rest, value)| assignment(name, rest, value).transpose()).collect()
}

/// `None` for a variable that is no setting and does not look like one.
fn assignment(name: &str, rest: &str, value: &OsStr) -> Result<Option<Assignment>> {
    let origin = Origin::Env { name: name.to_owned() };
    let rest = rest.to_ascii_lowercase();
    let (section, key) = rest.split_once('_').unwrap_or((&rest, ""));
    if !keys::sections().contains(&section) {
        return match meant_variable(&rest) {
            None => Ok(None),
            Some(meant) => Err(Error::usage(format!("{origin}: unknown environment variable"))
                .with_hint(format!("did you mean `{}`?", meant.env_name()))),
        };
    }
    let key = resolve(section, key, &origin)?;
    let Some(value) = value.to_str() else {
        return Err(Error::usage(format!("{origin}: the value is not UTF-8")).with_hint(format!(
            "{} must be {}",
            key.path(),
            key.kind.expects()
        )));
    };
    Assignment::checked(key, key.kind.from_text(value), origin).map(Some)
}

/// The user's own file, whether or not it exists; `None` if the environment names no home.
pub fn user_file(env: &Env) -> Option<PathBuf> {
    // A relative directory would mean another file in every working directory; the XDG rules ignore it too.
    let dir = |name: &str| env.get(OsStr::new(name)).map(PathBuf::from).filter(|dir| dir.is_absolute());
    let base = if cfg!(windows) {
        dir("APPDATA")
    } else {
        dir("XDG_CONFIG_HOME").or_else(|| dir("HOME").map(|home| home.join(".config")))
    };
    base.map(|base| base.join("codeagent").join("config.yaml"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn env<const N: usize>(pairs: [(&str, &str); N]) -> Env {
        pairs.into_iter().map(|(name, value)| (name.into(), value.into())).collect()
    }

    #[cfg(not(windows))]
    #[test]
    fn user_file_follows_xdg() {
        let file = |pairs| user_file(&pairs).map(|p| p.display().to_string());
        assert_eq!(file(env([("HOME", "/h")])).as_deref(), Some("/h/.config/codeagent/config.yaml"));
        let both = [("HOME", "/h"), ("XDG_CONFIG_HOME", "/x")];
        assert_eq!(file(env(both)).as_deref(), Some("/x/codeagent/config.yaml"));
        let relative = [("HOME", "/h"), ("XDG_CONFIG_HOME", "x")];
        assert_eq!(file(env(relative)).as_deref(), Some("/h/.config/codeagent/config.yaml"));
        assert_eq!(file(env([])), None);
    }

    #[test]
    fn foreign_variables_are_ignored() {
        let foreign =
            [("CODEAGENT_LOG", "debug"), ("CODEAGENT_CACHE_DIR", "/x"), ("PATH", "/bin"), ("CODEAGENT_", "")];
        assert!(read(&env(foreign)).unwrap().is_empty());
    }

    #[test]
    fn mistakes() {
        for (name, value, what, hint) in [
            (
                "CODEAGENT_SEARCH_LIMT",
                "1",
                "CODEAGENT_SEARCH_LIMT: unknown key `limt` in section `search`",
                "did you mean `CODEAGENT_SEARCH_LIMIT`?",
            ),
            (
                "CODEAGENT_STORE",
                "1",
                "CODEAGENT_STORE: a missing key in section `store`",
                "valid keys: dir, max_size",
            ),
            (
                "CODEAGENT_SERCH_LIMIT",
                "1",
                "CODEAGENT_SERCH_LIMIT: unknown environment variable",
                "did you mean `CODEAGENT_SEARCH_LIMIT`?",
            ),
            (
                "CODEAGENT_SEARCH_LIMIT",
                "",
                "CODEAGENT_SEARCH_LIMIT: search.limit must be a whole number from 1 to 1000, not an empty text",
                "the default is 10. How many results a search returns.",
            ),
        ] {
            let error = read(&env([(name, value)])).unwrap_err();
            assert_eq!((error.to_string().as_str(), error.hint()), (what, Some(hint)));
        }
    }

    #[cfg(unix)]
    #[test]
    fn values_must_be_text() {
        use std::os::unix::ffi::OsStrExt;
        let env = Env::from([("CODEAGENT_EMBEDDING_MODEL".into(), OsStr::from_bytes(b"\xff").to_owned())]);
        assert_eq!(read(&env).unwrap_err().to_string(), "CODEAGENT_EMBEDDING_MODEL: the value is not UTF-8");
    }
}
