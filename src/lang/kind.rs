//! What a chunk is, and how the file it came from was read: names and codes that outlive a version.

use serde::{Deserialize, Serialize};

macro_rules! stable_names {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $code:literal $text:literal),+ $(,)? }) => {
        $(#[$doc])*
        ///
        /// Stored by position and shown by name: append variants, never reorder or rename them.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        #[repr(u8)]
        pub enum $name { $($(#[$vdoc])* $variant = $code),+ }

        impl $name {
            pub const ALL: &'static [$name] = &[$($name::$variant),+];

            pub fn as_str(self) -> &'static str {
                match self { $($name::$variant => $text),+ }
            }

            pub fn code(self) -> u8 {
                self as u8
            }

            pub fn from_code(code: u8) -> Option<Self> {
                match code { $($code => Some($name::$variant),)+ _ => None }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl std::str::FromStr for $name {
            type Err = crate::error::Error;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Self::ALL.iter().copied().find(|v| v.as_str() == text).ok_or_else(|| {
                    let names: Vec<&str> = Self::ALL.iter().map(|v| v.as_str()).collect();
                    crate::error::Error::usage(format!("unknown kind `{text}`"))
                        .with_hint(format!("one of: {}", names.join(", ")))
                })
            }
        }
    };
}
pub(crate) use stable_names;

stable_names!(
    /// What a chunk declares, or what it is made of when it declares nothing.
    ChunkKind {
        Function = 0 "function",
        Method = 1 "method",
        Constructor = 2 "constructor",
        Property = 3 "property",
        Operator = 4 "operator",
        Event = 5 "event",
        Field = 6 "field",
        Class = 7 "class",
        Record = 8 "record",
        Struct = 9 "struct",
        Interface = 10 "interface",
        Enum = 11 "enum",
        /// A type alias.
        Type = 12 "type",
        Delegate = 13 "delegate",
        Namespace = 14 "namespace",
        /// A named top-level value that is not a function.
        Variable = 15 "variable",
        /// A part of a document under one heading.
        Section = 16 "section",
        /// Code or data that declares nothing of its own: imports, statements, configuration.
        Block = 17 "block",
        /// Prose.
        Text = 18 "text",
        Trait = 19 "trait",
        Module = 20 "module",
        /// Members that are given to a type from outside: `impl`, `extension`, `instance`.
        Impl = 21 "impl",
        /// A type with a single instance.
        Object = 22 "object",
        Constant = 23 "constant",
        Macro = 24 "macro",
        /// A test that is written as a block with a title.
        Test = 25 "test",
        /// An entry of data or configuration.
        Key = 26 "key",
        /// A rule of a style sheet.
        Rule = 27 "rule",
        /// An element of markup.
        Element = 28 "element",
        Table = 29 "table",
        View = 30 "view",
        /// A stage of an image build.
        Stage = 31 "stage",
    }
);

stable_names!(
    /// How much of a file's structure its chunks follow.
    ParseStatus {
        Parsed = 0 "parsed",
        /// The tree has error nodes: chunks around them are approximate.
        Errors = 1 "errors",
        /// The parse ran over its budget; chunks follow lines.
        Fallback = 2 "fallback",
        /// The language has no grammar here.
        Text = 3 "text",
        /// The file is above the size up to which structure is looked at.
        FixedInterval = 4 "fixed_interval",
    }
);

impl ChunkKind {
    /// Holds members of its own.
    pub fn is_type(self) -> bool {
        use ChunkKind::*;
        matches!(self, Class | Record | Struct | Interface | Enum | Type | Delegate | Trait | Impl | Object)
    }

    /// A named value: no type, nothing to call.
    pub fn is_value(self) -> bool {
        matches!(self, ChunkKind::Variable | ChunkKind::Field | ChunkKind::Constant)
    }

    pub fn is_callable(self) -> bool {
        use ChunkKind::*;
        matches!(self, Function | Method | Constructor | Operator | Macro)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_codes_round_trip() {
        for &kind in ChunkKind::ALL {
            assert_eq!(kind.as_str().parse::<ChunkKind>().unwrap(), kind);
            assert_eq!(ChunkKind::from_code(kind.code()), Some(kind));
            assert_eq!(serde_json::to_string(&kind).unwrap(), format!("\"{kind}\""));
            assert_eq!(postcard::to_stdvec(&kind).unwrap(), [kind.code()]);
        }
        for &status in ParseStatus::ALL {
            assert_eq!(status.as_str().parse::<ParseStatus>().unwrap(), status);
            assert_eq!(postcard::to_stdvec(&status).unwrap(), [status.code()]);
        }
    }

    #[test]
    fn an_unknown_name_lists_the_known_ones() {
        let error = "klass".parse::<ChunkKind>().unwrap_err();
        assert!(error.hint().unwrap().contains("class"));
    }
}
