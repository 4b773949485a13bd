//! Makes a candidate of what stands at a path: whether it belongs to the view, and who wrote it.

use bstr::{BString, ByteSlice};

use super::attributes::{Attributes, Said, TextOf};
use super::{Candidate, Now, Scope, convention};
use crate::chunk::SkipReason;
use crate::merkle::Origin;

/// The rules of one view: the user's settings, and the attributes of its own files over what names tell.
pub(super) struct Judge<'a> {
    scope: &'a Scope,
    attributes: Attributes<'a>,
}

impl<'a> Judge<'a> {
    pub fn new(scope: &'a Scope, text_of: TextOf<'a>) -> Self {
        Judge { scope, attributes: Attributes::new(text_of) }
    }

    pub fn candidate(&mut self, path: BString, now: Now) -> Candidate {
        let skipped = |path, reason| Candidate::new(path, Now::skipped(reason, b""));
        match now {
            Now::Gone => return Candidate::new(path, now),
            _ if !self.scope.contains(&path) => return skipped(path, SkipReason::Excluded),
            Now::Skipped { .. } => return Candidate::new(path, now),
            Now::Blob { .. } | Now::Disk { .. } => {}
        }
        let said = self.attributes.of(path.as_bstr());
        let origin = origin(&path, said);
        if said.binary {
            skipped(path, SkipReason::Binary)
        } else if origin.vendored && self.scope.skip_vendored {
            skipped(path, SkipReason::Vendored)
        } else if origin.generated == Some(true) && self.scope.skip_generated {
            skipped(path, SkipReason::Generated)
        } else {
            Candidate { path, now, origin }
        }
    }
}

fn origin(path: &BString, said: Said) -> Origin {
    let named = convention::origin(path);
    Origin {
        generated: said.generated.or(named.generated),
        vendored: said.vendored.unwrap_or(named.vendored),
    }
}
