//! The example file, written from the table so that it cannot fall behind it.

use super::keys::{self, Kind};

/// `.codeagent.example.yaml`: every key with its default and what it does.
pub fn example() -> String {
    let mut text = String::from(HEADER);
    for section in keys::sections() {
        text.push_str(&format!("\n{section}:\n"));
        for (i, key) in keys::keys_of(section).enumerate() {
            let gap = if i == 0 { "" } else { "\n" };
            let default = if key.kind == Kind::Globs { "[]" } else { key.default };
            text.push_str(&format!("{gap}  # {}\n", key.doc));
            text.push_str(&format!("  # ({}; {})\n", key.kind.expects(), key.env_name()));
            text.push_str(&format!("  {}: {default}\n", key.key));
        }
    }
    text
}

const HEADER: &str = "\
# Settings of codeagent, each with its default.
#
# Copy what you want to change to `.codeagent.yaml` in the root of the repository, or to your own
# `~/.config/codeagent/config.yaml` (`%APPDATA%\\codeagent\\config.yaml` on Windows).
#
# Command-line flags win over environment variables, these over the repository's file, that over your own.
# A list replaces the list it overrides. In an environment variable its elements are separated by commas.
# `codeagent config show` says which value is in force, and where it was set.
#
# Globs match paths relative to the root of the repository; put them in quotes: [\"docs/**\", \"**/*.min.js\"].
# KiB, MiB, GiB, TiB are powers of 1024; KB, MB, GB, TB powers of 1000; a bare number is bytes.
";

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::super::{Config, Inputs, Origin, load};
    use super::*;

    fn checked_in() -> std::path::PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join(".codeagent.example.yaml")
    }

    #[test]
    fn the_checked_in_file_is_current() {
        let text = fs::read_to_string(checked_in()).unwrap().replace("\r\n", "\n");
        assert_eq!(text, example(), "run `cargo test --lib config::example -- --ignored` to write it anew");
    }

    #[test]
    #[ignore = "writes the example file"]
    fn write_the_example() {
        fs::write(checked_in(), example()).unwrap();
    }

    #[test]
    fn it_sets_every_key_to_its_default() {
        let loaded = load(&Inputs { user_file: Some(checked_in()), ..Inputs::default() }).unwrap();
        assert_eq!(loaded.config, Config::default());
        assert!(loaded.origins.iter().all(|setting| matches!(setting.origin, Origin::File { .. })));
    }
}
