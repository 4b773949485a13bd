//! Declarations of the form `name = value`, and functions and classes that are values.

use tree_sitter::Node;

use super::walk::{Level, Walk};
use crate::lang::ChunkKind;
use crate::lang::grammar::{Name, Role};
use crate::lang::imports::text_of;
use crate::lang::naming::{self, FullName};

impl<'t> Walk<'_, 't> {
    /// `name = value`: a function or class if the value is one.
    pub fn declare(&mut self, node: Node<'t>, kind: ChunkKind, name: Name, inner: &mut Level<'t>) {
        let here = self.here();
        if here.outer.is_some() {
            here.first_declarator.get_or_insert(node.start_byte());
        }
        let (in_callable, kind) = (here.in_callable, here.binding.unwrap_or(kind));
        // Objects in functions are mostly options with callbacks.
        if in_callable && matches!(name, Name::In("key")) {
            return;
        }
        let pattern = node.child_by_field_name("name").filter(|name| is_pattern(*name));
        // The parts of a value are not the function that it was made with: `const [a, setA] = useState(() => …)`.
        let value = self.grammar.value(&node).filter(|_| pattern.is_none());
        let value = value.and_then(|value| self.callable_value(value));
        let (holder, kind) = match value {
            Some((holder, ChunkKind::Function)) if matches!(name, Name::In("key")) => {
                (holder, ChunkKind::Method)
            }
            Some(value) => value,
            // A block is nothing by itself: only functions and classes count.
            None if in_callable || kind == ChunkKind::Block => return,
            None => (node, kind),
        };
        if let Some(pattern) = pattern {
            self.declare_pattern(pattern, kind, inner);
        } else if let Some(named) = naming::name_of(node, name, self.text) {
            self.valued = if value.is_some() { holder.id() } else { self.valued };
            self.note(node, holder, kind, named, inner);
            self.note_others(node, kind, name, inner);
        }
    }

    /// `const { a, b: c } = …` declares `a` and `c`.
    fn declare_pattern(&mut self, pattern: Node<'t>, kind: ChunkKind, inner: &mut Level<'t>) {
        for item in pattern.named_children(&mut pattern.walk()) {
            let item = item.child_by_field_name("value").unwrap_or(item);
            if matches!(item.kind(), "identifier" | "shorthand_property_identifier_pattern") {
                let name = text_of(Some(item), self.text).to_owned();
                let name = FullName { owner: None, name, at: item.start_byte(), end: item.end_byte() };
                self.note(item, item, kind, name, inner);
            }
        }
    }

    /// A function or class that no declaration names: by its own name, or as the default export.
    pub fn unnamed(&mut self, node: Node<'t>, kind: ChunkKind, inner: &mut Level<'t>) {
        let name = if node.id() == self.valued { None } else { self.value_name(node) };
        match name {
            Some(name) => self.note(node, node, kind, name, inner),
            None => inner.in_callable |= kind.is_callable(),
        }
    }

    fn value_name(&mut self, node: Node<'_>) -> Option<FullName> {
        naming::name_of(node, Name::Field, self.text).or_else(|| self.default_name(node))
    }

    pub fn default_name(&mut self, node: Node<'_>) -> Option<FullName> {
        let outer = self.here().outer.as_ref()?.node;
        let is_default = outer.child_by_field_name("value").is_some_and(|value| value.id() == node.id())
            || outer.child_by_field_name("declaration").is_some_and(|value| value.id() == node.id());
        let at = node.start_byte();
        is_default.then(|| FullName { owner: None, name: "default".to_owned(), at, end: at })
    }

    /// The function or class that a value is, or that it hands to a call: `memo(() => …)`.
    fn callable_value(&self, value: Node<'t>) -> Option<(Node<'t>, ChunkKind)> {
        let mut value = value;
        for _ in 0..6 {
            let role = self.grammar.role(&value, self.text);
            if let Role::Value(kind) | Role::Container(kind, _) = role {
                return Some((value, kind));
            }
            value = match value.kind() {
                "call_expression" => self.function_argument(value)?,
                "parenthesized_expression" | "as_expression" | "satisfies_expression" => {
                    value.named_child(0)?
                }
                _ => return None,
            };
        }
        None
    }

    /// `items.map(x => …)` makes no function, so methods count only on something that looks like a module.
    fn function_argument(&self, call: Node<'t>) -> Option<Node<'t>> {
        let callee = call.child_by_field_name("function")?;
        let (module, name) = match callee.kind() {
            "member_expression" => {
                let module = callee.child_by_field_name("object").filter(|of| of.kind() == "identifier")?;
                (text_of(Some(module), self.text), callee.child_by_field_name("property"))
            }
            _ => ("", Some(callee)),
        };
        let is_module = module.is_empty() || module.starts_with(char::is_uppercase);
        if !is_module || matches!(module, "Array" | "Promise") || calls_it(text_of(name, self.text)) {
            return None;
        }
        let arguments = call.child_by_field_name("arguments")?;
        let wanted = |argument: &Node<'_>| {
            let is_function = matches!(self.grammar.role(argument, self.text), Role::Value(_));
            is_function || argument.kind() == "call_expression"
        };
        arguments.named_children(&mut arguments.walk()).find(wanted)
    }
}

fn is_pattern(name: Node<'_>) -> bool {
    matches!(name.kind(), "object_pattern" | "array_pattern")
}

/// Calls what it is given, now or later, and returns something else.
fn calls_it(name: &str) -> bool {
    let of_hosts = ["requestAnimationFrame", "setImmediate", "setInterval", "setTimeout"];
    let of_react = ["useMemo", "useReducer", "useRef", "useState"];
    of_hosts.contains(&name) || of_react.contains(&name)
}
