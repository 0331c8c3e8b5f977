//! The text of a time limit becomes milliseconds (SPEC 7.1).

/// Parses a time limit: a whole number is milliseconds, anything else a duration such as `300ms`, `1.5s`, `1h30m`.
///
/// Returns nothing for 0, a negative value, or anything else that is no duration.
pub(super) fn parse(text: &str) -> Option<u64> {
    let text = text.trim();
    if let Ok(milliseconds) = text.parse::<u64>() {
        return (milliseconds > 0).then_some(milliseconds);
    }
    let mut rest = text;
    let mut nanoseconds: u128 = 0;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.').filter(|at| *at > 0)?;
        let (number, tail) = rest.split_at(digits);
        let letters = tail.find(|c: char| c.is_ascii_digit() || c == '.').unwrap_or(tail.len());
        let (unit, tail) = tail.split_at(letters);
        nanoseconds = nanoseconds.checked_add(scale(number, unit_nanoseconds(unit)?)?)?;
        rest = tail;
    }
    let milliseconds = u64::try_from(nanoseconds.div_ceil(1_000_000)).ok()?;
    (milliseconds > 0).then_some(milliseconds)
}

fn unit_nanoseconds(unit: &str) -> Option<u128> {
    Some(match unit {
        "ns" => 1,
        "us" | "µs" | "μs" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        "m" => 60_000_000_000,
        "h" => 3_600_000_000_000,
        _ => return None,
    })
}

/// Multiplies a decimal number by a whole one, exactly down to nine decimals.
fn scale(number: &str, unit: u128) -> Option<u128> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    if whole.is_empty() && fraction.is_empty() || fraction.contains('.') {
        return None;
    }
    let mut total = match whole {
        "" => 0,
        whole => whole.parse::<u128>().ok()?.checked_mul(unit)?,
    };
    let mut share = unit;
    for digit in fraction.chars() {
        share /= 10;
        total = total.checked_add(share.checked_mul(u128::from(digit.to_digit(10)?))?)?;
    }
    Some(total)
}

#[cfg(test)]
mod tests {
    use super::parse;

    // SPEC 7.1
    #[test]
    fn integers_are_milliseconds_and_strings_durations() {
        for (text, milliseconds) in [
            ("1", 1),
            ("30000", 30_000),
            ("300ms", 300),
            ("1.5s", 1_500),
            ("5m", 300_000),
            ("1h30m", 5_400_000),
            (" 2s ", 2_000),
            (".5s", 500),
            ("1us", 1),
        ] {
            assert_eq!(parse(text), Some(milliseconds), "{text}");
        }
        for text in [
            "",
            "0",
            "0s",
            "-1",
            "-5m",
            "5",
            "5 m",
            "5x",
            "m",
            "1..5s",
            "1e3",
            "1h30",
            "99999999999999999999h",
        ] {
            assert_eq!(parse(text), (text == "5").then_some(5), "{text}");
        }
    }
}
