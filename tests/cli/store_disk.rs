//! Disks that are full and directories that cannot be written.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;

use crate::sandbox::{Run, Sandbox, finish};

/// A small file system of its own, unmounted in the end.
struct SmallDisk {
    path: PathBuf,
}

impl SmallDisk {
    /// `None`, said aloud, where mounting is not permitted.
    fn mount(repo: &Sandbox, size: &str) -> Option<SmallDisk> {
        let path = repo.path("../disk");
        fs::create_dir_all(&path).unwrap();
        let options = format!("size={size},mode=0777");
        let mounted =
            Command::new("mount").args(["-t", "tmpfs", "-o", &options, "tmpfs"]).arg(&path).output();
        if mounted.is_ok_and(|output| output.status.success()) {
            return Some(SmallDisk { path });
        }
        eprintln!("SKIPPED: a tmpfs cannot be mounted here");
        None
    }

    fn run(&self, repo: &Sandbox, args: &[&str]) -> Run {
        finish(repo.command(args).env("CODEAGENT_STORE_DIR", self.path.join("store")))
    }

    /// Leaves about `free` bytes.
    fn fill(&self, free: usize) {
        let mut size = 16 << 20;
        let filler = self.path.join("filler");
        let mut content = Vec::new();
        while size >= 4096 {
            content.resize(content.len() + size, b'x');
            if fs::write(&filler, &content).is_err() {
                content.truncate(content.len() - size);
                size /= 2;
            }
        }
        content.truncate(content.len().saturating_sub(free));
        fs::write(&filler, &content).unwrap();
    }

    fn empty(&self) {
        fs::remove_file(self.path.join("filler")).unwrap();
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.path).status();
    }
}

fn many_files(repo: &Sandbox) {
    for i in 0..300 {
        let text: String =
            (0..40).map(|j| format!("word{} of file{i} number{}\n", j * i, i * 31 + j)).collect();
        repo.write(format!("texts/{i}.txt"), text);
    }
}

fn assert_disk_full(run: Run) {
    let run = run.assert_code(1);
    assert!(run.stderr.contains("disk is full") || run.stderr.contains("No space left"), "{}", run.stderr);
    assert!(run.stderr.contains("hint: "), "{}", run.stderr);
}

#[test]
fn a_full_disk_is_an_error_that_leaves_the_index_as_it_was() {
    let repo = Sandbox::sample();
    let Some(disk) = SmallDisk::mount(&repo, "2m") else { return };
    disk.run(&repo, &["scan"]).assert_code(0);
    disk.fill(60_000);
    many_files(&repo);
    assert_disk_full(disk.run(&repo, &["scan"]));

    let answer =
        disk.run(&repo, &["search", "validate_token", "--json", "--no-refresh"]).assert_code(0).json();
    assert_eq!(answer["results"][0]["file"], "src/auth.py", "the old view is whole");
    disk.run(&repo, &["status", "--json"]).assert_code(0);
    disk.run(&repo, &["manifest", "--json"]).assert_code(0);

    disk.empty();
    let report = disk.run(&repo, &["scan", "--json"]).assert_code(0).json();
    assert_eq!(report["files"]["total"], 303);
}

#[test]
fn a_search_on_a_full_disk_answers_from_what_there_is() {
    let repo = Sandbox::sample();
    let Some(disk) = SmallDisk::mount(&repo, "2m") else { return };
    disk.run(&repo, &["scan"]).assert_code(0);
    disk.fill(0);
    many_files(&repo);
    for i in 150..300 {
        fs::remove_file(repo.path(format!("texts/{i}.txt"))).unwrap();
    }
    let run = disk.run(&repo, &["search", "validate_token", "--json"]).assert_code(0).json();
    assert_eq!(run["results"][0]["file"], "src/auth.py");
    assert_eq!(run["freshness"]["stale"], 150);
}

#[test]
fn a_disk_that_is_full_from_the_start() {
    let repo = Sandbox::sample();
    for free in [0, 4096, 16_384, 40_000] {
        let Some(disk) = SmallDisk::mount(&repo, "1m") else { return };
        disk.fill(free);
        assert_disk_full(disk.run(&repo, &["scan"]));
        disk.empty();
        assert_eq!(disk.run(&repo, &["scan", "--json"]).assert_code(0).json()["files"]["total"], 3);
    }
}

/// Takes away every right to write below `dir`, and gives it back at the end.
struct ReadOnly(Vec<PathBuf>);

impl ReadOnly {
    fn below(dir: PathBuf) -> ReadOnly {
        let mut all = vec![dir];
        let mut at = 0;
        while at < all.len() {
            if all[at].is_dir() {
                all.extend(fs::read_dir(&all[at]).unwrap().map(|entry| entry.unwrap().path()));
            }
            at += 1;
        }
        let read_only = ReadOnly(all);
        read_only.set(0o555, 0o444);
        read_only
    }

    fn set(&self, dir: u32, file: u32) {
        for path in &self.0 {
            let mode = if path.is_dir() { dir } else { file };
            let _ = fs::set_permissions(path, fs::Permissions::from_mode(mode));
        }
    }
}

impl Drop for ReadOnly {
    fn drop(&mut self) {
        self.set(0o755, 0o644);
    }
}

#[test]
fn an_index_that_cannot_be_written_still_answers() {
    let repo = Sandbox::sample();
    repo.scan(&[]);
    repo.write("src/refund.py", "def refund_customer():\n    pass\n");
    let _read_only = ReadOnly::below(repo.path(".codeagent"));
    let Some(mut search) = repo.unprivileged(&["search", "validate_token", "--json"]) else { return };
    let answer = finish(&mut search).assert_code(0).json();
    assert_eq!(answer["results"][0]["file"], "src/auth.py");
    assert_eq!(answer["freshness"]["stale"], 1);
    for args in [&["status", "--json"][..], &["manifest", "--json"], &["scan", "--dry-run", "--json"]] {
        finish(&mut repo.unprivileged(args).unwrap()).assert_code(0).json();
    }
    let scan = finish(&mut repo.unprivileged(&["scan"]).unwrap()).assert_code(1);
    assert!(scan.stderr.contains("ermission denied") && scan.stderr.contains("hint: "), "{}", scan.stderr);
}

#[test]
fn a_repository_that_cannot_be_written_says_what_to_do() {
    let repo = Sandbox::sample();
    fs::set_permissions(repo.root(), fs::Permissions::from_mode(0o555)).unwrap();
    let Some(mut scan) = repo.unprivileged(&["scan"]) else { return };
    finish(&mut scan).assert_error(1, "cannot create the index directory", "CODEAGENT_STORE_DIR");
    fs::set_permissions(repo.root(), fs::Permissions::from_mode(0o755)).unwrap();
}
