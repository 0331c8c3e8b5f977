//! Reports a text that is not UTF-8, with its probable encoding. Used by `reader`.

use super::problem::UnplacedProblem;
use skills_text::shell_word;

use crate::rule::files;
use crate::windows_1252;

/// Reports the invalid byte at `at`.
pub(super) fn not_utf8(path: &str, bytes: &[u8], at: usize) -> UnplacedProblem {
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
    let problem = UnplacedProblem::new(
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
    let units = |pair: fn([u8; 2]) -> u16| {
        let (pairs, []) = bytes.get(2..)?.as_chunks() else { return None };
        String::from_utf16(&pairs.iter().map(|two| pair(*two)).collect::<Vec<u16>>()).ok()
    };
    match encoding {
        "UTF-16LE" => units(u16::from_le_bytes),
        "UTF-16BE" => units(u16::from_be_bytes),
        _ => bytes.iter().map(|byte| windows_1252::decode(*byte)).collect(),
    }
}
