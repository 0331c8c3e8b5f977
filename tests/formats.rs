//! What `format` means is an option of the macro: it reaches the tables that check a value, and the types it is read into.
#![deny(missing_docs)]

mod as_drafted {
    skills::skills!("tests/formats", allow(schema_default));
}
mod asserted {
    skills::skills!("tests/formats", formats(assert), allow(schema_default));
}
mod ignored {
    skills::skills!("tests/formats", formats(ignore));
}

const NO_DAY: &str = r#"{"day":"soon"}"#;

// SPEC 6.1: `format` is asserted in draft-07, an annotation in later drafts.
#[test]
fn the_draft_decides_what_a_format_means() {
    let refused = as_drafted::old::Input::from_json(NO_DAY).unwrap_err().to_string();
    assert!(refused.contains("/day: format: "), "{refused}");
    assert_eq!(as_drafted::new::Input::from_json(NO_DAY).unwrap().day.as_deref(), Some("soon"));
}

// SPEC 6.1: `formats(assert)` and `formats(ignore)` override.
#[test]
fn the_options_override_the_draft() {
    assert!(asserted::old::Input::from_json(NO_DAY).is_err());
    let refused = asserted::new::Input::from_json(NO_DAY).unwrap_err().to_string();
    assert!(refused.contains("/day: format: "), "{refused}");
    assert!(ignored::old::Input::from_json(NO_DAY).is_ok());
    assert!(ignored::new::Input::from_json(NO_DAY).is_ok());
}

// SPEC 6.1: a default is inserted where its own schema accepts it.
#[test]
fn a_default_that_its_format_refuses_is_never_inserted() {
    assert_eq!(asserted::new::Input::from_json("{}").unwrap().to_json(), "{}");
    assert_eq!(as_drafted::old::Input::from_json("{}").unwrap().to_json(), "{}");
    assert_eq!(ignored::old::Input::from_json("{}").unwrap().to_json(), r#"{"until":"never"}"#);
    assert_eq!(as_drafted::new::Input::from_json("{}").unwrap().to_json(), r#"{"until":"never"}"#);
}
