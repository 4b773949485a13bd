//! What a file takes from others, as it is written.

use serde::{Deserialize, Serialize};
use tree_sitter::Node;

use super::naming::collapse;

const MAX_MODULE: usize = 300;

/// One name that a file imports, or passes on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Import {
    /// The module, namespace, package or file, as it is written: `./auth`, `System.Linq`, `..models`.
    pub module: String,
    /// The one thing taken from it; `*` for everything; none where the module itself is.
    pub name: Option<String>,
    /// What it is called here, if that is another name.
    pub alias: Option<String>,
    /// Counted from 1.
    pub line: u32,
    /// Passed on to those who import this file.
    pub export: bool,
}

impl Import {
    pub fn new(node: Node<'_>, module: &str) -> Import {
        let module = module.trim().trim_matches(|c| matches!(c, '"' | '\'' | '`'));
        // `#include <stdio.h>`, but not `using A = B<int>`.
        let bracketed = module.strip_prefix('<').and_then(|inside| inside.strip_suffix('>'));
        let module = bracketed.unwrap_or(module);
        Import {
            module: collapse(module, MAX_MODULE),
            name: None,
            alias: None,
            line: node.start_position().row as u32 + 1,
            export: false,
        }
    }

    pub fn named(self, name: &str) -> Import {
        Import { name: Some(collapse(name, MAX_MODULE)), ..self }
    }

    pub fn alias(self, alias: Option<&str>) -> Import {
        Import { alias: alias.map(|alias| collapse(alias, MAX_MODULE)), ..self }
    }

    pub fn export(self, export: bool) -> Import {
        Import { export, ..self }
    }

    /// What it is called in the file.
    pub fn local_name(&self) -> &str {
        let last = || self.module.rsplit(['.', ':', '/', '\\']).next().unwrap_or(&self.module);
        self.alias.as_deref().or(self.name.as_deref()).unwrap_or_else(last)
    }
}

/// The text of a node, empty if there is none.
pub fn text_of<'t>(node: Option<Node<'_>>, text: &'t str) -> &'t str {
    node.and_then(|node| text.get(node.byte_range())).unwrap_or("")
}
