//! What is said about a definition in its modifiers, attributes and name.

use serde::ser::SerializeSeq;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::lang::stable_names;

stable_names!(
    /// Who may use a definition.
    Visibility {
        Public = 0 "public",
        Protected = 1 "protected",
        /// Its package, assembly or crate.
        Internal = 2 "internal",
        Private = 3 "private",
    }
);

stable_names!(
    Flag {
        Test = 0 "test",
        Deprecated = 1 "deprecated",
        Async = 2 "async",
        Static = 3 "static",
        Abstract = 4 "abstract",
        Override = 5 "override",
        Exported = 6 "exported",
        /// One of several parts of a type.
        Partial = 7 "partial",
        /// Declared outside of the type it is called on.
        Extension = 8 "extension",
        /// A function or class that makes user interface.
        Component = 9 "component",
        /// A constant: its value never changes.
        Constant = 10 "constant",
    }
);

/// A set of flags: in JSON their names.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Flags(u16);

impl Flags {
    pub fn with(self, flag: Flag) -> Flags {
        Flags(self.0 | 1 << flag.code())
    }

    pub fn insert(&mut self, flag: Flag) {
        *self = self.with(flag);
    }

    pub fn is_empty(&self) -> bool {
        self.0 == 0
    }

    pub fn remove(&mut self, flag: Flag) {
        self.0 &= !(1 << flag.code());
    }

    pub fn contains(self, flag: Flag) -> bool {
        self.0 & 1 << flag.code() != 0
    }

    pub fn iter(self) -> impl Iterator<Item = Flag> {
        Flag::ALL.iter().copied().filter(move |flag| self.contains(*flag))
    }
}

impl Serialize for Flags {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if !to.is_human_readable() {
            return to.serialize_u16(self.0);
        }
        let mut names = to.serialize_seq(None)?;
        for flag in self.iter() {
            names.serialize_element(flag.as_str())?;
        }
        names.end()
    }
}

impl<'de> Deserialize<'de> for Flags {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        if !from.is_human_readable() {
            return u16::deserialize(from).map(Flags);
        }
        let names = Vec::<Flag>::deserialize(from)?;
        Ok(names.into_iter().fold(Flags::default(), Flags::with))
    }
}

/// What a declaration's modifiers say: the words before its name.
pub fn from_modifiers(modifiers: &str, let_varies: bool) -> (Flags, Option<Visibility>) {
    let mut flags = Flags::default();
    let mut visibility = None;
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut words = modifiers.split(|c| !is_word(c)).peekable();
    while let Some(word) = words.next() {
        match word {
            // `package a.b;` and `package object` say nothing about who may use it.
            "package" if matches!(words.peek(), None | Some(&"" | &"object")) => {}
            "async" | "suspend" => flags.insert(Flag::Async),
            // Swift's `private(set)` is about writing, not about using.
            _ if words.peek() == Some(&"set") && modifiers.contains("(set)") => {}
            // `def self.name` of Ruby.
            "static" | "self" => flags.insert(Flag::Static),
            "abstract" => flags.insert(Flag::Abstract),
            "override" => flags.insert(Flag::Override),
            "export" | "exports" => flags.insert(Flag::Exported),
            "partial" => flags.insert(Flag::Partial),
            "let" if let_varies => {}
            "const" | "final" | "readonly" | "val" | "constexpr" | "let" => flags.insert(Flag::Constant),
            // `declare -r` of shells.
            "r" if modifiers.contains(" -r ") => flags.insert(Flag::Constant),
            "public" | "pub" | "open" => visibility = visibility.or(Some(Visibility::Public)),
            "protected" => visibility = Some(Visibility::Protected),
            "internal" | "crate" | "package" => visibility = Some(Visibility::Internal),
            "private" | "fileprivate" | "local" | "defp" | "defmacrop" | "defguardp" | "defnp" | "typep" => {
                visibility = Some(Visibility::Private)
            }
            _ => {}
        }
    }
    // `pub(crate)`, `pub(super)`, `pub(in a::b)`
    if modifiers.contains("pub(") {
        visibility = Some(Visibility::Internal);
    }
    (flags, visibility)
}

/// Attributes and decorators that make a function a test, by their last name.
const TESTS: &[&str] = &[
    "test",
    "Test",
    "TestCase",
    "TestCaseSource",
    "TestMethod",
    "DataTestMethod",
    "Fact",
    "Theory",
    "rstest",
    "test_case",
    "quickcheck",
    "wasm_bindgen_test",
    "ParameterizedTest",
    "RepeatedTest",
    "TestFactory",
    "ConditionalFact",
    "ConditionalTheory",
    "SkippableFact",
    "PropertyTest",
    "Property",
];

/// What attributes and decorators say, as they are written.
pub fn from_annotations(annotations: &str) -> Flags {
    let mut flags = Flags::default();
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    // Arguments say nothing about the declaration: `[InlineData("test")]`.
    let mut depth = 0usize;
    let mut start = None;
    for (at, c) in annotations.char_indices().chain([(annotations.len(), ' ')]) {
        if is_word(c) {
            start = start.or((depth == 0).then_some(at));
            continue;
        }
        if let Some(start) = start.take() {
            note_annotation(&annotations[start..at], &mut flags);
        }
        match c {
            // The arguments that do.
            '(' if annotations[..at].ends_with("@available") => {
                let arguments = annotations[at..].split(')').next().unwrap_or_default();
                if arguments.contains("deprecated") {
                    flags.insert(Flag::Deprecated);
                }
                depth += 1;
            }
            '(' if annotations[..at].ends_with("cfg") && annotations[at..].starts_with("(test)") => {
                flags.insert(Flag::Test);
                depth += 1;
            }
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    flags
}

fn note_annotation(word: &str, flags: &mut Flags) {
    match word {
        word if TESTS.contains(&word) => flags.insert(Flag::Test),
        "deprecated" | "Deprecated" | "Obsolete" | "ObsoleteAttribute" => flags.insert(Flag::Deprecated),
        "staticmethod" | "classmethod" | "JvmStatic" => flags.insert(Flag::Static),
        "abstractmethod" | "abstractproperty" => flags.insert(Flag::Abstract),
        "macro_export" | "no_mangle" => flags.insert(Flag::Exported),
        "override" | "Override" => flags.insert(Flag::Override),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modifiers_are_words_before_the_name() {
        let (flags, visibility) = from_modifiers("protected internal static async Task<Static> ", false);
        assert!(flags.contains(Flag::Async) && flags.contains(Flag::Static));
        assert_eq!(visibility, Some(Visibility::Internal));
        assert_eq!(from_modifiers("pub(crate) fn ", false).1, Some(Visibility::Internal));
        assert_eq!(from_modifiers("pub(super) fn ", false).1, Some(Visibility::Internal));
        assert_eq!(from_modifiers("def ", false), (Flags::default(), None));
        assert!(from_modifiers("let ", false).0.contains(Flag::Constant));
        assert!(!from_modifiers("let ", true).0.contains(Flag::Constant));
    }

    #[test]
    fn annotations_count_by_name_not_by_argument() {
        assert!(from_annotations("[Fact]").contains(Flag::Test));
        assert!(from_annotations("#[tokio::test(flavor = \"x\")]").contains(Flag::Test));
        assert_eq!(from_annotations("[InlineData(\"test\")] @app.route(test)"), Flags::default());
        assert!(from_annotations("#[cfg(test)]").contains(Flag::Test));
        assert!(from_annotations("@Deprecated").contains(Flag::Deprecated));
    }

    #[test]
    fn flags_are_names_in_json_and_bits_in_storage() {
        let flags = Flags::default().with(Flag::Async).with(Flag::Test);
        let json = serde_json::to_string(&flags).unwrap();
        assert_eq!(json, r#"["test","async"]"#);
        assert_eq!(serde_json::from_str::<Flags>(&json).unwrap(), flags);
        let bytes = postcard::to_stdvec(&flags).unwrap();
        assert_eq!(postcard::from_bytes::<Flags>(&bytes).unwrap(), flags);
    }
}
