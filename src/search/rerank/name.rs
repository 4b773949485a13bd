//! How much of the question the name of a file says.
//!
//! Paths are no part of a chunk's text (a rename must cost nothing), so neither channel sees them; yet people name
//! files after what is in them. Measured on 38 public repositories with 755 questions: without it NDCG@10 falls from
//! 0.82 to 0.74, with whole repositories instead of their main source directory from 0.78 to 0.69. Directory names
//! would add 0.003 and are not looked at.

use std::collections::BTreeSet;

use crate::terms;

/// The distinct terms of a question.
pub struct NameMatch {
    query: BTreeSet<String>,
}

impl NameMatch {
    pub fn new(query: &str) -> Self {
        NameMatch { query: terms::query_terms(query).into_iter().collect() }
    }

    /// 0 to 1: the cosine between the terms of the question and those of the file's name. A name that says one word
    /// of many asked for, or many of which one was asked for, is a weaker hint than one that says just that.
    pub fn of(&self, path: &[u8]) -> f32 {
        let mut name = BTreeSet::new();
        terms::for_each_term(&stem(path), |term| {
            name.insert(term.to_owned());
        });
        let shared = name.intersection(&self.query).count();
        if shared == 0 {
            return 0.0;
        }
        shared as f32 / ((name.len() * self.query.len()) as f32).sqrt()
    }
}

/// The file's name up to its first dot that does not start it: `router` of `src/router.test.ts`.
fn stem(path: &[u8]) -> String {
    let name = path.rsplit(|b| *b == b'/').next().unwrap_or(path);
    let name = String::from_utf8_lossy(name);
    let visible = name.trim_start_matches('.');
    visible.split('.').next().unwrap_or(visible).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_says_the_question_is_a_full_match() {
        assert_eq!(NameMatch::new("router").of(b"src/router.test.ts"), 1.0);
        assert_eq!(NameMatch::new("TokenStream").of(b"lib/token_stream.rs"), 1.0);
        assert_eq!(NameMatch::new("how does the router do it").of(b"Routers.java"), 1.0);
    }

    #[test]
    fn more_words_on_either_side_weaken_the_match() {
        let router = |path: &str| NameMatch::new("router match").of(path.as_bytes());
        assert!(router("router.rs") < 1.0);
        assert!(router("router_group_node.rs") < router("router.rs"));
        assert_eq!(router("router/mod.rs"), 0.0, "directories do not count");
    }

    #[test]
    fn odd_names_and_empty_questions_match_nothing() {
        for path in [&b""[..], b"/", b"...", b"\xff\n", b".a"] {
            assert_eq!(NameMatch::new("router").of(path), 0.0);
            assert_eq!(NameMatch::new("").of(path), 0.0);
        }
        assert_eq!(NameMatch::new("").of(b"router.rs"), 0.0);
        assert_eq!(stem(b"a/.gitignore"), "gitignore");
    }
}
