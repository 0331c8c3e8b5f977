//! Writes JSON in a canonical form, independent of the order of members, for digests.

use serde_json::Value;
use skills_text::hex;

/// Writes a value without whitespace, with the members of objects sorted.
pub(super) fn canonical(value: &Value) -> String {
    let mut sorted = value.clone();
    // serde_json keeps the source order if any crate of the program enables `preserve_order`.
    sorted.sort_all_objects();
    sorted.to_string()
}

/// Returns the digest of a text in hexadecimal digits.
pub(super) fn digest(text: &str) -> String {
    hex(&hmac_sha256::Hash::hash(text.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::{canonical, digest};

    // SPEC 16.13
    #[test]
    fn order_does_not_matter() {
        let of = |text: &str| canonical(&serde_json::from_str(text).expect("JSON"));
        assert_eq!(
            of(r#"{"b": [1, {"d": 2, "c": "x\""}], "a": null}"#),
            r#"{"a":null,"b":[1,{"c":"x\"","d":2}]}"#
        );
        assert_eq!(of(r#"{"a": 1, "b": 2}"#), of(r#"{"b": 2, "a": 1}"#));
        assert_eq!(&digest("")[..8], "e3b0c442");
    }
}
