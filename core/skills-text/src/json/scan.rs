//! Finds the end of the plain part of a string, eight bytes at a time.

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// Sets bit 7 of every byte of the result where `word` is zero. Bytes above the first match may be wrong.
const fn zeros(word: u64) -> u64 {
    word.wrapping_sub(ONES) & !word & HIGH
}

/// Returns the offset of the first `"`, `\` or control character at or after `from`, or the length.
#[inline(always)]
pub(crate) fn special(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    while let Some(chunk) = bytes.get(at..).and_then(<[u8]>::first_chunk::<8>) {
        let word = u64::from_le_bytes(*chunk);
        let quote = zeros(word ^ (ONES * b'"' as u64));
        let slash = zeros(word ^ (ONES * b'\\' as u64));
        let control = word.wrapping_sub(ONES * 0x20) & !word & HIGH;
        let hit = quote | slash | control;
        if hit != 0 {
            return at + (hit.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    while let Some(&b) = bytes.get(at) {
        if b == b'"' || b == b'\\' || b < 0x20 {
            break;
        }
        at += 1;
    }
    at
}

/// Returns the offset of the first byte at or after `from` that is not JSON whitespace.
#[inline]
pub(super) fn space(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    while let Some(b' ' | b'\n' | b'\r' | b'\t') = bytes.get(at) {
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_a_byte_loop() {
        // SPEC 3.3: every control character, quote and escape is seen at any offset within a word.
        for special_byte in 0..=255u8 {
            for at in 0..20 {
                let mut bytes = vec![b'a'; 20];
                bytes[at] = special_byte;
                bytes[19] = b'"';
                let slow = bytes.iter().position(|&b| b == b'"' || b == b'\\' || b < 0x20);
                assert_eq!(Some(special(&bytes, 0)), slow, "{special_byte} at {at}");
            }
        }
    }
}
