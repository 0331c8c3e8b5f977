//! Determines the [`Kind`] of a scalar by the core schema of YAML 1.2.

use skills_text::is_digits;

use crate::tree::ScalarType;

/// Returns the kind of a plain scalar: `yes`, `no` and `on` are strings, as is a date.
pub(super) fn resolve(text: &str) -> ScalarType {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => ScalarType::Null,
        "true" | "True" | "TRUE" | "false" | "False" | "FALSE" => ScalarType::Bool,
        // The first byte distinguishes most texts from numbers, which is cheap in a build script.
        _ if !matches!(text.as_bytes()[0], b'0'..=b'9' | b'+' | b'-' | b'.') => ScalarType::String,
        _ if is_integer(text) || is_float(text) => ScalarType::Number,
        _ => ScalarType::String,
    }
}

/// Returns the kind of a text if it is valid for a core tag (`int`, `float`, …).
pub(super) fn fits(tag: &str, text: &str) -> Option<ScalarType> {
    let kind = resolve(text);
    match (tag, kind) {
        ("str", _) => Some(ScalarType::String),
        ("int", ScalarType::Number) if is_integer(text) => Some(kind),
        ("float", ScalarType::Number) | ("bool", ScalarType::Bool) | ("null", ScalarType::Null) => Some(kind),
        _ => None,
    }
}

fn is_integer(text: &str) -> bool {
    let (digits, radix) = if let Some(octal) = text.strip_prefix("0o") {
        (octal, 8)
    } else if let Some(hex) = text.strip_prefix("0x") {
        (hex, 16)
    } else {
        (text.strip_prefix(['-', '+']).unwrap_or(text), 10)
    };
    !digits.is_empty() && digits.chars().all(|c| c.is_digit(radix))
}

fn is_float(text: &str) -> bool {
    if matches!(text, ".nan" | ".NaN" | ".NAN") {
        return true;
    }
    let rest = text.strip_prefix(['-', '+']).unwrap_or(text);
    if matches!(rest, ".inf" | ".Inf" | ".INF") {
        return true;
    }
    let (number, exponent) = match rest.split_once(['e', 'E']) {
        Some((number, exponent)) => (number, Some(exponent.strip_prefix(['-', '+']).unwrap_or(exponent))),
        None => (rest, None),
    };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let some = !whole.is_empty() || !fraction.is_empty();
    some && is_digits(whole)
        && is_digits(fraction)
        && exponent.is_none_or(|exponent| !exponent.is_empty() && is_digits(exponent))
}

#[cfg(test)]
mod tests {
    use super::*;

    // SPEC 2.3: the core schema of YAML 1.2.2, chapter 10.3.
    #[test]
    fn the_core_schema_decides() {
        for text in ["", "~", "null", "Null", "NULL"] {
            assert_eq!(resolve(text), ScalarType::Null, "{text}");
        }
        for text in ["true", "True", "TRUE", "false", "False", "FALSE"] {
            assert_eq!(resolve(text), ScalarType::Bool, "{text}");
        }
        let numbers = "0 -19 +12 007 0o14 0x3A 1.0 -0.0 .5 +12e03 -2E+05 1. .inf -.Inf +.INF .nan .NAN";
        for text in numbers.split(' ') {
            assert_eq!(resolve(text), ScalarType::Number, "{text}");
        }
        let strings = "yes no on off y n nULL tRUE 1_000 0b1 0o8 0xg 1e 1e+ . - + .e5 1.2.3 2024-01-02 12:30 \
                       -.nan inf +0x1 1,000";
        for text in strings.split_whitespace() {
            assert_eq!(resolve(text), ScalarType::String, "{text}");
        }
    }
}
