//! Java.

use tree_sitter::Node;

use super::ChunkKind::*;
use super::grammar::Context::{Annotation as AnnotationContext, Implement, Inherit, Type as TypeContext};
use super::grammar::Mention::{
    Call, Import as Imports, Inside, Member, Name as AName, New, Path, PathIn, Type as TypeName,
};
use super::grammar::Name::{By, Each, Field as NAMED, Fixed};
use super::grammar::Role::*;
use super::grammar::{Grammar, Named, Privacy, Rules};
use super::hazard;
use super::imports::{Import, text_of};

pub static JAVA: Grammar = Grammar::of(Rules {
    roles: &[
        ("package_declaration", Scope(Namespace, By(package))),
        ("module_declaration", Definition(Module, NAMED)),
        ("class_declaration", Container(Class, NAMED)),
        ("class_body", Body),
        ("record_declaration", Container(Record, NAMED)),
        ("interface_declaration", Compact(Interface, NAMED)),
        ("interface_body", Body),
        ("annotation_type_declaration", Compact(Interface, NAMED)),
        ("annotation_type_body", Body),
        ("annotation_type_element_declaration", Definition(Method, NAMED)),
        ("enum_declaration", Compact(Enum, NAMED)),
        ("enum_body", Body),
        ("enum_body_declarations", Transparent),
        ("enum_constant", Definition(Constant, NAMED)),
        ("method_declaration", Definition(Method, NAMED)),
        ("constructor_declaration", Definition(Constructor, NAMED)),
        ("compact_constructor_declaration", Definition(Constructor, NAMED)),
        ("static_initializer", Definition(Block, Fixed("static"))),
        ("field_declaration", Definition(Field, Each(declared))),
        ("constant_declaration", Definition(Constant, Each(declared))),
        ("line_comment", Comment),
        ("block_comment", Comment),
        ("annotation", Annotation),
        ("marker_annotation", Annotation),
    ],
    mentions: &[
        ("method_invocation", Call("name")),
        ("object_creation_expression", New("type")),
        ("field_access", Member),
        ("method_reference", Member),
        ("identifier", AName),
        ("scoped_identifier", Path),
        ("type_identifier", TypeName),
        ("scoped_type_identifier", PathIn(TypeContext)),
        ("type_arguments", Inside(TypeContext)),
        ("superclass", Inside(Inherit)),
        ("super_interfaces", Inside(Implement)),
        ("extends_interfaces", Inside(Inherit)),
        ("import_declaration", Imports(imports)),
    ],
    fields: &[("annotation", "name", AnnotationContext), ("marker_annotation", "name", AnnotationContext)],
    privacy: Privacy::Package,
    common: &["Object", "Override", "String", "var"],
    hazard: Some(hazard::java),
    ..Rules::new(tree_sitter_java::LANGUAGE, "tree-sitter-java", "0.23.5")
});

fn package<'t>(node: Node<'t>, _: &str) -> Option<Named<'t>> {
    let mut cursor = node.walk();
    let name = node.named_children(&mut cursor).find(|child| child.kind().ends_with("identifier"))?;
    Some(Named { owner: None, node: name })
}

/// The names of `int a, b = 1;`.
fn declared(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    let declarators = node.children_by_field_name("declarator", &mut cursor);
    declarators.filter_map(|declarator| declarator.child_by_field_name("name")).collect()
}

/// `import a.b.C;`, `import a.b.*;`, `import static a.b.C.d;`
fn imports(node: Node<'_>, text: &str, out: &mut Vec<Import>) {
    let mut cursor = node.walk();
    let mut children = node.named_children(&mut cursor);
    let Some(path) = children.find(|child| child.kind().ends_with("identifier")) else { return };
    let written = text_of(Some(path), text);
    let takes_all = children.any(|child| child.kind() == "asterisk");
    out.push(match written.rsplit_once('.') {
        _ if takes_all => Import::new(node, written).named("*"),
        Some((module, name)) => Import::new(node, module).named(name),
        None => Import::new(node, written),
    });
}
