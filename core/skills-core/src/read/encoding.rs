//! Reports a text that is not UTF-8, with its probable encoding. Used by `reader`.

use super::problem::Problem;
use skills_registry::shell_word;

use crate::rule::files;

/// Reports the invalid byte at `at`.
pub(super) fn not_utf8(path: &str, bytes: &[u8], at: usize) -> Problem {
    let (encoding, label) = match bytes {
        [0xff, 0xfe, ..] => ("UTF-16LE", "the file is UTF-16".to_owned()),
        [0xfe, 0xff, ..] => ("UTF-16BE", "the file is UTF-16".to_owned()),
        _ => {
            let byte = bytes.get(at).copied().unwrap_or_default();
            // 0x80 to 0x9f are letters and quotes in Windows-1252, but control characters in Latin-1.
            let windows = bytes.iter().any(|byte| (0x80..0xa0).contains(byte));
            let encoding = if windows { "WINDOWS-1252" } else { "LATIN1" };
            (encoding, format!("byte 0x{byte:02X} (offset {at}) is not part of a character"))
        }
    };
    let path = shell_word(path);
    let problem = Problem::new(
        &files::NOT_UTF8,
        "the text is not UTF-8",
        format!("save it as UTF-8: `iconv -f {encoding} -t UTF-8 {path} > fixed && mv fixed {path}`"),
    )
    .label(label);
    match decode(encoding, bytes) {
        Some(text) => problem.rewrite(text),
        None => problem,
    }
}

/// Decodes bytes in an encoding; `None` if they are not valid in it.
fn decode(encoding: &str, bytes: &[u8]) -> Option<String> {
    // 0x80 to 0x9f in Windows-1252; 0xfffd for undefined bytes.
    const WINDOWS: [u16; 32] = [
        0x20ac, 0xfffd, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160, 0x2039,
        0x0152, 0xfffd, 0x017d, 0xfffd, 0xfffd, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014,
        0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0xfffd, 0x017e, 0x0178,
    ];
    let units = |pair: fn([u8; 2]) -> u16| {
        let (pairs, []) = bytes.get(2..)?.as_chunks() else { return None };
        String::from_utf16(&pairs.iter().map(|two| pair(*two)).collect::<Vec<u16>>()).ok()
    };
    match encoding {
        "UTF-16LE" => units(u16::from_le_bytes),
        "UTF-16BE" => units(u16::from_be_bytes),
        _ => {
            let letter = |byte: &u8| match byte {
                0x80..0xa0 => {
                    let at = usize::from(*byte - 0x80);
                    char::from_u32(u32::from(*WINDOWS.get(at)?)).filter(|c| *c != char::REPLACEMENT_CHARACTER)
                }
                byte => Some(char::from(*byte)),
            };
            bytes.iter().map(letter).collect()
        }
    }
}
