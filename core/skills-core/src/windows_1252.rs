//! The encoding Windows-1252, in which editors save text by mistake.

/// The characters of the bytes 0x80 to 0x9f; `None` for undefined bytes. All other bytes are those of Latin-1.
const UPPER: [Option<char>; 32] = [
    Some('€'),
    None,
    Some('‚'),
    Some('ƒ'),
    Some('„'),
    Some('…'),
    Some('†'),
    Some('‡'),
    Some('ˆ'),
    Some('‰'),
    Some('Š'),
    Some('‹'),
    Some('Œ'),
    None,
    Some('Ž'),
    None,
    None,
    Some('‘'),
    Some('’'),
    Some('“'),
    Some('”'),
    Some('•'),
    Some('–'),
    Some('—'),
    Some('˜'),
    Some('™'),
    Some('š'),
    Some('›'),
    Some('œ'),
    None,
    Some('ž'),
    Some('Ÿ'),
];

/// Returns the character of a byte; `None` for an undefined byte.
pub(crate) fn decode(byte: u8) -> Option<char> {
    match byte {
        0x80..0xa0 => UPPER.get(usize::from(byte - 0x80)).copied().flatten(),
        byte => Some(char::from(byte)),
    }
}

/// Returns the byte of a character; `None` if the encoding lacks it.
pub(crate) fn encode(c: char) -> Option<u8> {
    match u32::from(c) {
        code @ (0..0x80 | 0xa0..0x100) => u8::try_from(code).ok(),
        _ => (0x80..0xa0).find(|byte| decode(*byte) == Some(c)),
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
