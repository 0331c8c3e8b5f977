//! Converts strings with a format to and from the types of other crates, with a feature for each crate.

use skills_schema::Invalid;

/// Defines both directions of a conversion. The arguments are the type of this crate, the other type, the
/// parser with its error, and the formatter.
macro_rules! convert {
    ($($feature:literal $ours:ident: $theirs:ty, $read:expr, $error:ty, $write:expr;)+) => {$(
        #[cfg(feature = $feature)]
        impl TryFrom<&super::format::$ours> for $theirs {
            type Error = $error;

            /// Parses the text.
            ///
            /// # Errors
            /// If the text was created with `From` and does not have the format, or if the type cannot
            /// represent it.
            fn try_from(text: &super::format::$ours) -> Result<Self, Self::Error> {
                ($read)(text.as_str())
            }
        }

        #[cfg(feature = $feature)]
        impl TryFrom<$theirs> for super::format::$ours {
            type Error = Invalid;

            /// Formats the value.
            ///
            /// # Errors
            /// If the format cannot represent the value, such as a year after 9999.
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
            // A value that cannot be formatted is refused, with its debug text in the error.
            value.format(&time::format_description::well_known::Rfc3339).unwrap_or_else(|_| value.to_string())
        };
    "time" Date: time::Date,
        |text| Self::parse(text, &time::format_description::well_known::Iso8601::DATE), time::error::Parse,
        ToString::to_string;
    "url" Uri: url::Url, Self::parse, url::ParseError, ToString::to_string;
    "uuid" Uuid: uuid::Uuid, Self::parse_str, uuid::Error, ToString::to_string;
}
