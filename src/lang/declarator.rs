//! Declarators of C and C++: the part of a declaration that says what is declared, wrapped around its name.

use tree_sitter::Node;

use super::grammar::Named;
use super::imports::text_of;

/// A name with what stands right around it, parentheses aside.
pub struct Declared<'t> {
    pub name: Node<'t>,
    /// The name is called where it is declared: `*f(int)` declares a function, `(*f)(int)` a pointer.
    pub is_function: bool,
}

/// From a declarator down to the name in it.
pub fn unwrap(declarator: Node<'_>) -> Option<Declared<'_>> {
    let mut at = declarator;
    let mut is_function = false;
    loop {
        match at.kind() {
            "parenthesized_declarator" | "attributed_declarator" => {}
            "function_declarator" => is_function = true,
            "pointer_declarator"
            | "array_declarator"
            | "reference_declarator"
            | "init_declarator"
            | "bitfield_clause" => is_function = false,
            _ => return Some(Declared { name: at, is_function }),
        }
        at = inside(at)?;
    }
}

fn inside(declarator: Node<'_>) -> Option<Node<'_>> {
    declarator.child_by_field_name("declarator").or_else(|| {
        let mut cursor = declarator.walk();
        // Behind the calling conventions and qualifiers that may stand before it.
        let children = declarator.named_children(&mut cursor);
        let is_name =
            |child: &Node<'_>| child.kind().ends_with("declarator") || child.kind().contains("identifier");
        children.filter(is_name).last()
    })
}

/// What a declaration with one declarator declares.
pub fn first(declaration: Node<'_>) -> Option<Declared<'_>> {
    unwrap(declaration.child_by_field_name("declarator")?)
}

/// The names of `int a, *b[2];`.
pub fn names(declaration: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = declaration.walk();
    let declarators = declaration.children_by_field_name("declarator", &mut cursor);
    declarators.filter_map(unwrap).map(|declared| bare(declared.name)).collect()
}

/// The name of a function, with the types and namespaces it is qualified by.
pub fn qualified<'t>(declaration: Node<'t>, text: &str) -> Option<Named<'t>> {
    Some(split(first(declaration)?.name, text))
}

/// `a::B<T>::c` is `c` of `a.B`.
pub fn split<'t>(name: Node<'t>, text: &str) -> Named<'t> {
    let mut owners: Vec<&str> = Vec::new();
    let mut name = name;
    while name.kind() == "qualified_identifier" {
        if let Some(scope) = name.child_by_field_name("scope") {
            owners.push(text_of(Some(bare(scope)), text));
        }
        let Some(inner) = name.child_by_field_name("name") else { break };
        name = inner;
    }
    Named { owner: (!owners.is_empty()).then(|| owners.join(".")), node: bare(name) }
}

/// Without template arguments.
fn bare(name: Node<'_>) -> Node<'_> {
    match name.kind() {
        "template_type" | "template_function" | "template_method" => {
            name.child_by_field_name("name").unwrap_or(name)
        }
        _ => name,
    }
}
