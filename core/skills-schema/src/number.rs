//! Exact division of JSON numbers, and a fast path for short ones without [`Decimal`]. Used by the
//! interpreter.

pub(crate) use skills_text::Decimal;

/// Returns `true` if a number is an integer multiple of `step`. Only zero is a multiple of zero.
pub(crate) fn is_multiple(value: &Decimal, step: &Decimal) -> bool {
    if value.digits.is_empty() {
        return true;
    }
    // With value = a·10^e and step = b·10^f, b must divide a·10^(e-f). If e < f, it does not, since the last
    // digit of a is not zero.
    let shift = value.exponent - step.exponent;
    !step.digits.is_empty() && shift >= 0 && divides(&step.digits, &value.digits, shift)
}

/// Returns `true` if `digits`·10^`shift` is divisible by `divisor`, by long division digit by digit.
fn divides(divisor: &[u8], digits: &[u8], shift: i64) -> bool {
    if divisor.len() < 19 {
        let modulus = divisor.iter().fold(0, |value, &digit| value * 10 + u128::from(digit));
        let rest = digits.iter().fold(0, |rest, &digit| (rest * 10 + u128::from(digit)) % modulus);
        return (rest * power(modulus, shift)).is_multiple_of(modulus);
    }
    // 10^shift adds only factors of 2 and 5. A divisor with n digits has fewer than 4n of them.
    let zeros = usize::try_from(shift).unwrap_or(usize::MAX).min(divisor.len() * 4);
    let mut rest: Vec<u8> = Vec::new();
    for at in 0..digits.len() + zeros {
        let digit = digits.get(at).copied().unwrap_or(0);
        if !(rest.is_empty() && digit == 0) {
            rest.push(digit);
        }
        while rest.len() > divisor.len() || (rest.len() == divisor.len() && rest.as_slice() >= divisor) {
            subtract(&mut rest, divisor);
        }
    }
    rest.is_empty()
}

/// Returns 10^`exponent` modulo `modulus` (below 2^64).
fn power(modulus: u128, exponent: i64) -> u128 {
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

/// Subtracts `less` from `from` (digits, most significant first; `from` is not smaller) and drops leading
/// zeros.
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

/// Returns `true` if a JSON number is an integer (`3.0` and `1e2` are).
pub(crate) fn is_integer(text: &str) -> bool {
    match fixed(text) {
        Some((_, 0)) => true,
        // `fixed` returns at most 17 digits after the decimal point.
        Some((value, scale)) => value % 10i64.pow(scale) == 0,
        None => !text.contains(['.', 'e', 'E']) || Decimal::parse(text).is_integer(),
    }
}

/// Returns the value of a short number without exponent, as an integer of all its digits and the count of
/// digits after the point.
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

/// Returns the value of a short plain integer such as `-42`, or `None` for any other text.
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
    fn integers_are_recognized_by_value() {
        // SPEC 6.1: 3.0 is an integer.
        for whole in
            ["0", "-7", "3.0", "-0.00", "10.000000000000000", "1e2", "1.50e1", "12345678901234567890"]
        {
            assert!(is_integer(whole), "{whole}");
        }
        for broken in
            ["3.5", "-0.01", "1e-1", "10.0000000000000001", "12345678901234567890.5", "0.00000000001"]
        {
            assert!(!is_integer(broken), "{broken}");
        }
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
            assert_eq!(is_multiple(&d(value), &d(step)), yes, "{value} / {step}");
        }
    }
}
