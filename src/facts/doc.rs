//! Documentation without the marks that make it a comment.

/// What opens a line of a comment, longest first.
const MARKS: [&str; 18] = [
    "-- ^", "/**", "/*!", "/*", "///", "//!", "//", "-- |", "--|", "--[[", "---", "--", "{- |", "{-|", "{-",
    "#!", "#", "*",
];
const QUOTES: [&str; 4] = ["\"\"\"", "'''", "\"", "'"];

/// Elements of documentation in C# and Java. Other words in angle brackets are the text's own: `Vec<u8>`, `<path>`.
const TAGS: [&str; 34] = [
    "a",
    "b",
    "blockquote",
    "br",
    "c",
    "code",
    "description",
    "em",
    "example",
    "exception",
    "i",
    "include",
    "inheritdoc",
    "item",
    "li",
    "list",
    "listheader",
    "ol",
    "p",
    "para",
    "param",
    "paramref",
    "pre",
    "remarks",
    "returns",
    "see",
    "seealso",
    "strong",
    "summary",
    "term",
    "tt",
    "typeparam",
    "typeparamref",
    "ul",
];

/// The text of comments or of a docstring: markers, decoration, common indentation and XML tags left out.
pub fn clean(written: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    let written = without_attribute(written.trim());
    let inside = unquoted(written);
    for line in inside.unwrap_or(written).lines() {
        // In a string `* item`, `# heading` and `<p>` are text.
        let marked = if inside.is_some() { line } else { unmarked(line.trim()) };
        let bare = if inside.is_some() { line.to_owned() } else { strip_tags(marked) };
        let (bare, words) = (bare.trim_end(), bare.trim());
        // `<summary>` on a line of its own is no paragraph.
        if words.is_empty() && !marked.trim().is_empty() {
            continue;
        }
        let is_rule = words.len() > 3 && words.bytes().all(|b| b"-=*#/~_".contains(&b));
        // Blank lines separate paragraphs, but are worth nothing at either end or twice.
        if words.is_empty() || is_rule {
            if lines.last().is_some_and(|last| !last.is_empty()) {
                lines.push(String::new());
            }
        } else {
            lines.push(bare.to_owned());
        }
    }
    while lines.pop_if(|last| last.is_empty()).is_some() {}
    unindent(&mut lines, inside.is_some());
    lines.join("\n")
}

/// Without the indentation that all lines share. The first line of a string stands behind its quotes.
fn unindent(lines: &mut [String], is_string: bool) {
    let width = |line: &String| line.len() - line.trim_start().len();
    let indented = lines.iter().skip(usize::from(is_string)).filter(|line| !line.is_empty());
    let common = indented.map(width).min().unwrap_or(0);
    for (at, line) in lines.iter_mut().enumerate() {
        let own = if at == 0 { width(line) } else { common.min(width(line)) };
        // White space may be wider than a byte, and mixed.
        line.drain(..line.floor_char_boundary(own));
    }
}

/// `@doc "…"` and `~S"""…"""` of Elixir.
fn without_attribute(text: &str) -> &str {
    let bare = ["@doc ", "@typedoc "].iter().find_map(|name| text.strip_prefix(name)).unwrap_or(text);
    let quoted = bare.trim_start();
    quoted.strip_prefix("~S").or_else(|| quoted.strip_prefix("~s")).unwrap_or(bare)
}

/// What is inside of the quotes, if it is a string.
fn unquoted(text: &str) -> Option<&str> {
    let string = text.trim_start_matches(['r', 'R', 'u', 'U', 'b', 'B']);
    for quote in QUOTES {
        if let Some(inside) = string.strip_prefix(quote) {
            return Some(inside.strip_suffix(quote).unwrap_or(inside));
        }
    }
    None
}

fn unmarked(line: &str) -> &str {
    let line = ["*/", "-}", "]]"].iter().find_map(|end| line.strip_suffix(end)).unwrap_or(line);
    let mark = MARKS.iter().find(|mark| line.starts_with(**mark));
    let line = mark.map_or(line, |mark| &line[mark.len()..]);
    line.trim_end_matches('*')
}

/// Without `<summary>`, `<param name="x">` and the like; what they refer to stays: `<see cref="T"/>` is `T`.
fn strip_tags(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    let mut in_code = false;
    while let Some(open) = rest.find('<') {
        let Some(length) = rest[open..].find('>') else { break };
        let tag = &rest[open + 1..open + length];
        out.push_str(&rest[..open]);
        // In backticks it is what the text is about.
        in_code ^= rest[..open].matches('`').count() % 2 == 1;
        if is_tag(tag) && !in_code {
            push_referred(&mut out, tag);
        } else {
            out.push_str(&rest[open..=open + length]);
        }
        rest = &rest[open + length + 1..];
    }
    out.push_str(rest);
    out
}

fn is_tag(tag: &str) -> bool {
    let name = tag.trim_start_matches('/');
    let end = name.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(name.len());
    let is_alone = name[end..].starts_with(|c: char| c.is_whitespace() || c == '/') || end == name.len();
    is_alone && TAGS.contains(&&name[..end])
}

/// What an element without text of its own stands for, or what the text in it is about.
fn push_referred(out: &mut String, tag: &str) {
    let value = |of: &str| tag.split_once(of).and_then(|(_, rest)| rest.split('"').next());
    let referred = value("cref=\"").or_else(|| value("langword=\"")).or_else(|| value(" name=\""));
    let Some(referred) = referred.or_else(|| value("href=\"")) else { return };
    // `T:System.String`: the letter says what it is.
    let referred =
        referred.split_once(':').filter(|(kind, _)| kind.len() == 1).map_or(referred, |(_, name)| name);
    if tag.ends_with('/') {
        out.push_str(referred);
    } else if ["param ", "typeparam ", "exception "].iter().any(|of| tag.starts_with(of)) {
        out.push_str(referred);
        out.push_str(": ");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_of_many_languages() {
        assert_eq!(clean("/// Adds.\n///\n/// Twice."), "Adds.\n\nTwice.");
        assert_eq!(clean("/**\n * Adds.\n * @param a one\n */"), "Adds.\n@param a one");
        assert_eq!(clean("/* Adds. */"), "Adds.");
        assert_eq!(clean("\"\"\"Adds.\n\n    More.\n    \"\"\""), "Adds.\n\nMore.");
        assert_eq!(clean("# Adds.\n# More."), "Adds.\nMore.");
        assert_eq!(clean("-- | Adds.\n-- More."), "Adds.\nMore.");
        assert_eq!(clean("r'''Adds.\n\n# Notes\n* one'''"), "Adds.\n\n# Notes\n* one");
        assert_eq!(clean("//-----\n// Adds.\n//-----"), "Adds.");
        assert_eq!(clean(""), "");
    }

    #[test]
    fn markup_in_documentation_is_dropped_but_not_its_meaning() {
        let written = "/// <summary>\n/// Uses <see cref=\"Cart\"/> if a < b.\n/// </summary>\n/// <param name=\"x\">the x</param>";
        assert_eq!(clean(written), "Uses Cart if a < b.\nx: the x");
        assert_eq!(clean("/// A List<T> of <T>"), "A List<T> of <T>");
        assert_eq!(clean("/// <see langword=\"null\"/> or <see cref=\"T:A.B\">that</see>"), "null or that");
        assert_eq!(clean("/** See <a href=\"x.org\">there</a>.<br/><p>`<p>`</p> */"), "See there.`<p>`");
    }

    #[test]
    fn other_words_in_angle_brackets_stay() {
        assert_eq!(
            clean("/// A `Vec<u8>`, Option<usize> or Promise<string>"),
            "A `Vec<u8>`, Option<usize> or Promise<string>"
        );
        assert_eq!(clean("// clone <url> [<path>]"), "clone <url> [<path>]");
        assert_eq!(clean("\"\"\"Wrap in <p> and <b>.\"\"\""), "Wrap in <p> and <b>.");
    }

    #[test]
    fn examples_keep_their_indentation() {
        assert_eq!(
            clean("/// Use:\n/// ```\n/// if a {\n///     b\n/// }\n/// ```"),
            "Use:\n```\nif a {\n    b\n}\n```"
        );
        assert_eq!(
            clean("\"\"\"Use:\n\n        if a:\n            b\n        \"\"\""),
            "Use:\n\nif a:\n    b"
        );
        assert_eq!(clean("/**\n * Use:\n *   a\n */"), "Use:\n  a");
    }
}
