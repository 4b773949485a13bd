//! Haskell.

use tree_sitter::Node;

use super::ChunkKind::*;
use super::grammar::Context::{Callee, Implement, Quiet};
use super::grammar::Mention::{self, Ask as Look, Call, Import as Imports, Inside, New, Type as TypeName};
use super::grammar::Name::{By, Field as NAMED, In};
use super::grammar::Role::{self, *};
use super::grammar::{Grammar, Named, Privacy, Rules};
use super::imports::{Import, text_of};
use super::naming::{collapse, named_child};

pub static HASKELL: Grammar = Grammar::of(Rules {
    roles: &[
        ("header", Scope(Module, In("module"))),
        ("imports", Transparent),
        ("declarations", Transparent),
        ("class_declarations", Body),
        ("instance_declarations", Body),
        ("class", Container(Trait, NAMED)),
        ("instance", Container(Impl, By(instance))),
        ("deriving_instance", Definition(Impl, By(instance))),
        ("data_type", Ask(data)),
        ("newtype", Definition(Struct, NAMED)),
        ("data_constructor", Definition(Constant, By(constructor))),
        ("newtype_constructor", Definition(Constant, NAMED)),
        ("gadt_constructor", Definition(Constant, NAMED)),
        ("field", Ask(field)),
        ("type_synonym", Definition(Type, NAMED)),
        ("type_family", Definition(Type, NAMED)),
        ("data_family", Definition(Type, NAMED)),
        ("signature", Ask(signature)),
        ("function", Ask(function)),
        ("bind", Ask(bind)),
        ("foreign_import", Wrapper),
        ("pattern_synonym", Definition(Function, By(pattern_name))),
        ("pragma", Trailing),
        ("comment", Comment),
        ("haddock", Comment),
    ],
    mentions: &[
        ("apply", Look(applied)),
        ("infix", Look(infix)),
        ("name", TypeName),
        ("qualified", Look(qualified)),
        ("patterns", Inside(Quiet)),
        ("exports", Inside(Quiet)),
        ("import", Imports(imports)),
    ],
    fields: &[
        ("*", "pattern", Quiet),
        ("qualified", "id", Callee),
        ("deriving", "classes", Implement),
        ("instance", "name", Implement),
        ("deriving_instance", "name", Implement),
    ],
    privacy: Privacy::Open,
    clauses: true,
    ..Rules::new(tree_sitter_haskell::LANGUAGE, "tree-sitter-haskell", "0.24.1")
});

/// `instance Class Type`: the class as the type has it.
fn instance<'t>(node: Node<'t>, text: &str) -> Option<Named<'t>> {
    let owner = collapse(text_of(node.child_by_field_name("patterns"), text), 80);
    Some(Named {
        owner: Some(owner).filter(|owner| !owner.is_empty()),
        node: node.child_by_field_name("name")?,
    })
}

/// One constructor makes a record of it, several make a choice.
fn data(node: Node<'_>, _: &str) -> Role {
    let constructors = node.child_by_field_name("constructors");
    let is_choice = constructors.is_some_and(|constructors| constructors.named_child_count() > 1);
    Definition(if is_choice { Enum } else { Struct }, NAMED)
}

/// data_constructor > record | prefix | infix
fn constructor<'t>(node: Node<'t>, _: &str) -> Option<Named<'t>> {
    let inside = node.child_by_field_name("constructor")?;
    let name = inside.child_by_field_name("name").or_else(|| inside.child_by_field_name("operator"))?;
    Some(Named { owner: None, node: name })
}

/// The word is also what a part of a pattern or of a type is called.
fn field(node: Node<'_>, _: &str) -> Role {
    match node.child_by_field_name("name") {
        Some(name) if name.kind() == "field_name" => Definition(Field, NAMED),
        _ => Plain,
    }
}

/// The first clause of what it is about. One for several names belongs to the first of them; expressions have
/// signatures too.
fn signature(node: Node<'_>, text: &str) -> Role {
    if node.child_by_field_name("name").is_none() {
        let is_declared = node.child_by_field_name("names").is_some();
        return if is_declared { Annotation } else { Plain };
    }
    // Behind constraints and quantifiers.
    let written = text_of(node.child_by_field_name("type"), text);
    let is_function = written.contains("->") || written.starts_with("IO ");
    Definition(if is_function { Function } else { Variable }, By(function_name))
}

/// As a type, `a -> b` is called a function too.
fn function(node: Node<'_>, _: &str) -> Role {
    let is_declared = node.child_by_field_name("name").is_some() || named_child(node, "infix").is_some();
    if is_declared { Definition(Function, By(function_name)) } else { Plain }
}

/// `name a b = …`, `` a `name` b = … ``, `(<+>) a b = …`
fn function_name<'t>(node: Node<'t>, _: &str) -> Option<Named<'t>> {
    let name = node.child_by_field_name("name").map(|name| named_child(name, "operator").unwrap_or(name));
    let name = name.or_else(|| {
        let operator = named_child(node, "infix")?.child_by_field_name("operator")?;
        Some(named_child(operator, "variable").unwrap_or(operator))
    });
    Some(Named { owner: None, node: name? })
}

fn bind(node: Node<'_>, _: &str) -> Role {
    if node.child_by_field_name("name").is_none() {
        return Plain;
    }
    let value = node.child_by_field_name("match").and_then(|m| m.child_by_field_name("expression"));
    let is_lambda = value.is_some_and(|value| value.kind().starts_with("lambda"));
    Definition(if is_lambda { Function } else { Variable }, NAMED)
}

/// `pattern Name :: type`, `pattern Name = …`
fn pattern_name<'t>(node: Node<'t>, _: &str) -> Option<Named<'t>> {
    let inside = node.named_child(0)?;
    let name = inside.child_by_field_name("name").or_else(|| inside.child_by_field_name("synonym"));
    Some(Named { owner: None, node: name.unwrap_or(inside) })
}

/// `f a b` is `(f a) b`: the innermost is the call.
fn applied(node: Node<'_>, _: &str) -> Mention {
    match node.child_by_field_name("function").map(|function| function.kind()) {
        Some("variable") => Call("function"),
        Some("qualified") => Call("function"),
        Some("constructor") => New("function"),
        _ => Mention::Nothing,
    }
}

/// `f $ a`
fn infix(node: Node<'_>, text: &str) -> Mention {
    let operator = text_of(node.child_by_field_name("operator"), text);
    let left = node.child_by_field_name("left_operand").map(|left| left.kind());
    match (operator, left) {
        ("$" | "$!" | "<$>" | "=<<", Some("variable" | "qualified")) => Call("left_operand"),
        _ => Mention::Nothing,
    }
}

/// `Map.Map` is a type, `Map.insert` a value.
fn qualified(node: Node<'_>, _: &str) -> Mention {
    match node.child_by_field_name("id").map(|id| id.kind()) {
        Some("name") => TypeName,
        _ => Mention::Nothing,
    }
}

/// `import A`, `import qualified A as B`, `import A (b, C (..))`, `import A hiding (b)`
fn imports(node: Node<'_>, text: &str, out: &mut Vec<Import>) {
    let module = text_of(node.child_by_field_name("module"), text);
    let alias = node.child_by_field_name("alias").map(|alias| text_of(Some(alias), text));
    let mut cursor = node.walk();
    let is_without = node.children(&mut cursor).any(|child| child.kind() == "hiding");
    let is_qualified = node.children(&mut cursor).any(|child| child.kind() == "qualified");
    let whole = || Import::new(node, module).alias(alias);
    match node.child_by_field_name("names").filter(|_| !is_without) {
        Some(names) => {
            for name in names.children_by_field_name("name", &mut names.walk()) {
                let taken = text_of(name.named_child(0), text);
                out.push(Import::new(name, module).named(taken.trim_matches(['(', ')'])));
            }
        }
        None if is_qualified => out.push(whole()),
        None => out.push(whole().named("*")),
    }
}
