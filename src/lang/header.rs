//! Whether a `.h` file is C++: extensions do not tell, so its first lines do.

/// Words that open a line only in C++.
const OPENINGS: [&[u8]; 12] = [
    b"class ",
    b"namespace ",
    b"inline namespace ",
    b"template<",
    b"template <",
    b"using ",
    b"public:",
    b"private:",
    b"protected:",
    b"constexpr ",
    b"virtual ",
    b"explicit ",
];

/// By what stands outside of comments: an opening of C++, a `::`, or a header of its library, which have no
/// extension: `#include <string>`. Neither `extern "C"` nor `__cplusplus` counts: they are how C headers are
/// made fit for C++.
pub fn is_cpp(head: &[u8]) -> bool {
    let mut in_comment = false;
    head.split(|b| *b == b'\n').any(|line| {
        let code = code_of(line, &mut in_comment);
        OPENINGS.iter().any(|opening| code.starts_with(opening))
            || code.windows(2).any(|pair| pair == b"::")
            || includes_library(code)
    })
}

/// What stands before the comments of a line; `in_comment` says whether a block comment is open around it.
fn code_of<'t>(line: &'t [u8], in_comment: &mut bool) -> &'t [u8] {
    let mut line = line.trim_ascii();
    if *in_comment {
        let Some(end) = find(line, b"*/") else { return b"" };
        line = line[end + 2..].trim_ascii_start();
        *in_comment = false;
    }
    let rest = match (find(line, b"//"), find(line, b"/*")) {
        (Some(comment), block) if block.is_none_or(|block| comment < block) => return &line[..comment],
        (_, Some(block)) => block,
        _ => return line,
    };
    // What follows a block comment on its line is not looked at.
    *in_comment = find(&line[rest + 2..], b"*/").is_none();
    &line[..rest]
}

fn includes_library(code: &[u8]) -> bool {
    let Some(path) = code.strip_prefix(b"#").map(|directive| directive.trim_ascii_start()) else {
        return false;
    };
    let Some(path) = path.strip_prefix(b"include").map(|path| path.trim_ascii()) else { return false };
    let name = path.strip_prefix(b"<").and_then(|path| path.strip_suffix(b">"));
    name.is_some_and(|name| !name.is_empty() && name.iter().all(|b| b.is_ascii_lowercase() || *b == b'_'))
}

fn find(line: &[u8], what: &[u8; 2]) -> Option<usize> {
    line.windows(2).position(|pair| pair == what)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cpp_shows_itself_outside_of_comments() {
        for cpp in [
            "// x\n#include <string>\n",
            "#ifndef A\n#define A\nnamespace a {\n",
            "/* c */\nclass A;",
            "  template <typename T>",
            "# include <type_traits> // why\n",
            "std::size_t f();",
            "/*\n * a\n */ namespace a {}",
        ] {
            assert!(is_cpp(cpp.as_bytes()), "{cpp}");
        }
        for c in [
            "",
            "#include <stdio.h>\n#include \"string\"\nint f(void);",
            "/* class A\nnamespace b\nusing c::d\n*/\nint f(void);",
            "// see a::b\nstruct a;",
            "#ifdef __cplusplus\nextern \"C\" {\n#endif\nvoid f(void);",
            "/* open",
        ] {
            assert!(!is_cpp(c.as_bytes()), "{c}");
        }
    }
}
