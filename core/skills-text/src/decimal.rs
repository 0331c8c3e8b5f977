//! Exact decimal numbers, parsed from text without losing digits: for schemas, templates and counts.

use std::cmp::Ordering;

/// A number as a sign, its digits without leading or trailing zeros, and the power of ten of the last digit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decimal {
    /// Whether it is below zero.
    pub negative: bool,
    /// Digits from 0 to 9. The first and last are not 0; empty for zero.
    pub digits: Vec<u8>,
    /// The power of ten of the last digit; 0 for zero.
    pub exponent: i64,
}

/// Exponents are clamped to this range, so that sums cannot overflow. Real numbers never come near it.
const MAX_EXPONENT: i64 = i64::MAX / 8;

/// Returns `true` if a text consists only of the digits 0 to 9. An empty text returns `true`.
pub fn is_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

impl Decimal {
    /// Parses a number that follows the JSON grammar. The result for any other text is unspecified.
    ///
    /// ```
    /// use skills_text::Decimal;
    /// assert_eq!(Decimal::parse("1.50e2"), Decimal::parse("150"));
    /// assert!(Decimal::parse("0.1") < Decimal::parse("0.10000000000000000001"));
    /// ```
    pub fn parse(text: &str) -> Self {
        let (mantissa, power) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let far = if power.starts_with('-') { -MAX_EXPONENT } else { MAX_EXPONENT };
        let mut exponent = power.parse().unwrap_or(far).clamp(-MAX_EXPONENT, MAX_EXPONENT);
        let (mut digits, mut behind) = (Vec::new(), 0);
        for byte in mantissa.bytes() {
            match byte {
                b'.' => behind = 1,
                b'0'..=b'9' => {
                    exponent -= behind;
                    if byte > b'0' || !digits.is_empty() {
                        digits.push(byte - b'0');
                    }
                }
                _ => {}
            }
        }
        let mut number = Self { negative: text.starts_with('-'), digits, exponent };
        number.trim();
        number
    }

    /// Removes trailing zeros, and normalizes the sign and exponent of zero.
    pub fn trim(&mut self) {
        while self.digits.last() == Some(&0) {
            self.digits.pop();
            self.exponent += 1;
        }
        if self.digits.is_empty() {
            (self.negative, self.exponent) = (false, 0);
        }
    }

    /// Returns `true` if the number is an integer: `3.0` and `1e2` are.
    pub fn is_integer(&self) -> bool {
        self.exponent >= 0
    }

    /// Returns the value if it is an integer of at most 20 digits.
    pub fn whole(&self) -> Option<i128> {
        let length = self.scale();
        if !self.is_integer() || length > 20 {
            return None;
        }
        let mut value: i128 = 0;
        for at in 0..usize::try_from(length).ok()? {
            value = value * 10 + self.digits.get(at).map_or(0, |digit| i128::from(*digit));
        }
        Some(if self.negative { -value } else { value })
    }

    /// Returns the value if it is an integer that fits `i64`.
    pub fn to_i64(&self) -> Option<i64> {
        self.whole().and_then(|value| value.try_into().ok())
    }

    /// Multiplies by an integer and rounds up. Returns `None` if the number is negative or far too large.
    ///
    /// ```
    /// use skills_text::Decimal;
    /// assert_eq!(Decimal::parse("1.5").times(1_000), Some(1_500));
    /// assert_eq!(Decimal::parse("0.0004").times(1), Some(1));
    /// ```
    pub fn times(&self, factor: u128) -> Option<u128> {
        if self.negative {
            return None;
        }
        // In a number that fits, digits after the 25th can only change the rounding.
        let kept = self.digits.len().min(25);
        let mut has_rest = kept < self.digits.len();
        let mut product: u128 = 0;
        for digit in &self.digits[..kept] {
            product = product.checked_mul(10)?.checked_add(factor.checked_mul(u128::from(*digit))?)?;
        }
        let mut exponent = self.exponent + i64::try_from(self.digits.len() - kept).unwrap_or(MAX_EXPONENT);
        while exponent > 0 {
            product = product.checked_mul(10)?;
            exponent -= 1;
        }
        while exponent < 0 && product > 0 {
            has_rest |= !product.is_multiple_of(10);
            product /= 10;
            exponent += 1;
        }
        product.checked_add(u128::from(has_rest))
    }

    /// Returns the number of digits before the decimal point. If it is zero or negative, that many zeros
    /// follow the point.
    pub fn scale(&self) -> i64 {
        self.exponent + i64::try_from(self.digits.len()).unwrap_or(MAX_EXPONENT)
    }

    fn sign(&self) -> i8 {
        match (self.digits.is_empty(), self.negative) {
            (true, _) => 0,
            (false, true) => -1,
            (false, false) => 1,
        }
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        let size = self.scale().cmp(&other.scale()).then_with(|| self.digits.cmp(&other.digits));
        let size = if self.negative { size.reverse() } else { size };
        self.sign().cmp(&other.sign()).then(size)
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::Decimal;

    fn d(text: &str) -> Decimal {
        Decimal::parse(text)
    }

    #[test]
    fn numbers_compare_by_value_without_loss() {
        // SPEC 5.4, 6.1: 3.0 is 3, and large or long numbers are exact.
        let rising = "-1e400 -12345678901234567890123 -12345678901234567890122 -10 -9.5 -0.12 -0.1 -1e-400 0 1e-400 0.1 \
                      0.10000000000000000001 0.12 1 1.5 2 10 9007199254740993 18446744073709551615 \
                      18446744073709551616 9e399 1e400 1e9999999999999999999999999999999999999999";
        let rising: Vec<&str> = rising.split(' ').collect();
        for (i, a) in rising.iter().enumerate() {
            for (j, b) in rising.iter().enumerate() {
                assert_eq!(d(a).cmp(&d(b)), i.cmp(&j), "{a} and {b}");
            }
        }
        for (a, b) in
            [("1", "1.0"), ("100", "1e2"), ("0", "-0.0e9"), ("120e-1", "12"), ("0.5", "5E-1"), ("-0", "0.00")]
        {
            assert_eq!(d(a), d(b), "{a} and {b}");
        }
    }

    // SPEC 7.1
    #[test]
    fn a_product_is_exact_up_to_the_next_whole_number() {
        for (text, factor, product) in [
            ("0", 7, Some(0)),
            ("2.5", 4, Some(10)),
            ("2.5", 1, Some(3)),
            ("3e2", 2, Some(600)),
            ("1e-99999999999999", 1_000, Some(1)),
            ("0.33333333333333333333333333333333333333333333", 1_000_000_000, Some(333_333_334)),
            ("-1", 1, None),
            ("1e40", 1, None),
            ("1e99999999999999", 1, None),
        ] {
            assert_eq!(d(text).times(factor), product, "{text} times {factor}");
        }
    }

    #[test]
    fn whole_numbers_are_recognized_in_any_notation() {
        for (text, whole) in [
            ("3", 3),
            ("3.0", 3),
            ("3e2", 300),
            ("1.5e1", 15),
            ("0", 0),
            ("-0", 0),
            ("0e99", 0),
            ("30E-1", 3),
            ("12e1", 120),
            ("-2e1", -20),
            ("99999999999999999999", 99_999_999_999_999_999_999),
        ] {
            assert_eq!(d(text).whole(), Some(whole), "{text}");
        }
        for text in ["1.5", "1e-1", "1e99", "123456789012345678901"] {
            assert_eq!(d(text).whole(), None, "{text}");
        }
    }
}
