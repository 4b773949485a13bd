//! A made-up repository, the same bytes on every machine: C#, TypeScript, Python and prose, with the sizes and
//! the shape of real code. A few files are copies of others, as everywhere.

mod languages;
mod words;

use std::path::{Path, PathBuf};

use crate::child::{self, Result};
use crate::repo::git;
use words::Words;

/// One file in this many is a copy of an earlier one.
const COPIES: usize = 40;

/// Makes and commits the repository at `root`.
pub fn make(root: &Path, files: usize) -> Result<()> {
    std::fs::create_dir_all(root)?;
    child::run(git(root).args(["init", "--quiet", "--initial-branch", "main"]))?;
    let mut earlier = String::new();
    for number in 0..files {
        let mut words = Words::seeded(number as u64);
        let (path, mut text) = file(&mut words, number);
        if number % COPIES == COPIES - 1 {
            text.clone_from(&earlier);
        }
        let path = root.join(path);
        if let Some(directory) = path.parent() {
            std::fs::create_dir_all(directory)?;
        }
        std::fs::write(path, &text)?;
        earlier = text;
    }
    let mut commit = git(root);
    commit.env("GIT_AUTHOR_DATE", "@1700000000 +0000").env("GIT_COMMITTER_DATE", "@1700000000 +0000");
    child::run(git(root).args(["add", "--all"]))?;
    child::run(commit.args(["commit", "--quiet", "-m", "A synthetic repository"])).map(drop)
}

/// Where the file lies and what it says.
fn file(words: &mut Words, number: usize) -> (PathBuf, String) {
    // About two dozen files a directory, three levels deep.
    let (area, module) = (number / 480, number / 24 % 20);
    let directory = format!("src/{}{area}/{}{module}", words::NOUNS[area % 50], words::NOUNS[module + 50]);
    let name = words.pascal(2);
    let (extension, text) = match number % 20 {
        0..9 => ("cs", languages::csharp(words, &name)),
        9..13 => ("ts", languages::typescript(words, &name)),
        13..17 => ("py", languages::python(words, &name)),
        17..19 => ("md", languages::markdown(words, &name)),
        _ => ("txt", languages::prose(words)),
    };
    (PathBuf::from(format!("{directory}/{name}{number}.{extension}")), text)
}
