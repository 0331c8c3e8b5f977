//! Tests that providers' messages are found in the bodies they send.

use super::*;

#[test]
fn finds_the_message_in_any_shape() {
    let cases = [
        (r#"{"error":{"message":"a\nb","type":"x"}}"#, "a b"),
        (r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#, "Overloaded"),
        (r#"{"error":"model not found"}"#, "model not found"),
        (r#"[{"error":{"code":400,"message":"API key not valid"}}]"#, "API key not valid"),
        (r#"{"detail":"Not Found"}"#, "Not Found"),
        (r#"{"message":"no"}"#, "no"),
        (r#""plain""#, "plain"),
        ("  bad\u{7}gateway\r\n", "bad gateway"),
        ("", ""),
        ("[]", "[]"),
    ];
    for (body, expected) in cases {
        assert_eq!(provider_message(body), expected, "{body}");
    }
}

#[test]
fn cuts_between_characters() {
    let long = "é".repeat(SHOWN + 1);
    assert_eq!(one_line(&long).chars().count(), SHOWN + 1);
    assert!(one_line(&long).ends_with('…'));
    assert_eq!(one_line(&"é".repeat(SHOWN)).chars().count(), SHOWN);
}
