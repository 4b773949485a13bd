//! Who may use a definition that does not say it.

use super::Definition;
use super::flags::{Flag, Flags, Visibility};
use super::walk::Walk;
use crate::lang::ChunkKind;
use crate::lang::grammar::Privacy;
use crate::lang::naming::FullName;

impl Walk<'_, '_> {
    pub(super) fn default_visibility(
        &self,
        kind: ChunkKind,
        name: &FullName,
        flags: Flags,
        parent: Option<u32>,
    ) -> Visibility {
        let parent = parent.and_then(|at| self.facts.definitions.get(at as usize));
        let (name, has_owner) = (name.name.as_str(), name.owner.is_some());
        let in_type = parent.is_some_and(|parent| parent.kind.is_type());
        let is_open = kind == ChunkKind::Namespace && self.grammar.rules.privacy != Privacy::Exported;
        if is_open {
            return Visibility::Public;
        }
        // What a function declares for itself, unless it stands for something known outside.
        let is_own = !has_owner && !flags.contains(Flag::Override);
        if is_own && parent.is_some_and(|parent| parent.kind.is_callable()) {
            return Visibility::Private;
        }
        let public = match self.grammar.rules.privacy {
            Privacy::Open => true,
            // An `impl` hides nothing: its type and its members say who may use them.
            Privacy::Closed if kind == ChunkKind::Impl => true,
            Privacy::Closed => flags.contains(Flag::Exported) || parent.is_some_and(shares_its_visibility),
            // As C# has it: what an interface declares is public, what another type declares is its own.
            Privacy::Internal => match parent.map(|parent| parent.kind) {
                Some(ChunkKind::Interface | ChunkKind::Enum) => true,
                // The parameters of a record are public properties.
                Some(ChunkKind::Record) if kind == ChunkKind::Property => true,
                Some(around) if around.is_type() => false,
                None | Some(ChunkKind::Namespace) => return Visibility::Internal,
                _ => false,
            },
            Privacy::Package => match parent.map(|parent| parent.kind) {
                Some(ChunkKind::Interface) => true,
                Some(ChunkKind::Enum) if kind == ChunkKind::Constant => true,
                _ => return Visibility::Internal,
            },
            Privacy::Linkage => match parent.map(|parent| parent.kind) {
                Some(ChunkKind::Class) => false,
                Some(kind) if kind.is_type() => true,
                _ => !flags.contains(Flag::Static),
            },
            Privacy::Marked => flags.contains(Flag::Exported) || in_type && kind.is_value(),
            Privacy::Capital => name.starts_with(char::is_uppercase),
            Privacy::Underscore => !name.starts_with('_') || name.starts_with("__") && name.ends_with("__"),
            Privacy::Exported => match parent {
                _ if flags.contains(Flag::Exported) => true,
                // The functions of an object.
                Some(parent) if parent.kind.is_value() => return parent.visibility,
                _ => (in_type || has_owner) && !name.starts_with('#'),
            },
        };
        if public { Visibility::Public } else { Visibility::Private }
    }
}

/// Members of these are seen by whoever sees the type: traits, what implements them, and the parts of an enum.
fn shares_its_visibility(parent: &Definition) -> bool {
    match parent.kind {
        ChunkKind::Trait | ChunkKind::Interface | ChunkKind::Enum | ChunkKind::Constant => true,
        ChunkKind::Impl => parent.signature.contains(" for "),
        _ => false,
    }
}
