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
    let radixes = [("0x", 16), ("0o", 8), ("0b", 2)];
    if radixes
        .into_iter()
        .any(|(prefix, radix)| word.strip_prefix(prefix).is_some_and(|digits| are_digits(digits, radix)))
    {
        return true;
    }
    let unsigned = word.strip_prefix(['+', '-']).unwrap_or(word);
    let (number, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((number, exponent)) => (number, exponent.strip_prefix(['+', '-']).unwrap_or(exponent)),
        None => (unsigned, "0"),
    };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    let has_zeros = whole.len() > 1 && whole.starts_with('0');
    matches!(unsigned, "inf" | "nan")
        || (!has_zeros && [whole, fraction, exponent].iter().all(|digits| are_digits(digits, 10)))
}

/// Returns `true` if a text is digits, with single `_` between them.
fn are_digits(text: &str, radix: u32) -> bool {
    text.split('_').all(|digits| !digits.is_empty() && digits.chars().all(|c| c.is_digit(radix)))
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

/// Returns `true` for a number of two digits below a limit.
fn is_below(text: &str, limit: u8) -> bool {
    text.len() == 2 && is_digits(text) && text.parse().is_ok_and(|number: u8| number < limit)
}

/// Returns `true` for `hh:mm`, `hh:mm:ss` and `hh:mm:ss.f`.
fn is_time(text: &str) -> bool {
    let (whole, fraction) =
        text.split_once('.').map_or((text, None), |(whole, fraction)| (whole, Some(fraction)));
    let mut parts = whole.split(':');
    let (hour, minute, second) = (parts.next(), parts.next(), parts.next());
    hour.is_some_and(|hour| is_below(hour, 24))
        && minute.is_some_and(|minute| is_below(minute, 60))
        && second.map_or(fraction.is_none(), |second| is_below(second, 61))
        && fraction.is_none_or(|digits| !digits.is_empty() && is_digits(digits))
        && parts.next().is_none()
}
