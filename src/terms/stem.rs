//! A light stemmer: plurals, `-ed` and `-ing`, and the endings that those hide.
//!
//! Queries and passages go through the same function, so a stem need not be a word: it only has to be the same
//! for the forms of one word. Forms of short words are left alone (`set`, `setting` and `settings` mean different
//! things in code), and so is everything that is not plain lower-case ASCII letters. In order:
//!
//! 1. `-s` goes, if 3 letters remain (or in `ids`); not after `s`, `u`, `i`, and not in `-ias` (`class`, `status`, `axis`, `alias`).
//! 2. `-ed` (not `-eed`) and `-ing` go, if 4 letters with a vowel remain; a doubled last consonant becomes single
//!    (`stopped`), except `l`, `s`, `z` (`called`, `passed`, `buzzed`).
//! 3. `-e` goes, if 4 letters remain; not after `e` (`cache`, `caches`, `cached`, `caching` are `cach`).
//! 4. `-ll` becomes `-l`, if 5 letters remain (`cancel`, `cancelled`).
//! 5. `-y` after a consonant becomes `-i` (`query`, `queries` are `queri`), if the word has 4 letters.

/// Shortens `word` to its stem, in place.
pub(super) fn stem(word: &mut String) {
    if word == "ids" {
        word.pop();
    }
    if word.len() < 4 || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return;
    }
    drop_plural(word);
    drop_ed_or_ing(word);
    if word.len() > 4 && word.ends_with('e') && !word.ends_with("ee") {
        word.pop();
    }
    if word.len() > 5 && word.ends_with("ll") {
        word.pop();
    }
    if word.len() >= 4
        && word.ends_with('y')
        && !word.as_bytes()[..word.len() - 1].last().is_some_and(is_vowel)
    {
        word.pop();
        word.push('i');
    }
}

fn drop_plural(word: &mut String) {
    let kept = ["ss", "us", "is", "ias"];
    if word.ends_with('s') && !kept.iter().any(|ending| word.ends_with(ending)) {
        word.pop();
    }
}

fn drop_ed_or_ing(word: &mut String) {
    let Some(rest) =
        word.strip_suffix("ing").or_else(|| word.strip_suffix("ed").filter(|r| !r.ends_with('e')))
    else {
        return;
    };
    let doubled = match rest.as_bytes() {
        [.., a, b] => a == b && !is_vowel(b) && !b"lsz".contains(b),
        _ => false,
    };
    let length = rest.len() - usize::from(doubled);
    if length >= 4 && rest.bytes().any(|byte| is_vowel(&byte) || byte == b'y') {
        word.truncate(length);
    }
}

fn is_vowel(byte: &u8) -> bool {
    b"aeiou".contains(byte)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn stemmed(word: &str) -> String {
        let mut word = word.to_owned();
        stem(&mut word);
        word
    }

    #[test]
    fn forms_of_one_word_meet() {
        for forms in [
            &["cache", "caches", "cached", "caching"][..],
            &["query", "queries", "queried", "querying"],
            &["class", "classes", "classed"],
            &["process", "processes", "processed", "processing"],
            &["index", "indexes", "indexed", "indexing"],
            &["stop", "stops", "stopped", "stopping"],
            &["embed", "embeds", "embedded", "embedding", "embeddings"],
            &["cancel", "cancels", "canceled", "cancelled", "cancelling"],
            &["install", "installs", "installed", "installing"],
            &["handle", "handles", "handled", "handling"],
            &["cookie", "cookies"],
            &["copy", "copies", "copied", "copying"],
            &["value", "values", "valued"],
            &["status", "statuses"],
            &["alias", "aliases", "aliased"],
            &["key", "keys"],
            &["url", "urls"],
            &["id", "ids"],
            &["tree", "trees"],
            &["call", "calls", "called", "calling"],
            &["string", "strings"],
        ] {
            let stems: Vec<String> = forms.iter().map(|form| stemmed(form)).collect();
            assert!(stems.iter().all(|stem| stem == &stems[0]), "{forms:?} {stems:?}");
        }
    }

    #[test]
    fn different_words_stay_apart() {
        for (a, b) in [
            ("set", "settings"),
            ("mod", "mode"),
            ("pip", "pipe"),
            ("str", "string"),
            ("spec", "speed"),
            ("bas", "base"),
            ("emb", "embed"),
            ("need", "ne"),
            ("tri", "trie"),
            ("thing", "the"),
        ] {
            assert_ne!(stemmed(a), stemmed(b));
        }
    }

    #[test]
    fn words_with_anything_but_ascii_letters_are_left_alone() {
        for word in ["utf8s", "écoles", "a_bs", "wörter", "CLASSES", "ss", "is", ""] {
            assert_eq!(stemmed(word), word);
        }
    }

    proptest! {
        #[test]
        fn a_stem_is_never_empty_and_never_longer(word in "[a-z]{1,20}") {
            let stem = stemmed(&word);
            prop_assert!(!stem.is_empty() && stem.len() <= word.len());
        }
    }
}
