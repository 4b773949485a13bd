//! What a file's bytes are, before anything is cut: text to read, or a reason to leave it alone.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::lang::{Language, stable_names};

stable_names!(
    /// Why a file is listed but not read.
    SkipReason {
        Binary = 0 "binary",
        /// Packed by a machine into lines that nobody reads, or a source map.
        Minified = 1 "minified",
        /// The content is elsewhere, in git-LFS.
        LfsPointer = 2 "lfs_pointer",
        TooLarge = 3 "too_large",
        Symlink = 4 "symlink",
        Submodule = 5 "submodule",
        /// A directory that is a repository of its own without being a submodule.
        NestedRepository = 6 "nested_repository",
        /// A FIFO, socket or device.
        Special = 7 "special",
        Unreadable = 8 "unreadable",
        /// Left out by the configuration.
        Excluded = 9 "excluded",
        /// Written by a program, and left out by the configuration.
        Generated = 10 "generated",
        /// Somebody else's code, and left out by the configuration.
        Vendored = 11 "vendored",
    }
);

#[derive(Debug, PartialEq, Eq)]
pub enum Content<'a> {
    /// The text, without byte order mark. Offsets into chunks refer to this text: where it is borrowed they
    /// differ from the file's by the mark at most, where it is owned the file was in another encoding.
    Text(Cow<'a, str>),
    Skip(SkipReason),
}

/// How far git looks for a NUL.
const HEAD: usize = 8000;

pub fn inspect(bytes: &[u8], language: Language) -> Content<'_> {
    if is_lfs_pointer(bytes) {
        return Content::Skip(SkipReason::LfsPointer);
    }
    let Some(text) = decode(bytes) else { return Content::Skip(SkipReason::Binary) };
    if language.is_packable() && (is_packed(&text) || is_source_map(&text, language)) {
        return Content::Skip(SkipReason::Minified);
    }
    Content::Text(text)
}

/// As the specification has it: small, the version line first, and both an object id and a size.
fn is_lfs_pointer(bytes: &[u8]) -> bool {
    const VERSION: &[u8] = b"version https://git-lfs.github.com/spec/v1\n";
    if bytes.len() > 1024 || !bytes.starts_with(VERSION) {
        return false;
    }
    let lines = || bytes[VERSION.len()..].split(|b| *b == b'\n');
    let is_oid = |line: &[u8]| {
        let hex = line.strip_prefix(b"oid sha256:");
        hex.is_some_and(|hex| hex.len() == 64 && hex.iter().all(u8::is_ascii_hexdigit))
    };
    let is_size = |line: &[u8]| {
        let size = line.strip_prefix(b"size ");
        size.is_some_and(|size| !size.is_empty() && size.iter().all(u8::is_ascii_digit))
    };
    lines().any(is_oid) && lines().any(is_size)
}

/// The text of the bytes, if they are text: UTF-8, UTF-16 with its mark, or else UTF-8 with every byte that does
/// not fit read as Windows-1252, which reads files in that encoding and mends those with a few stray bytes.
fn decode(bytes: &[u8]) -> Option<Cow<'_, str>> {
    if let Some(rest) = bytes.strip_prefix(b"\xff\xfe") {
        return decode_utf16(rest, u16::from_le_bytes).map(Cow::Owned);
    }
    if let Some(rest) = bytes.strip_prefix(b"\xfe\xff") {
        return decode_utf16(rest, u16::from_be_bytes).map(Cow::Owned);
    }
    let head = &bytes[..bytes.len().min(HEAD)];
    if memchr::memchr(0, head).is_some() || looks_binary(head.iter().map(|b| u32::from(*b))) {
        return None;
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => Some(Cow::Borrowed(text)),
        Err(_) => Some(Cow::Owned(mend(bytes))),
    }
}

fn decode_utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Option<String> {
    let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    let head = units.clone().take(HEAD);
    if head.clone().any(|unit| unit == 0) || looks_binary(head.map(u32::from)) {
        return None;
    }
    let mut stray = 0;
    let mut text = String::with_capacity(bytes.len());
    for c in char::decode_utf16(units) {
        stray += usize::from(c.is_err());
        text.push(c.unwrap_or(char::REPLACEMENT_CHARACTER));
    }
    // Random bytes hold a lone surrogate in every sixteenth unit.
    (stray <= bytes.len() / 200).then_some(text)
}

/// More than one in fifty is a control character that text does not use.
fn looks_binary(units: impl Iterator<Item = u32>) -> bool {
    let (mut controls, mut count) = (0, 0);
    for unit in units {
        count += 1;
        // Backspace to carriage return, and escape, do occur in text.
        controls += usize::from(unit < 32 && !(8..=13).contains(&unit) && unit != 27 || unit == 127);
    }
    controls > 1 + count / 50
}

fn mend(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() + bytes.len() / 8);
    for part in bytes.utf8_chunks() {
        text.push_str(part.valid());
        text.extend(part.invalid().iter().map(|b| windows_1252(*b)));
    }
    text
}

fn windows_1252(byte: u8) -> char {
    const HIGH: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
        '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
    ];
    match byte {
        0x80..=0x9f => HIGH[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

/// Code packed by a machine: nearly all of it stands in very long lines, and these hold hardly any space.
/// People write long lines too, but as prose or data, with a space every few characters.
fn is_packed(text: &str) -> bool {
    const SMALLEST: usize = 4096;
    const LONG_LINE: usize = 500;
    if text.len() < SMALLEST {
        return false;
    }
    let (mut long, mut space) = (0, 0);
    for line in text.as_bytes().split(|b| *b == b'\n').filter(|line| line.len() > LONG_LINE) {
        long += line.len();
        space += line.iter().filter(|b| matches!(b, b' ' | b'\t')).count();
    }
    long * 10 >= text.len() * 8 && space * 8 < long
}

fn is_source_map(text: &str, language: Language) -> bool {
    language.name() == "sourcemap" && text.trim_start().starts_with('{') && text.contains("\"mappings\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str) -> Language {
        Language::from_name(name).unwrap()
    }

    fn text_of(bytes: &[u8]) -> String {
        match inspect(bytes, Language::TEXT) {
            Content::Text(text) => text.into_owned(),
            Content::Skip(reason) => panic!("skipped as {reason}"),
        }
    }

    fn reason(bytes: &[u8], language: Language) -> Option<SkipReason> {
        match inspect(bytes, language) {
            Content::Text(_) => None,
            Content::Skip(reason) => Some(reason),
        }
    }

    #[test]
    fn codes_and_names_round_trip() {
        for &reason in SkipReason::ALL {
            assert_eq!(reason.as_str().parse::<SkipReason>().unwrap(), reason);
            assert_eq!(SkipReason::from_code(reason.code()), Some(reason));
            assert_eq!(serde_json::to_string(&reason).unwrap(), format!("\"{reason}\""));
        }
    }

    #[test]
    fn encodings() {
        assert!(matches!(inspect("é".as_bytes(), Language::TEXT), Content::Text(Cow::Borrowed("é"))));
        assert!(matches!(inspect(b"\xef\xbb\xbfab", Language::TEXT), Content::Text(Cow::Borrowed("ab"))));
        assert_eq!(text_of(b"caf\xe9 \x93x\x94"), "café “x”");
        assert_eq!(text_of("é\u{2028}\n".as_bytes()), "é\u{2028}\n");
        assert_eq!(text_of(b"\xff\xfea\0\xe9\0"), "aé");
        assert_eq!(text_of(b"\xfe\xff\0a\0\xe9"), "aé");
        assert_eq!(text_of(b""), "");
    }

    #[test]
    fn binary() {
        assert_eq!(reason(b"a\0b", Language::TEXT), Some(SkipReason::Binary));
        assert_eq!(reason(b"\xff\xfe\0\0a\0\0\0", Language::TEXT), Some(SkipReason::Binary));
        let noise: Vec<u8> = (0..4000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8 | 1).collect();
        assert_eq!(reason(&noise, Language::TEXT), Some(SkipReason::Binary));
        let late = [vec![b'a'; HEAD], vec![0]].concat();
        assert_eq!(reason(&late, Language::TEXT), None, "git looks no further either");
        assert_eq!(reason(b"\x1b[31mred\x1b[0m\x0c\n", Language::TEXT), None);
    }

    #[test]
    fn lfs_pointers_are_recognised_exactly() {
        let oid = "oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\n";
        let pointer = format!("version https://git-lfs.github.com/spec/v1\n{oid}size 12345\n");
        assert_eq!(reason(pointer.as_bytes(), Language::TEXT), Some(SkipReason::LfsPointer));
        for broken in
            [pointer.replace("size 12345", "size x"), pointer.replace("4d7a", ""), format!(" {pointer}")]
        {
            assert_eq!(reason(broken.as_bytes(), Language::TEXT), None);
        }
        let long = pointer + &"x\n".repeat(600);
        assert_eq!(reason(long.as_bytes(), Language::TEXT), None);
    }

    #[test]
    fn packed_code_is_minified() {
        let packed = "function a(b,c){return b?c:d(b)}var e=a(1,2);".repeat(200);
        let licensed = format!("/*! a library\n * licence\n */\n{packed}\n");
        assert_eq!(reason(licensed.as_bytes(), named("javascript")), Some(SkipReason::Minified));
        assert_eq!(reason(licensed.as_bytes(), named("css")), Some(SkipReason::Minified));
        assert_eq!(reason(&packed.as_bytes()[..4000], named("javascript")), None, "small enough to read");
        let map = br#"{"version":3,"mappings":"AAAA"}"#;
        assert_eq!(reason(map, named("sourcemap")), Some(SkipReason::Minified));
        assert_eq!(reason(b"a linker map", named("sourcemap")), None);
    }

    #[test]
    fn long_lines_that_people_write_are_not() {
        let prose = "A paragraph of words on one single line that goes on. ".repeat(40) + "\n\n";
        assert_eq!(reason(prose.repeat(10).as_bytes(), named("html")), None);
        let json = "{\"a\":1,\"b\":[1,2,3]},".repeat(1000);
        assert_eq!(reason(json.as_bytes(), named("json")), None);
        let table = "    [1.25, 2.5, 3.75], ".repeat(40) + "\n";
        assert_eq!(reason(table.repeat(20).as_bytes(), named("javascript")), None);
        let code = "    const value = compute(left, right);\n".repeat(400);
        let embedded = format!("{code}const image = \"{}\";\n", "QUJD".repeat(800));
        assert_eq!(reason(embedded.as_bytes(), named("javascript")), None);
    }
}
