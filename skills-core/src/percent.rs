//! Percent-encoded text becomes plain text: for links in bodies and for references in schemas.

/// Decodes `%41` and the like; what is no code stays, and a text that would not be UTF-8 stays whole.
pub(crate) fn decode(text: &str) -> String {
    if !text.contains('%') {
        return text.to_owned();
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        let code = tail.get(..2).filter(|_| *first == b'%').and_then(|hex| std::str::from_utf8(hex).ok());
        match code.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &tail[2..];
            }
            None => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn codes_are_decoded_and_all_else_stays() {
        for (text, plain) in
            [("a%20b", "a b"), ("%e6%8a%80", "技"), ("100%", "100%"), ("%zz%4", "%zz%4"), ("%ff", "%ff")]
        {
            assert_eq!(decode(text), plain, "{text}");
        }
    }
}
