//! Whatever the history, an incremental index is the index of the files as they are.
//!
//! A walk of random steps (edits, moves, everything people do with git) over a small repository. After every
//! step the incremental root and the answers are compared with those of a plain copy of the files, which knows
//! neither git nor the past. The steps follow from a fixed seed: every run is the same run.
#![cfg(unix)]

mod support;

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::Value;
use support::TestRepo;

const STEPS: usize = 25;
const DIRS: [&str; 5] = ["", "a/", "a/b/", "c/", "c/x.py/"];
const NAMES: [&str; 5] = ["x.py", "y.py", "notes.md", "w.txt", "b"];
const WORDS: [&str; 8] = ["apricot", "blueberry", "cherry", "damson", "elder", "fig", "grape", "hazel"];
const BRANCHES: [&str; 3] = ["main", "side", "third"];

#[test]
fn walk_one() {
    Walk::new(1).run();
}

#[test]
fn walk_two() {
    Walk::new(20_240_229).run();
}

#[test]
fn walk_three() {
    Walk::new(0xC0DE_A6E4).run();
}

#[test]
#[ignore = "takes minutes; run it after a change to how changes are found"]
fn many_walks() {
    (1000..1100).for_each(|seed| Walk::new(seed).run());
}

struct Walk {
    repo: TestRepo,
    seed: u64,
    random: u64,
    /// What was done so far, for whoever has to understand a failure.
    log: Vec<String>,
}

impl Walk {
    fn new(seed: u64) -> Walk {
        let repo = TestRepo::with(&[("a/x.py", "def apricot(): pass\n"), ("c/y.py", "def cherry(): pass\n")]);
        for branch in &BRANCHES[1..] {
            repo.git(&["branch", branch]);
        }
        repo.scan();
        Walk { repo, seed, random: seed, log: Vec::new() }
    }

    fn run(mut self) {
        for step in 0..STEPS {
            // Some things only show when several happened between two scans.
            for _ in 0..=self.below(3) {
                self.step();
            }
            self.check(step);
        }
    }

    fn check(&self, step: usize) {
        let copy = self.plain_copy(step);
        let (scan, expected) = (self.repo.scan(), copy.scan());
        let context = || format!("seed {}, step {step}, after:\n  {}", self.seed, self.log.join("\n  "));
        assert_eq!(self.repo.indexed(), copy.indexed(), "{}", context());
        assert_eq!(scan.root, expected.root, "{}", context());
        assert_eq!(scan.chunks.total, expected.chunks.total, "{}", context());
        assert_eq!(answers(&self.repo), answers(&copy), "{}", context());
        self.repo.scan().assert_no_op();
    }

    /// The files that git tracks or does not ignore, as they are on disk, without git.
    fn plain_copy(&self, step: usize) -> TestRepo {
        let copy = self.repo.sibling(&format!("copy{step}"));
        fs::create_dir(copy.root()).unwrap();
        let files = self.repo.git(&["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
        for file in files.split_terminator('\0') {
            let from = self.repo.path(file);
            if from.symlink_metadata().is_ok_and(|meta| meta.is_file()) {
                copy.write(file, fs::read(&from).unwrap());
                fs::set_permissions(copy.path(file), fs::metadata(&from).unwrap().permissions()).unwrap();
            }
        }
        copy
    }
}

/// For each query, every result; their order among equals may depend on history.
fn answers(repo: &TestRepo) -> Vec<BTreeSet<String>> {
    let (queries, out) = (repo.home().join("queries"), repo.home().join("answers"));
    let texts = ["apricot", "function blueberry value", "cherry damson notes"];
    let lines = texts.map(|text| serde_json::json!({ "id": text, "query": text }).to_string());
    fs::write(&queries, lines.join("\n")).unwrap();
    let (queries, out) = (queries.to_str().unwrap(), out.to_str().unwrap());
    repo.run(&["search", "--batch", queries, "--out", out, "-k", "500"]);
    let shown = |hit: &Value| {
        format!(
            "{}:{}-{} {} {}",
            hit["file"], hit["start_line"], hit["end_line"], hit["snippet"], hit["also_in"]
        )
    };
    let answer = |line: &str| -> BTreeSet<String> {
        let answer: Value = serde_json::from_str(line).unwrap();
        answer["results"].as_array().unwrap().iter().map(shown).collect()
    };
    fs::read_to_string(out).unwrap().lines().map(answer).collect()
}

/// The steps.
impl Walk {
    fn step(&mut self) {
        match self.below(26) {
            0..4 => self.edit(),
            4..6 => self.create(),
            6 => self.delete(),
            7..9 => self.move_something(),
            9 => self.chmod(),
            10 => self.touch_or_age(),
            11 => self.stage(),
            12..15 => self.commit(),
            15..18 => self.switch(),
            18 => self.reset(),
            19 => self.stash(),
            20 => self.merge_or_revert(),
            21 => self.exclude(),
            22 => self.scan_a_part(),
            23 | 24 => self.attributes(),
            _ => self.swap_file_and_directory(),
        }
    }

    fn edit(&mut self) {
        if let Some(file) = self.file() {
            let same_size = self.below(3) == 0;
            let text = if same_size { self.repo.read(&file).to_ascii_uppercase() } else { self.text() };
            self.note(format!("edit {file}, same size: {same_size}"));
            self.repo.write(&file, text);
        }
    }

    fn create(&mut self) {
        let path = format!("{}{}", self.pick(&DIRS), self.pick(&NAMES));
        if self.is_free(&path) {
            let text = self.text();
            self.note(format!("create {path}"));
            self.repo.write(&path, text);
        }
    }

    fn delete(&mut self) {
        if let Some(file) = self.file() {
            let how = self.below(3);
            self.note(format!("delete {file}, {how}"));
            match how {
                0 => self.repo.remove(&file),
                1 => drop(self.repo.try_git(&["rm", "--quiet", "--force", "--", &file])),
                _ => drop(self.repo.try_git(&["rm", "--quiet", "--cached", "--", &file])),
            }
        }
    }

    fn move_something(&mut self) {
        let Some(file) = self.file() else { return };
        let from = if self.below(2) == 0 { file.rsplit_once('/').map_or("", |(dir, _)| dir) } else { &file };
        let to = format!("{}moved{}", ["", "a/", "new/"][self.random as usize % 3], self.log.len());
        if !from.is_empty() && !to.starts_with(&format!("{from}/")) && self.is_free(&to) {
            self.note(format!("move {from} to {to}"));
            self.repo.rename(from, &to);
        }
    }

    fn chmod(&mut self) {
        if let Some(file) = self.file() {
            let mode = fs::metadata(self.repo.path(&file)).unwrap().permissions().mode();
            self.note(format!("chmod {file}"));
            self.repo.chmod(&file, mode ^ 0o111);
        }
    }

    fn touch_or_age(&mut self) {
        match (self.below(3), self.file()) {
            (0, Some(file)) => {
                self.note(format!("touch {file}"));
                let text = self.repo.read(&file);
                self.repo.write(&file, text);
            }
            _ => {
                self.note("age");
                self.repo.age();
            }
        }
    }

    fn stage(&mut self) {
        match (self.below(3), self.file()) {
            (0, _) => self.git(&["add", "--all"]),
            (1, Some(file)) => self.git(&["add", "--", &file]),
            (_, Some(file)) => self.git(&["add", "--intent-to-add", "--", &file]),
            _ => {}
        }
    }

    fn commit(&mut self) {
        match self.below(4) {
            0 => self.git(&["commit", "--quiet", "-m", "staged"]),
            1 => self.git(&["commit", "--quiet", "--all", "-m", "tracked"]),
            2 => {
                self.git(&["add", "--all"]);
                self.git(&["commit", "--quiet", "--amend", "--allow-empty", "-m", "amended"]);
            }
            _ => {
                self.git(&["add", "--all"]);
                self.git(&["commit", "--quiet", "-m", "all"]);
            }
        }
    }

    fn switch(&mut self) {
        let branch = self.pick(&BRANCHES);
        match self.below(4) {
            0 => self.git(&["checkout", "--quiet", "--detach"]),
            1 => self.git(&["checkout", "--quiet", "--force", branch]),
            _ => self.git(&["checkout", "--quiet", branch]),
        }
        if self.below(2) == 0 {
            self.note("age");
            self.repo.age();
        }
    }

    fn reset(&mut self) {
        let how = self.pick(&["--soft", "--mixed", "--hard"]);
        let to = self.pick(&["HEAD", "HEAD~", "side", "main"]);
        self.git(&["reset", "--quiet", how, to]);
    }

    fn stash(&mut self) {
        match self.below(3) {
            0 => self.git(&["stash", "--quiet"]),
            1 => self.git(&["stash", "--quiet", "--include-untracked"]),
            _ => self.git(&["stash", "pop", "--quiet"]),
        }
    }

    fn merge_or_revert(&mut self) {
        let branch = self.pick(&BRANCHES);
        match self.below(4) {
            0 => self.git(&["revert", "--no-edit", "HEAD"]),
            1 => self.git(&["merge", "--abort"]),
            _ => self.git(&["merge", "--quiet", "--no-edit", branch]),
        }
    }

    fn exclude(&mut self) {
        let pattern = self.pick(&["", "notes.md", "/c/", "*.txt", "moved*"]);
        self.note(format!("exclude {pattern:?}"));
        self.repo.write(".git/info/exclude", pattern);
    }

    fn attributes(&mut self) {
        let path = format!("{}.gitattributes", self.pick(&DIRS));
        if self.is_free(&path) {
            let rules = [
                "*.py linguist-generated",
                "x.py -linguist-generated",
                "* linguist-vendored",
                "b/* -diff",
                "*.md binary",
            ];
            let rules = format!("{}\n{}\n", self.pick(&rules), self.pick(&rules));
            self.note(format!("{path}: {rules:?}"));
            self.repo.write(&path, rules);
        }
    }

    fn scan_a_part(&mut self) {
        let branch = self.pick(&BRANCHES);
        let part = match self.below(3) {
            0 => vec!["--ref", branch],
            1 => vec!["a"],
            _ => vec!["c/y.py", "a/x.py", "missing"],
        };
        self.note(format!("scan {part:?}"));
        self.repo.scan_with(&part);
    }

    fn swap_file_and_directory(&mut self) {
        let Some(file) = self.file() else { return };
        let text = self.text();
        match file.split_once('/') {
            Some((dir, _)) if self.below(2) == 0 => {
                self.note(format!("a file in place of the directory {dir}"));
                self.repo.remove(dir);
                self.repo.write(dir, text);
            }
            _ => {
                self.note(format!("a directory in place of the file {file}"));
                self.repo.remove(&file);
                self.repo.write(format!("{file}/inner.py"), text);
            }
        }
    }

    /// Runs git, whether it likes that or not: a refused merge or switch is a step like any other.
    fn git(&mut self, args: &[&str]) {
        let done = self.repo.try_git(args).status.success();
        self.note(format!("git {}{}", args.join(" "), if done { "" } else { " (refused)" }));
    }

    fn note(&mut self, what: impl Into<String>) {
        self.log.push(what.into());
    }
}

/// Chance.
impl Walk {
    fn below(&mut self, limit: u64) -> u64 {
        // splitmix64
        self.random = self.random.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.random;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % limit
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len() as u64) as usize]
    }

    fn text(&mut self) -> String {
        let lines = 1 + self.below(4);
        (0..lines).map(|n| format!("def {}_{n}():\n    return {n}\n\n", self.pick(&WORDS))).collect()
    }

    /// Whether a file can be written there: no directory is in its way, and no file in that of its parents.
    fn is_free(&self, path: &str) -> bool {
        let full = self.repo.path(path);
        full.ancestors().skip(1).all(|dir| dir.is_dir() || !dir.exists()) && !full.is_dir()
    }

    /// Some file of the worktree.
    fn file(&mut self) -> Option<String> {
        let mut files = Vec::new();
        let mut todo = vec![String::new()];
        while let Some(dir) = todo.pop() {
            for entry in fs::read_dir(self.repo.path(&dir)).unwrap().map(Result::unwrap) {
                let path = format!("{dir}{}", entry.file_name().to_str().unwrap());
                match path.as_str() {
                    ".git" | ".codeagent" => {}
                    _ if entry.file_type().unwrap().is_dir() => todo.push(format!("{path}/")),
                    _ => files.push(path),
                }
            }
        }
        files.sort();
        let at = self.below(files.len().max(1) as u64) as usize;
        files.get(at).cloned()
    }
}
