//! Dates, times and durations (RFC 3339).

use skills_text::is_digits;

/// Reads exactly `count` digits. Returns their value and the rest of the text.
fn digits(text: &str, count: usize) -> Option<(u32, &str)> {
    let (number, rest) = (text.get(..count)?, text.get(count..)?);
    if !is_digits(number) {
        return None;
    }
    Some((number.parse().ok()?, rest))
}

fn read_date(text: &str) -> Option<&str> {
    let (year, rest) = digits(text, 4)?;
    let (month, rest) = digits(rest.strip_prefix('-')?, 2)?;
    let (day, rest) = digits(rest.strip_prefix('-')?, 2)?;
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => return None,
    };
    (1..=days).contains(&day).then_some(rest)
}

fn read_time(text: &str) -> Option<()> {
    let (hour, rest) = digits(text, 2)?;
    let (minute, rest) = digits(rest.strip_prefix(':')?, 2)?;
    let (second, mut rest) = digits(rest.strip_prefix(':')?, 2)?;
    if let Some(fraction) = rest.strip_prefix('.') {
        rest = fraction.trim_start_matches(|c: char| c.is_ascii_digit());
        if rest.len() == fraction.len() {
            return None;
        }
    }
    let mut offset = 0i64;
    if !matches!(rest, "Z" | "z") {
        let sign = if rest.starts_with('+') { 1 } else { -1 };
        let (hours, rest) = digits(rest.strip_prefix(['+', '-'])?, 2)?;
        let (minutes, rest) = digits(rest.strip_prefix(':')?, 2)?;
        if hours > 23 || minutes > 59 || !rest.is_empty() {
            return None;
        }
        offset = sign * i64::from(hours * 60 + minutes);
    }
    // A leap second is the last second of a day in UTC.
    let utc = (i64::from(hour * 60 + minute) - offset).rem_euclid(24 * 60);
    let fits = hour < 24 && minute < 60 && (second < 60 || (second == 60 && utc == 24 * 60 - 1));
    fits.then_some(())
}

pub(super) fn date(text: &str) -> bool {
    read_date(text) == Some("")
}

pub(super) fn time(text: &str) -> bool {
    read_time(text).is_some()
}

pub(super) fn date_time(text: &str) -> bool {
    read_date(text).and_then(|rest| read_time(rest.strip_prefix(['T', 't'])?)).is_some()
}

/// Checks that a text consists of numbers with units in this order, without a gap between two units.
fn units(text: &str, order: &str) -> bool {
    let mut rest = text;
    let mut next: Option<usize> = None;
    while !rest.is_empty() {
        let count = rest.bytes().take_while(u8::is_ascii_digit).count();
        let Some(unit) = rest.get(count..).and_then(|rest| rest.chars().next()) else { return false };
        let Some(place) = order.find(unit).filter(|_| count > 0) else { return false };
        if next.is_some_and(|next| next != place) {
            return false;
        }
        next = Some(place + 1);
        rest = &rest[count + unit.len_utf8()..];
    }
    next.is_some()
}

/// Checks a duration of RFC 3339, appendix A.
pub(super) fn duration(text: &str) -> bool {
    let Some(text) = text.strip_prefix('P') else { return false };
    match text.split_once('T') {
        None => units(text, "YMD") || units(text, "W"),
        Some((date, time)) => (date.is_empty() || units(date, "YMD")) && units(time, "HMS"),
    }
}
