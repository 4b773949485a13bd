//! JavaScript, TypeScript and their dialects with markup.

mod modules;

use tree_sitter::Node;

use super::ChunkKind::{self, *};
use super::grammar::Context::{Implement, Inherit, Type as TypeContext};
use super::grammar::Mention::{
    CallOrImport, Import as Imports, Inside, Markup, Member, Name as AName, New, PathIn, Type as TypeName,
};
use super::grammar::Name::{By, Field as NAMED, Fixed, In};
use super::grammar::Role::{self, *};
use super::grammar::{Context, Grammar, Named, Privacy, Rules};
use super::imports::text_of;
use modules::{exports, imports, module_exports, required, requires};

macro_rules! roles {
    ($($more:tt)*) => {
        &[
            ("class_declaration", Container(Class, NAMED)),
            ("class", Container(Class, NAMED)),
            ("class_body", Body),
            ("statement_block", Body),
            ("function_declaration", Definition(Function, NAMED)),
            ("generator_function_declaration", Definition(Function, NAMED)),
            ("method_definition", Definition(Method, NAMED)),
            ("class_static_block", Definition(Block, Fixed("static"))),
            ("lexical_declaration", Binding),
            ("variable_declaration", Binding),
            ("variable_declarator", Declarator(Variable, NAMED)),
            ("assignment_expression", Declarator(Block, By(assigned))),
            ("pair", Declarator(Block, In("key"))),
            ("arrow_function", Value(Function)),
            ("function_expression", Value(Function)),
            ("generator_function", Value(Function)),
            ("export_statement", Wrapper),
            ("expression_statement", Ask(expression)),
            ("decorator", Annotation),
            ("comment", Comment),
            $($more)*
        ]
    };
}

macro_rules! mentions {
    ($($more:tt)*) => {
        &[
            ("call_expression", CallOrImport("function", required)),
            ("variable_declarator", Imports(requires)),
            ("assignment_expression", Imports(module_exports)),
            ("new_expression", New("constructor")),
            ("member_expression", Member),
            ("identifier", AName),
            ("decorator", Inside(Context::Annotation)),
            ("import_statement", Imports(imports)),
            ("export_statement", Imports(exports)),
            $($more)*
        ]
    };
}

pub static JAVASCRIPT: Grammar = Grammar::of(Rules {
    roles: roles!(("field_definition", Declarator(Field, In("property")))),
    mentions: mentions!(
        ("class_heritage", Inside(Inherit)),
        ("jsx_opening_element", Markup("name")),
        ("jsx_self_closing_element", Markup("name")),
        ("jsx_closing_element", Inside(Context::Quiet)),
    ),
    privacy: Privacy::Exported,
    let_varies: true,
    ..Rules::new(tree_sitter_javascript::LANGUAGE, "tree-sitter-javascript", "0.25.0")
});

/// The types whose members are signatures: of a class they are overloads.
const SHAPES: &[ChunkKind] = &[Interface, Type, Class];

const TYPESCRIPT_ROLES: &[(&str, Role)] = roles!(
    ("internal_module", Container(Namespace, NAMED)),
    ("module", Container(Namespace, NAMED)),
    ("abstract_class_declaration", Container(Class, NAMED)),
    ("interface_declaration", Compact(Interface, NAMED)),
    ("interface_body", Body),
    ("type_alias_declaration", Compact(Type, NAMED)),
    ("object_type", Body),
    ("enum_declaration", Compact(Enum, NAMED)),
    ("enum_body", Body),
    ("enum_assignment", Role::Member(&[Enum], Constant, NAMED)),
    // A member without a value is only a name.
    ("property_identifier", Role::Member(&[Enum], Constant, By(itself))),
    ("property_signature", Role::Member(SHAPES, Field, NAMED)),
    ("method_signature", Role::Member(SHAPES, Method, NAMED)),
    ("construct_signature", Role::Member(SHAPES, Constructor, Fixed("new"))),
    ("function_signature", Definition(Function, NAMED)),
    ("abstract_method_signature", Definition(Method, NAMED)),
    ("public_field_definition", Declarator(Field, NAMED)),
    ("ambient_declaration", Wrapper),
);

macro_rules! typescript_mentions {
    ($($more:tt)*) => {
        mentions!(
            ("type_identifier", TypeName),
            ("nested_type_identifier", PathIn(TypeContext)),
            ("type_arguments", Inside(TypeContext)),
            ("extends_clause", Inside(Inherit)),
            ("extends_type_clause", Inside(Inherit)),
            ("implements_clause", Inside(Implement)),
            $($more)*
        )
    };
}

const TYPESCRIPT_PACKAGE: &str = "tree-sitter-typescript";
const TYPESCRIPT_VERSION: &str = "0.23.2";

pub static TYPESCRIPT: Grammar = Grammar::of(Rules {
    roles: TYPESCRIPT_ROLES,
    mentions: typescript_mentions!(),
    privacy: Privacy::Exported,
    let_varies: true,
    ..Rules::new(tree_sitter_typescript::LANGUAGE_TYPESCRIPT, TYPESCRIPT_PACKAGE, TYPESCRIPT_VERSION)
});

pub static TSX: Grammar = Grammar::of(Rules {
    roles: TYPESCRIPT_ROLES,
    mentions: typescript_mentions!(
        ("jsx_opening_element", Markup("name")),
        ("jsx_self_closing_element", Markup("name")),
        ("jsx_closing_element", Inside(Context::Quiet)),
    ),
    privacy: Privacy::Exported,
    let_varies: true,
    ..Rules::new(tree_sitter_typescript::LANGUAGE_TSX, TYPESCRIPT_PACKAGE, TYPESCRIPT_VERSION)
});

/// `describe('…', () => …)` and `it('…', () => …)` are tests; other statements may hold a declaration.
fn expression(node: Node<'_>, text: &str) -> Role {
    let Some(call) = node.named_child(0).filter(|child| child.kind() == "call_expression") else {
        return Wrapper;
    };
    let callee = text_of(call.child_by_field_name("function"), text);
    let mut words = callee.split(['.', '(', '<']).map(str::trim);
    let head = words.next().unwrap_or(callee);
    // `test.expect('…', …)` and `context.set('…')` are calls of something that happens to be called so.
    if callee[head.len()..].trim_start().starts_with('.') && !words.next().is_some_and(is_modifier) {
        return Wrapper;
    }
    match head {
        "describe" | "context" | "suite" if title(node, text).is_some() => Container(Test, By(title)),
        "it" | "test" | "specify" | "bench" if title(node, text).is_some() => Definition(Test, By(title)),
        _ => Wrapper,
    }
}

/// What the frameworks put between the word and the title.
fn is_modifier(word: &str) -> bool {
    let when = ["fails", "failing", "fixme", "only", "runIf", "skip", "skipIf", "slow", "todo"];
    let how =
        ["concurrent", "describe", "each", "for", "parallel", "sequential", "serial", "shuffle", "step"];
    when.contains(&word) || how.contains(&word)
}

fn title<'t>(node: Node<'t>, _: &str) -> Option<Named<'t>> {
    let arguments = node.named_child(0)?.child_by_field_name("arguments")?;
    let title = arguments.named_child(0)?;
    let is_title = match title.kind() {
        "string" | "template_string" => true,
        // `describe(Cart, () => …)`
        "identifier" | "member_expression" => arguments.named_child_count() > 1,
        _ => false,
    };
    is_title.then_some(Named { owner: None, node: title })
}

/// `Owner.prototype.name = function`, `exports.name = …`
fn assigned<'t>(node: Node<'t>, text: &str) -> Option<Named<'t>> {
    let left = node.child_by_field_name("left")?;
    if left.kind() == "identifier" {
        return Some(Named { owner: None, node: left });
    }
    let own_name = || node.child_by_field_name("right").and_then(|value| value.child_by_field_name("name"));
    if text_of(Some(left), text) == "module.exports" && own_name().is_some() {
        return None;
    }
    let name = left.child_by_field_name("property")?;
    let owner = text_of(left.child_by_field_name("object"), text).trim_end_matches(".prototype");
    let is_module = matches!(owner, "exports" | "module.exports" | "module" | "this" | "window" | "self");
    Some(Named { owner: (!is_module && owner.len() < 80).then(|| owner.to_owned()), node: name })
}

fn itself<'t>(node: Node<'t>, _: &str) -> Option<Named<'t>> {
    Some(Named { owner: None, node })
}
