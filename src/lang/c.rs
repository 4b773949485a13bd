//! C, and the rows that C++ shares with it.

use tree_sitter::Node;

use super::ChunkKind::*;
use super::declarator::{self, names, qualified};
use super::grammar::Context::{Quiet, Value as ValueContext};
use super::grammar::Mention::{Call, Import as Imports, Inside, Member, Name as AName, Type as TypeName};
use super::grammar::Name::{By, Each, Field as NAMED};
use super::grammar::Role::{self, *};
use super::grammar::{Grammar, Privacy, Rules};
use super::imports::{Import, text_of};

macro_rules! c_roles {
    ($($more:tt)*) => {
        &[
            ("type_definition", Ask(alias)),
            ("union_specifier", Ask(specifier)),
            ("enum_specifier", Ask(specifier)),
            ("field_declaration_list", Body),
            ("enumerator_list", Body),
            ("enumerator", Definition(Constant, NAMED)),
            ("linkage_specification", Ask(linkage)),
            ("declaration_list", Body),
            ("preproc_def", Ask(macro_value)),
            ("preproc_function_def", Definition(Macro, NAMED)),
            ("preproc_if", Transparent),
            ("preproc_ifdef", Transparent),
            ("preproc_elif", Transparent),
            ("preproc_elifdef", Transparent),
            ("preproc_else", Transparent),
            ("attribute_specifier", Annotation),
            ("comment", Comment),
            $($more)*
        ]
    };
}
pub(super) use c_roles;

macro_rules! c_mentions {
    ($($more:tt)*) => {
        &[
            ("call_expression", Call("function")),
            ("field_expression", Member),
            ("identifier", AName),
            ("type_identifier", TypeName),
            ("parameter_declaration", Inside(ValueContext)),
            ("preproc_include", Imports(include)),
            $($more)*
        ]
    };
}
pub(super) use c_mentions;

pub static C: Grammar = Grammar::of(Rules {
    roles: c_roles!(
        ("struct_specifier", Ask(specifier)),
        ("function_definition", Definition(Function, By(qualified))),
        ("declaration", Ask(declaration)),
        ("field_declaration", Definition(Field, Each(names))),
    ),
    mentions: c_mentions!(),
    fields: &[("type_definition", "declarator", Quiet)],
    privacy: Privacy::Linkage,
    ..Rules::new(tree_sitter_c::LANGUAGE, "tree-sitter-c", "0.24.2")
});

/// `struct a { … }` declares a type, `struct a` mentions one. Without a name its members belong to what is around.
pub fn specifier(node: Node<'_>, _: &str) -> Role {
    let kind = if node.kind() == "enum_specifier" { Enum } else { Struct };
    match (node.child_by_field_name("body"), node.child_by_field_name("name")) {
        (Some(_), Some(_)) => Compact(kind, NAMED),
        (Some(_), None) => Branch,
        _ => Plain,
    }
}

/// A type that has no name but the one that `typedef` gives it is called by that.
pub fn alias(node: Node<'_>, _: &str) -> Role {
    let of = node.child_by_field_name("type");
    let unnamed = of.filter(|of| of.child_by_field_name("name").is_none());
    match unnamed.filter(|of| of.child_by_field_name("body").is_some()).map(|of| of.kind()) {
        Some("enum_specifier") => Compact(Enum, Each(names)),
        Some(_) => Compact(Struct, Each(names)),
        None => Definition(Type, Each(names)),
    }
}

/// A prototype or variables; inside of a function neither counts.
fn declaration(node: Node<'_>, _: &str) -> Role {
    match declarator::first(node) {
        Some(declared) if declared.is_function => Declarator(Function, By(qualified)),
        Some(_) => Declarator(Variable, Each(names)),
        None => Transparent,
    }
}

/// `extern "C" { … }` or before a single declaration.
pub fn linkage(node: Node<'_>, _: &str) -> Role {
    let body = node.child_by_field_name("body");
    if body.is_some_and(|body| body.kind() == "declaration_list") { Branch } else { Wrapper }
}

/// A name without a value guards a header or switches something on.
pub fn macro_value(node: Node<'_>, _: &str) -> Role {
    match node.child_by_field_name("value") {
        Some(_) => Definition(Constant, NAMED),
        None => Plain,
    }
}

pub fn include(node: Node<'_>, text: &str, out: &mut Vec<Import>) {
    out.push(Import::new(node, text_of(node.child_by_field_name("path"), text)));
}

#[cfg(test)]
mod tests {
    use crate::chunk::Limits;
    use crate::lang::Language;

    #[test]
    fn headers_that_are_made_fit_for_cpp_are_seen_through() {
        let guard = |line: &str| format!("#ifdef __cplusplus\n{line}\n#endif\n");
        let text =
            format!("{}\nint f(void);\nstruct s {{ int x; }};\n{}", guard("extern \"C\" {"), guard("}"));
        let limits = Limits { min_tokens: 40, max_tokens: 160, fixed_interval_above: 1 << 20 };
        let facts = crate::chunk::chunk(&text, Language::from_name("c").unwrap(), &limits).facts;
        let names: Vec<String> = facts.definitions.iter().map(|d| facts.qualified_name(d)).collect();
        assert_eq!(names, ["f", "s", "s.x"]);
    }
}
