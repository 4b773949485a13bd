//! The help texts, word for word.

use crate::sandbox::Sandbox;

fn help(args: &[&str]) -> String {
    Sandbox::plain().ok(&[args, &["--help"]].concat()).stdout
}

#[test]
fn help_of_the_program() {
    insta::assert_snapshot!(help(&[]));
}

#[test]
fn help_of_each_command() {
    for command in ["scan", "search", "status", "manifest", "config", "clean"] {
        insta::assert_snapshot!(format!("help_{command}"), help(&[command]));
    }
    insta::assert_snapshot!("help_config_show", help(&["config", "show"]));
}

#[test]
fn help_needs_no_repository_and_no_configuration() {
    let broken = Sandbox::git();
    broken.write(".codeagent.yaml", "nonsense: [");
    broken.ok(&["--help"]);
    broken.ok(&["help", "scan"]);
    let version = broken.ok(&["--version"]).stdout;
    assert_eq!(version, format!("codeagent {}\n", env!("CARGO_PKG_VERSION")));
}
