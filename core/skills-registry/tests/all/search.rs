//! Search through the public API: the fields of a skill, and several tables.

#![allow(clippy::unwrap_used)] // test helpers may panic

use skills_registry::{CompiledFile, CompiledSkill, Facts, Layout, Registry, Skill, ranked, write};

fn compiled_skill<'a>((name, description, body): &(&str, &str, &'a str)) -> CompiledSkill<'a> {
    let file = CompiledFile { path: "SKILL.md", bytes: body.as_bytes(), executable: false, sha256: [0; 32] };
    let facts = Facts {
        name: (*name).to_owned(),
        description: (*description).to_owned(),
        body: Some(0..body.len()),
        ..Facts::default()
    };
    CompiledSkill { files: vec![file], ..facts.into() }
}

fn registry(skills: &[(&str, &str, &str)]) -> Registry {
    let compiled: Vec<CompiledSkill<'_>> = skills.iter().map(compiled_skill).collect();
    Registry::new(write(&compiled, Layout::Joined, 8_000).unwrap().into_tables())
}

fn found(skills: &[&Registry], query: &str) -> Vec<String> {
    let all: Vec<Skill<'_>> = skills.iter().flat_map(|registry| registry.iter()).collect();
    ranked(all, query).iter().map(|hit| hit.skill.name().to_owned()).collect()
}

// SPEC 16.1
#[test]
fn a_word_far_down_in_a_body_is_found_and_weighs_less_than_one_of_a_description() {
    let long = format!("{}\nThe invoice is stamped.\n", "Some other line of text.\n".repeat(200));
    let skills = registry(&[
        ("letters", "Write letters", &long),
        ("money", "Check an invoice", "Read it.\n"),
        ("trees", "Plant trees", &"Some other line of text.\n".repeat(200)),
    ]);
    assert_eq!(found(&[&skills], "which stamps?"), ["letters"]);
    assert_eq!(found(&[&skills], "invoice"), ["money", "letters"]);
    let beyond = format!("{}stamped\n# Sealed\n", "Some other line of text.\n".repeat(3_000));
    let skills = registry(&[("letters", "Write letters", &beyond)]);
    assert_eq!(found(&[&skills], "sealed"), ["letters"]);
    assert!(found(&[&skills], "stamped").is_empty());
}

// SPEC 16.1: scores of several tables can be compared
#[test]
fn a_word_weighs_the_same_in_every_table() {
    let own = registry(&[("expenses", "Track expenses of a journey", "")]);
    let names: Vec<String> = (0..20).map(|number| format!("other-{number}")).collect();
    let others: Vec<_> = names.iter().map(|name| (name.as_str(), "Paint a picture", "")).collect();
    let passing = ("hunter", "Follow animals in the forest and by the river", "Keep track of wolves.\n");
    let others = registry(&[others, vec![passing]].concat());
    assert_eq!(found(&[&own, &others], "track expenses"), ["expenses", "hunter"]);
    assert_eq!(found(&[&others, &own], "track expenses"), ["expenses", "hunter"]);
}

// SPEC 16.1
#[test]
fn a_word_that_one_table_has_is_not_corrected_in_another() {
    let (own, other) = (registry(&[("deploy", "Release", "")]), registry(&[("depoly", "Paint", "")]));
    assert_eq!(found(&[&other, &own], "deploy"), ["deploy"]);
    assert_eq!(found(&[&other, &own], "deplooy"), ["deploy"]);
}
