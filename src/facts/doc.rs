//! Documentation without the marks that make it a comment.

/// What opens a line of a comment, longest first.
const MARKS: [&str; 18] = [
    "-- ^", "/**", "/*!", "/*", "///", "//!", "//", "-- |", "--|", "--[[", "---", "--", "{- |", "{-|", "{-",
    "#!", "#", "*",
];
const QUOTES: [&str; 4] = ["\"\"\"", "'''", "\"", "'"];

/// The text of comments or of a docstring: markers, decoration, common indentation and XML tags left out.
pub fn clean(written: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    let written = without_attribute(written.trim());
    let inside = unquoted(written);
    for line in inside.unwrap_or(written).lines() {
        // In a string `* item` and `# heading` are text.
        let marked = if inside.is_some() { line.trim() } else { unmarked(line.trim()).trim() };
        let bare = strip_tags(marked);
        let bare = bare.trim();
        // `<summary>` on a line of its own is no paragraph.
        if bare.is_empty() && !marked.is_empty() {
            continue;
        }
        let is_rule = bare.len() > 3 && bare.bytes().all(|b| b"-=*#/~_".contains(&b));
        // Blank lines separate paragraphs, but are worth nothing at either end or twice.
        if bare.is_empty() || is_rule {
            if lines.last().is_some_and(|last| !last.is_empty()) {
                lines.push(String::new());
            }
        } else {
            lines.push(bare.to_owned());
        }
    }
    while lines.pop_if(|last| last.is_empty()).is_some() {}
    lines.join("\n")
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
    while let Some(open) = rest.find('<') {
        let Some(length) = rest[open..].find('>') else { break };
        let tag = &rest[open + 1..open + length];
        let is_tag = tag.trim_start_matches('/').starts_with(|c: char| c.is_ascii_lowercase());
        out.push_str(&rest[..open]);
        match tag.split('"').nth(1) {
            // `a < b`, `List<T>`: not markup.
            _ if !is_tag => out.push_str(&rest[open..=open + length]),
            Some(value) if tag.contains("ref=") || tag.starts_with("param") => {
                out.push_str(value.trim_start_matches("T:"));
                out.push_str(if tag.starts_with("param ") { ": " } else { "" });
            }
            _ => {}
        }
        rest = &rest[open + length + 1..];
    }
    out.push_str(rest);
    out
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
    }
}
