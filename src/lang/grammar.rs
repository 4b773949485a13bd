//! What the node types of a grammar mean: data, so that a language is added by writing its rows.
//!
//! Two columns. A *role* says what a node is for the structure of a file: what it declares, where members are.
//! A *mention* says what it refers to. A node type without a row means nothing by itself.
//!
//! Tables instead of tree-sitter queries, because one walk with two array lookups a node gives everything for two
//! fifths of the parse, where the published tags queries cost half of it and find definitions and calls alone, without
//! documentation, flags, types or imports (`cargo bench --bench facts -- --queries`); and no table can run quadratic.

use std::sync::OnceLock;

use tree_sitter::Node;
use tree_sitter_language::LanguageFn;

use super::hazard::Hazard;
use super::imports::Import;
use super::kind::ChunkKind;

#[derive(Debug, Clone, Copy)]
pub enum Role {
    Plain,
    /// One declaration; for chunks never entered. A `Function` among the members of a type counts as a `Method`,
    /// a `Variable` as a `Field`.
    Definition(ChunkKind, Name),
    /// A header followed by members of its own.
    Container(ChunkKind, Name),
    /// A container that stays whole while it fits into one chunk.
    Compact(ChunkKind, Name),
    /// Names the siblings that follow it, to the end of the enclosing node.
    Scope(ChunkKind, Name),
    /// Holds declarators, `const a = 1, b = 2`: one piece, named after the first.
    Binding,
    /// A binding whose declarators are all of this kind, whatever they say: fields, events.
    BindingOf(ChunkKind),
    /// A declaration only among the members of these kinds of types: a signature in an interface, a name in an
    /// enum. Anywhere else nothing.
    Member(&'static [ChunkKind], ChunkKind, Name),
    /// `name = value`: what the value is if it is a function or a class, else of this kind.
    Declarator(ChunkKind, Name),
    /// A function or class without a declaration around it.
    Value(ChunkKind),
    /// Opens a declaration of which the grammar knows nothing: the siblings up to `Close` are inside of it.
    Open(ChunkKind, Name),
    Close,
    /// Stands around one declaration and belongs to it: `export`, decorators.
    Wrapper,
    /// Holds the members of the container (or branch) it is in.
    Body,
    /// A statement whose bodies may hold declarations: `if` at the top level.
    Branch,
    /// Its children are members of what it is in: conditional compilation, error nodes.
    Transparent,
    /// Holds members wherever it stands: a body in a header, transparent among members.
    Group,
    /// A member whose own members stand in it without a body, an element of markup: whole while it fits into one
    /// chunk. In a header it is the body.
    Item(ChunkKind, Name),
    /// An item of a list, named by one of its entries, which are no definitions of their own.
    Entry(ChunkKind, Name),
    /// A comment before a declaration: its documentation.
    Comment,
    /// An attribute or decorator that stands before the declaration it belongs to.
    Annotation,
    /// A line above what it is about, without being its documentation: `#region`, pragmas.
    Heading,
    /// Belongs to what is before it. What is declared inside is nobody else's.
    Trailing,
    /// Says who may use the members that follow: `public:`, or `private` on a line of its own.
    Access,
    /// The node type alone does not tell: what the node is, by a look at it. Never answers `Ask`.
    Ask(fn(Node<'_>, &str) -> Role),
}

/// Where a declaration's name stands.
#[derive(Debug, Clone, Copy)]
pub enum Name {
    /// In the field `name`.
    Field,
    /// In another field.
    In(&'static str),
    /// In several places, each a declaration of its own: `int a, b`.
    Each(for<'t> fn(Node<'t>) -> Vec<Node<'t>>),
    /// In the first child of a type.
    Child(&'static str),
    /// Made from the text of a field: `operator +`.
    Prefixed(&'static str, &'static str),
    /// The same for every node of the type.
    Fixed(&'static str),
    /// Made of several parts of the node.
    Made(fn(Node<'_>, &str) -> Option<String>),
    /// By a look at the node.
    By(for<'t> fn(Node<'t>, &str) -> Option<Named<'t>>),
    /// The same with a word before it: `operator bool`.
    PrefixedBy(&'static str, for<'t> fn(Node<'t>, &str) -> Option<Named<'t>>),
}

/// The node that is the name, with what the name is qualified by: `Owner::name`.
#[derive(Debug, Clone)]
pub struct Named<'t> {
    pub owner: Option<String>,
    pub node: Node<'t>,
}

/// What a node refers to.
#[derive(Debug, Clone, Copy)]
pub enum Mention {
    Nothing,
    /// A call: the callee is in this field, or the first named child if the field is empty.
    Call(&'static str),
    /// The same where the callee is one word, whatever is in it: `pkg::run-all`.
    Command(&'static str),
    /// A call, unless the function reads it as an import: `require('m')`.
    CallOrImport(&'static str, fn(Node<'_>, &str, &mut Vec<Import>) -> bool),
    /// The making of an object: the type is in this field, or the first named child.
    New(&'static str),
    /// `receiver.name`: a field, unless it is being called.
    Member,
    /// The name of a type, wherever it stands.
    Type,
    /// `Type::class`: a type in this field, or in the first named child.
    TypeIn(&'static str),
    /// A name that counts where the context says as what.
    Name,
    /// A name with qualifiers, `a.b.C`: one name to its context, and nothing inside but type arguments.
    Path,
    /// The same, but where a value is expected it counts in this context instead of as a field.
    PathIn(Context),
    /// Everything inside is in this context.
    Inside(Context),
    /// An import: read by a function of the language.
    Import(fn(Node<'_>, &str, &mut Vec<Import>)),
    /// The unparsed arguments of a macro: a name before a parenthesis is called.
    Tokens,
    /// Markup in code: makes the function around it a component, and its tag a call.
    Markup(&'static str),
    /// The node type alone does not tell: what the node mentions, by a look at it. Never answers `Ask`.
    Ask(fn(Node<'_>, &str) -> Mention),
}

impl Mention {
    pub(super) fn field(self) -> Option<&'static str> {
        match self {
            Mention::Call(field) | Mention::Command(field) | Mention::New(field) => Some(field),
            Mention::TypeIn(field) | Mention::Markup(field) => Some(field),
            Mention::CallOrImport(field, _) => Some(field),
            _ => None,
        }
    }
}

/// As what a name counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Context {
    /// A value: not noted.
    Value,
    /// Already noted as the callee of a call.
    Callee,
    /// Nothing that is worth noting, calls included.
    Quiet,
    Type,
    Inherit,
    Implement,
    /// A base of either sort, told apart by its name: `IDisposable` is an interface.
    Base,
    /// A decorator or attribute that is not written as a call.
    Annotation,
    /// In brackets behind a name: a type if the name is one (`class A(List[T])`), else a value.
    Argument,
}

/// Who may see a declaration that does not say it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Privacy {
    /// Everybody.
    Open,
    /// Only its own type or file.
    Closed,
    /// Its own assembly or module, and of members only the type.
    Internal,
    /// Its own package, members as well.
    Package,
    /// Only its own file, unless it says otherwise; the fields of a type are everybody's.
    Marked,
    /// As C has it: everybody, unless it is `static` in its file or a member of a class.
    Linkage,
    /// Names that begin with an upper-case letter are public.
    Capital,
    /// Names that begin with an underscore are private.
    Underscore,
    /// Members are public; at the top level only what is exported.
    Exported,
}

/// One grammar with its rows.
pub struct Grammar {
    pub rules: Rules,
    compiled: OnceLock<Compiled>,
}

#[derive(Clone, Copy)]
pub struct Rules {
    pub language: LanguageFn,
    /// The crate and the version it comes from: part of the recipe.
    pub package: &'static str,
    pub version: &'static str,
    pub roles: &'static [(&'static str, Role)],
    pub mentions: &'static [(&'static str, Mention)],
    /// Contexts by (node type, field): `*` for any type.
    pub fields: &'static [(&'static str, &'static str, Context)],
    pub privacy: Privacy,
    /// How the names of test functions begin; no small letter may follow: `testing` is no test.
    pub tests: &'static [&'static str],
    /// What their declarations must hold as well: `*testing.`.
    pub tests_take: &'static str,
    /// What a name is qualified by is a type that gets a member from outside: `fun Type.name()`.
    pub owners_are_extended: bool,
    /// Names that stand everywhere and that nobody looks for: mentions of them are not noted.
    pub common: &'static [&'static str],
    /// `let` declares what may change, as `var` does.
    pub let_varies: bool,
    /// Neighbours of one name are clauses of one definition.
    pub clauses: bool,
    /// Documentation that stands inside of the declaration.
    pub docstring: Option<for<'t> fn(Node<'t>, &str) -> Option<Node<'t>>>,
    /// One scope stands in the one before it: `package a` then `package b`. Otherwise it takes its place.
    pub scopes_nest: bool,
    /// Entries and not declarations: there are no modifiers, and the signature of one is its first line.
    pub is_data: bool,
    /// What to parse instead where the text itself gives errors: as many bytes, with the lines where they were.
    pub mask: Option<fn(&str) -> Option<String>>,
    /// A body by indentation ends only where the next declaration begins, and so takes in the comments before that.
    pub ends_late: bool,
    /// What the scanner of the grammar must be kept from.
    pub hazard: Option<Hazard>,
    /// How deep definitions are noted. What is deeper has a name only where it becomes a chunk, so that data
    /// does not drown the rest.
    pub depth: u16,
}

/// The names of what is around a definition are part of its own, so what nests without end would fill the memory.
/// Nothing that people write comes near.
const DEEPEST: u16 = 64;

impl Rules {
    /// A grammar without rows, to be completed with `..`.
    pub const fn new(language: LanguageFn, package: &'static str, version: &'static str) -> Self {
        Rules {
            language,
            package,
            version,
            roles: &[],
            mentions: &[],
            fields: &[],
            privacy: Privacy::Open,
            tests: &[],
            tests_take: "",
            owners_are_extended: false,
            common: &[],
            let_varies: false,
            clauses: false,
            docstring: None,
            scopes_nest: false,
            is_data: false,
            mask: None,
            ends_late: false,
            hazard: None,
            depth: DEEPEST,
        }
    }
}

impl Grammar {
    pub const fn of(rules: Rules) -> Self {
        Grammar { rules, compiled: OnceLock::new() }
    }

    pub fn compiled(&'static self) -> &'static Compiled {
        self.compiled.get_or_init(|| Compiled::new(&self.rules))
    }
}

/// The tables of a grammar by node type id.
pub struct Compiled {
    pub language: tree_sitter::Language,
    pub rules: &'static Rules,
    rows: Vec<Row>,
    body_fields: Vec<u16>,
    value_fields: Vec<u16>,
}

#[derive(Clone)]
struct Row {
    role: Role,
    mention: Mention,
    /// Contexts by field id.
    fields: Box<[(u16, Context)]>,
    /// The field that the mention names.
    subject: Option<u16>,
}

impl Compiled {
    fn new(rules: &'static Rules) -> Compiled {
        let language = tree_sitter::Language::new(rules.language);
        let field_id = |name: &str| language.field_id_for_name(name).map(u16::from);
        // One node type may have several ids, so the ids are looked up by name and not the other way round.
        let rows = (0..language.node_kind_count() as u16)
            .map(|id| {
                let name = language.node_kind_for_id(id).unwrap_or_default();
                let fields = rules.fields.iter().filter(|(of, ..)| *of == name || *of == "*");
                let mention = find(rules.mentions, name).unwrap_or(Mention::Nothing);
                Row {
                    role: find(rules.roles, name).unwrap_or(Role::Plain),
                    mention,
                    subject: mention.field().and_then(field_id),
                    fields: fields.filter_map(|(_, field, to)| Some((field_id(field)?, *to))).collect(),
                }
            })
            .collect();
        let body_fields = ["body", "accessors", "value", "computed_value", "match"];
        let body_fields = body_fields.iter().filter_map(|f| field_id(f)).collect();
        let value_fields = ["value", "right"].iter().filter_map(|f| field_id(f)).collect();
        Compiled { language, rules, rows, body_fields, value_fields }
    }

    pub fn role(&self, node: &Node<'_>, text: &str) -> Role {
        // The id of error nodes is outside the table.
        if node.is_error() {
            return Role::Transparent;
        }
        match self.rows.get(node.kind_id() as usize).map_or(Role::Plain, |row| row.role) {
            Role::Ask(look) => look(*node, text),
            role => role,
        }
    }

    pub fn mention(&self, node: &Node<'_>, text: &str) -> Mention {
        match self.rows.get(node.kind_id() as usize).map_or(Mention::Nothing, |row| row.mention) {
            Mention::Ask(look) => look(*node, text),
            mention => mention,
        }
    }

    /// The child that a mention of the node is about: a callee, a tag.
    pub fn subject<'t>(&self, node: &Node<'t>, mention: Mention) -> Option<Node<'t>> {
        let row = self.rows.get(node.kind_id() as usize)?;
        match (row.mention, row.subject) {
            (Mention::Ask(_), _) => match mention.field() {
                Some(field) if !field.is_empty() => node.child_by_field_name(field),
                _ => node.named_child(0),
            },
            (_, Some(field)) => node.child_by_field_id(field),
            (_, None) => node.named_child(0),
        }
    }

    /// The contexts that the fields of a node give.
    pub fn fields(&self, node: &Node<'_>) -> &[(u16, Context)] {
        self.rows.get(node.kind_id() as usize).map_or(&[], |row| &row.fields)
    }

    /// What a declarator gives its name to.
    pub fn value<'t>(&self, declarator: &Node<'t>) -> Option<Node<'t>> {
        self.value_fields.iter().find_map(|field| declarator.child_by_field_id(*field))
    }

    /// The part of a declaration that is not its signature.
    pub fn body<'t>(&self, declaration: Node<'t>, text: &str) -> Option<Node<'t>> {
        let by_field = self.body_fields.iter().find_map(|field| declaration.child_by_field_id(*field));
        by_field.or_else(|| {
            let mut cursor = declaration.walk();
            let mut children = declaration.named_children(&mut cursor);
            children.find(|child| matches!(self.role(child, text), Role::Body))
        })
    }

    /// The comments at the end of a declaration that stand no further in than it does: they are about the next one.
    pub fn late<'t>(&self, declaration: Node<'t>, text: &str) -> Vec<Node<'t>> {
        // Enough for blocks in blocks, and no work for brackets by the thousand.
        const DEEPEST: usize = 24;
        let mut found = Vec::new();
        if !self.rules.ends_late {
            return found;
        }
        let column = declaration.start_position().column;
        let mut cursor = declaration.walk();
        for _ in 0..DEEPEST {
            let mut more = cursor.goto_last_child();
            if !more || !found.is_empty() {
                break;
            }
            while more {
                let node = cursor.node();
                let is_comment = matches!(self.role(&node, text), Role::Comment);
                if is_comment && node.start_position().column <= column {
                    found.push(node);
                } else if node.is_named() || !found.is_empty() {
                    break;
                }
                more = cursor.goto_previous_sibling();
            }
        }
        found.reverse();
        found
    }
}

fn find<T: Copy>(rows: &[(&str, T)], name: &str) -> Option<T> {
    rows.iter().find(|(of, _)| *of == name).map(|(_, what)| *what)
}
