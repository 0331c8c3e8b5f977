//! Parses and formats limits: time limits, and sizes in bytes.

use crate::decimal::{Decimal, is_digits};

/// The time limit of a call, in milliseconds, for functions that do not set one.
pub const FUNCTION_TIMEOUT_MS: u64 = 30_000;

/// Parses a time limit into milliseconds. A bare integer is milliseconds; otherwise it is a duration such as
/// `300ms`, `1.5s`, `5m` or `1h30m` (units `ns`, `us`, `ms`, `s`, `m`, `h`; rounded up).
///
/// Returns `None` for 0, a negative value, or any other text that is not a duration (`invalid_timeout`).
///
/// ```
/// use skills_text::parse_timeout;
/// assert_eq!(parse_timeout("250"), Some(250));
/// assert_eq!(parse_timeout("1h30m"), Some(5_400_000));
/// assert_eq!(parse_timeout("soon"), None);
/// ```
pub fn parse_timeout(text: &str) -> Option<u64> {
    let text = text.trim();
    if !text.is_empty() && is_digits(text) {
        return text.parse::<u64>().ok().filter(|milliseconds| *milliseconds > 0);
    }
    let mut rest = text;
    let mut nanoseconds: u128 = 0;
    while !rest.is_empty() {
        let (number, tail) = rest.split_at(rest.find(|c: char| !c.is_ascii_digit() && c != '.')?);
        if number.matches('.').count() > 1 || !number.contains(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let letters = tail.find(|c: char| c.is_ascii_digit() || c == '.').unwrap_or(tail.len());
        let (unit, tail) = tail.split_at(letters);
        nanoseconds = nanoseconds.checked_add(Decimal::parse(number).times(unit_nanoseconds(unit)?)?)?;
        rest = tail;
    }
    u64::try_from(nanoseconds.div_ceil(1_000_000)).ok().filter(|milliseconds| *milliseconds > 0)
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

/// Formats a time limit in milliseconds for people, as in `timeout after 100ms`.
///
/// [`parse_timeout`] can parse the result.
///
/// ```
/// use skills_text::write_timeout;
/// assert_eq!(write_timeout(100), "100ms");
/// assert_eq!(write_timeout(1_500), "1.5s");
/// assert_eq!(write_timeout(5_400_000), "1h30m");
/// ```
pub fn write_timeout(milliseconds: u64) -> String {
    if milliseconds < 1_000 {
        return format!("{milliseconds}ms");
    }
    let (mut text, mut rest) = (String::new(), milliseconds);
    for (unit, name) in [(3_600_000, 'h'), (60_000, 'm')] {
        if rest >= unit {
            text.push_str(&format!("{}{name}", rest / unit));
        }
        rest %= unit;
    }
    let (seconds, fraction) = (rest / 1_000, format!("{:03}", rest % 1_000));
    match fraction.trim_end_matches('0') {
        "" if seconds == 0 => {}
        "" => text.push_str(&format!("{seconds}s")),
        fraction => text.push_str(&format!("{seconds}.{fraction}s")),
    }
    text
}

/// Parses a number of bytes above 0: `4096`, `64K`, `256M`, `1 GiB`, `1T`. `MB` and `MiB` both mean 1024
/// times 1024. Returns `None` for any other text, and for sizes over 2^64.
///
/// ```
/// use skills_text::parse_size;
/// assert_eq!(["4096", "64k", "1 MiB"].map(parse_size), [Some(4096), Some(64 << 10), Some(1 << 20)]);
/// assert_eq!(["0", "1.5G", "256X", "", "-1"].map(parse_size), [None; 5]);
/// ```
pub fn parse_size(text: &str) -> Option<u64> {
    let end = text.bytes().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let shift = match unit.trim().to_ascii_uppercase().as_str() {
        "" | "B" => 0,
        "K" | "KB" | "KIB" => 10,
        "M" | "MB" | "MIB" => 20,
        "G" | "GB" | "GIB" => 30,
        "T" | "TB" | "TIB" => 40,
        _ => return None,
    };
    number.parse::<u64>().ok()?.checked_mul(1 << shift).filter(|bytes| *bytes > 0)
}

/// Formats a size: exact bytes below 1 KiB, otherwise with one decimal, rounded up, so that a size just above
/// a limit is not shown as equal to it.
///
/// ```
/// use skills_text::write_size;
/// assert_eq!([1, 1023, 10 << 20, (10 << 20) + 1].map(write_size), ["1 byte", "1023 bytes", "10 MiB", "10.1 MiB"]);
/// ```
pub fn write_size(bytes: u64) -> String {
    let units = [(1u64 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    let Some((unit, name)) = units.into_iter().find(|(unit, _)| bytes >= *unit) else {
        return format!("{bytes} byte{}", if bytes == 1 { "" } else { "s" });
    };
    let (whole, rest) = (bytes / unit, bytes % unit);
    match (rest * 10).div_ceil(unit) {
        0 => format!("{whole} {name}"),
        10 => format!("{} {name}", whole + 1),
        tenth => format!("{whole}.{tenth} {name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            ("18446744073709551615", u64::MAX),
        ] {
            assert_eq!(parse_timeout(text), Some(milliseconds), "{text}");
        }
    }

    // SPEC 7.1
    #[test]
    fn zero_negative_and_garbage_are_refused() {
        let refused =
            ["", " ", "0", "0s", "-1", "+1", "-5m", "5 m", "5x", "m", "1..5s", "1e3", "1h30", ".s", "٣s"];
        for text in refused.into_iter().chain(["99999999999999999999", "99999999999999999999h", "1s\0", "∞"])
        {
            assert_eq!(parse_timeout(text), None, "{text}");
        }
    }

    // SPEC 7.2
    #[test]
    fn a_written_limit_reads_back_as_itself() {
        for step in
            [1, 7, 59, 60, 99, 100, 1_000, 1_001, 59_999, 60_000, 61_250, 3_599_999, 3_600_000, 86_400_500]
        {
            for factor in 1..50 {
                let text = write_timeout(step * factor);
                assert_eq!(parse_timeout(&text), Some(step * factor), "{text}");
            }
        }
        assert_eq!(parse_timeout(&write_timeout(u64::MAX)), Some(u64::MAX));
        assert_eq!(write_timeout(30_000), "30s");
        assert_eq!(write_timeout(300_000), "5m");
    }
}
