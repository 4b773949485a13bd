//! The languages that are known by name: one table. A row with a grammar is cut by syntax, any other by lines.

use std::fmt;
use std::sync::LazyLock;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::grammar::Grammar;
use super::{
    bash, c, cpp, csharp, css, dockerfile, ecmascript, elixir, go, haskell, hcl, header, html, java, json,
    kotlin, lua, php, python, ruby, rust, scala, sql, swift, toml, xml, yaml, zig,
};

/// How a file is cut when there is no grammar, and what its chunks are called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Code, data and configuration.
    Code,
    /// By paragraphs.
    Prose,
    /// The markups of documents, by headings.
    Markdown,
    Rst,
    AsciiDoc,
    Org,
}

struct Row {
    name: &'static str,
    /// Extensions without the dot, separated by spaces, in lower case. The first row to claim one wins.
    extensions: &'static str,
    /// Whole file names, in lower case; also claims `name.anything`.
    files: &'static str,
    /// Interpreters in a `#!` line, without version.
    shebangs: &'static str,
    shape: Shape,
    /// Files may be machine-packed into a few lines that nobody reads.
    packable: bool,
    grammar: Option<&'static Grammar>,
}

const fn code(name: &'static str, extensions: &'static str) -> Row {
    let shape = Shape::Code;
    Row { name, extensions, files: "", shebangs: "", shape, packable: false, grammar: None }
}

const fn prose(name: &'static str, extensions: &'static str) -> Row {
    Row { shape: Shape::Prose, ..code(name, extensions) }
}

impl Row {
    const fn files(self, files: &'static str) -> Row {
        Row { files, ..self }
    }

    const fn shebangs(self, shebangs: &'static str) -> Row {
        Row { shebangs, ..self }
    }

    const fn packable(self) -> Row {
        Row { packable: true, ..self }
    }

    const fn grammar(self, grammar: &'static Grammar) -> Row {
        Row { grammar: Some(grammar), ..self }
    }
}

/// Row 0 is what everything else is.
static TABLE: &[Row] = &[
    prose("text", "txt text log").files("license licence copying notice authors readme changelog"),
    code("csharp", "cs csx cake").grammar(&csharp::CSHARP),
    code("typescript", "ts mts cts")
        .shebangs("ts-node deno bun tsx")
        .packable()
        .grammar(&ecmascript::TYPESCRIPT),
    code("tsx", "tsx").packable().grammar(&ecmascript::TSX),
    code("python", "py pyi pyw")
        .files("sconstruct sconscript")
        .shebangs("python pypy")
        .grammar(&python::PYTHON),
    code("javascript", "js mjs cjs es6")
        .files("jakefile")
        .shebangs("node nodejs")
        .packable()
        .grammar(&ecmascript::JAVASCRIPT),
    code("jsx", "jsx").packable().grammar(&ecmascript::JAVASCRIPT),
    code("rust", "rs").shebangs("rust-script").grammar(&rust::RUST),
    code("go", "go").grammar(&go::GO),
    code("java", "java").grammar(&java::JAVA),
    code("kotlin", "kt kts").grammar(&kotlin::KOTLIN),
    code("scala", "scala sc sbt").grammar(&scala::SCALA),
    code("groovy", "groovy gradle").files("jenkinsfile").shebangs("groovy"),
    code("c", "c h").grammar(&c::C),
    code("cpp", "cc cpp cxx c++ hh hpp hxx h++ inl ipp tpp ino cu cuh").grammar(&cpp::CPP),
    code("objective-c", "m mm"),
    code("swift", "swift").shebangs("swift").grammar(&swift::SWIFT),
    code("dart", "dart").shebangs("dart"),
    code("fsharp", "fs fsi fsx"),
    code("visual-basic", "vb vbs bas"),
    code("ruby", "rb rake gemspec ru podspec")
        .files("gemfile rakefile vagrantfile podfile")
        .shebangs("ruby jruby").grammar(&ruby::RUBY),
    code("php", "php php5 phtml").shebangs("php").grammar(&php::PHP),
    code("perl", "pl pm t").shebangs("perl"),
    code("lua", "lua").shebangs("lua luajit").grammar(&lua::LUA),
    code("r", "r").shebangs("rscript"),
    code("julia", "jl").shebangs("julia"),
    code("elixir", "ex exs").shebangs("elixir").grammar(&elixir::ELIXIR),
    code("erlang", "erl hrl").files("rebar.config").shebangs("escript"),
    code("haskell", "hs lhs").shebangs("runhaskell runghc stack").grammar(&haskell::HASKELL),
    code("ocaml", "ml mli").shebangs("ocaml"),
    code("clojure", "clj cljs cljc edn").shebangs("bb"),
    code("lisp", "lisp cl el scm rkt ss").shebangs("sbcl guile racket"),
    code("zig", "zig zon").grammar(&zig::ZIG),
    code("nim", "nim nims"),
    code("crystal", "cr").shebangs("crystal"),
    code("solidity", "sol"),
    code("assembly", "s asm"),
    code("bash", "sh bash zsh ksh bats")
        .files(".bashrc .bash_profile .profile .zshrc .zprofile .envrc pkgbuild")
        .shebangs("sh bash zsh dash ksh ash bats").grammar(&bash::BASH),
    code("fish", "fish").shebangs("fish"),
    code("powershell", "ps1 psm1 psd1").shebangs("pwsh powershell"),
    code("batch", "bat cmd"),
    code("awk", "awk").shebangs("awk gawk mawk"),
    code("tcl", "tcl").shebangs("tclsh wish expect"),
    code("sql", "sql psql ddl dml plsql tsql").grammar(&sql::SQL),
    code("graphql", "graphql gql graphqls"),
    code("proto", "proto"),
    code("thrift", "thrift"),
    code("hcl", "tf tfvars hcl nomad").grammar(&hcl::HCL),
    code("nix", "nix"),
    code("dockerfile", "dockerfile containerfile").files("dockerfile containerfile").grammar(&dockerfile::DOCKERFILE),
    code("make", "mk mak make").files("makefile gnumakefile").shebangs("make"),
    code("cmake", "cmake").files("cmakelists.txt"),
    code("meson", "").files("meson.build meson_options.txt meson.options"),
    code("starlark", "bzl bazel star").files("build workspace tiltfile"),
    code("just", "just").files("justfile").shebangs("just"),
    code("json", "json jsonc json5 jsonl ndjson geojson webmanifest ipynb har sarif avsc")
        .files(".babelrc .eslintrc .prettierrc .jshintrc .swcrc composer.lock flake.lock").grammar(&json::JSON),
    code("sourcemap", "map").packable(),
    code("yaml", "yaml yml").files(".clang-format .clang-tidy .clangd").grammar(&yaml::YAML),
    code("toml", "toml").files("cargo.lock poetry.lock uv.lock pdm.lock pipfile").grammar(&toml::TOML),
    code("ini", "ini cfg conf properties editorconfig desktop service")
        .files(".editorconfig .gitconfig .gitmodules .npmrc .pylintrc .flake8 .coveragerc setup.cfg"),
    code("dotenv", "env").files(".env"),
    code("ignore", "")
        .files(".gitignore .dockerignore .npmignore .eslintignore .prettierignore .gitattributes"),
    code("codeowners", "").files("codeowners"),
    code(
        "xml",
        "xml csproj vbproj fsproj proj props targets resx config nuspec xaml axaml svg xsd xsl xslt wsdl plist \
        ruleset runsettings slnx vcxproj filters pubxml shproj projitems dtd rss atom xlf xliff wxs storyboard xib",
    ).grammar(&xml::XML),
    code("solution", "sln"),
    code("razor", "razor cshtml"),
    code("aspnet", "aspx ascx master asax"),
    code("html", "html htm xhtml shtml").packable().grammar(&html::HTML),
    code("vue", "vue"),
    code("svelte", "svelte"),
    code("astro", "astro"),
    code("template", "jinja jinja2 j2 twig hbs handlebars mustache ejs erb haml pug liquid njk tmpl tpl"),
    code("css", "css").packable().grammar(&css::CSS),
    code("scss", "scss sass"),
    code("less", "less"),
    code("glsl", "glsl vert frag geom comp hlsl wgsl metal fx cginc shader"),
    code("gettext", "po pot"),
    code("csv", "csv tsv psv"),
    code("diff", "diff patch"),
    code("vim", "vim").files(".vimrc"),
    code("http", "http rest"),
    Row { shape: Shape::Markdown, ..prose("markdown", "md markdown mdown mkd mdwn mdx") },
    Row { shape: Shape::Rst, ..prose("rst", "rst") },
    Row { shape: Shape::AsciiDoc, ..prose("asciidoc", "adoc asciidoc asc") },
    Row { shape: Shape::Org, ..prose("org", "org") },
    prose("tex", "tex sty cls bib ltx"),
];

/// One row of the table. Keep the name, not the number: rows move.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Language(u8);

impl Language {
    pub const TEXT: Language = Language(0);

    pub fn all() -> impl Iterator<Item = Language> {
        (0..TABLE.len()).map(|row| Language(row as u8))
    }

    pub fn from_name(name: &str) -> Option<Language> {
        Language::all().find(|language| language.name() == name)
    }

    /// By name or by a file extension that it claims: `typescript`, `ts`.
    pub fn from_alias(name: &str) -> Option<Language> {
        let name = match name.trim_start_matches('.') {
            "c#" => "csharp",
            "c++" => "cpp",
            "shell" => "bash",
            name => name,
        };
        Language::from_name(name).or_else(|| LOOKUPS.extensions.get(name.as_bytes()).copied())
    }

    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Cut by syntax, not by lines.
    pub fn has_grammar(self) -> bool {
        self.row().grammar.is_some()
    }

    /// Written for people to read, not for machines.
    pub fn is_prose(self) -> bool {
        self.shape() != Shape::Code
    }

    /// What a bare parser needs to read the language.
    pub fn parser_language(self) -> Option<tree_sitter::Language> {
        self.grammar().map(|grammar| grammar.compiled().language.clone())
    }

    pub(crate) fn grammar(self) -> Option<&'static Grammar> {
        self.row().grammar
    }

    pub(crate) fn shape(self) -> Shape {
        self.row().shape
    }

    pub(crate) fn is_packable(self) -> bool {
        self.row().packable
    }

    fn row(self) -> &'static Row {
        // The number is private and only ever taken from the table.
        &TABLE[self.0 as usize]
    }
}

impl fmt::Debug for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Language({})", self.name())
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Serialize for Language {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Language {
    /// A name from another version of the table reads as text.
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let name = std::borrow::Cow::<'_, str>::deserialize(from)?;
        Ok(Language::from_name(&name).unwrap_or(Language::TEXT))
    }
}

/// Every grammar once, in the order of the table.
pub(crate) fn all_grammars() -> impl Iterator<Item = &'static Grammar> {
    TABLE.iter().filter_map(|row| row.grammar).enumerate().filter_map(|(at, grammar)| {
        let is_first = !TABLE.iter().filter_map(|row| row.grammar).take(at).any(|g| std::ptr::eq(g, grammar));
        is_first.then_some(grammar)
    })
}

type Lookup = FxHashMap<&'static [u8], Language>;

struct Lookups {
    extensions: Lookup,
    files: Lookup,
    shebangs: Lookup,
}

static LOOKUPS: LazyLock<Lookups> = LazyLock::new(|| {
    let collect = |column: fn(&'static Row) -> &'static str| {
        let mut lookup = Lookup::default();
        for language in Language::all() {
            for word in column(language.row()).split_whitespace() {
                lookup.entry(word.as_bytes()).or_insert(language);
            }
        }
        lookup
    };
    Lookups {
        extensions: collect(|row| row.extensions),
        files: collect(|row| row.files),
        shebangs: collect(|row| row.shebangs),
    }
});

/// How much of a file `detect` likes to see: licences and comments may stand before what a header begins with.
pub const HEAD: usize = 1 << 15;

/// The language of a file by its name, else by the `#!` line its content begins with, else text.
///
/// Two extensions have two meanings. `.ts` is also a format of translations, and `.h` is a header of C or of
/// C++: C, unless the head holds something that only C++ has (see `header`). Without a head it is C, so a key
/// that is made of the path alone says `c` for every header; what is stored under it says which it was.
pub fn detect(path: &[u8], head: &[u8]) -> Language {
    let file = path.rsplit(|b| matches!(b, b'/' | b'\\')).next().unwrap_or(path).to_ascii_lowercase();
    let by_name = LOOKUPS.files.get(file.as_slice()).copied();
    let language =
        by_name.or_else(|| by_extension(&file)).or_else(|| by_stem(&file)).or_else(|| by_shebang(head));
    match language {
        // Qt's translation files.
        Some(found) if found.name() == "typescript" && head.starts_with(b"<?xml") => {
            Language::from_name("xml").unwrap_or(found)
        }
        Some(found) if found.name() == "c" && file.ends_with(b".h") && header::is_cpp(head) => {
            Language::from_name("cpp").unwrap_or(found)
        }
        Some(found) => found,
        None => Language::TEXT,
    }
}

fn by_extension(file: &[u8]) -> Option<Language> {
    let dot = file.iter().rposition(|b| *b == b'.')?;
    LOOKUPS.extensions.get(&file[dot + 1..]).copied()
}

/// `Dockerfile.release`, `Makefile.am`: a known name with an unknown extension.
fn by_stem(file: &[u8]) -> Option<Language> {
    let dot = file.iter().skip(1).position(|b| *b == b'.')? + 1;
    LOOKUPS.files.get(&file[..dot]).copied()
}

fn by_shebang(head: &[u8]) -> Option<Language> {
    let line = head.strip_prefix(b"#!")?.split(|b| *b == b'\n').next()?;
    let mut words = line[..line.len().min(256)].split(|b| b.is_ascii_whitespace()).filter(|w| !w.is_empty());
    let program = |word: &[u8]| word.rsplit(|b| *b == b'/').next().unwrap_or(word).to_ascii_lowercase();
    let mut name = program(words.next()?);
    if name == b"env" {
        name = program(words.find(|word| !word.starts_with(b"-") && !word.contains(&b'='))?);
    }
    let unversioned = name.iter().rposition(|b| !b.is_ascii_digit() && *b != b'.').map_or(0, |last| last + 1);
    LOOKUPS.shebangs.get(&name[..unversioned]).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(path: &str, head: &str) -> &'static str {
        detect(path.as_bytes(), head.as_bytes()).name()
    }

    #[test]
    fn by_file_name_extension_and_shebang() {
        assert_eq!(named("src/A.CS", ""), "csharp");
        assert_eq!(named("a/b.d.ts", ""), "typescript");
        assert_eq!(named("a.ts", "<?xml version"), "xml");
        assert_eq!(named("x.tsx", ""), "tsx");
        assert_eq!(named("a.h", ""), "c");
        assert_eq!(named("a.H", "namespace a {"), "cpp");
        assert_eq!(named("a.c", "namespace a {"), "c");
        assert_eq!(named("Dockerfile", ""), "dockerfile");
        assert_eq!(named("docker/Dockerfile.release", ""), "dockerfile");
        assert_eq!(named("CMakeLists.txt", ""), "cmake");
        assert_eq!(named("Directory.Build.props", ""), "xml");
        assert_eq!(named(".gitignore", ""), "ignore");
        assert_eq!(named("bin/run", "#!/usr/bin/env -S python3.12 -u\n"), "python");
        assert_eq!(named("bin/run", "#!/bin/sh"), "bash");
        assert_eq!(named("bin/run", "#!"), "text");
        assert_eq!(named("README", ""), "text");
        assert_eq!(named("", ""), "text");
        assert_eq!(detect(b"\xff\xfe.py", b"").name(), "python");
    }

    #[test]
    fn names_are_unique_and_rows_fit_the_id() {
        assert!(TABLE.len() <= 256);
        for language in Language::all() {
            assert_eq!(Language::from_name(language.name()), Some(language));
            let json = serde_json::to_string(&language).unwrap();
            assert_eq!(serde_json::from_str::<Language>(&json).unwrap(), language);
        }
    }

    #[test]
    fn no_extension_or_file_name_is_claimed_twice() {
        for column in [(|row| row.extensions) as fn(&Row) -> &str, |row| row.files, |row| row.shebangs] {
            let mut words: Vec<&str> = TABLE.iter().flat_map(|row| column(row).split_whitespace()).collect();
            words.sort_unstable();
            let count = words.len();
            words.dedup();
            assert_eq!(words.len(), count);
        }
    }
}
