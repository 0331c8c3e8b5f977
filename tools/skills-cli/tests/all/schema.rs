//! `skills schema`: an editor gets the same schema that the checks use.
#![cfg(unix)]

use crate::command::Place;

// SPEC 3.1
#[test]
fn the_schema_of_skill_json_is_printed_as_it_is() {
    let run = Place::new(&[]).run(&["schema"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    assert_eq!(run.out, include_str!("../../../../core/skills-core/src/meta/skill.schema.json"));
    let schema: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(schema["$schema"], "http://json-schema.org/draft-07/schema#");
    let required = serde_json::json!(["name", "description", "category", "input", "output", "mode"]);
    assert_eq!(schema["required"], required);
}

#[test]
fn it_takes_no_arguments() {
    let run = Place::new(&[]).run(&["schema", "dir"]);
    assert_eq!((run.code, run.out.as_str()), (2, ""));
    assert!(run.err.contains("unexpected argument 'dir'"), "{}", run.err);
}
