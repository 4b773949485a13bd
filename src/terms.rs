//! The terms of lexical search, cut the same way from passages and from queries.
//!
//! A word is a run of letters, digits and `_`. It gives the parts it is made of (`parseHTTPHeader2` and
//! `parse_http_header_2` both: `pars`, `http`, `header`) and, if there are several, the whole without its joints
//! (`parsehttpheader2`), so that spellings meet and the exact name still outweighs its parts. All terms are
//! lower-cased and stemmed (`stem.rs`).
//!
//! * Single ASCII letters and digits are no terms, nor are numbers of more than 20 digits; `1_000` is only `1000`.
//! * Chinese, Japanese and Korean characters come singly and as neighbouring pairs, since nothing separates words.
//! * Words that are cut into crumbs (digests, base64) give only the whole.
//! * A term has at most [`MAX_TERM_BYTES`] bytes: a longer one keeps its beginning and ends in its hash.
//! * Nothing is dropped for being frequent, except from queries: ranking weighs that better than a list.

mod count;
mod stem;
mod word;

pub use count::{TermCounter, TermCounts, term_counts};

use word::{Kind, Word, is_combining, is_unspaced, kind_of};

/// Recorded with the postings; other terms than the stored ones must never be looked up.
///
/// * 1: first version.
pub const TERMS_VERSION: u32 = 1;

pub const MAX_TERM_BYTES: usize = 64;

/// Words of questions that say nothing about the code asked for, as stems (`does`, `where`), sorted.
const QUERY_NOISE: [&str; 24] = [
    "an", "and", "are", "be", "by", "do", "doe", "for", "from", "how", "in", "is", "it", "of", "on", "or",
    "that", "the", "this", "to", "what", "wher", "which", "with",
];

/// Calls `f` with every term of `text`, repeats included, in text order.
pub fn for_each_term(text: &str, mut f: impl FnMut(&str)) {
    let bytes = text.as_bytes();
    let mut word = Word::default();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match kind_of(byte) {
            Kind::Wide => {
                let Some(c) = text[at..].chars().next() else { break };
                push_wide(&mut word, c, &mut f);
                at += c.len_utf8();
                continue;
            }
            Kind::Gap => word.end(&mut f),
            kind => {
                let next_is_lower = || bytes.get(at + 1).is_some_and(|&next| kind_of(next) == Kind::Lower);
                word.push_ascii(byte, kind, next_is_lower);
            }
        }
        at += 1;
    }
    word.end(&mut f);
}

fn push_wide(word: &mut Word, c: char, f: &mut impl FnMut(&str)) {
    if is_combining(c) {
        // Neither in a word nor the end of one.
    } else if is_unspaced(c) {
        word.push_unspaced(c, f);
    } else if c.is_alphanumeric() {
        word.push_wide(c);
    } else {
        word.end(f);
    }
}

/// The distinct terms to look up for `query`, in the order of their first appearance. Words that only phrase a
/// question are left out, unless there is nothing else.
pub fn query_terms(query: &str) -> Vec<String> {
    let mut counter = TermCounter::new();
    counter.count(query);
    let (telling, noise): (Vec<_>, Vec<_>) = counter
        .iter()
        .map(|(term, _)| term.to_owned())
        .partition(|term| QUERY_NOISE.binary_search(&term.as_str()).is_err());
    if telling.is_empty() { noise } else { telling }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn terms(text: &str) -> Vec<String> {
        let mut terms = Vec::new();
        for_each_term(text, |term| terms.push(term.to_owned()));
        terms
    }

    #[test]
    fn identifiers_give_their_parts_and_the_whole() {
        assert_eq!(terms("getUserName"), ["get", "user", "name", "getusernam"]);
        assert_eq!(terms("get_user_name"), ["get", "user", "name", "getusernam"]);
        assert_eq!(terms("GET_USER_NAME"), ["get", "user", "name", "getusernam"]);
        assert_eq!(terms("HTTPServer"), ["http", "server", "httpserver"]);
        assert_eq!(terms("__init__"), ["init"]);
        assert_eq!(terms("a.b::c(_)"), [""; 0]);
    }

    #[test]
    fn digits_are_parts_of_their_own() {
        assert_eq!(terms("sha256Sum"), ["sha", "256", "sum", "sha256sum"]);
        assert_eq!(terms("v2 i32 x"), ["v2", "32", "i32"]);
        assert_eq!(terms("HTTP2Server"), ["http", "server", "http2server"]);
    }

    #[test]
    fn plural_acronyms_stay_whole() {
        assert_eq!(
            terms("URLs APIKeys userIDs URLsFor"),
            ["url", "api", "key", "apikey", "user", "id", "userid", "url", "for", "urlsfor"]
        );
    }

    #[test]
    fn numbers_are_kept_up_to_a_length() {
        assert_eq!(terms("404 7 1_000_000 3.14"), ["404", "1000000", "14"]);
        assert_eq!(terms(&"9".repeat(20)), ["9".repeat(20)]);
        assert_eq!(terms(&"9".repeat(21)), [""; 0]);
    }

    #[test]
    fn letters_of_every_script_are_kept() {
        assert_eq!(terms("Größe ИмяФайла λ"), ["größe", "имя", "файла", "имяфайла", "λ"]);
        assert_eq!(terms("日本語 x한국"), ["日", "日本", "本", "本語", "語", "한", "한국", "국"]);
        assert_eq!(terms("cafe\u{301}s"), ["cafe"]);
    }

    #[test]
    fn crumbs_give_only_the_whole() {
        assert_eq!(terms("a3f9B2c1d4e5"), ["a3f9b2c1d4e5"]);
    }

    #[test]
    fn long_terms_keep_their_beginning_and_stay_distinct() {
        let (a, b) = (terms(&format!("{}q", "x".repeat(100))), terms(&format!("{}z", "x".repeat(100))));
        assert_ne!(a, b);
        assert!(a[0].len() <= MAX_TERM_BYTES && a[0].starts_with(&"x".repeat(40)));
    }

    #[test]
    fn queries_lose_the_phrasing_but_never_everything() {
        assert_eq!(query_terms("how does the router match a path"), ["router", "match", "path"]);
        assert_eq!(query_terms("for in"), ["for", "in"]);
        assert_eq!(query_terms("does"), ["doe"]);
        assert_eq!(query_terms("path paths path"), ["path"]);
        assert!(query_terms("").is_empty());
    }

    #[test]
    fn query_noise_is_sorted_and_holds_stems() {
        assert!(QUERY_NOISE.is_sorted());
        assert_eq!(
            query_terms("where is this done, and by which of those in the list"),
            ["done", "thos", "list"]
        );
    }

    proptest! {
        #[test]
        fn no_term_is_empty_or_too_long(text in "(.|[a-zA-Z_]{30,90}|[A-Z]\u{130}|\u{1F600}|語){0,40}") {
            for term in terms(&text) {
                prop_assert!(!term.is_empty() && term.len() <= MAX_TERM_BYTES, "{term:?}");
            }
        }

        #[test]
        fn spellings_of_one_name_share_all_terms(words in prop::collection::vec("[a-z]{2,10}", 1..6)) {
            let snake = words.join("_");
            let pascal: String =
                words.iter().map(|word| word[..1].to_uppercase() + &word[1..]).collect();
            let camel = pascal[..1].to_lowercase() + &pascal[1..];
            let expected = terms(&snake);
            prop_assert_eq!(&terms(&snake.to_uppercase()), &expected);
            prop_assert_eq!(&terms(&pascal), &expected);
            prop_assert_eq!(&terms(&camel), &expected);
        }

        #[test]
        fn a_name_is_found_in_text_that_holds_it(name in "[a-zA-Z][a-zA-Z0-9_]{1,70}", before in "[ -/]{0,5}", after in "[ (;.]") {
            let passage = terms(&format!("{before} {name}{after} other"));
            let query = query_terms(&name);
            prop_assert!(query.iter().all(|term| passage.contains(term)), "{query:?} {passage:?}");
        }
    }
}
