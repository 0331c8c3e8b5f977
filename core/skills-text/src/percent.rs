//! Percent encoding and decoding: for links in bodies, references in schemas, and addresses of files and
//! servers.

use std::borrow::Cow;

use crate::hex::digit;

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

#[cfg(test)]
mod tests {
    use super::percent_decoded_text;

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
