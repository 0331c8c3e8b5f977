//! The encoding Windows-1252, in which editors save text by mistake.

/// The characters of the bytes 0x80 to 0x9f, with NUL for undefined bytes. All other bytes are the same as in Latin-1.
const UPPER: &str = "€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ";

/// Returns the character of a byte; `None` for an undefined byte.
pub(crate) fn decode(byte: u8) -> Option<char> {
    match byte {
        0x80..0xa0 => UPPER.chars().nth(usize::from(byte - 0x80)).filter(|c| *c != '\0'),
        byte => Some(char::from(byte)),
    }
}

/// Returns the byte of a character; `None` if the encoding lacks it.
pub(crate) fn encode(c: char) -> Option<u8> {
    match u32::from(c) {
        code @ (0..0x80 | 0xa0..0x100) => u8::try_from(code).ok(),
        _ => (0x80..).zip(UPPER.chars()).find(|(_, known)| *known == c).map(|(byte, _)| byte),
    }
}

#[cfg(test)]
mod tests {
    use super::{decode, encode};

    #[test]
    fn a_byte_is_read_back_as_it_was_written() {
        let defined: Vec<u8> = (0..=0xff).filter(|byte| decode(*byte).is_some()).collect();
        assert_eq!(defined.len(), 256 - 5);
        for byte in defined {
            assert_eq!(decode(byte).and_then(encode), Some(byte), "{byte:#x}");
        }
        assert_eq!((decode(0x80), encode('技'), encode('\u{81}')), (Some('€'), None, None));
    }
}
