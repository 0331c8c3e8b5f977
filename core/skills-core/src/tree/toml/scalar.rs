//! Determines the type of an unquoted TOML value, which `toml_parser` leaves to its callers.

use skills_schema::TypedFormat;
use skills_text::is_digits;

use crate::tree::ScalarType;

/// Returns the type of an unquoted value, if it is valid.
pub(super) fn kind(word: &str) -> Option<ScalarType> {
    match word {
        "true" | "false" => Some(ScalarType::Bool),
        _ if is_number(word) => Some(ScalarType::Number),
        _ if is_date(word) => Some(ScalarType::Date),
        _ => None,
    }
}

fn is_number(word: &str) -> bool {
    let radix = |prefix: &str, is_digit: fn(char) -> bool| {
        word.strip_prefix(prefix).is_some_and(|digits| are_digits(digits, is_digit))
    };
    if radix("0x", |c| c.is_ascii_hexdigit())
        || radix("0o", |c| c.is_digit(8))
        || radix("0b", |c| c.is_digit(2))
    {
        return true;
    }
    let unsigned = word.strip_prefix(['+', '-']).unwrap_or(word);
    let (number, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((number, exponent)) => (number, exponent.strip_prefix(['+', '-']).unwrap_or(exponent)),
        None => (unsigned, "0"),
    };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    let is_decimal = |digits| are_digits(digits, |c| c.is_ascii_digit());
    let has_zeros = whole.len() > 1 && whole.starts_with('0');
    matches!(unsigned, "inf" | "nan")
        || (is_decimal(whole) && !has_zeros && is_decimal(fraction) && is_decimal(exponent))
}

/// Returns `true` if a text is digits, with single `_` between them.
fn are_digits(text: &str, is_digit: fn(char) -> bool) -> bool {
    text.split('_').all(|digits| !digits.is_empty() && digits.chars().all(is_digit))
}

/// Returns `true` if a word is a date, a time, or both. Only a date can have a time offset.
fn is_date(word: &str) -> bool {
    let (date, rest) = word.split_at_checked(10).unwrap_or(("", word));
    if !TypedFormat::Date.fits(date) {
        return is_time(word);
    }
    let Some(time) = rest.strip_prefix(['T', 't', ' ']) else { return rest.is_empty() };
    let local = time.strip_suffix(['Z', 'z']).unwrap_or_else(|| {
        let (local, offset) = time.split_at_checked(time.len().saturating_sub(6)).unwrap_or((time, ""));
        let is_offset =
            offset.strip_prefix(['+', '-']).is_some_and(|offset| offset.len() == 5 && is_time(offset));
        if is_offset { local } else { time }
    });
    is_time(local)
}

/// Returns `true` for `hh:mm`, `hh:mm:ss` and `hh:mm:ss.f`.
fn is_time(text: &str) -> bool {
    let within = |text: &str, limit: u8| {
        text.len() == 2 && is_digits(text) && text.parse().is_ok_and(|n: u8| n < limit)
    };
    let (whole, fraction) =
        text.split_once('.').map_or((text, None), |(whole, fraction)| (whole, Some(fraction)));
    let mut parts = whole.split(':');
    let (hour, minute, second) = (parts.next(), parts.next(), parts.next());
    hour.is_some_and(|hour| within(hour, 24))
        && minute.is_some_and(|minute| within(minute, 60))
        && second.map_or(fraction.is_none(), |second| within(second, 61))
        && fraction.is_none_or(|digits| !digits.is_empty() && is_digits(digits))
        && parts.next().is_none()
}
