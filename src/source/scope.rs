//! Which files belong to a view: `include` and `exclude` globs, `.codeagentignore`, the size cap.
//!
//! What git ignores never gets here. The scope is hashed: a view made under another scope is listed anew.

use bstr::ByteSlice;
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::convention;
use crate::config::{Foreign, IndexConfig};
use crate::error::{Context, Error, Result};
use crate::hash::ScopeHash;

pub const IGNORE_FILE: &str = ".codeagentignore";

pub struct Scope {
    include: Option<GlobSet>,
    exclude: GlobSet,
    ignore: Gitignore,
    pub untracked: bool,
    pub max_file_size: u64,
    pub skip_generated: bool,
    pub skip_vendored: bool,
    pub hash: ScopeHash,
}

impl Scope {
    /// `ignore_text`: the content of `.codeagentignore` at the root (gitignore syntax), if there is one. `git`:
    /// whether git has a say in what belongs to the view; a plain directory is listed by other rules.
    pub fn new(config: &IndexConfig, ignore_text: Option<&[u8]>, git: bool) -> Result<Scope> {
        let ignore_text = ignore_text.map(|text| text.to_str_lossy().into_owned()).unwrap_or_default();
        let mut hasher = ScopeHash::hasher();
        for list in [&config.include, &config.exclude] {
            for glob in list {
                hasher.update(glob.as_bytes()).update(b"\0");
            }
            hasher.update(b"\n");
        }
        hasher.update(ignore_text.as_bytes());
        hasher.update(&config.max_file_size.to_be_bytes());
        let skip_generated = config.generated == Foreign::Skip;
        let skip_vendored = config.vendored == Foreign::Skip;
        hasher.update(&[config.untracked, git, skip_generated, skip_vendored].map(u8::from));
        hasher.update(&[convention::VERSION]);
        Ok(Scope {
            include: if config.include.is_empty() { None } else { Some(globs(&config.include)?) },
            exclude: globs(&config.exclude)?,
            ignore: parse_ignore(&ignore_text)?,
            untracked: config.untracked,
            max_file_size: config.max_file_size,
            skip_generated,
            skip_vendored,
            hash: ScopeHash::finish(&hasher),
        })
    }

    /// Whether the user's settings let this file into the index.
    pub fn contains(&self, path: &[u8]) -> bool {
        let path = path.to_path_lossy();
        self.include.as_ref().is_none_or(|globs| globs.is_match(&path))
            && !self.exclude.is_match(&path)
            && !self.ignore.matched_path_or_any_parents(&path, false).is_ignore()
    }
}

/// A pattern matches files, or directories with everything below them.
pub(crate) fn globs(patterns: &[String]) -> Result<GlobSet> {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        let bare = pattern.strip_prefix("./").unwrap_or(pattern).trim_matches('/');
        for glob in [bare.to_owned(), format!("{bare}/**")] {
            let glob = GlobBuilder::new(&glob).literal_separator(true).build();
            set.add(glob.map_err(|e| Error::usage(format!("bad glob {pattern:?}")).with_source(e))?);
        }
    }
    set.build().context(|| "cannot compile globs".into())
}

fn parse_ignore(text: &str) -> Result<Gitignore> {
    let mut builder = GitignoreBuilder::new("");
    for (number, line) in text.lines().enumerate() {
        builder.add_line(None, line).map_err(|e| {
            Error::usage(format!("{IGNORE_FILE} line {}: bad pattern {line:?}", number + 1)).with_source(e)
        })?;
    }
    builder.build().context(|| format!("cannot read {IGNORE_FILE}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scope(include: &[&str], exclude: &[&str], ignore: Option<&str>) -> Scope {
        let mut config = crate::config::Config::default().index;
        config.include = include.iter().map(|s| s.to_string()).collect();
        config.exclude = exclude.iter().map(|s| s.to_string()).collect();
        Scope::new(&config, ignore.map(str::as_bytes), true).unwrap()
    }

    #[test]
    fn include_exclude_and_ignore_file() {
        let s = scope(&["src/**/*.cs", "*.md"], &["**/bin/**"], Some("# no\nsrc/old/\n!src/old/keep.cs\n"));
        assert!(s.contains(b"src/a/b.cs"));
        assert!(s.contains(b"README.md"));
        assert!(!s.contains(b"docs/a.md"), "* does not cross a directory");
        assert!(!s.contains(b"src/bin/x.cs"));
        assert!(!s.contains(b"src/old/x.cs"));
        assert!(scope(&[], &[], None).contains(b"any/\xff\nname"));
        for docs in ["docs", "docs/", "/docs", "./docs/**"] {
            assert!(!scope(&[], &[docs], None).contains(b"docs/a/b.md"), "{docs}");
            assert!(scope(&[docs], &[], None).contains(b"docs/a/b.md"), "{docs}");
            assert!(scope(&[], &[docs], None).contains(b"src/docs.rs"), "{docs}");
        }
    }

    #[test]
    fn every_setting_changes_the_hash() {
        let base = scope(&[], &[], None).hash;
        assert_eq!(base, scope(&[], &[], None).hash);
        for other in [scope(&["a"], &[], None), scope(&[], &["a"], None), scope(&[], &[], Some("a"))] {
            assert_ne!(base, other.hash);
        }
        let mut config = crate::config::Config::default().index;
        config.generated = Foreign::Skip;
        let skipping = Scope::new(&config, None, true).unwrap();
        assert_ne!(base, skipping.hash);
        config.vendored = Foreign::Skip;
        assert_ne!(skipping.hash, Scope::new(&config, None, true).unwrap().hash);
    }
}
