//! Tests inputs and outputs of bundled skills as Rust types: creating, writing, reading, and errors with
//! positions.
#![deny(missing_docs)]

skills::skills!("skills/");

mod literals {
    skills::skills!("tests/literals");
}

// SPEC 6.1
#[test]
fn an_input_is_created_and_serialized() {
    let input = code_review::Input { code: Some("fn main() {}".to_owned()), ..Default::default() };
    assert_eq!(input.to_json(), r#"{"code":"fn main() {}","severity":"all"}"#);
    assert_eq!(code_review::Input::from_json(&input.to_json()).unwrap(), input);
    assert_eq!(input.severity.as_str(), "all");
}

// SPEC 6.13: a struct literal names only the properties that it sets, even if the schema allows others.
#[test]
fn a_literal_leaves_other_properties_out() {
    use literals::order::{Input, Output, Size};
    let output = Output { number: "7".to_owned(), ..Default::default() };
    assert_eq!(output.to_json(), r#"{"number":"7"}"#);
    // The field has no empty value, so there is no `Default`.
    let input = Input { plant: "rose".to_owned(), ..Input::new(Size::Large) };
    assert_eq!(input.to_json(), r#"{"plant":"rose","size":"large","count":1}"#);
    assert!(input.note.is_none() && input.additional.is_empty());
}

// SPEC 6.1
#[test]
fn an_output_keeps_additional_properties() {
    let text = r#"{"verdict":"warn","issues":[{"severity":"high","line":3,"odd":[1]}],"extra":null}"#;
    let output = code_review::Output::from_json(text).unwrap();
    assert_eq!(output.verdict, Some(code_review::Verdict::Warn));
    let issue = &output.issues.as_ref().unwrap()[0];
    assert_eq!((issue.line, issue.severity), (Some(3.0), Some(code_review::IssueSeverity::High)));
    assert_eq!(issue.additional["odd"], serde_json::json!([1]));
    let again: serde_json::Value = serde_json::from_str(&output.to_json()).unwrap();
    assert_eq!(again, serde_json::from_str::<serde_json::Value>(text).unwrap());
}

// SPEC 6.4: an invalid value fails with the pointer, the rule, what was expected and what was found.
#[test]
fn every_violation_is_reported_with_its_place() {
    let text = r#"{"issues":[{"severity":"high"},{"severity":"huge","message":3}],"summary":true}"#;
    let error = code_review::Output::from_json(text).unwrap_err().to_string();
    for part in [
        "/issues/1/severity: enum: ",
        "/issues/1/message: type: expected a string, found ",
        "/summary: type: ",
    ] {
        assert!(error.contains(part), "{error}");
    }
    let missing = memory_search::Input::from_json("{}").unwrap_err().to_string();
    assert!(missing.contains("required"), "{missing}");
}

// SPEC 6.1: frequent mistakes of models are repaired on request, and each repair is reported.
#[test]
fn mistakes_are_repaired_and_reported() {
    let text = r#"{"verdict":"warn","issues":"[{\"line\":\"3\",\"message\":null}]"}"#;
    assert!(code_review::Output::from_json(text).is_err(), "strict by default");
    let (output, repairs) = code_review::Output::from_json_lenient(text).unwrap();
    let issue = &output.issues.as_ref().unwrap()[0];
    assert_eq!((issue.line, issue.message.as_deref()), (Some(3.0), None));
    let messages: Vec<String> = repairs.iter().map(ToString::to_string).collect();
    assert_eq!(
        messages,
        [
            "/issues: a string for an array",
            "/issues/0/line: a string for a number",
            "/issues/0/message: null for an absent property",
        ]
    );
    let (same, none) = code_review::Output::from_json_lenient(&output.to_json()).unwrap();
    assert_eq!((same, none), (output, Vec::new()), "what fits is left alone");
}

// SPEC 6.4: an answer that cannot be repaired fails with all its violations.
#[test]
fn unrepairable_answers_are_refused() {
    let text = r#"{"verdict":"huge","issues":[{"line":"three"}]}"#;
    let message = code_review::Output::from_json_lenient(text).unwrap_err().to_string();
    assert!(message.contains("/verdict: enum: ") && message.contains("/issues/0/line: type: "), "{message}");
    assert!(code_review::Output::from_json_lenient("{").is_err());
}

// SPEC 6.1: defaults are inserted.
#[test]
fn an_absent_property_takes_its_default() {
    let input = memory_search::Input::from_json(r#"{"query":"a"}"#).unwrap();
    assert_eq!(input.to_json(), r#"{"query":"a","limit":5}"#);
    assert!(memory_search::Input::schema().contains("\"default\": 5"));
}
