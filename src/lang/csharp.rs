//! C#.

use tree_sitter::Node;

use super::ChunkKind::*;
use super::grammar::Context::{Base, Type as TypeContext};
use super::grammar::Mention::{Call, Import as Imports, Inside, Member, Name as AName, New, PathIn};
use super::grammar::Name::{By, Field as NAMED, Prefixed};
use super::grammar::Role::{self, *};
use super::grammar::{Context, Grammar, Named, Privacy, Rules};
use super::imports::{Import, text_of};
use super::naming::{collapse, named_child};

pub static CSHARP: Grammar = Grammar::of(Rules {
    roles: &[
        ("namespace_declaration", Container(Namespace, NAMED)),
        ("file_scoped_namespace_declaration", Scope(Namespace, NAMED)),
        ("declaration_list", Body),
        ("class_declaration", Container(Class, NAMED)),
        ("record_declaration", Container(Record, NAMED)),
        ("struct_declaration", Container(Struct, NAMED)),
        ("interface_declaration", Compact(Interface, NAMED)),
        ("enum_declaration", Compact(Enum, NAMED)),
        ("enum_member_declaration_list", Body),
        ("enum_member_declaration", Definition(Constant, NAMED)),
        // Of a record they are its properties.
        ("parameter_list", Transparent),
        ("parameter", Role::Member(&[Record], Property, NAMED)),
        ("delegate_declaration", Definition(Delegate, NAMED)),
        ("method_declaration", Definition(Method, By(member))),
        ("constructor_declaration", Definition(Constructor, NAMED)),
        ("destructor_declaration", Definition(Method, Prefixed("~", "name"))),
        ("operator_declaration", Definition(Operator, Prefixed("operator ", "operator"))),
        ("conversion_operator_declaration", Definition(Operator, Prefixed("operator ", "type"))),
        ("property_declaration", Definition(Property, By(member))),
        ("indexer_declaration", Definition(Property, Prefixed("this", "parameters"))),
        ("event_declaration", Definition(Event, By(member))),
        ("event_field_declaration", BindingOf(Event)),
        ("field_declaration", BindingOf(Field)),
        ("variable_declaration", Wrapper),
        ("variable_declarator", Declarator(Variable, By(declared))),
        ("lambda_expression", Value(Function)),
        ("anonymous_method_expression", Value(Function)),
        ("local_function_statement", Definition(Function, NAMED)),
        ("global_statement", Wrapper),
        ("comment", Comment),
        ("attribute_list", Annotation),
        ("preproc_region", Heading),
        ("preproc_pragma", Heading),
        ("preproc_nullable", Heading),
        ("preproc_endregion", Trailing),
        ("preproc_if", Transparent),
        ("preproc_elif", Transparent),
        ("preproc_else", Transparent),
    ],
    mentions: &[
        ("invocation_expression", Call("function")),
        ("object_creation_expression", New("type")),
        ("member_access_expression", Member),
        ("member_binding_expression", Member),
        ("identifier", AName),
        ("qualified_name", PathIn(Context::Quiet)),
        ("alias_qualified_name", PathIn(Context::Quiet)),
        ("generic_name", PathIn(Context::Quiet)),
        ("type_argument_list", Inside(TypeContext)),
        ("base_list", Inside(Base)),
        ("argument_list", Inside(Context::Value)),
        ("typeof_expression", Inside(TypeContext)),
        ("type_parameter_constraint", Inside(TypeContext)),
        ("using_directive", Imports(imports)),
        ("tuple_element", Inside(Context::Value)),
    ],
    fields: &[
        ("*", "type", TypeContext),
        ("*", "returns", TypeContext),
        ("as_expression", "right", TypeContext),
        ("is_expression", "right", TypeContext),
        ("conditional_access_expression", "condition", Context::Value),
        ("attribute", "name", Context::Annotation),
    ],
    privacy: Privacy::Internal,
    ..Rules::new(tree_sitter_c_sharp::LANGUAGE, "tree-sitter-c-sharp", "0.23.5")
});

/// Not the names in `var (a, b) = …`.
fn declared<'t>(node: Node<'t>, _: &str) -> Option<Named<'t>> {
    Some(Named { owner: None, node: node.child_by_field_name("name")? })
}

/// `void IDisposable.Dispose()` belongs to the interface it implements.
fn member<'t>(node: Node<'t>, text: &str) -> Option<Named<'t>> {
    const LONGEST: usize = 100;
    let name = node.child_by_field_name("name")?;
    let interface = named_child(node, "explicit_interface_specifier").and_then(|of| of.named_child(0));
    let owner = interface.map(|interface| collapse(text_of(Some(interface), text), LONGEST));
    Some(Named { owner, node: name })
}

/// `using A.B;`, `using static A.B;`, `using X = A.B;`, `global using …`
fn imports(node: Node<'_>, text: &str, out: &mut Vec<Import>) {
    let written = text_of(Some(node), text);
    let alias = node.child_by_field_name("name");
    let Some(module) = node.named_children(&mut node.walk()).filter(|child| Some(*child) != alias).last()
    else {
        return;
    };
    let import = Import::new(node, text_of(Some(module), text)).export(written.starts_with("global"));
    out.push(match alias {
        Some(alias) => import.alias(Some(text_of(Some(alias), text))),
        None => import.named("*"),
    });
}
