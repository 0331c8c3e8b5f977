//! Parses and formats sizes in bytes: for limits of bundles and runs.

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
