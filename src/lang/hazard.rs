//! Texts that a grammar, or its own scanner, cannot be trusted with.
//!
//! A scanner is C that runs outside of any budget: some never leave a loop at the end of the text, and some write
//! their state into a buffer of a kilobyte without looking where it ends, which stops the process. Each function
//! here knows the bounds of one grammar. It counts too much rather than too little: a strange text that would
//! have gone well may be refused, but hardly one passed that would not.

use std::borrow::Cow;
use std::collections::{BTreeSet, VecDeque};

/// What may be parsed in place of the text, of the same length; nothing if it must not be parsed at all.
pub type Hazard = fn(&str) -> Option<Cow<'_, str>>;

/// The scanner searches for the space behind an annotation, and for the end of the line behind its bracket, also
/// where the text ends first.
pub fn kotlin(text: &str) -> Option<Cow<'_, str>> {
    let last = text.rfind('\n').map_or(0, |at| at + 1);
    let (before, tail) = text.split_at(last);
    if !tail.contains('@') {
        return Some(text.into());
    }
    Some((before.to_owned() + &tail.replace('@', " ")).into())
}

/// Two bytes for each level of indentation, and one for each string around.
pub fn python(text: &str) -> Option<Cow<'_, str>> {
    const MOST: usize = 380;
    // Levels are indented differently, so there are no more of them than there are indentations.
    let mut widths = BTreeSet::new();
    let mut width = 0;
    for line in text.split(['\n', '\r', '\x0c']) {
        let body = line.trim_start_matches([' ', '\t']);
        width +=
            line[..line.len() - body.len()].bytes().map(|b| if b == b'\t' { 8 } else { 1 }).sum::<usize>();
        // A line that goes on before anything stands on it indents the next one as well.
        if body == "\\" {
            continue;
        }
        if !body.is_empty() {
            widths.insert(width);
        }
        width = 0;
    }
    (widths.len() <= MOST).then_some(text.into())
}

/// Four bytes for each level. A list may stand in the column of the key that it belongs to.
pub fn yaml(text: &str) -> Option<Cow<'_, str>> {
    const MOST: usize = 120;
    let mut columns = BTreeSet::new();
    for line in text.split(['\n', '\r']) {
        let (mut rest, mut column) = (line, 0);
        loop {
            let body = rest.trim_start_matches([' ', '\t']);
            column += rest.len() - body.len();
            if body.is_empty() {
                break;
            }
            columns.insert(column);
            // What may stand before a level on its line: other levels, anchors and tags.
            let word = body.split([' ', '\t']).next().unwrap_or_default();
            if !matches!(word, "-" | "?" | ":") && !word.starts_with(['&', '!']) {
                break;
            }
            column += word.chars().count();
            rest = &body[word.len()..];
            if columns.len() > MOST {
                return None;
            }
        }
    }
    (columns.len() <= MOST).then_some(text.into())
}

/// Type arguments that are never closed make the parser try every way to end each of them, in one single step:
/// gigabytes for a few hundred kilobytes of `A<`.
pub fn java(text: &str) -> Option<Cow<'_, str>> {
    const MOST: usize = 500;
    let mut open = 0usize;
    for pair in text.as_bytes().windows(2) {
        match pair {
            [before, b'<'] if before.is_ascii_alphanumeric() => open += 1,
            [_, b'>'] => open = open.saturating_sub(1),
            [_, b';' | b'{' | b'}'] => open = 0,
            _ => {}
        }
        if open > MOST {
            return None;
        }
    }
    Some(text.into())
}

/// Four bytes and its word for each heredoc that waits for its end, five for each string around an interpolation.
/// The length of a word is kept in one byte.
pub fn ruby(text: &str) -> Option<Cow<'_, str>> {
    const LONGEST: usize = 250;
    const MOST: usize = 900;
    // What begins on one line ends in turn; what begins inside of that ends before it.
    let mut open: Vec<VecDeque<&str>> = Vec::new();
    let (mut held, mut braces) = (0, 0usize);
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        if let Some(group) = open.last_mut()
            && group.front() == Some(&line.trim())
        {
            held -= 4 + group.pop_front().map_or(0, str::len);
            if group.is_empty() {
                open.pop();
            }
        }
        let mut group = VecDeque::new();
        for at in memchr::memmem::find_iter(line.as_bytes(), "<<") {
            if let Some(word) = heredoc_word(&text[start + at + 2..], LONGEST)? {
                held += 4 + word.len();
                group.push_back(word);
            }
        }
        if !group.is_empty() {
            open.push(group);
        }
        for b in line.bytes() {
            match b {
                b'{' => braces += 1,
                b'}' => braces = braces.saturating_sub(1),
                _ => {}
            }
            if braces * 5 + held > MOST && held > 0 {
                return None;
            }
        }
        start = end;
    }
    Some(text.into())
}

/// The word behind `<<`, if it may be one; nothing if it is too long.
fn heredoc_word(rest: &str, longest: usize) -> Option<Option<&str>> {
    let rest = rest.strip_prefix(['-', '~']).unwrap_or(rest);
    let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\'' | '`'));
    let word = match quote {
        Some(quote) => rest[1..].split(quote).next().unwrap_or_default(),
        None => rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default(),
    };
    (word.len() <= longest).then_some((!word.is_empty()).then_some(word))
}

#[cfg(test)]
mod tests {
    use super::super::java::JAVA;
    use super::super::kotlin::KOTLIN;
    use super::super::python::PYTHON;
    use super::super::ruby::RUBY;
    use super::super::yaml::YAML;
    use super::super::{grammar::Grammar, parse::parse};

    fn is_parsed(text: &str, grammar: &'static Grammar) -> bool {
        parse(text, grammar).is_some()
    }

    #[test]
    fn annotations_at_the_very_end() {
        for text in
            ["class A\n@b", "val a = 1\n@b(", "val a = 1\r@b(\rfun f() {}\r", "@file:A", "class A\n@é"]
        {
            assert!(is_parsed(text, &KOTLIN));
        }
    }

    #[test]
    fn indentation_deeper_than_the_scanner_can_note() {
        let nested = |levels: usize| (0..levels).map(|n| " ".repeat(n) + "if a:\n").collect::<String>();
        for levels in 300..530 {
            let text = nested(levels) + &" ".repeat(levels) + "x = 'a'\n";
            assert_eq!(is_parsed(&text, &PYTHON), levels < 380, "{levels} levels");
        }
    }

    #[test]
    fn type_arguments_that_nobody_closes() {
        assert!(!is_parsed(&"A<\n".repeat(150_000), &JAVA));
        assert!(is_parsed(
            &"class A { B<C<D>> e; boolean f(int g) { return g<1<<2; } }\n".repeat(1000),
            &JAVA
        ));
    }

    #[test]
    fn lists_and_keys_deeper_than_the_scanner_can_note() {
        for mark in ["- ", "? ", ": ", "- ? ", "? - ", "- &a ", "&a - ", "- !t ", "!t - ", "- a: ", "? a: - "]
        {
            for times in [100, 130, 254, 300, 3000] {
                is_parsed(&(mark.repeat(times) + "a\n"), &YAML);
            }
        }
        let keys = |levels: usize| (0..levels).map(|n| " ".repeat(n) + "a:\n").collect::<String>();
        let lists = |levels: usize| keys(levels).replace("a:\n", "a:\n@- b:\n").replace('@', "");
        for levels in [100, 119, 130, 253, 254, 300] {
            is_parsed(&keys(levels), &YAML);
            is_parsed(&lists(levels), &YAML);
        }
        assert!(is_parsed(&keys(100), &YAML) && !is_parsed(&keys(254), &YAML));
    }

    #[test]
    fn heredocs_longer_than_the_scanner_can_note() {
        for length in [1, 200, 250, 251, 255, 256, 300, 1018, 1019, 1020, 3000] {
            let word = "A".repeat(length);
            assert_eq!(is_parsed(&format!("x = <<{word}\nabc\n{word}\n"), &RUBY), length <= 250);
            is_parsed(&format!("x <<\"{word}\"\n"), &RUBY);
        }
        for count in 80..110 {
            for last in 1..12 {
                let call = "<<AAAAAAA, ".repeat(count) + "<<" + &"B".repeat(last);
                is_parsed(&format!("f({call})\n"), &RUBY);
            }
        }
        for depth in 195..210 {
            is_parsed(&("\"#{".repeat(depth) + "<<AAAA\n"), &RUBY);
        }
        let many = "x = <<~SQL\n  select #{a}\nSQL\n".repeat(1000);
        assert!(is_parsed(&many, &RUBY), "those that end are not held");
    }
}
