//! Numbers without loss: kept as text, compared and rounded by their decimal digits.

use std::{borrow::Cow, cmp::Ordering};

/// A JSON number: a small whole one, or the text that spells it.
#[derive(Clone, Debug)]
pub enum Number<'a> {
    /// A whole number.
    Int(i64),
    /// Any number, in JSON's grammar.
    Text(Cow<'a, str>),
}

impl<'a> Number<'a> {
    /// Makes a number of a double, spelt as serde_json spells it (`3.0`, `0.1`, `1e+100`); `None` for NaN and the
    /// infinities, which JSON does not have.
    pub fn from_f64(value: f64) -> Option<Self> {
        if !value.is_finite() {
            return None;
        }
        // The shortest digits that mean this double say how many are needed. Of two candidates equally near, std may take
        // the upper one, JSON printers take the even one: so the digits themselves come from exact rounding.
        let shortest = format!("{value:e}");
        let count = shortest.bytes().take_while(|b| *b != b'e').filter(u8::is_ascii_digit).count();
        let scientific = format!("{value:.*e}", count.saturating_sub(1));
        let (mantissa, exponent) = scientific.split_once('e')?;
        let exponent: i32 = exponent.parse().ok()?;
        let (sign, mantissa) = match mantissa.strip_prefix('-') {
            Some(rest) => ("-", rest),
            None => ("", mantissa),
        };
        if !(-5..16).contains(&exponent) {
            let plus = if exponent > 0 { "+" } else { "" };
            return Some(Self::Text(Cow::Owned(format!("{sign}{mantissa}e{plus}{exponent}"))));
        }
        let digits: String = mantissa.chars().filter(|c| *c != '.').collect();
        let point = usize::try_from(exponent + 1).unwrap_or(0);
        let text = if exponent < 0 {
            let zeros = usize::try_from(-exponent - 1).unwrap_or(0);
            format!("{sign}0.{}{digits}", "0".repeat(zeros))
        } else if digits.len() <= point {
            format!("{sign}{digits}{}.0", "0".repeat(point - digits.len()))
        } else {
            format!("{sign}{}.{}", &digits[..point], &digits[point..])
        };
        Some(Self::Text(Cow::Owned(text)))
    }

    /// Returns the number as text.
    pub fn text(&self) -> Cow<'_, str> {
        match self {
            Self::Int(value) => Cow::Owned(value.to_string()),
            Self::Text(text) => Cow::Borrowed(text),
        }
    }

    /// Tells whether the number is 0, however it is spelt.
    pub fn is_zero(&self) -> bool {
        match self {
            Self::Int(value) => *value == 0,
            Self::Text(text) => Decimal::of(text).digits.is_empty(),
        }
    }

    /// Compares by value, exactly: 1 equals 1.0, and no digit is lost.
    pub fn order(&self, other: &Number<'_>) -> Ordering {
        match (self, other) {
            (Self::Int(a), Number::Int(b)) => a.cmp(b),
            _ => Decimal::of(&self.text()).order(&Decimal::of(&other.text())),
        }
    }

    /// Returns the number when it is whole and small enough; `3.0` is whole.
    pub fn whole(&self) -> Option<i64> {
        match self {
            Self::Int(value) => Some(*value),
            Self::Text(text) => {
                let plain = Decimal::of(text);
                if plain.scale > 19 { None } else { plain.text().parse().ok() }
            }
        }
    }

    /// Rounds to a number of digits behind the point (before it, when negative); halves go away from zero.
    pub fn round(&self, digits: i64) -> Number<'a> {
        match self {
            Self::Int(value) if digits >= 0 => Self::Int(*value),
            _ => {
                let mut plain = Decimal::of(&self.text());
                plain.round(digits);
                Self::Text(Cow::Owned(plain.text()))
            }
        }
    }

    /// Returns a spelling that all equal numbers share.
    pub(crate) fn normal(&self) -> String {
        Decimal::of(&self.text()).text()
    }
}

/// A number as 0.DIGITS × 10^scale, with no zero at either end of the digits; zero has none.
#[derive(Debug, PartialEq, Eq)]
struct Decimal {
    negative: bool,
    digits: Vec<u8>,
    scale: i64,
}

/// Exponents beyond this are taken for this: no two such numbers meet in practice, and sums cannot overflow.
const FAR: i64 = i64::MAX / 8;

impl Decimal {
    fn of(text: &str) -> Self {
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let far = if exponent.starts_with('-') { -FAR } else { FAR };
        let exponent = exponent.parse::<i64>().unwrap_or(far).clamp(-FAR, FAR);
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let negative = whole.starts_with('-');
        let whole = whole.trim_start_matches('-');
        let mut digits: Vec<u8> = whole.bytes().chain(fraction.bytes()).filter(u8::is_ascii_digit).collect();
        let zeros = digits.iter().take_while(|digit| **digit == b'0').count();
        digits.drain(..zeros);
        let mut plain = Self { negative, digits, scale: exponent + signed(whole.len()) - signed(zeros) };
        plain.trim();
        plain
    }

    /// Drops the zeros at the end, and the sign and scale of zero.
    fn trim(&mut self) {
        while self.digits.last() == Some(&b'0') {
            self.digits.pop();
        }
        if self.digits.is_empty() {
            (self.negative, self.scale) = (false, 0);
        }
    }

    fn order(&self, other: &Self) -> Ordering {
        let sign = |number: &Self| match (number.digits.is_empty(), number.negative) {
            (true, _) => 0,
            (false, true) => -1,
            (false, false) => 1,
        };
        let size = self.scale.cmp(&other.scale).then_with(|| self.digits.cmp(&other.digits));
        match sign(self).cmp(&sign(other)) {
            Ordering::Equal if self.negative => size.reverse(),
            Ordering::Equal => size,
            different => different,
        }
    }

    fn round(&mut self, places: i64) {
        let keep = self.scale.saturating_add(places.clamp(-FAR, FAR));
        let Ok(keep) = usize::try_from(keep) else {
            self.digits.clear();
            return self.trim();
        };
        let Some(next) = self.digits.get(keep).copied() else { return };
        self.digits.truncate(keep);
        if next >= b'5' {
            while self.digits.last() == Some(&b'9') {
                self.digits.pop();
            }
            match self.digits.last_mut() {
                Some(digit) => *digit += 1,
                None => {
                    self.digits.push(b'1');
                    self.scale += 1;
                }
            }
        }
        self.trim();
    }

    fn text(&self) -> String {
        let digits: String = self.digits.iter().map(|digit| char::from(*digit)).collect();
        let sign = if self.negative { "-" } else { "" };
        let count = signed(digits.len());
        let zeros = |count: i64| "0".repeat(usize::try_from(count).unwrap_or(0));
        match self.scale {
            _ if digits.is_empty() => "0".to_owned(),
            scale @ -5..=0 => format!("{sign}0.{}{digits}", zeros(-scale)),
            scale if scale > 0 && scale < count => {
                let (whole, fraction) = digits.split_at(usize::try_from(scale).unwrap_or(0));
                format!("{sign}{whole}.{fraction}")
            }
            scale if scale > 0 && scale <= count.max(21) => format!("{sign}{digits}{}", zeros(scale - count)),
            scale if count == 1 => format!("{sign}{digits}e{}", scale - 1),
            scale => format!("{sign}{}.{}e{}", &digits[..1], &digits[1..], scale - 1),
        }
    }
}

fn signed(n: usize) -> i64 {
    i64::try_from(n).unwrap_or(FAR)
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
    fn numbers_compare_by_value_without_loss() {
        let rising = [
            "-1e400",
            "-12345678901234567890123",
            "-12345678901234567890122",
            "-10",
            "-9.5",
            "-0.1",
            "-1e-400",
            "0",
            "1e-400",
            "0.1",
            "0.10000000000000000001",
            "1",
            "1.5",
            "2",
            "10",
            "9007199254740993",
            "1e400",
            "1e99999999999999999999999",
        ];
        for (i, a) in rising.iter().enumerate() {
            for (j, b) in rising.iter().enumerate() {
                assert_eq!(number(a).order(&number(b)), i.cmp(&j), "{a} and {b}");
            }
        }
        for (a, b) in [("1", "1.0"), ("100", "1e2"), ("0", "-0.0e9"), ("120e-1", "12"), ("0.5", "5E-1")] {
            assert_eq!(number(a).order(&number(b)), Ordering::Equal, "{a} and {b}");
            assert_eq!(number(a).normal(), number(b).normal(), "{a} and {b}");
        }
        assert_eq!(Number::Int(3).order(&number("3.0")), Ordering::Equal);
    }

    // SPEC 5.3
    #[test]
    fn rounding_goes_by_the_decimal_digits() {
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
    fn whole_numbers_are_known_however_spelt() {
        for (text, whole) in
            [("3.0", Some(3)), ("-2e1", Some(-20)), ("1.5", None), ("1e30", None), ("0.0", Some(0))]
        {
            assert_eq!(number(text).whole(), whole, "{text}");
        }
    }
}
