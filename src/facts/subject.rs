//! Which file a test seems to test, by the names of both.

/// The stems (without extension, in lower case) of the files that a test at `path` is probably about, best first;
/// none if the path is not a test's. `foo.test.ts` and `FooTests.cs` are about `foo`.
pub fn stems_under_test(path: &str) -> Vec<String> {
    let file = path.rsplit('/').next().unwrap_or(path);
    let stem = file.split_once('.').map_or(file, |(stem, _)| stem);
    // Between the stem and the extension.
    let middle: Vec<&str> = file.split('.').skip(1).collect();
    let marked =
        |part: &&str| matches!(part.to_ascii_lowercase().as_str(), "test" | "tests" | "spec" | "e2e");
    if middle.iter().rev().skip(1).any(marked) {
        return vec![stem.to_ascii_lowercase()];
    }
    strip_marks(stem).map(|bare| vec![bare.to_ascii_lowercase()]).unwrap_or_default()
}

fn strip_marks(stem: &str) -> Option<&str> {
    for mark in ["_test", "_tests", "_spec", "-test", "-spec", "Tests", "Test", "Specs", "Spec"] {
        if let Some(bare) = stem.strip_suffix(mark).filter(|bare| !bare.is_empty()) {
            return Some(bare.trim_end_matches(['_', '-']));
        }
    }
    for mark in ["test_", "tests_", "test-"] {
        if let Some(bare) = stem.strip_prefix(mark).filter(|bare| !bare.is_empty()) {
            return Some(bare);
        }
    }
    stem.strip_prefix("Test").filter(|bare| bare.starts_with(|c: char| c.is_ascii_uppercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_name_their_subject() {
        for (path, stem) in [
            ("src/foo.test.ts", "foo"),
            ("src/foo.spec.tsx", "foo"),
            ("tests/test_foo.py", "foo"),
            ("Foo.Tests/FooTests.cs", "foo"),
            ("foo_test.go", "foo"),
            ("FooTest.java", "foo"),
            ("TestFoo.java", "foo"),
            ("foo_spec.rb", "foo"),
        ] {
            assert_eq!(stems_under_test(path), [stem], "{path}");
        }
        for path in ["src/foo.ts", "src/latest.py", "contest.rs", "test.py", "Testing.cs"] {
            assert!(stems_under_test(path).is_empty(), "{path}");
        }
    }
}
