//! What holds for the rows of every grammar.

use super::all_grammars;

#[test]
fn every_row_names_a_node_type_and_field_of_its_grammar() {
    for grammar in all_grammars() {
        let language = &grammar.compiled().language;
        let roles = grammar.rules.roles.iter().map(|(name, _)| name);
        let mentions = grammar.rules.mentions.iter().map(|(name, _)| name);
        let fields = grammar.rules.fields.iter().map(|(name, ..)| name).filter(|name| **name != "*");
        for name in roles.chain(mentions).chain(fields) {
            assert!(language.id_for_node_kind(name, true) != 0, "{}: {name}", grammar.rules.package);
        }
        let subjects = grammar.rules.mentions.iter().filter_map(|(_, mention)| mention.field());
        let subjects = subjects.filter(|field| !field.is_empty());
        for field in grammar.rules.fields.iter().map(|(_, field, _)| *field).chain(subjects) {
            assert!(language.field_id_for_name(field).is_some(), "{}: {field}", grammar.rules.package);
        }
    }
}

#[test]
fn no_node_type_has_two_rows() {
    for grammar in all_grammars() {
        for names in [
            grammar.rules.roles.iter().map(|(name, _)| *name).collect::<Vec<_>>(),
            grammar.rules.mentions.iter().map(|(name, _)| *name).collect(),
        ] {
            let mut unique = names.clone();
            unique.sort_unstable();
            unique.dedup();
            assert_eq!(unique.len(), names.len(), "{}", grammar.rules.package);
        }
    }
}

#[test]
fn versions_are_those_built_against() {
    let lock = include_str!("../../Cargo.lock");
    for grammar in all_grammars() {
        let entry = format!("name = \"{}\"\nversion = \"{}\"", grammar.rules.package, grammar.rules.version);
        assert!(lock.contains(&entry), "{entry}: bump the version, and with it the recipe");
    }
}
