//! An index that is not what it was: said clearly, never a crash, and `clean` plus `scan` always help.

use std::fs;

use crate::sandbox::{Run, Sandbox, text};

const COMMANDS: [&[&str]; 6] = [
    &["scan"],
    &["search", "validate token"],
    &["search", "validate token", "--no-refresh"],
    &["status"],
    &["manifest"],
    &["scan", "--dry-run"],
];

fn data(repo: &Sandbox) -> std::path::PathBuf {
    repo.path(".codeagent/index/data.mdb")
}

/// Ended by itself; a failure says what is wrong and what to do.
#[track_caller]
fn assert_clear(run: Run, what: &str, codes: &[i32]) -> Run {
    let code = run.code.unwrap_or_else(|| panic!("{what}: killed by a signal: {}", run.stderr));
    assert!(!run.stderr.contains("panicked"), "{what}: {}", run.stderr);
    assert!(codes.contains(&code), "{what}: exit code {code}: {}", run.stderr);
    if code != 0 {
        assert!(run.stderr.contains("error: ") && run.stderr.contains("hint: "), "{what}: {}", run.stderr);
    }
    run
}

/// The index is beyond use: every command says so, then `clean` and `scan` bring it back.
fn assert_refused_then_rebuilt(damage: impl Fn(&Sandbox)) {
    let repo = Sandbox::sample();
    let root = text(&repo.scan(&[])["root"]);
    damage(&repo);
    for command in COMMANDS {
        assert_clear(repo.run(command), &format!("{command:?}"), &[1, 4]);
    }
    repo.ok(&["clean"]);
    assert_eq!(text(&repo.scan(&[])["root"]), root);
    assert_eq!(repo.found("validate_token")[0], "src/auth.py");
}

#[test]
fn a_file_that_is_cut_short() {
    for length in [1, 100, 4095, 4096, 5000, 8192, 12_288, 20_000] {
        assert_refused_then_rebuilt(|repo| {
            let file = fs::File::options().write(true).open(data(repo)).unwrap();
            assert!(file.metadata().unwrap().len() > length);
            file.set_len(length).unwrap();
        });
    }
}

#[test]
fn a_file_of_something_else() {
    let noise: Vec<u8> = (0..200_000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    assert_refused_then_rebuilt(|repo| fs::write(data(repo), &noise).unwrap());
    assert_refused_then_rebuilt(|repo| fs::write(data(repo), "this is no index\n".repeat(10_000)).unwrap());
    assert_refused_then_rebuilt(|repo| fs::write(data(repo), vec![0; 100_000]).unwrap());
}

#[test]
fn a_directory_in_place_of_the_file() {
    assert_refused_then_rebuilt(|repo| {
        fs::remove_file(data(repo)).unwrap();
        fs::create_dir(data(repo)).unwrap();
    });
}

#[test]
fn a_file_in_place_of_the_directory() {
    let repo = Sandbox::sample();
    repo.write(".codeagent", "not a directory");
    assert_clear(repo.run(&["scan"]), "scan", &[1, 4]);
    assert_clear(repo.run(&["search", "token"]), "search", &[3]);
    assert_eq!(fs::read_to_string(repo.path(".codeagent")).unwrap(), "not a directory");
}

/// An empty file is what LMDB itself starts from: nothing is indexed, and a scan fills it.
#[test]
fn an_empty_file_is_an_empty_index() {
    let repo = Sandbox::sample();
    let root = text(&repo.scan(&[])["root"]);
    fs::write(data(&repo), "").unwrap();
    repo.run(&["search", "token", "--no-refresh"]).assert_error(3, "nothing is indexed", "codeagent scan");
    repo.run(&["status"]).assert_error(3, "nothing is indexed", "codeagent scan");
    let report = repo.scan(&[]);
    assert_eq!((text(&report["root"]), &report["files"]["added"]), (root, &3.into()));
}

/// Pages of a database that is otherwise whole, as a lost write leaves them. LMDB keeps no checksums, so not
/// all of it can be noticed (and bytes that look like a page can lead it astray); no command may crash on these.
#[test]
fn pages_overwritten_inside_the_file() {
    let repo = Sandbox::sample();
    let root = text(&repo.scan(&[])["root"]);
    let whole = fs::read(data(&repo)).unwrap();
    let pages = whole.len() / 4096;
    for (fill, name) in [(0u8, "zeroes"), (b'x', "text")] {
        for page in 2..pages {
            let mut broken = whole.clone();
            broken[page * 4096..(page + 1) * 4096].fill(fill);
            fs::write(data(&repo), &broken).unwrap();
            for command in [&["search", "validate token", "--no-refresh"][..], &["manifest"]] {
                let what = format!("{name} in page {page} of {pages}: {command:?}");
                assert_clear(repo.run(command), &what, &[0, 1, 3, 4]);
            }
        }
    }
    repo.ok(&["clean"]);
    assert_eq!(text(&repo.scan(&[])["root"]), root);
}

#[test]
fn an_index_of_a_newer_version_is_left_alone() {
    let repo = Sandbox::sample();
    repo.scan(&[]);
    let mut bytes = fs::read(data(&repo)).unwrap();
    let row = [b"schema".as_slice(), &codeagent::store::SCHEMA_VERSION.to_be_bytes()].concat();
    let places: Vec<usize> =
        (0..bytes.len() - row.len()).filter(|at| bytes[*at..].starts_with(&row)).collect();
    assert!(!places.is_empty(), "the version row is where this test expects it");
    for at in places {
        bytes[at + row.len() - 1] = 99;
    }
    fs::write(data(&repo), &bytes).unwrap();
    for command in COMMANDS {
        let run = repo.run(command).assert_error(4, "newer codeagent", "update codeagent");
        assert!(run.stderr.contains("format 99"), "{}", run.stderr);
    }
    assert_eq!(fs::read(data(&repo)).unwrap(), bytes, "not a byte was touched");
    repo.ok(&["clean"]);
    repo.scan(&[]);
}

#[test]
fn an_index_copied_to_another_clone_needs_no_embedding() {
    let repo = Sandbox::sample();
    let first = repo.scan(&[]);
    let other = repo.path("../clone");
    repo.git(&["clone", "--quiet", ".", other.to_str().unwrap()]);
    fs::create_dir_all(other.join(".codeagent/index")).unwrap();
    fs::copy(data(&repo), other.join(".codeagent/index/data.mdb")).unwrap();
    let report = repo.json(&["-C", other.to_str().unwrap(), "scan", "--json"]);
    assert_eq!((&report["root"], &report["embedded"]), (&first["root"], &0.into()));
}

#[test]
fn a_lock_file_of_something_else_does_no_harm() {
    let repo = Sandbox::sample();
    repo.scan(&[]);
    fs::write(repo.path(".codeagent/index/lock.mdb"), "garbage".repeat(2000)).unwrap();
    fs::write(repo.path(".codeagent/write.lock"), "garbage").unwrap();
    assert_clear(repo.run(&["search", "token"]), "search", &[0, 1, 4]);
    assert_clear(repo.run(&["scan"]), "scan", &[0, 1, 4]);
    fs::remove_file(repo.path(".codeagent/index/lock.mdb")).unwrap();
    assert_eq!(repo.found("validate_token")[0], "src/auth.py");
}
