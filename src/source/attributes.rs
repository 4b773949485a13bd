//! What the `.gitattributes` files of a view say about its paths.
//!
//! Git's rules hold: the nearest directory wins, in one file the last line; macros count where the root defines
//! them. Only files of the view are asked, neither the user's nor `.git/info/attributes`, so that equal trees make
//! equal views on every machine. `-text` says nothing here: it only means that line endings are kept as they are.

use std::path::{Path, PathBuf};

use bstr::{BStr, BString, ByteSlice};
use gix::attrs::search::{MetadataCollection, Outcome};
use gix::attrs::{Search, StateRef};
use gix::glob::pattern::Case;

pub(super) const FILE: &[u8] = b".gitattributes";

/// In the order in which [`Said`] is filled.
const ASKED: [&str; 4] = ["linguist-generated", "linguist-vendored", "binary", "diff"];

/// The answer for one path.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Said {
    /// `linguist-generated`; without it, `-diff` on text: nobody reads its changes.
    pub generated: Option<bool>,
    pub vendored: Option<bool>,
    /// The macro `binary`, as long as nothing turns `diff` on again.
    pub binary: bool,
}

/// Asks one view. Files are read as paths need them; sorted paths need each file once.
pub(super) struct Attributes<'a> {
    text_of: TextOf<'a>,
    /// The directories down to the path that was last asked for, and whether each has rules.
    way: Vec<(BString, bool)>,
    search: Search,
    names: MetadataCollection,
    outcome: Outcome,
}

/// The text of the attributes file at a path, if the view has it. A directory is asked after those it lies in.
pub(super) type TextOf<'a> = Box<dyn FnMut(&BStr) -> Option<Vec<u8>> + 'a>;

impl<'a> Attributes<'a> {
    pub fn new(text_of: TextOf<'a>) -> Self {
        let mut attributes = Attributes {
            text_of,
            way: Vec::new(),
            search: Search::default(),
            names: MetadataCollection::default(),
            outcome: Outcome::default(),
        };
        attributes.add("[builtin]".into(), None, b"[attr]binary -diff -merge -text", true);
        attributes
    }

    pub fn of(&mut self, path: &BStr) -> Said {
        self.enter(path);
        if !self.way.iter().any(|(_, rules)| *rules) {
            return Said::default();
        }
        self.outcome.reset();
        self.search.pattern_matching_relative_path(path, Case::Sensitive, Some(false), &mut self.outcome);
        let mut found = [None; ASKED.len()];
        for (slot, matched) in found.iter_mut().zip(self.outcome.iter_selected()) {
            *slot = truth(matched.assignment.state);
        }
        let [generated, vendored, binary, diff] = found;
        let unread = diff == Some(false);
        let binary = binary == Some(true) && unread;
        Said { generated: generated.or((unread && !binary).then_some(true)), vendored, binary }
    }

    /// Leaves the directories that `path` is not in and reads the files of those it is in.
    fn enter(&mut self, path: &BStr) {
        while self.way.last().is_some_and(|(dir, _)| !path.starts_with(dir)) {
            if let Some((_, true)) = self.way.pop() {
                self.search.pop_pattern_list();
            }
        }
        if self.way.is_empty() {
            self.descend(BString::default());
        }
        let known = self.way.last().map_or(0, |(dir, _)| dir.len());
        for slash in path[known..].find_iter("/") {
            self.descend(path[..=known + slash].into());
        }
    }

    fn descend(&mut self, dir: BString) {
        let file = [dir.as_slice(), FILE].concat();
        let rules = match ((self.text_of)(file.as_bstr()), file.to_path()) {
            (Some(text), Ok(source)) => self.add(source.into(), Some(Path::new("")), &text, dir.is_empty()),
            _ => false,
        };
        self.way.push((dir, rules));
    }

    fn add(&mut self, source: PathBuf, root: Option<&Path>, text: &[u8], macros: bool) -> bool {
        let added = self.search.add_patterns_buffer(text, source, root, &mut self.names, macros).is_ok();
        self.outcome = Outcome::default();
        self.outcome.initialize_with_selection(&self.names, ASKED);
        added
    }
}

fn truth(state: StateRef<'_>) -> Option<bool> {
    match state {
        StateRef::Set => Some(true),
        StateRef::Unset => Some(false),
        StateRef::Value(value) => Some(value.as_bstr() != "false"),
        StateRef::Unspecified => None,
    }
}

/// The directory (ends in `/`, empty: the root) that an attributes file speaks about; `None` for other files.
pub(super) fn governed(path: &BStr) -> Option<&BStr> {
    let dir = path.strip_suffix(FILE)?;
    (dir.is_empty() || dir.ends_with(b"/")).then_some(dir.as_bstr())
}

/// The directories that the attributes files among `paths` speak about, without those inside another.
pub(super) fn outermost<'p>(paths: impl Iterator<Item = &'p BString>) -> Vec<BString> {
    let mut dirs: Vec<&BStr> = paths.filter_map(|path| governed(path.as_bstr())).collect();
    dirs.sort_unstable();
    let mut kept: Vec<BString> = Vec::new();
    for dir in dirs {
        if kept.last().is_none_or(|last| !dir.starts_with(last)) {
            kept.push(dir.to_owned());
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::collections::BTreeMap;

    use super::*;

    const GENERATED: Said = Said { generated: Some(true), vendored: None, binary: false };
    const WRITTEN: Said = Said { generated: Some(false), ..GENERATED };
    const VENDORED: Said = Said { generated: None, vendored: Some(true), binary: false };
    const BINARY: Said = Said { generated: None, vendored: None, binary: true };
    const NOTHING: Said = Said { generated: None, vendored: None, binary: false };

    #[track_caller]
    fn check(files: &[(&str, &str)], expected: &[(&str, Said)]) {
        let files: BTreeMap<_, _> = files.iter().copied().collect();
        let text_of = |path: &BStr| files.get(path.to_str().unwrap()).map(|text| text.as_bytes().to_vec());
        let mut attributes = Attributes::new(Box::new(text_of));
        for (path, said) in expected.iter().chain(expected.iter().rev()) {
            assert_eq!(attributes.of(BStr::new(path)), *said, "{path}");
        }
    }

    #[test]
    fn last_line_and_nearest_directory_win() {
        let root = "*.cs linguist-generated\nb.cs -linguist-generated\n/lib/** linguist-vendored=true\r\n";
        let nested = "a.cs linguist-generated=false\nc.cs !linguist-generated\n*.md !linguist-vendored\n";
        check(
            &[(".gitattributes", root), ("x/y/.gitattributes", nested)],
            &[
                ("a.cs", GENERATED),
                ("b.cs", WRITTEN),
                ("lib/z.c", VENDORED),
                ("libs/z.c", NOTHING),
                ("x/a.cs", GENERATED),
                ("x/lib/z.c", NOTHING),
                ("x/y/a.cs", WRITTEN),
                ("x/y/c.cs", NOTHING),
                ("x/y/z/a.cs", WRITTEN),
                ("x/y.cs", GENERATED),
            ],
        );
    }

    #[test]
    fn binary_is_a_macro_that_can_be_taken_back() {
        let root = "*.dat binary\nplain.dat -binary\nshown.dat diff\n*.lock -diff\n*.bat -text\n[attr]made -diff linguist-vendored\n*.out made\n";
        let nested = "[attr]made linguist-generated\n*.dat text\nin.dat made\n";
        check(
            &[(".gitattributes", root), ("sub/.gitattributes", nested)],
            &[
                ("a.dat", BINARY),
                ("plain.dat", NOTHING),
                ("shown.dat", NOTHING),
                ("x.lock", GENERATED),
                ("run.bat", NOTHING),
                ("a.out", Said { vendored: Some(true), ..GENERATED }),
                ("sub/a.dat", BINARY),
                ("sub/in.dat", Said { vendored: Some(true), ..BINARY }),
            ],
        );
    }

    #[test]
    fn sorted_paths_read_each_file_once_and_odd_text_is_harmless() {
        let asked = RefCell::new(Vec::new());
        let text_of = |path: &BStr| {
            asked.borrow_mut().push(path.to_string());
            Some(b"\xff\xfe \0 \"[\n!a x\n[attr]\n[attr]binary binary\n* binary\n".to_vec())
        };
        let mut attributes = Attributes::new(Box::new(text_of));
        for path in ["a", "a-b/c", "a/b/c", "a/b/d", "a/e", "b\u{ff}/c"] {
            attributes.of(BStr::new(path));
        }
        drop(attributes);
        let files = ["", "a-b/", "a/", "a/b/", "b\u{ff}/"].map(|dir| format!("{dir}.gitattributes"));
        assert_eq!(*asked.borrow(), files);
    }

    #[test]
    fn governed_directories() {
        assert_eq!(governed(b".gitattributes".as_bstr()), Some(BStr::new("")));
        assert_eq!(governed(b"a/.gitattributes".as_bstr()), Some(BStr::new("a/")));
        assert_eq!(governed(b"a/x.gitattributes".as_bstr()), None);
        let paths = ["b/c/.gitattributes", "b/.gitattributes", "a/x", "b-/.gitattributes"].map(BString::from);
        assert_eq!(outermost(paths.iter()), ["b-/", "b/"]);
    }
}
