//! Encodes and decodes bytes in texts: percent codes of URLs, and hexadecimal digits.

use std::borrow::Cow;

/// Decodes percent encoding (RFC 3986, section 2.1). Invalid sequences, such as `%+5` or a `%` at the end,
/// stay.
///
/// ```
/// use skills_text::percent_decoded;
/// assert_eq!(percent_decoded("a%20b%+5%"), b"a b%+5%");
/// ```
pub fn percent_decoded(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, behind)) = rest.split_first() {
        let code = match behind {
            [high, low, behind @ ..] if *first == b'%' => {
                digit(*high).zip(digit(*low)).map(|(high, low)| (high << 4 | low, behind))
            }
            _ => None,
        };
        let (byte, behind) = code.unwrap_or((*first, behind));
        bytes.push(byte);
        rest = behind;
    }
    bytes
}

/// Decodes percent encoding like [`percent_decoded`]. If the result would not be UTF-8, returns the text
/// unchanged.
pub fn percent_decoded_text(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    String::from_utf8(percent_decoded(text)).map_or(Cow::Borrowed(text), Cow::Owned)
}

/// Percent-encodes every character that is not unreserved (RFC 3986, section 2.3).
///
/// ```
/// assert_eq!(skills_text::percent_encoded("a b/é~"), "a%20b%2F%C3%A9~");
/// ```
pub fn percent_encoded(text: &str) -> String {
    encoded(text, "-._~")
}

/// Percent-encodes the parts of a path like [`percent_encoded`]; the slashes between them stay.
///
/// ```
/// assert_eq!(skills_text::percent_encoded_path("a b/é~"), "a%20b/%C3%A9~");
/// ```
pub fn percent_encoded_path(path: &str) -> String {
    encoded(path, "-._~/")
}

fn encoded(text: &str, stays: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || stays.as_bytes().contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
}

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
fn digit(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        b'A'..=b'F' => Some(byte - b'A' + 10),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // SPEC 3.2, 12.4
    #[test]
    fn codes_are_decoded_and_other_text_stays() {
        for (text, plain) in [
            ("a%20b", "a b"),
            ("%e6%8A%80", "技"),
            ("100%", "100%"),
            ("%zz%4", "%zz%4"),
            ("%ff", "%ff"),
            ("a%+5.md", "a%+5.md"),
            ("%-1%技%2", "%-1%技%2"),
            ("%%41", "%A"),
        ] {
            assert_eq!(percent_decoded_text(text), plain, "{text}");
        }
    }
}
