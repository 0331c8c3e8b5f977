//! Tests the types of formats with serde: texts survive a round trip, and invalid ones are refused.
#![allow(clippy::panic, reason = "tests fail by panicking")]

use skills_runtime::typed::format::{Date, DateTime, Email, Ipv4, Ipv6, Time, Uri, Uuid};

/// Reads each text by serde: those that fit come back to the byte, the others are refused as `parse` refuses them.
macro_rules! held {
    ($name:ident, $format:literal: $($good:literal)+; $($bad:literal)+) => {
        for text in [$($good),+] {
            let json = format!("{text:?}");
            let value: $name = serde_json::from_str(&json).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(value, text);
            assert_eq!(serde_json::to_string(&value).ok(), Some(json));
            assert_eq!(text.parse().ok(), Some(value));
        }
        for text in [$($bad),+] {
            let message = serde_json::from_str::<$name>(&format!("{text:?}")).expect_err(text).to_string();
            let wanted = format!("(root): format: expected the format {}, found {text:?}", $format);
            assert!(message.starts_with(&wanted), "{message}");
            assert_eq!(text.parse::<$name>().expect_err(text).to_string(), wanted);
        }
        let message = serde_json::from_str::<$name>("3").expect_err("a number").to_string();
        assert!(message.contains("expected a string"), "{message}");
    };
}

// SPEC 6.1: a format is checked however its text is constructed.
#[test]
fn text_survives_a_round_trip() {
    held!(DateTime, "date-time": "2024-02-29T12:00:00Z" "1990-12-31T23:59:60Z" "1937-01-01T12:00:27.87+00:20";
        "2024-02-29T12:00:00" "1990-12-31T23:58:60Z" "2024-02-29");
    held!(Date, "date": "2024-02-29" "0000-01-01"; "2023-02-29" "2024-2-9" "");
    held!(Time, "time": "12:00:00Z" "23:59:60Z" "08:30:06.283185Z" "12:00:00-07:00"; "12:00:00" "22:59:60Z" "24:00:00Z");
    held!(Email, "email": "a@example.org" "te.s~t@example.com"; "a" ".a@example.org" "a@");
    held!(Ipv4, "ipv4": "192.0.2.1" "0.0.0.0"; "192.0.2" "192.0.2.256" "192.0.02.1");
    held!(Ipv6, "ipv6": "2001:DB8::0:1" "::" "::ffff:192.0.2.1"; "2001:DB8::0::1" "1:2:3:4:5:6:7" "fe80::a%eth1");
    held!(Uri, "uri": "https://example.org/" "urn:x:y"; "/path" "https://example.org/a b" "");
    held!(Uuid, "uuid": "6ba7b810-9dad-11d1-80b4-00c04fd430c8" "2EB8AA08-AA98-11EA-B4AA-73B441D16380";
        "6ba7b810-9dad-11d1-80b4-00c04fd430c" "6ba7b8109dad11d180b400c04fd430c8");
}
