//! Strings with a format become values of the crates that programs compute with, and back: a feature for each crate.

use skills_schema::Invalid;

/// Writes both ways of a conversion: our type, the other, how its text is read and what that may fail with, and how it
/// is written.
macro_rules! convert {
    ($($feature:literal $ours:ident: $theirs:ty, $read:expr, $error:ty, $write:expr;)+) => {$(
        #[cfg(feature = $feature)]
        impl TryFrom<&super::format::$ours> for $theirs {
            type Error = $error;

            /// Reads the text.
            ///
            /// # Errors
            /// The text, made by `From`, has not the format, or is beyond what the type holds.
            fn try_from(text: &super::format::$ours) -> Result<Self, Self::Error> {
                ($read)(text.as_str())
            }
        }

        #[cfg(feature = $feature)]
        impl TryFrom<$theirs> for super::format::$ours {
            type Error = Invalid;

            /// Writes the value.
            ///
            /// # Errors
            /// The format has no text for it, such as one for a year after 9999.
            fn try_from(value: $theirs) -> Result<Self, Invalid> {
                let text: String = ($write)(&value);
                text.parse()
            }
        }
    )+};
}

convert! {
    "chrono" DateTime: chrono::DateTime<chrono::FixedOffset>,
        chrono::DateTime::parse_from_rfc3339, chrono::ParseError, chrono::DateTime::to_rfc3339;
    "chrono" DateTime: chrono::DateTime<chrono::Utc>,
        |text| chrono::DateTime::parse_from_rfc3339(text).map(|moment| moment.to_utc()),
        chrono::ParseError, chrono::DateTime::to_rfc3339;
    "chrono" Date: chrono::NaiveDate, |text: &str| text.parse(), chrono::ParseError, ToString::to_string;
    "jiff" DateTime: jiff::Timestamp, |text: &str| text.parse(), jiff::Error, ToString::to_string;
    "jiff" Date: jiff::civil::Date, |text: &str| text.parse(), jiff::Error, ToString::to_string;
    "time" DateTime: time::OffsetDateTime,
        |text| Self::parse(text, &time::format_description::well_known::Rfc3339), time::error::Parse,
        |value: &time::OffsetDateTime| {
            // What cannot be written is shown as it is, and refused.
            value.format(&time::format_description::well_known::Rfc3339).unwrap_or_else(|_| value.to_string())
        };
    "time" Date: time::Date,
        |text| Self::parse(text, &time::format_description::well_known::Iso8601::DATE), time::error::Parse,
        ToString::to_string;
    "url" Uri: url::Url, Self::parse, url::ParseError, ToString::to_string;
    "uuid" Uuid: uuid::Uuid, Self::parse_str, uuid::Error, ToString::to_string;
}
