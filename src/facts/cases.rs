//! What can break: small texts of the first languages, and what must be said of them.

use super::*;
use crate::chunk::{Limits, chunk};
use crate::lang::Language;

fn facts(language: &str, text: &str) -> Facts {
    chunk(text, Language::from_name(language).unwrap(), &Limits::default()).facts
}

/// `kind qualified.name` of each definition.
fn defined(language: &str, text: &str) -> Vec<String> {
    let facts = facts(language, text);
    facts.definitions.iter().map(|d| format!("{} {}", d.kind, facts.qualified_name(d))).collect()
}

fn doc(language: &str, text: &str, name: &str) -> Option<String> {
    let facts = facts(language, text);
    facts.definitions.iter().find(|d| d.name == name).unwrap().doc(text)
}

/// `module name as alias` of what is exported.
fn exported(language: &str, text: &str) -> Vec<String> {
    let exports = facts(language, text).imports.into_iter().filter(|import| import.export);
    let words = exports.map(|e| [Some(e.module), e.name, e.alias].into_iter().flatten());
    words.map(|words| words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")).collect()
}

fn flags(language: &str, text: &str, name: &str) -> Vec<&'static str> {
    let facts = facts(language, text);
    facts.definitions.iter().find(|d| d.name == name).unwrap().flags.iter().map(Flag::as_str).collect()
}

#[test]
fn a_comment_is_documentation_only_right_before() {
    assert_eq!(doc("typescript", "// Adds.\nfunction f() {}", "f").as_deref(), Some("Adds."));
    assert_eq!(doc("typescript", "// Adds.\n\nfunction f() {}", "f"), None);
    assert_eq!(doc("typescript", "let a = 1; // of a\nfunction f() {}", "f"), None);
    let after = |gap| doc("javascript", &format!("a();\n/** Adds. */\n{gap}res.f = function () {{}}"), "f");
    assert_eq!(after("\n").as_deref(), Some("Adds."));
    assert_eq!(after("\n\n"), None);
    assert_eq!(doc("javascript", "/** The file. */\n\nfunction f() {}", "f"), None);
    assert_eq!(doc("typescript", "class A { // of A\n  f() {}\n}", "f"), None);
    assert_eq!(
        doc("typescript", "class A {\n  // Adds.\n  @log\n  f() {}\n}", "f").as_deref(),
        Some("Adds.")
    );
    assert_eq!(
        doc("csharp", "class A\n{\n#region B\n  /// Adds.\n  void F() {}\n#endregion\n}", "F").as_deref(),
        Some("Adds.")
    );
    assert_eq!(doc("csharp", "class A\n{\n#region B\n  void F() {}\n#endregion\n}", "F"), None);
    assert_eq!(doc("python", "# Not this.\ndef f():\n    'Adds.'\n", "f").as_deref(), Some("Adds."));
}

#[test]
fn default_exports_have_a_name() {
    assert_eq!(defined("typescript", "export default function () {}"), ["function default"]);
    assert_eq!(
        defined("typescript", "export default class { a() {} }"),
        ["class default", "method default.a"]
    );
    assert_eq!(defined("javascript", "export default () => {}"), ["function default"]);
    assert_eq!(exported("typescript", "export default function f() {}"), ["f default"]);
    assert_eq!(exported("typescript", "export = f"), ["f default"]);
    assert_eq!(exported("javascript", "module.exports = f"), ["f default"]);
    assert_eq!(exported("javascript", "module.exports = { a, b: c, d: 1 }"), ["a", "c b"]);
    assert_eq!(
        exported("typescript", "export * from './a'; export { b as c } from './d'"),
        ["./a *", "./d b c"]
    );
    assert_eq!(exported("python", "__all__ = ['a', 'b']\n__all__ += ('c',)\n"), ["a", "b", "c"]);
}

#[test]
fn exporting_by_name_marks_the_definition() {
    assert_eq!(flags("typescript", "function a() {}\nexport { a };", "a"), ["exported"]);
    assert_eq!(flags("javascript", "exports.a = function () {}", "a"), ["exported"]);
    assert_eq!(flags("python", "def _a(): ...\n__all__ = ['_a']\n", "_a"), ["exported"]);
}

#[test]
fn requiring_is_importing_and_no_variable() {
    let text = "const a = require('m'), { b, c: d } = require('n');\nimport('o');\nrequire('p')(q);";
    let facts = facts("javascript", text);
    assert!(facts.definitions.is_empty());
    let imports: Vec<String> =
        facts.imports.iter().map(|i| format!("{} {}", i.module, i.local_name())).collect();
    assert_eq!(imports, ["m a", "n b", "n d", "o o", "p p"]);
}

#[test]
fn every_declarator_is_a_definition_with_the_words_before_the_first() {
    let text = "class A { public const int X = 1, Y = 2; event Handler P, Q; }";
    assert_eq!(defined("csharp", text), ["class A", "field A.X", "field A.Y", "event A.P", "event A.Q"]);
    let facts = facts("csharp", text);
    assert_eq!(facts.definitions[2].signature, "public const int Y = 2");
    assert_eq!(facts.definitions[2].visibility, Visibility::Public);
    assert_eq!(
        defined("typescript", "const { a, b: c } = d, [e] = f;"),
        ["variable a", "variable c", "variable e"]
    );
}

#[test]
fn locals_are_no_definitions() {
    let accessor = "class A { int P { get { var x = 1; return x; } } void M() { int y = 2; Run(() => { var z = 3; }); } }";
    assert_eq!(defined("csharp", accessor), ["class A", "property A.P", "method A.M"]);
    assert_eq!(defined("python", "def f():\n    x = 1\n    g = lambda: 2\n"), ["function f", "function f.g"]);
    let text =
        "function f() { const x = 1; const g = () => 2; call({ h: () => 3 }); return function k() {} }";
    assert_eq!(defined("javascript", text), ["function f", "function f.g", "function f.k"]);
}

#[test]
fn a_value_is_one_definition_under_the_name_it_is_given() {
    assert_eq!(defined("javascript", "A.prototype.b = function c() {}"), ["method A.b"]);
    assert_eq!(defined("javascript", "const A = class B { c() {} }"), ["class A", "method A.c"]);
    assert_eq!(defined("javascript", "module.exports = class B { c() {} }"), ["class B", "method B.c"]);
    assert_eq!(defined("tsx", "const A = memo(forwardRef(function B() { return <a/> }))"), ["function A"]);
}

#[test]
fn members_of_types() {
    let text =
        "interface A { b: string; c(): void; new (): A }\ntype D = { e: string };\nenum F { G, H = 1 }";
    let all = ["interface A", "field A.b", "method A.c", "constructor A.new", "type D", "field D.e"];
    assert_eq!(defined("typescript", text)[..6], all);
    assert_eq!(defined("typescript", text)[6..], ["enum F", "constant F.G", "constant F.H"]);
    assert_eq!(defined("typescript", "let a: { b: string };"), ["variable a"]);
    let text = "record A(int B) { } class C(int D) { void I.E() { } int this[int i] => 1; }";
    let all = ["record A", "property A.B", "class C", "method C.I.E", "property C.this[int i]"];
    assert_eq!(defined("csharp", text), all);
    let text = "class A(Enum):\n    B = 1\nclass C(Protocol):\n    @property\n    def d(self): ...\n";
    assert_eq!(defined("python", text), ["enum A", "constant A.B", "interface C", "property C.d"]);
}

#[test]
fn bases_are_told_apart() {
    let bases = |text: &str| -> Vec<String> {
        facts("csharp", text).references.iter().map(|r| format!("{} {}", r.kind, r.name)).collect()
    };
    assert_eq!(bases("class A : B, IC { }"), ["inherit B", "implement IC"]);
    assert_eq!(bases("interface IA : IB { }"), ["inherit IB"]);
    assert_eq!(bases("struct A : B { }"), ["implement B"]);
}

#[test]
fn what_is_made_with_a_function_is_not_one() {
    let hooks = "function A() {\n  const [a, setA] = useState(() => 1);\n  const b = useMemo(() => 2);\n}";
    assert_eq!(defined("tsx", hooks), ["function A"]);
    assert_eq!(defined("tsx", "const [a, b] = use(() => 1);"), ["variable a", "variable b"]);
    assert_eq!(defined("javascript", "var k = Object.keys(o).filter(function (v) {})"), ["variable k"]);
    assert_eq!(defined("javascript", "const t = setTimeout(() => {})"), ["variable t"]);
    assert_eq!(defined("tsx", "const A = React.memo(() => <b/>)"), ["function A"]);
    assert_eq!(defined("tsx", "const a = useCallback(() => 1)"), ["function a"]);
}

fn signature(language: &str, text: &str, name: &str) -> String {
    facts(language, text).definitions.into_iter().find(|d| d.name == name).unwrap().signature
}

#[test]
fn signatures_end_before_what_is_inside() {
    assert_eq!(signature("haskell", "area r\n  | r > 0 = pi * r\n  | otherwise = 0\n", "area"), "area r");
    assert_eq!(signature("haskell", "twice f x = case x of\n  y -> f (f y)\n", "twice"), "twice f x");
    assert_eq!(signature("haskell", "limit = 3\n", "limit"), "limit = 3");
    assert_eq!(
        signature("lua", "M.open = function(gate)\n  return gate\nend\n", "open"),
        "M.open = function(gate)"
    );
    assert_eq!(signature("c", "typedef struct { int a; } point;\n", "point"), "typedef struct point");
}

#[test]
fn a_loud_name_is_a_constant_where_it_gets_its_value() {
    assert_eq!(flags("go", "package a\n\ntype G struct {\n\tID string\n}\n", "ID"), [""; 0]);
    assert_eq!(flags("typescript", "interface A { URL: string }", "URL"), [""; 0]);
    assert_eq!(flags("python", "MAX_SIZE: int = 3\n", "MAX_SIZE"), ["constant"]);
}

#[test]
fn bodies_by_indentation_end_before_the_next_documentation() {
    let text = "class A {\n  def f: Int =\n    g(1)\n\n  /** Of h. */\n  def h: Int = 1\n\n  def i: Int =\n    2 // two\n\n  // Of j.\n  // More.\n  private def j: Int =\n    3\n}\n\n// Of B.\nobject B:\n  def l =\n    1\n\n/** Of m. */\ndef m = 2\n";
    let facts = facts("scala", text);
    let said = facts.definitions.iter().map(|d| {
        let doc = d.doc(text).unwrap_or_default();
        format!("{} {}-{} {}", d.name, d.start_line, d.end_line, doc.replace('\n', " ")).trim().to_owned()
    });
    let expected = [
        "A 1-15",
        "f 2-3",
        "h 6-6 Of h.",
        "i 8-9",
        "j 13-14 Of j. More.",
        "B 18-20 Of B.",
        "l 19-20",
        "m 23-23 Of m.",
    ];
    assert_eq!(said.collect::<Vec<_>>(), expected);
}

#[test]
fn macros_before_a_namespace_do_not_hide_it() {
    let text = "namespace a {\nA_NAMESPACE_BEGIN\nnamespace b {\nconst int c = 1;\nint f() { return c; }\n}\nA_NAMESPACE_END\n}\n";
    assert_eq!(defined("cpp", text), ["namespace a", "namespace a.b", "variable a.b.c", "function a.b.f"]);
}

#[test]
fn tests_are_calls_of_the_frameworks_words() {
    let text = "describe.skip('a', () => {\n  test.each([1])('b', () => {});\n  it<C>('d', () => {});\n});\n\
        test.expect('e', function () {});\ncontext.set('f', true);\n";
    assert_eq!(defined("typescript", text), ["test a", "test a.b", "test a.d"]);
}

#[test]
fn comments_and_directives_are_no_part_of_a_signature() {
    let text = "function f(\n  // the first\n  a: string, // one\n  b = '// no', /* two */\n) {}";
    assert_eq!(signature("typescript", text, "f"), "function f( a: string, b = '// no', /* two */ )");
    let text = "class A\n#if B\n    : C\n#endif\n{\n    int d;\n}\n";
    assert_eq!(signature("csharp", text, "A"), "class A : C");
    assert_eq!(signature("python", "def f(\n    a,  # one\n    b,\n):\n    pass\n", "f"), "def f( a, b, )");
    assert_eq!(signature("haskell", "f :: A -- ^ one\n  -> B\nf = g\n", "f"), "f :: A -> B");
}

#[test]
fn a_docstring_is_in_the_chunk_of_its_class() {
    let words = "    Many words about it.\n".repeat(40);
    let method = "    def f(self):\n".to_owned() + &"        call(1, 2, 3)\n".repeat(40);
    let text = format!("class A:\n    \"\"\"A.\n\n{words}    \"\"\"\n\n{method}");
    let limits = Limits { min_tokens: 20, max_tokens: 400, ..Limits::default() };
    let chunks = chunk(&text, Language::from_name("python").unwrap(), &limits).chunks;
    let kinds: Vec<_> = chunks.iter().map(|chunk| (chunk.kind.as_str(), chunk.start_line)).collect();
    assert_eq!(kinds, [("class", 1), ("method", 46)]);
}
