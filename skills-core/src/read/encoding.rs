//! A text that is not UTF-8 becomes a problem that says what it may be instead; `reader` calls it.

use super::problem::Problem;
use crate::rule::files;
use crate::shell;

/// Says what is wrong with the byte at `at`.
pub(super) fn not_utf8(path: &str, bytes: &[u8], at: usize) -> Problem {
    let (encoding, label) = match bytes {
        [0xff, 0xfe, ..] => ("UTF-16LE", "the file is UTF-16".to_owned()),
        [0xfe, 0xff, ..] => ("UTF-16BE", "the file is UTF-16".to_owned()),
        _ => {
            let byte = bytes.get(at).copied().unwrap_or_default();
            // 0x80 to 0x9f are letters and quotes in the Windows table, and controls in Latin-1.
            let windows = bytes.iter().any(|byte| (0x80..0xa0).contains(byte));
            let encoding = if windows { "WINDOWS-1252" } else { "LATIN1" };
            (encoding, format!("byte 0x{byte:02X} (offset {at}) is part of no character"))
        }
    };
    let path = shell::word(path);
    Problem::new(
        &files::NOT_UTF8,
        "text is not UTF-8",
        format!("save it as UTF-8: `iconv -f {encoding} -t UTF-8 {path} > mended && mv mended {path}`"),
    )
    .label(label)
}
