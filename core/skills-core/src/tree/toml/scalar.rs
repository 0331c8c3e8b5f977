//! Determines the type of an unquoted TOML value, and decodes strings (TOML 1.1, "String" to "Local Time").

use skills_registry::is_digits;
use skills_schema::Format;

use super::fault::{Fault, Wrong};
use crate::tree::Kind;

/// Returns the type of an unquoted value, if it is valid.
pub(super) fn kind(word: &str) -> Option<Kind> {
    match word {
        "true" | "false" => Some(Kind::Bool),
        _ if is_number(word) => Some(Kind::Number),
        _ if is_date(word) => Some(Kind::Date),
        _ => None,
    }
}

/// Returns the fault of an invalid value, and the type it probably has.
pub(super) fn fault(word: &str, start: usize) -> (Kind, Fault) {
    let lower = word.to_ascii_lowercase();
    let unsigned = word.trim_start_matches(['+', '-']);
    let zeros = unsigned.len() - unsigned.trim_start_matches('0').len();
    let at = start + word.len() - unsigned.len();
    let range = start..start + word.len();
    match lower.as_str() {
        "true" => {
            (Kind::Bool, Fault { range, title: "invalid boolean", wrong: Wrong::Instead("true".to_owned()) })
        }
        "false" => {
            (Kind::Bool, Fault { range, title: "invalid boolean", wrong: Wrong::Instead("false".to_owned()) })
        }
        _ if zeros > 0 && is_number(&unsigned[zeros..]) => {
            let fault =
                Fault { range: at..at + zeros, title: "unexpected leading zero", wrong: Wrong::Unwanted };
            (Kind::Number, fault)
        }
        _ if !word.is_empty()
            && word.bytes().all(|byte| b"0123456789:.TtZz+- ".contains(&byte))
            && word.contains([':', '-']) =>
        {
            (Kind::Date, Fault { range, title: "invalid date or time", wrong: Wrong::Value })
        }
        _ => (Kind::String, Fault { range, title: "string values must be quoted", wrong: Wrong::Unquoted }),
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

/// Returns `true` if a word is a date, a time, or both with `T` or a space between them; a time offset
/// requires a date.
fn is_date(word: &str) -> bool {
    let (date, rest) = word.split_at_checked(10).unwrap_or(("", word));
    if !Format::Date.fits(date) {
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

/// Decodes the inside of a string; `start` is its offset.
pub(super) fn decode(inside: &str, start: usize, quote: &str, faults: &mut Vec<Fault>) -> String {
    let has_lines = quote.len() > 1;
    let mut decoded = String::with_capacity(inside.len());
    let first = ["\n", "\r\n"].into_iter().find(|first| has_lines && inside.starts_with(first));
    let mut rest = &inside[first.map_or(0, str::len)..];
    while let Some(stop) = rest.find(|c| is_control(c) || (c == '\\' && quote.starts_with('"'))) {
        decoded.push_str(&rest[..stop]);
        rest = &rest[stop..];
        let at = start + inside.len() - rest.len();
        let line_end = ["\n", "\r\n"].into_iter().find(|end| has_lines && rest.starts_with(end));
        if let Some(end) = line_end {
            decoded.push_str(end);
            rest = &rest[end.len()..];
        } else if rest.starts_with('\\') {
            let (c, length) = escape(&rest[1..], has_lines).unwrap_or_else(|| {
                let title = "invalid escape sequence";
                faults.push(Fault { range: at + 1..at + 1, title, wrong: Wrong::Escape });
                (Some('\\'), 0)
            });
            decoded.extend(c);
            rest = &rest[1 + length..];
        } else {
            refuse_control(&rest[..1], at, faults);
            rest = &rest[1..];
        }
    }
    decoded + rest
}

/// Reads the escape after a backslash: the character, if it stands for one, and its length.
fn escape(text: &str, has_lines: bool) -> Option<(Option<char>, usize)> {
    let first = text.chars().next()?;
    let digits = match first {
        'b' => return Some((Some('\u{8}'), 1)),
        't' => return Some((Some('\t'), 1)),
        'n' => return Some((Some('\n'), 1)),
        'f' => return Some((Some('\u{c}'), 1)),
        'r' => return Some((Some('\r'), 1)),
        'e' => return Some((Some('\u{1b}'), 1)),
        '"' | '\\' => return Some((Some(first), 1)),
        'x' => 2,
        'u' => 4,
        'U' => 8,
        _ => {
            // An escaped line end includes all white space after it.
            let blank = text.trim_start_matches([' ', '\t']);
            let is_end = has_lines && (blank.starts_with('\n') || blank.starts_with("\r\n"));
            let mut rest = blank;
            while let Some(more) = [" ", "\t", "\n", "\r\n"].iter().find_map(|blank| rest.strip_prefix(blank))
            {
                rest = more;
            }
            return is_end.then(|| (None, text.len() - rest.len()));
        }
    };
    let code = text.get(1..1 + digits).filter(|code| code.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    let c = u32::from_str_radix(code, 16).ok().and_then(char::from_u32)?;
    Some((Some(c), 1 + digits))
}

/// Reports control characters other than the tab.
pub(super) fn refuse_control(text: &str, start: usize, faults: &mut Vec<Fault>) {
    for (at, c) in text.char_indices().filter(|(_, c)| is_control(*c)) {
        let range = start + at..start + at + c.len_utf8();
        faults.push(Fault { range, title: "a control character", wrong: Wrong::Unwanted });
    }
}

fn is_control(c: char) -> bool {
    c.is_ascii_control() && c != '\t'
}
