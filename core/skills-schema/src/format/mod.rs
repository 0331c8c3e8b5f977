//! The formats that `format` can assert. Lowering turns names into numbers; the interpreter checks texts.

mod address;
mod domain;
mod idn;
mod time;
mod uri;

use crate::draft::Draft;
use crate::{Invalid, Violation, pattern, run};

/// Checks a text against a format.
type Check = fn(&str) -> bool;

/// The formats. A format's number is its position, from 1.
const FORMATS: [(&str, Check); 19] = [
    ("date-time", time::date_time),
    ("date", time::date),
    ("time", time::time),
    ("duration", time::duration),
    ("email", |text| address::email(text, false)),
    ("idn-email", |text| address::email(text, true)),
    ("hostname", domain::hostname),
    ("idn-hostname", domain::idn_hostname),
    ("ipv4", address::ipv4),
    ("ipv6", address::ipv6),
    ("uri", |text| uri::uri(text, false)),
    ("uri-reference", |text| uri::reference(text, false)),
    ("iri", |text| uri::uri(text, true)),
    ("iri-reference", |text| uri::reference(text, true)),
    ("uuid", uuid),
    ("uri-template", uri::template),
    ("json-pointer", pointer),
    ("relative-json-pointer", relative_pointer),
    ("regex", pattern::is_pattern),
];

/// A format that has its own Rust type where it is asserted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TypedFormat {
    /// `date-time`
    DateTime,
    /// `date`
    Date,
    /// `time`
    Time,
    /// `email`
    Email,
    /// `ipv4`
    Ipv4,
    /// `ipv6`
    Ipv6,
    /// `uri`
    Uri,
    /// `uuid`
    Uuid,
}

impl TypedFormat {
    /// Returns `true` if a text has the format, using the same check as the tables.
    pub fn fits(self, text: &str) -> bool {
        FORMATS.iter().any(|(name, has)| *name == self.as_str() && has(text))
    }

    /// Checks a text like tables that assert the format.
    ///
    /// # Errors
    /// If the text does not have the format, with one violation of the rule `format`.
    pub fn check(self, text: &str) -> Result<(), Invalid> {
        if self.fits(text) {
            return Ok(());
        }
        let (expected, found) = (expected(self.as_str()), run::quoted(text));
        Err(Invalid::Violations(vec![Violation::new("", "format", expected, found)]))
    }
}

skills_text::__named!(TypedFormat, "format with a type", {
    DateTime = "date-time",
    Date = "date",
    Time = "time",
    Email = "email",
    Ipv4 = "ipv4",
    Ipv6 = "ipv6",
    Uri = "uri",
    Uuid = "uuid",
});

/// Returns the format with this name if the draft knows it and it has a Rust type.
pub(crate) fn typed(name: &str, draft: Draft) -> Option<TypedFormat> {
    id(name, draft)?;
    name.parse().ok()
}

/// Returns the expected value for a violation.
pub(crate) fn expected(name: &str) -> String {
    format!("the format {name}")
}

/// Returns the number of a format that the draft knows. Other formats are not asserted.
pub(crate) fn id(name: &str, draft: Draft) -> Option<u32> {
    let later = matches!(name, "duration" | "uuid");
    if later && draft == Draft::Draft7 {
        return None;
    }
    u32::try_from(FORMATS.iter().position(|(known, _)| *known == name)? + 1).ok()
}

/// Returns the name of a format by its number.
pub(crate) fn name(id: u32) -> &'static str {
    FORMATS.get((id as usize).wrapping_sub(1)).map_or("unknown", |(name, _)| name)
}

/// Returns `true` if the text has the format.
pub(crate) fn check(id: u32, text: &str) -> bool {
    FORMATS.get((id as usize).wrapping_sub(1)).is_none_or(|(_, has)| has(text))
}

/// Checks a UUID of RFC 4122: 32 hexadecimal digits in groups of 8-4-4-4-12.
fn uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(i, b)| match i {
            8 | 13 | 18 | 23 => b == b'-',
            _ => b.is_ascii_hexdigit(),
        })
}

/// Checks a JSON pointer of RFC 6901.
fn pointer(text: &str) -> bool {
    (text.is_empty() || text.starts_with('/'))
        && text.split('~').skip(1).all(|after| after.starts_with(['0', '1']))
}

fn relative_pointer(text: &str) -> bool {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (up, rest) = text.split_at(digits);
    (up == "0" || (!up.is_empty() && !up.starts_with('0'))) && (rest == "#" || pointer(rest))
}
