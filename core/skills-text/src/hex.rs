//! Hexadecimal encoding and decoding: for digests in tables, lock files, trust and signatures.

/// Writes bytes in lower-case hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    let mut hex = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        for half in &[byte >> 4, byte & 15] {
            hex.push(char::from(b"0123456789abcdef"[usize::from(*half)]));
        }
    }
    hex
}

/// Decodes pairs of hexadecimal digits in upper or lower case. Returns `None` for any other text.
///
/// ```
/// use skills_text::unhex;
/// assert_eq!(unhex("00fF"), Some(vec![0, 255]));
/// assert!(["+1", "0", "0g", "é"].map(unhex).iter().all(Option::is_none));
/// ```
pub fn unhex(text: &str) -> Option<Vec<u8>> {
    let (pairs, []) = text.as_bytes().as_chunks() else { return None };
    let mut bytes = Vec::with_capacity(pairs.len());
    for [high, low] in pairs {
        bytes.push(digit(*high)? << 4 | digit(*low)?);
    }
    Some(bytes)
}

/// Returns the value of a hexadecimal digit.
pub(crate) fn digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}
