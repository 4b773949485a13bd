//! Which files nobody here wrote, by the names that everybody gives them.

use bstr::ByteSlice;

use crate::merkle::Origin;

/// The version of these lists; a view made by another one is listed anew.
pub(super) const VERSION: u8 = 1;

/// Whole names, in lower case: lock files and what else package managers write.
const GENERATED_NAMES: &[&str] = &[
    ".pnp.cjs",
    ".pnp.loader.mjs",
    ".terraform.lock.hcl",
    "bun.lock",
    "cargo.lock",
    "cartfile.resolved",
    "chart.lock",
    "composer.lock",
    "conan.lock",
    "deno.lock",
    "flake.lock",
    "gemfile.lock",
    "go.sum",
    "go.work.sum",
    "gradle.lockfile",
    "mix.lock",
    "module.bazel.lock",
    "npm-shrinkwrap.json",
    "package-lock.json",
    "package.resolved",
    "packages.lock.json",
    "paket.lock",
    "pdm.lock",
    "pipfile.lock",
    "pixi.lock",
    "pnpm-lock.yaml",
    "podfile.lock",
    "poetry.lock",
    "project.assets.json",
    "project.pbxproj",
    "pubspec.lock",
    "rebar.lock",
    "shard.lock",
    "stack.yaml.lock",
    "symfony.lock",
    "uv.lock",
    "yarn.lock",
];

/// How names end, in lower case.
const GENERATED_ENDS: &[&str] = &[
    ".css.map",
    ".designer.cs",
    ".designer.vb",
    ".feature.cs",
    ".freezed.dart",
    ".g.cs",
    ".g.dart",
    ".g.i.cs",
    ".gen.cs",
    ".gen.go",
    ".gen.ts",
    ".grpc.swift",
    ".js.map",
    ".min.css",
    ".min.js",
    ".min.mjs",
    ".pb.cc",
    ".pb.dart",
    ".pb.go",
    ".pb.gw.go",
    ".pb.h",
    ".pb.swift",
    ".pbobjc.h",
    ".pbobjc.m",
    ".snap",
    "_generated.go",
    "_pb.d.ts",
    "_pb.js",
    "_pb.rb",
    "_pb.ts",
    "_pb2.py",
    "_pb2.pyi",
    "_pb2_grpc.py",
];

/// Directories that hold nothing else, in lower case.
const GENERATED_DIRECTORIES: &[&str] = &["__generated__", "__snapshots__", "generated"];

/// Not `vendors`: those are as often the makers of databases and browsers.
const VENDORED_DIRECTORIES: &[&str] = &[
    "3rd-party",
    "3rd_party",
    "3rdparty",
    "bower_components",
    "carthage",
    "extern",
    "external",
    "externals",
    "godeps",
    "jspm_packages",
    "node_modules",
    "pods",
    "site-packages",
    "third-party",
    "third_party",
    "thirdparty",
    "vendor",
    "vendored",
];

/// Wrappers that build tools put into a repository.
const VENDORED_NAMES: &[&str] = &["gradlew", "gradlew.bat", "mvnw", "mvnw.cmd"];

/// What the path alone says.
pub(super) fn origin(path: &[u8]) -> Origin {
    let path = path.to_str_lossy().to_lowercase();
    let (directories, name) = path.rsplit_once('/').unwrap_or(("", &path));
    let within = |known: &[&str]| directories.split('/').any(|dir| known.contains(&dir));
    // `api.generated.ts`, `zz_generated.deepcopy.go`
    let says_so = || name.contains(".generated.") || name.starts_with("zz_generated.");
    let generated = GENERATED_NAMES.contains(&name)
        || GENERATED_ENDS.iter().any(|end| name.len() > end.len() && name.ends_with(end))
        || says_so()
        || within(GENERATED_DIRECTORIES);
    let vendored = VENDORED_NAMES.contains(&name)
        || within(VENDORED_DIRECTORIES)
        || path.starts_with(".yarn/")
        || path.contains("/.yarn/");
    Origin { generated: generated.then_some(true), vendored }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generated_by_name() {
        for path in [
            "Form1.Designer.cs",
            "obj/App.g.cs",
            "web/package-lock.json",
            "Cargo.lock",
            "go.sum",
            "api/v1/service.pb.go",
            "service_pb2.py",
            "src/schema.generated.ts",
            "zz_generated.deepcopy.go",
            "src/__generated__/query.ts",
            "lib/jquery.min.js",
            "tests/__snapshots__/a.test.ts.snap",
        ] {
            assert_eq!(origin(path.as_bytes()), Origin { generated: Some(true), vendored: false }, "{path}");
        }
    }

    #[test]
    fn vendored_by_directory() {
        for path in
            ["vendor/a.go", "src/third_party/b.c", "node_modules/x/index.js", "gradlew", "a/.yarn/b.js"]
        {
            assert_eq!(origin(path.as_bytes()), Origin { generated: None, vendored: true }, "{path}");
        }
        let both = origin(b"Vendor/x/api.pb.go");
        assert_eq!(both, Origin { generated: Some(true), vendored: true });
    }

    #[test]
    fn names_that_only_look_alike() {
        for path in [
            "src/designer.cs",
            "src/vendor.rs",
            "core/vendors/mysql.kt",
            "tasks/ecto.gen.repo.ex",
            "generated.rs",
            "lock.rs",
            "src/generator/mod.rs",
            "externalize/a.py",
            "x/a.g.csx",
            ".g.cs",
            "b\u{fc}.rs",
            "",
            "/",
        ] {
            assert_eq!(origin(path.as_bytes()), Origin::default(), "{path}");
        }
        assert_eq!(origin(b"\xff/\xfe.rs"), Origin::default());
    }
}
