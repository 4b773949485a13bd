//! What one file says: its definitions, what it refers to, what it imports. A pure function of its text and
//! language.
//!
//! Unresolved by design: a reference is a name with a kind, and which definition it means is decided against a
//! view when somebody asks. So no fact can be stale, and a file's facts are stored once under its content.

#[cfg(test)]
mod cases;
mod columns;
mod component;
mod define;
mod doc;
mod extent;
mod flags;
mod leading;
mod refer;
pub mod subject;
#[cfg(test)]
pub(crate) mod tests;
mod value;
pub mod views;
mod visibility;
mod walk;

use std::ops::Range;

use serde::{Deserialize, Serialize};

pub use crate::lang::imports::Import;
pub use columns::Columns;
pub use doc::clean as clean_doc;
pub use flags::{Flag, Flags, Visibility};
pub use walk::extract;

use crate::lang::{ChunkKind, Language, stable_names};

/// In the order of the file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    pub definitions: Vec<Definition>,
    pub references: Vec<Reference>,
    pub imports: Vec<Import>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Definition {
    pub kind: ChunkKind,
    pub name: String,
    /// What the name is qualified by where it is written: the receiver of a Go method, `Owner::` in C++.
    pub owner: Option<String>,
    /// The definition it stands in: an index into the same list, always a smaller one.
    pub parent: Option<u32>,
    /// The declaration up to its body, on one line.
    pub signature: String,
    pub visibility: Visibility,
    pub flags: Flags,
    /// Lines from 1, with attributes but without the documentation before it.
    pub start_line: u32,
    pub end_line: u32,
    pub start_byte: u32,
    pub end_byte: u32,
    /// Where the name is bound: what ties a chunk to its definition.
    pub at: u32,
    /// The bytes of its documentation, markers included.
    pub doc: Option<(u32, u32)>,
    /// For a component: the type of its properties.
    pub props: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reference {
    pub kind: ReferenceKind,
    pub name: String,
    /// What stands before the name: `self`, `auth.service`, `std::fs`.
    pub receiver: Option<String>,
    /// Counted from 1.
    pub line: u32,
    pub byte: u32,
}

stable_names!(
    /// As what a name is mentioned.
    ReferenceKind {
        Call = 0 "call",
        /// An object is made of the type.
        New = 1 "new",
        Type = 2 "type",
        Inherit = 3 "inherit",
        Implement = 4 "implement",
        /// The method replaces one of the same name in a base type.
        Override = 5 "override",
        /// A member is read or written.
        Field = 6 "field",
        /// A decorator or attribute.
        Annotation = 7 "annotation",
    }
);

impl ReferenceKind {
    /// Names a type.
    pub fn is_type(self) -> bool {
        use ReferenceKind::*;
        matches!(self, New | Type | Inherit | Implement)
    }
}

impl Definition {
    pub fn bytes(&self) -> Range<usize> {
        self.start_byte as usize..self.end_byte as usize
    }

    /// The documentation as people wrote it, without comment markers.
    pub fn doc(&self, text: &str) -> Option<String> {
        let (start, end) = self.doc?;
        let doc = clean_doc(text.get(start as usize..end as usize)?);
        (!doc.is_empty()).then_some(doc)
    }
}

/// The facts of a text that somebody else parsed; none where the language has no grammar.
pub fn of_tree(tree: &tree_sitter::Tree, language: Language, text: &str) -> Facts {
    language.grammar().map_or_else(Facts::default, |grammar| extract(tree, grammar.compiled(), text))
}

impl Facts {
    /// The definition whose name is bound at this byte: the outermost, or the first of several.
    pub fn bound_at(&self, byte: usize) -> Option<(u32, &Definition)> {
        let at = self.definitions.partition_point(|d| (d.at as usize) < byte);
        self.definitions.get(at).filter(|d| d.at as usize == byte).map(|d| (at as u32, d))
    }

    /// The names a definition stands in, outermost first, joined by dots or, for sections, by `>`;
    /// none at the top level.
    pub fn scope_of(&self, definition: &Definition) -> Option<String> {
        let mut names: Vec<&str> = definition.owner.as_deref().into_iter().collect();
        let mut parent = definition.parent;
        while let Some(outer) = parent.and_then(|at| self.definitions.get(at as usize)) {
            names.push(&outer.name);
            names.extend(outer.owner.as_deref());
            // Indices fall, so damaged ones cannot go round.
            parent = outer.parent.filter(|next| Some(*next) < parent);
        }
        names.reverse();
        (!names.is_empty()).then(|| names.join(separator(definition.kind)))
    }

    pub fn qualified_name(&self, definition: &Definition) -> String {
        match self.scope_of(definition) {
            Some(scope) => format!("{scope}{}{}", separator(definition.kind), definition.name),
            None => definition.name.clone(),
        }
    }

    /// What lies directly in a definition, in order.
    pub fn members(&self, of: u32) -> impl Iterator<Item = &Definition> {
        self.definitions.iter().filter(move |d| d.parent == Some(of))
    }

    /// What a part of the file depends on, each once: the types it names, then the imports it uses.
    pub fn dependencies(&self, bytes: Range<u32>) -> Vec<String> {
        let inside: Vec<&Reference> = self.references.iter().filter(|r| bytes.contains(&r.byte)).collect();
        let mut names: Vec<String> = Vec::new();
        let mut add = |name: &str| {
            if !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        };
        inside.iter().filter(|r| r.kind.is_type()).for_each(|r| add(&r.name));
        for import in &self.imports {
            let local = import.local_name();
            let head =
                |r: &Reference| r.receiver.as_deref().map(|r| r.split(['.', ':']).next() == Some(local));
            if inside.iter().any(|r| r.name == local || head(r) == Some(true)) {
                add(&import.module);
            }
        }
        names
    }
}

fn separator(kind: ChunkKind) -> &'static str {
    if kind == ChunkKind::Section { " > " } else { "." }
}
