//! Compares and divides JSON numbers exactly from their text; called by the interpreter.

use std::cmp::Ordering;

/// A JSON number as sign, digits without outer zeros, and the power of ten of the last digit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Decimal {
    negative: bool,
    /// Digits 0-9, no leading or trailing zero; empty for zero.
    digits: Vec<u8>,
    exponent: i128,
}

impl Decimal {
    /// Reads a number that fits the JSON grammar; other text yields an unspecified number.
    pub(crate) fn parse(text: &str) -> Self {
        let (negative, rest) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        let (mantissa, power) = rest.split_once(['e', 'E']).unwrap_or((rest, "0"));
        let mut exponent: i128 =
            power.parse().unwrap_or(if power.starts_with('-') { i128::MIN / 4 } else { i128::MAX / 4 });
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        exponent = exponent.clamp(i128::MIN / 4, i128::MAX / 4) - length(fraction.len());
        let mut digits: Vec<u8> = whole
            .bytes()
            .chain(fraction.bytes())
            .map(|b| b.wrapping_sub(b'0'))
            .skip_while(|&d| d == 0)
            .collect();
        while digits.last() == Some(&0) {
            digits.pop();
            exponent += 1;
        }
        if digits.is_empty() {
            return Self { negative: false, digits, exponent: 0 };
        }
        Self { negative, digits, exponent }
    }

    pub(crate) fn is_integer(&self) -> bool {
        self.exponent >= 0
    }

    /// The value as `i64`, when it is an integer of that range.
    pub(crate) fn to_i64(&self) -> Option<i64> {
        self.whole().and_then(|value| value.try_into().ok())
    }

    /// The value, when it is an integer of at most 20 digits.
    pub(crate) fn whole(&self) -> Option<i128> {
        if !(0..20).contains(&self.exponent) {
            return None;
        }
        let mut value: i128 = 0;
        let zeros = (0..self.exponent).map(|_| &0);
        for &digit in self.digits.iter().chain(zeros) {
            value = value.checked_mul(10)?.checked_add(i128::from(digit))?;
        }
        Some(if self.negative { -value } else { value })
    }

    fn magnitude(&self, other: &Self) -> Ordering {
        let top =
            |d: &Self| if d.digits.is_empty() { i128::MIN } else { d.exponent + length(d.digits.len()) };
        top(self).cmp(&top(other)).then_with(|| self.digits.cmp(&other.digits))
    }

    /// Whether this is a whole multiple of `step`; nothing is a multiple of zero but zero.
    pub(crate) fn is_multiple_of(&self, step: &Self) -> bool {
        if self.digits.is_empty() {
            return true;
        }
        if step.digits.is_empty() {
            return false;
        }
        // With value = a·10^e and step = b·10^f, b must divide a·10^(e-f).
        let shift = self.exponent - step.exponent;
        if shift >= 0 {
            return Self::remainder(&self.digits, shift, &step.digits);
        }
        // The step has trailing zeros that the value lacks: the value's last digit is not zero.
        false
    }

    /// Whether `digits`·10^`shift` is divisible by `divisor`, by long division digit by digit.
    fn remainder(digits: &[u8], shift: i128, divisor: &[u8]) -> bool {
        if let Ok(small) = std::str::from_utf8(&divisor.iter().map(|d| d + b'0').collect::<Vec<_>>())
            .unwrap_or("")
            .parse::<u64>()
        {
            let modulus = u128::from(small);
            let rest = digits.iter().fold(0u128, |r, &d| (r * 10 + u128::from(d)) % modulus);
            return (rest * power(modulus, shift)).is_multiple_of(modulus);
        }
        // A divisor beyond 64 bits: 10^shift adds only factors of 2 and 5, of which it has fewer than 4 per digit.
        let zeros = usize::try_from(shift).unwrap_or(usize::MAX).min(divisor.len() * 4);
        let mut rest: Vec<u8> = Vec::new();
        for digit in digits.iter().copied().chain(std::iter::repeat_n(0, zeros)) {
            if !(rest.is_empty() && digit == 0) {
                rest.push(digit);
            }
            while rest.len() > divisor.len() || (rest.len() == divisor.len() && rest.as_slice() >= divisor) {
                subtract(&mut rest, divisor);
            }
        }
        rest.is_empty()
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.negative, other.negative) {
            (false, false) => self.magnitude(other),
            (true, true) => other.magnitude(self),
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
        }
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

fn length(len: usize) -> i128 {
    i128::try_from(len).unwrap_or(i128::MAX / 4)
}

/// 10^`exponent` modulo `modulus` (below 2^64).
fn power(modulus: u128, exponent: i128) -> u128 {
    let (mut base, mut left, mut result) = (10 % modulus, exponent, 1 % modulus);
    while left > 0 {
        if left & 1 == 1 {
            result = result * base % modulus;
        }
        base = base * base % modulus;
        left >>= 1;
    }
    result
}

/// Takes `less` off `from` (both digits, most significant first; `from` is not smaller) and drops leading zeros.
fn subtract(from: &mut Vec<u8>, less: &[u8]) {
    let mut borrow = 0;
    for i in 0..from.len() {
        let place = from.len() - 1 - i;
        let take = borrow + less.len().checked_sub(i + 1).map_or(0, |j| less[j]);
        borrow = u8::from(from[place] < take);
        from[place] = from[place] + borrow * 10 - take;
    }
    let zeros = from.iter().take_while(|&&d| d == 0).count();
    from.drain(..zeros);
}

/// Whether the text of a JSON number stands for an integer (`3.0` and `1e2` do).
pub(crate) fn is_integer(text: &str) -> bool {
    match fixed(text) {
        Some((_, 0)) => true,
        // `fixed` leaves at most 17 digits behind the point.
        Some((value, scale)) => value % 10i64.pow(scale) == 0,
        None => !text.contains(['.', 'e', 'E']) || Decimal::parse(text).is_integer(),
    }
}

/// Whole numbers below this are short: they have at most 18 digits.
#[cfg(feature = "serde_json")]
pub(crate) const SHORT: u64 = 1_000_000_000_000_000_000;

/// The value of a short number without exponent, as digits and how many of them follow the point.
#[inline]
pub(crate) fn fixed(text: &str) -> Option<(i64, u32)> {
    if text.len() > 18 {
        return None;
    }
    let (negative, digits) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let (mut value, mut scale, mut behind) = (0i64, 0, 0);
    for b in digits.bytes() {
        match b {
            b'0'..=b'9' => {
                value = value * 10 + i64::from(b - b'0');
                scale += behind;
            }
            b'.' => behind = 1,
            _ => return None,
        }
    }
    Some((if negative { -value } else { value }, scale))
}

/// What [`fixed`] finds in the shortest text of a number in memory, when that has few digits behind the point.
#[cfg(feature = "serde_json")]
pub(crate) fn short(value: f64) -> Option<(i64, u32)> {
    for (scale, power) in [(0, 1.0), (1, 1e1), (2, 1e2), (3, 1e3), (4, 1e4)] {
        let digits = (value * power).round();
        // A quotient is rounded to the nearest float, and only one text of up to 15 digits stands for a float.
        if digits.abs() < 1e15 && digits / power == value {
            #[expect(clippy::cast_possible_truncation, reason = "a whole number below 1e15")]
            return Some((digits as i64, scale));
        }
    }
    None
}

/// The value of a short plain integer such as `-42`; `None` for anything else.
pub(crate) fn small(text: &str) -> Option<i64> {
    fixed(text).filter(|_| !text.contains('.')).map(|(value, _)| value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn d(text: &str) -> Decimal {
        Decimal::parse(text)
    }

    #[test]
    fn compares_by_value_not_by_text() {
        // SPEC 6.1: 3.0 is an integer, 1e400 and large integers are exact.
        assert_eq!(d("3.0"), d("3"));
        assert_eq!(d("-0"), d("0.00"));
        assert_eq!(d("100e-2"), d("1"));
        assert!(d("1e400") > d("9e399"));
        assert!(d("-1e400") < d("1e-400"));
        assert!(d("18446744073709551616") > d("18446744073709551615"));
        assert!(d("0.1") < d("0.12") && d("-0.1") > d("-0.12"));
        assert!(d("0") < d("1e-9") && d("0") > d("-1e-9"));
        assert!(d("1e9999999999999999999999999999999999999999") > d("1e99"));
        assert!(is_integer("1.50e1") && !is_integer("1.55e1"));
        assert_eq!(d("12e1").to_i64(), Some(120));
        assert_eq!(d("9223372036854775808").to_i64(), None);
    }

    #[test]
    fn integers_are_told_by_value() {
        // SPEC 6.1: 3.0 is an integer.
        for whole in ["0", "-7", "3.0", "-0.00", "10.000000000000000", "1e2", "1.5e1", "12345678901234567890"]
        {
            assert!(is_integer(whole), "{whole}");
        }
        for broken in
            ["3.5", "-0.01", "1e-1", "10.0000000000000001", "12345678901234567890.5", "0.00000000001"]
        {
            assert!(!is_integer(broken), "{broken}");
        }
    }

    #[cfg(feature = "serde_json")]
    #[test]
    fn floats_have_the_digits_of_their_text() {
        // SPEC 6.1: a value in memory gets the verdict of its text.
        let mut state = 1u64;
        let mut found = 0;
        for round in 0..200_000u32 {
            state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
            let value = match round % 4 {
                0 => f64::from_bits(state),
                1 => f64::from(round) / 1e4,
                2 => -f64::from(round) * 0.1,
                _ => f64::from(u32::try_from(state >> 40).unwrap_or(0)) / 4096.0,
            };
            let Some((digits, scale)) = short(value).filter(|_| value.is_finite()) else { continue };
            let text =
                serde_json::Number::from_f64(value).map(|number| number.to_string()).unwrap_or_default();
            assert_eq!(d(&format!("{digits}e-{scale}")), d(&text), "{value:?}");
            found += 1;
        }
        assert!(found > 50_000, "{found}");
        assert_eq!(short(0.75), Some((75, 2)));
        assert_eq!(short(0.1 + 0.2), None);
    }

    #[test]
    fn multiples_are_exact_in_decimal() {
        // SPEC 6.1: multipleOf is exact: 0.3 is a multiple of 0.1, as no binary float is.
        for (value, step, yes) in [
            ("0.3", "0.1", true),
            ("4.35", "0.01", true),
            ("35", "0.15", false),
            ("1e308", "0.123456789", false),
            ("9007199254740995", "5", true),
            ("1e400", "7", false),
            ("1e1000000000", "4", true),
            ("0", "3", true),
            ("123456789012345678901234567890", "123456789012345678901234567890", true),
            ("246913578024691357802469135780", "123456789012345678901234567890", true),
            ("246913578024691357802469135781", "123456789012345678901234567890", false),
            ("7", "10", false),
            ("-4.5", "1.5", true),
        ] {
            assert_eq!(d(value).is_multiple_of(&d(step)), yes, "{value} / {step}");
        }
    }
}
