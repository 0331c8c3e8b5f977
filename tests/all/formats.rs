//! Tests the option `formats` of the macro: it affects the tables that check a value, and the generated
//! types.
#![deny(missing_docs)]

use skills::typed::format::{Date, DateTime, Email, Ipv4, Ipv6, Time, Uri, Uuid};

mod as_drafted {
    skills::skills!("tests/formats", allow(schema_default_lost));
}
mod asserted {
    skills::skills!("tests/formats", formats(assert), allow(schema_default_lost));
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
    let described: Option<String> = as_drafted::new::Input::from_json(NO_DAY).unwrap().day;
    assert_eq!(described.as_deref(), Some("soon"));
}

// SPEC 6.1: a string has the type of its format where the format is asserted, and nowhere else.
#[test]
fn an_asserted_format_has_a_type() {
    let input = as_drafted::visit::Input {
        page: Uri::from("https://example.org/"),
        at: Some(Time::from("12:00:00Z")),
        from: Some(Some(Ipv4::from(std::net::Ipv4Addr::LOCALHOST))),
        servers: Some(vec![Ipv6::from("::1")]),
        mail: Some(Email::from("a@example.org")),
        // draft-07 does not have this format, and no type checks host names.
        id: Some(String::from("7")),
        host: Some(String::from("example.org")),
        ..Default::default()
    };
    let since: &DateTime = &input.since;
    assert_eq!(*since, "2024-01-01T00:00:00Z", "the default of the schema");
    let text = input.to_json();
    assert_eq!(as_drafted::visit::Input::from_json(&text).unwrap(), input);

    let day: Option<Date> = asserted::new::Input::from_json(r#"{"day":"2024-02-29"}"#).unwrap().day;
    assert_eq!(day.unwrap(), "2024-02-29");
    let plain: String = ignored::visit::Input::default().page;
    assert_eq!(plain, "");
    let described: String = as_drafted::visit::Output::from_json("\"7\"").unwrap().0;
    assert_eq!(described, "7");
    assert!(asserted::visit::Output::from_json("\"7\"").is_err());
    let id: Uuid = asserted::visit::Output(Uuid::from("6ba7b810-9dad-11d1-80b4-00c04fd430c8")).0;
    assert!(id.is_valid());
}

// SPEC 6.1: a value is written unchanged if its parsed form would be written in another way.
#[test]
fn a_text_with_a_format_survives_a_round_trip() {
    let text = r#"{"page":"HTTP://EXAMPLE.org/%7e","since":"2024-02-29t12:00:00.500+00:00","servers":["0:0::0001"]}"#;
    let input = as_drafted::visit::Input::from_json(text).unwrap();
    assert_eq!(input.to_json(), text);
    let server = input.servers.unwrap().remove(0);
    assert_eq!(server.to_std().unwrap(), std::net::Ipv6Addr::LOCALHOST);
    assert_ne!(Ipv6::from(std::net::Ipv6Addr::LOCALHOST), server);
}

// SPEC 6.1: an input with a required format starts empty, which is refused.
#[test]
fn the_empty_text_is_refused_where_it_is_read() {
    let refused = as_drafted::visit::Input::from_json(&as_drafted::visit::Input::default().to_json());
    let refused = refused.unwrap_err().to_string();
    assert_eq!(refused, "/page: format: expected the format uri, found \"\"");
}

/// Compares what `parse` accepts with what its tables accept, and checks the value.
macro_rules! assert_parsed {
    ($($format:ident $fit:literal $unfit:literal;)+) => {$(
        let parsed: $format = $fit.parse().unwrap();
        assert_eq!((parsed.as_str(), parsed.to_string().as_str()), ($fit, $fit));
        assert_eq!(String::from(parsed.clone()), $fit);
        assert_eq!($format::from($fit), parsed);
        assert!(parsed.is_valid());
        let refused = $unfit.parse::<$format>().unwrap_err();
        assert_eq!(refused.violations()[0].rule, "format");
        assert!(refused.to_string().ends_with(concat!("found \"", $unfit, "\"")), "{refused}");
        assert!(!$format::from($unfit).is_valid() && !$format::default().is_valid());
    )+};
}

// SPEC 6.1: `parse` checks the same as the tables.
#[test]
fn parse_accepts_texts_of_the_format() {
    assert_parsed! {
        DateTime "2024-02-29T12:00:00Z" "2024-02-29 12:00";
        Date "2024-02-29" "2023-02-29";
        Time "12:00:00+01:00" "12:00";
        Email "a@example.org" "a";
        Ipv4 "127.0.0.1" "127.0.0.01";
        Ipv6 "::1" ":1";
        Uri "urn:a" "/a";
        Uuid "6BA7B810-9dad-11d1-80b4-00c04fd430c8" "6ba7b8109dad11d180b400c04fd430c8";
    }
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
