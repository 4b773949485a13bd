//! What each grammar's node types mean for chunking: data, so that a language is added by writing its rows.
//!
//! A node type without a row is plain: at the level of members it becomes (part of) a block, anywhere else it is
//! never looked at.

use std::sync::OnceLock;

use tree_sitter_language::LanguageFn;

use super::kind::ChunkKind;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    Plain,
    /// One declaration, never entered. A `Function` among the members of a type counts as a `Method`.
    Definition(ChunkKind, Name),
    /// A header followed by members of its own.
    Container(ChunkKind, Name),
    /// A container that stays whole while it fits into one chunk.
    Compact(ChunkKind, Name),
    /// Names the siblings that follow it, to the end of the enclosing node.
    Scope(ChunkKind, Name),
    /// `const name = value`: a function or class if the value is one, else a variable or field of that kind.
    Binding(ChunkKind),
    /// A function or class without a declaration around it.
    Value(ChunkKind),
    /// Stands around one declaration and belongs to it: `export`, decorators.
    Wrapper,
    /// Holds the members of the container (or branch) it is in.
    Body,
    /// A statement whose bodies may hold declarations: `if` at the top level.
    Branch,
    /// Its children are members of what it is in: conditional compilation, error nodes.
    Transparent,
    /// Belongs to the declaration that follows: comments, attributes between members.
    Leading,
    /// Belongs to what is before it.
    Trailing,
}

/// Where a declaration's name stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Name {
    /// In the field `name`.
    Field,
    /// In the field `name` of the first declarator inside.
    Declarator,
    /// Made from the text of another field: `operator +`.
    Prefixed(&'static str, &'static str),
    /// The same for every node of the type.
    Fixed(&'static str),
}

pub struct Grammar {
    language: LanguageFn,
    /// The crate and the version it comes from: part of the recipe.
    pub package: &'static str,
    pub version: &'static str,
    rules: &'static [(&'static str, Role)],
    compiled: OnceLock<Compiled>,
}

pub struct Compiled {
    pub language: tree_sitter::Language,
    roles: Vec<Role>,
    pub body_fields: Vec<u16>,
}

impl Grammar {
    const fn new(
        language: LanguageFn,
        package: &'static str,
        version: &'static str,
        rules: &'static [(&'static str, Role)],
    ) -> Self {
        Grammar { language, package, version, rules, compiled: OnceLock::new() }
    }

    pub fn compiled(&self) -> &Compiled {
        self.compiled.get_or_init(|| {
            let language = tree_sitter::Language::new(self.language);
            // One node type may have several ids, so the ids are looked up by name and not the other way round.
            let roles = (0..language.node_kind_count() as u16)
                .map(|id| language.node_kind_for_id(id).map_or(Role::Plain, |name| self.role_of(name)))
                .collect();
            let fields = ["body", "accessors", "value"];
            let body_fields =
                fields.iter().filter_map(|f| language.field_id_for_name(f)).map(u16::from).collect();
            Compiled { language, roles, body_fields }
        })
    }

    fn role_of(&self, node_type: &str) -> Role {
        self.rules.iter().find(|(name, _)| *name == node_type).map_or(Role::Plain, |(_, role)| *role)
    }
}

impl Compiled {
    pub fn role(&self, node: &tree_sitter::Node<'_>) -> Role {
        // The id of error nodes is outside the table.
        if node.is_error() {
            return Role::Transparent;
        }
        self.roles.get(node.kind_id() as usize).copied().unwrap_or(Role::Plain)
    }
}

use ChunkKind::*;
use Name::{Declarator, Fixed, Prefixed};
use Role::*;

const NAMED: Name = Name::Field;

pub static CSHARP: Grammar = Grammar::new(
    tree_sitter_c_sharp::LANGUAGE,
    "tree-sitter-c-sharp",
    "0.23.5",
    &[
        ("namespace_declaration", Container(Namespace, NAMED)),
        ("file_scoped_namespace_declaration", Scope(Namespace, NAMED)),
        ("declaration_list", Body),
        ("class_declaration", Container(Class, NAMED)),
        ("record_declaration", Container(Record, NAMED)),
        ("struct_declaration", Container(Struct, NAMED)),
        ("interface_declaration", Compact(Interface, NAMED)),
        ("enum_declaration", Definition(Enum, NAMED)),
        ("delegate_declaration", Definition(Delegate, NAMED)),
        ("method_declaration", Definition(Method, NAMED)),
        ("constructor_declaration", Definition(Constructor, NAMED)),
        ("destructor_declaration", Definition(Method, Prefixed("~", "name"))),
        ("operator_declaration", Definition(Operator, Prefixed("operator ", "operator"))),
        ("conversion_operator_declaration", Definition(Operator, Prefixed("operator ", "type"))),
        ("property_declaration", Definition(Property, NAMED)),
        ("indexer_declaration", Definition(Property, Fixed("this[]"))),
        ("event_declaration", Definition(Event, NAMED)),
        ("event_field_declaration", Definition(Event, Declarator)),
        ("field_declaration", Definition(Field, Declarator)),
        // Only met among top-level statements: other local functions are inside a definition.
        ("local_function_statement", Definition(Function, NAMED)),
        ("global_statement", Wrapper),
        ("comment", Leading),
        ("preproc_region", Leading),
        ("preproc_pragma", Leading),
        ("preproc_nullable", Leading),
        ("preproc_endregion", Trailing),
        ("preproc_if", Transparent),
        ("preproc_elif", Transparent),
        ("preproc_else", Transparent),
    ],
);

const TYPESCRIPT_RULES: &[(&str, Role)] = &[
    ("internal_module", Container(Namespace, NAMED)),
    ("module", Container(Namespace, NAMED)),
    ("class_declaration", Container(Class, NAMED)),
    ("abstract_class_declaration", Container(Class, NAMED)),
    ("class", Container(Class, NAMED)),
    ("class_body", Body),
    ("statement_block", Body),
    ("interface_declaration", Definition(Interface, NAMED)),
    ("type_alias_declaration", Definition(Type, NAMED)),
    ("enum_declaration", Definition(Enum, NAMED)),
    ("function_declaration", Definition(Function, NAMED)),
    ("generator_function_declaration", Definition(Function, NAMED)),
    ("function_signature", Definition(Function, NAMED)),
    ("method_definition", Definition(Method, NAMED)),
    ("method_signature", Definition(Method, NAMED)),
    ("abstract_method_signature", Definition(Method, NAMED)),
    ("class_static_block", Definition(Block, Fixed("static"))),
    ("public_field_definition", Binding(Field)),
    ("lexical_declaration", Binding(Variable)),
    ("variable_declaration", Binding(Variable)),
    ("arrow_function", Value(Function)),
    ("function_expression", Value(Function)),
    ("generator_function", Value(Function)),
    ("export_statement", Wrapper),
    ("ambient_declaration", Wrapper),
    // `namespace N {}` is an expression to this grammar.
    ("expression_statement", Wrapper),
    ("decorator", Leading),
    ("comment", Leading),
];

const TYPESCRIPT_PACKAGE: &str = "tree-sitter-typescript";
const TYPESCRIPT_VERSION: &str = "0.23.2";

pub static TYPESCRIPT: Grammar = Grammar::new(
    tree_sitter_typescript::LANGUAGE_TYPESCRIPT,
    TYPESCRIPT_PACKAGE,
    TYPESCRIPT_VERSION,
    TYPESCRIPT_RULES,
);

pub static TSX: Grammar = Grammar::new(
    tree_sitter_typescript::LANGUAGE_TSX,
    TYPESCRIPT_PACKAGE,
    TYPESCRIPT_VERSION,
    TYPESCRIPT_RULES,
);

pub static PYTHON: Grammar = Grammar::new(
    tree_sitter_python::LANGUAGE,
    "tree-sitter-python",
    "0.25.0",
    &[
        ("class_definition", Container(Class, NAMED)),
        ("block", Body),
        ("function_definition", Definition(Function, NAMED)),
        ("decorated_definition", Wrapper),
        ("decorator", Leading),
        ("comment", Leading),
        ("if_statement", Branch),
        ("elif_clause", Branch),
        ("else_clause", Branch),
        ("try_statement", Branch),
        ("except_clause", Branch),
        ("finally_clause", Branch),
    ],
);

/// Every grammar, for the recipe and the tests.
pub static ALL: &[&Grammar] = &[&CSHARP, &TYPESCRIPT, &TSX, &PYTHON];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_names_a_node_type_of_its_grammar() {
        for grammar in ALL {
            let language = &grammar.compiled().language;
            for (name, _) in grammar.rules {
                assert!(language.id_for_node_kind(name, true) != 0, "{}: {name}", grammar.package);
            }
        }
    }

    #[test]
    fn versions_are_those_built_against() {
        let lock = include_str!("../../Cargo.lock");
        for grammar in ALL {
            let entry = format!("name = \"{}\"\nversion = \"{}\"", grammar.package, grammar.version);
            assert!(lock.contains(&entry), "{entry}: bump the version, and with it the recipe");
        }
    }
}
