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

/// Decodes `N` pairs of hexadecimal digits in upper or lower case. Returns `None` for any other text.
///
/// ```
/// use skills_text::unhex;
/// assert_eq!(unhex("00fF"), Some([0, 255]));
/// assert!(["00ff00", "+100", "0", "0g00", "éé"].map(unhex::<2>).iter().all(Option::is_none));
/// ```
pub fn unhex<const N: usize>(text: &str) -> Option<[u8; N]> {
    let (pairs, []) = text.as_bytes().as_chunks() else { return None };
    let mut bytes = [0; N];
    if pairs.len() != N {
        return None;
    }
    for (byte, [high, low]) in bytes.iter_mut().zip(pairs) {
        *byte = digit(*high)? << 4 | digit(*low)?;
    }
    Some(bytes)
}

/// Returns the value of a hexadecimal digit.
pub(crate) fn digit(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        b'A'..=b'F' => Some(byte - b'A' + 10),
        _ => None,
    }
}
