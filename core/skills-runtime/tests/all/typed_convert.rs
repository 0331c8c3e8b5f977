//! Strings with a format as values of other crates, and back.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use skills_runtime::typed::format::{Date, DateTime, Uri, Uuid};

/// Reads a text into a type, and writes it again; text that has not the format is refused.
macro_rules! assert_back {
    ($($ours:ident $theirs:ty: $text:literal $written:literal;)+) => {$(
        let ours = $ours::from($text);
        assert!(ours.is_valid());
        let theirs = <$theirs>::try_from(&ours).unwrap();
        assert_eq!($ours::try_from(theirs).unwrap(), $written);
        assert!(<$theirs>::try_from(&$ours::from("soon")).is_err());
    )+};
}

// SPEC 6.1
#[test]
fn a_value_survives_a_round_trip() {
    assert_back! {
        DateTime jiff::Timestamp: "2024-02-29T12:00:00.5+01:00" "2024-02-29T11:00:00.5Z";
        DateTime chrono::DateTime<chrono::FixedOffset>: "2024-02-29T12:00:00+01:00" "2024-02-29T12:00:00+01:00";
        DateTime chrono::DateTime<chrono::Utc>: "2024-02-29T12:00:00+01:00" "2024-02-29T11:00:00+00:00";
        DateTime time::OffsetDateTime: "2024-02-29T12:00:00.5+01:00" "2024-02-29T12:00:00.5+01:00";
        Date jiff::civil::Date: "2024-02-29" "2024-02-29";
        Date chrono::NaiveDate: "2024-02-29" "2024-02-29";
        Date time::Date: "2024-02-29" "2024-02-29";
        Uri url::Url: "HTTPS://example.org" "https://example.org/";
        Uuid uuid::Uuid: "6BA7B810-9dad-11d1-80b4-00c04fd430c8" "6ba7b810-9dad-11d1-80b4-00c04fd430c8";
    }
}

// SPEC 6.1: a value that the format cannot express is refused.
#[test]
fn a_value_that_the_format_cannot_express_is_refused() {
    let before = jiff::civil::Date::constant(-1, 1, 1);
    let refused = Date::try_from(before).unwrap_err().to_string();
    assert!(refused.contains("format: expected the format date, found"), "{refused}");
    assert!(Date::try_from(chrono::NaiveDate::MAX).is_err());
    let odd = time::UtcOffset::from_hms(1, 0, 30).unwrap();
    assert!(DateTime::try_from(time::OffsetDateTime::UNIX_EPOCH.to_offset(odd)).is_err());
    assert!(Uri::try_from(url::Url::parse("https://example.org/a|b").unwrap()).is_err());
}
