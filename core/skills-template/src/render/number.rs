//! Exact numbers: kept as text, compared and rounded by their decimal digits.

use std::{borrow::Cow, cmp::Ordering};

use skills_text::Decimal;

/// A JSON number: a small integer, or the text of a number.
#[derive(Clone, Debug)]
pub enum Number<'a> {
    /// An integer.
    Int(i64),
    /// Any number in JSON syntax.
    Text(Cow<'a, str>),
}

impl<'a> Number<'a> {
    /// Creates a number from a double, formatted as serde_json does (`3.0`, `0.1`, `1e+100`). Returns `None`
    /// for NaN and the infinities, which JSON does not have.
    pub fn from_f64(value: f64) -> Option<Self> {
        if !value.is_finite() {
            return None;
        }
        // The shortest text that denotes this double determines the number of digits. If two candidates are
        // equally near, the standard library may choose the upper one, while JSON printers choose the even
        // one. So the digits are computed by exact rounding.
        let shortest = format!("{value:e}");
        let (mantissa, exponent) = shortest.split_once('e')?;
        let exponent: i32 = exponent.parse().ok()?;
        let behind = mantissa.split_once('.').map_or(0, |(_, digits)| digits.len());
        Some(Self::Text(Cow::Owned(match exponent {
            -5..16 => {
                let places = i32::try_from(behind).unwrap_or(0) - exponent;
                format!("{value:.*}", usize::try_from(places).unwrap_or(0).max(1))
            }
            16.. => format!("{value:.behind$e}").replace('e', "e+"),
            _ => format!("{value:.behind$e}"),
        })))
    }

    /// Returns the number as text.
    pub fn text(&self) -> Cow<'_, str> {
        match self {
            Self::Int(value) => Cow::Owned(value.to_string()),
            Self::Text(text) => Cow::Borrowed(text),
        }
    }

    /// Returns `true` if the number is 0, in any notation.
    pub fn is_zero(&self) -> bool {
        match self {
            Self::Int(value) => *value == 0,
            Self::Text(text) => Decimal::parse(text).digits.is_empty(),
        }
    }

    /// Compares by value, exactly: 1 equals 1.0, and no digit is lost.
    pub fn order(&self, other: &Number<'_>) -> Ordering {
        match (self, other) {
            (Self::Int(a), Number::Int(b)) => a.cmp(b),
            _ => Decimal::parse(&self.text()).cmp(&Decimal::parse(&other.text())),
        }
    }

    /// Returns the value if it is an integer that fits; `3.0` is an integer.
    pub fn whole(&self) -> Option<i64> {
        match self {
            Self::Int(value) => Some(*value),
            Self::Text(text) => Decimal::parse(text).to_i64(),
        }
    }

    /// Rounds to a number of decimal places (negative: digits before the point). Halves are rounded away from
    /// zero.
    pub fn round(&self, digits: i64) -> Number<'a> {
        match self {
            Self::Int(value) if digits >= 0 => Self::Int(*value),
            _ => {
                let mut plain = Decimal::parse(&self.text());
                round(&mut plain, digits);
                Self::Text(Cow::Owned(spell(&plain)))
            }
        }
    }

    /// Returns a text that is the same for all equal numbers.
    pub(crate) fn normal(&self) -> String {
        spell(&Decimal::parse(&self.text()))
    }
}

/// Numbers of digits are clamped to this, so that sums cannot overflow.
const MAX_DIGITS: i64 = i64::MAX / 8;

/// Rounds to this many decimal places. Halves are rounded away from zero.
fn round(number: &mut Decimal, places: i64) {
    let keep = number.scale().saturating_add(places.clamp(-MAX_DIGITS, MAX_DIGITS));
    let Ok(keep) = usize::try_from(keep) else {
        number.digits.clear();
        return number.trim();
    };
    let Some(next) = number.digits.get(keep).copied() else { return };
    number.exponent = number.scale() - i64::try_from(keep).unwrap_or(MAX_DIGITS);
    number.digits.truncate(keep);
    if next >= 5 {
        while number.digits.last() == Some(&9) {
            number.digits.pop();
            number.exponent += 1;
        }
        match number.digits.last_mut() {
            Some(digit) => *digit += 1,
            None => number.digits.push(1),
        }
    }
    number.trim();
}

/// Formats a number in a notation that is the same for all equal numbers.
fn spell(number: &Decimal) -> String {
    let digits: String = number.digits.iter().map(|digit| char::from(*digit + b'0')).collect();
    let sign = if number.negative { "-" } else { "" };
    match number.scale() {
        _ if digits.is_empty() => "0".to_owned(),
        scale @ -5..=0 => format!("{sign}0.{}{digits}", zeros(-scale)),
        scale if scale > 0 && number.exponent < 0 => {
            let (whole, fraction) = digits.split_at(usize::try_from(scale).unwrap_or(0));
            format!("{sign}{whole}.{fraction}")
        }
        scale if scale > 0 && (scale <= 21 || number.exponent == 0) => {
            format!("{sign}{digits}{}", zeros(number.exponent))
        }
        scale if digits.len() == 1 => format!("{sign}{digits}e{}", scale - 1),
        scale => format!("{sign}{}.{}e{}", &digits[..1], &digits[1..], scale - 1),
    }
}

fn zeros(count: i64) -> String {
    "0".repeat(usize::try_from(count).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::Number;
    use std::cmp::Ordering;

    fn number(text: &str) -> Number<'_> {
        Number::Text(text.into())
    }

    // SPEC 5.4
    #[test]
    fn equal_numbers_are_printed_alike() {
        for (a, b) in [("1", "1.0"), ("100", "1e2"), ("0", "-0.0e9"), ("120e-1", "12"), ("0.5", "5E-1")] {
            assert_eq!(number(a).order(&number(b)), Ordering::Equal, "{a} and {b}");
            assert_eq!(number(a).normal(), number(b).normal(), "{a} and {b}");
        }
        assert_eq!(Number::Int(3).order(&number("3.0")), Ordering::Equal);
        assert_eq!(Number::Int(3).order(&number("3.5")), Ordering::Less);
    }

    // SPEC 5.3
    #[test]
    fn rounding_uses_the_decimal_digits() {
        for (text, digits, rounded) in [
            ("2.5", 0, "3"),
            ("-2.5", 0, "-3"),
            ("2.4999999999999999999", 0, "2"),
            ("1.005", 2, "1.01"),
            ("0.04", 1, "0"),
            ("-0.4", 0, "0"),
            ("9.99", 1, "10"),
            ("0.5", 0, "1"),
            ("3.0", 0, "3"),
            ("3.10", 5, "3.1"),
            ("1250", -2, "1300"),
            ("49", -2, "0"),
            ("1e300", 0, "1e300"),
            ("1e-300", 2, "0"),
            ("1e-300", 300, "1e-300"),
            ("123456789012345678901234567890.5", 0, "123456789012345678901234567891"),
            ("7", i64::MAX, "7"),
            ("7", i64::MIN, "0"),
        ] {
            assert_eq!(number(text).round(digits).text(), rounded, "{text} to {digits}");
        }
    }

    #[test]
    fn whole_numbers_are_recognized_in_any_notation() {
        for (text, whole) in
            [("3.0", Some(3)), ("-2e1", Some(-20)), ("1.5", None), ("1e30", None), ("0.0", Some(0))]
        {
            assert_eq!(number(text).whole(), whole, "{text}");
        }
    }
}
