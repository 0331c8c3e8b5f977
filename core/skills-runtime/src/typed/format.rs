//! Strings with a format, each with its own type. A property has such a type if its schema asserts `format`.
//!
//! Each type is a thin wrapper around the text, which is written back unchanged. `parse` checks a text like
//! the tables of a schema. `From` does not check it: like all values that a program sets, the text is checked
//! when the skill is called. A value from `from_json` always has its format.
//!
//! ```
//! use skills_runtime::typed::format::{Date, Ipv4};
//!
//! let day: Date = "2024-02-29".parse()?;
//! assert_eq!(day, "2024-02-29");
//! assert!(day.starts_with("2024"));
//!
//! let error = "2023-02-29".parse::<Date>().unwrap_err();
//! assert_eq!(error.to_string(), "(root): format: expected the format date, found \"2023-02-29\"");
//!
//! let home = Ipv4::from("127.0.0.1");
//! assert!(home.to_std()?.is_loopback());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use core::fmt;
use core::ops::Deref;
use core::str::FromStr;
use std::net::{AddrParseError, Ipv4Addr, Ipv6Addr};

use skills_schema::{Invalid, Slot, TypedFormat};

use super::{Decode, Decoding, Encode, Writer};

macro_rules! formats {
    ($($(#[doc = $doc:literal])+ $name:ident;)+) => {$(
        $(#[doc = $doc])+
        ///
        /// Values are ordered like their texts. The default is the empty text, which does not have the
        /// format.
        #[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(String);

        impl $name {
            /// Returns the text.
            pub fn as_str(&self) -> &str {
                &self.0
            }

            /// Returns `true` if the text has the format. `From` does not check this.
            pub fn is_valid(&self) -> bool {
                TypedFormat::$name.fits(&self.0)
            }
        }

        impl FromStr for $name {
            type Err = Invalid;

            /// Parses a text that has the format.
            ///
            /// # Errors
            /// A violation of the rule `format` if it does not.
            fn from_str(text: &str) -> Result<Self, Invalid> {
                TypedFormat::$name.check(text).map(|()| Self::from(text))
            }
        }

        impl From<&str> for $name {
            /// Wraps any text, unchecked.
            fn from(text: &str) -> Self {
                Self(text.to_owned())
            }
        }

        impl From<String> for $name {
            /// Wraps any text, unchecked.
            fn from(text: String) -> Self {
                Self(text)
            }
        }

        impl From<$name> for String {
            fn from(value: $name) -> Self {
                value.0
            }
        }

        impl Deref for $name {
            type Target = str;

            fn deref(&self) -> &str {
                &self.0
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }

        impl PartialEq<str> for $name {
            fn eq(&self, other: &str) -> bool {
                self.0 == other
            }
        }

        impl PartialEq<&str> for $name {
            fn eq(&self, other: &&str) -> bool {
                self.0 == *other
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(&self.0)
            }
        }

        impl Decode for $name {
            fn decode(slot: Slot<'_>) -> Decoding<Self> {
                String::decode(slot).map(Self)
            }
        }

        impl Encode for $name {
            fn encode(&self, out: &mut Writer) {
                out.string(&self.0);
            }
        }

        #[cfg(feature = "render")]
        impl skills_template::render::Typed for $name {
            fn plain(&self) -> Option<skills_template::render::Plain<'_>> {
                Some(skills_template::render::Plain::Is(skills_template::render::Shape::String(&self.0)))
            }
        }

        #[cfg(feature = "serde")]
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.0)
            }
        }

        #[cfg(feature = "serde")]
        impl<'de> serde::Deserialize<'de> for $name {
            /// Reads a string and checks it like `parse`.
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = String::deserialize(deserializer)?;
                TypedFormat::$name.check(&text).map_err(serde::de::Error::custom)?;
                Ok(Self(text))
            }
        }
    )+};
}

formats! {
    /// A date and a time with an offset, such as `2024-02-29T12:00:00Z` (`date-time`, RFC 3339).
    DateTime;
    /// A date, such as `2024-02-29` (`date`, RFC 3339).
    Date;
    /// A time with an offset, such as `12:00:00Z` (`time`, RFC 3339).
    Time;
    /// A mail address, such as `a@example.org` (`email`, RFC 5321).
    Email;
    /// An IPv4 address, such as `127.0.0.1` (`ipv4`, RFC 2673).
    Ipv4;
    /// An IPv6 address, such as `::1` (`ipv6`, RFC 4291).
    Ipv6;
    /// A URI with its scheme, such as `https://example.org/` (`uri`, RFC 3986).
    Uri;
    /// A UUID, such as `6ba7b810-9dad-11d1-80b4-00c04fd430c8` (`uuid`, RFC 4122); draft-07 has no such
    /// format.
    Uuid;
}

/// Defines the conversions between an address and the type of the standard library.
macro_rules! addresses {
    ($($name:ident: $std:ident;)+) => {$(
        impl $name {
            /// Returns the address.
            ///
            /// # Errors
            /// If the text was created with `From` and is not an address.
            pub fn to_std(&self) -> Result<$std, AddrParseError> {
                self.0.parse()
            }
        }

        impl From<$std> for $name {
            fn from(address: $std) -> Self {
                Self(address.to_string())
            }
        }
    )+};
}

addresses! {
    Ipv4: Ipv4Addr;
    Ipv6: Ipv6Addr;
}
