//! Places as the protocol counts them, in lines from 0 and UTF-16 units, and paths as URIs.

use std::ops::Range;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

/// Writes an offset of a text as a position.
pub(crate) fn position(text: &str, offset: usize) -> Value {
    let offset = floor(text, offset);
    let before = &text[..offset];
    let line = before.bytes().filter(|byte| *byte == b'\n').count();
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    json!({ "line": line, "character": before[start..].encode_utf16().count() })
}

/// Writes bytes of a text as a range.
pub(crate) fn range(text: &str, range: Range<usize>) -> Value {
    json!({ "start": position(text, range.start), "end": position(text, range.end) })
}

/// Reads a position as an offset of a text; what lies behind a line or the text is its end.
pub(crate) fn offset(text: &str, position: &Value) -> usize {
    let number = |key: &str| position[key].as_u64().and_then(|n| usize::try_from(n).ok()).unwrap_or(0);
    let (line, character) = (number("line"), number("character"));
    let mut start = 0;
    for _ in 0..line {
        match text[start..].find('\n') {
            Some(feed) => start += feed + 1,
            None => return text.len(),
        }
    }
    let rest = text[start..].split('\n').next().unwrap_or_default();
    let rest = rest.strip_suffix('\r').unwrap_or(rest);
    let mut units = 0;
    for (at, c) in rest.char_indices() {
        if units >= character {
            return start + at;
        }
        units += c.len_utf16();
    }
    start + rest.len()
}

/// Reads a range.
pub(crate) fn bytes(text: &str, range: &Value) -> Range<usize> {
    let start = offset(text, &range["start"]);
    start..offset(text, &range["end"]).max(start)
}

fn floor(text: &str, offset: usize) -> usize {
    (0..=offset.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// Reads a `file:` URI as a path.
pub(crate) fn path(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    let rest = rest.strip_prefix("localhost").unwrap_or(rest);
    let mut bytes = Vec::with_capacity(rest.len());
    let mut at = 0;
    let raw = rest.as_bytes();
    while let Some(byte) = raw.get(at) {
        let hex = (*byte == b'%').then(|| rest.get(at + 1..at + 3)).flatten();
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(decoded) => {
                bytes.push(decoded);
                at += 3;
            }
            None => {
                bytes.push(*byte);
                at += 1;
            }
        }
    }
    let text = String::from_utf8(bytes).ok()?;
    // `/C:/x` is a path of Windows.
    let drive = text.strip_prefix('/').filter(|rest| cfg!(windows) && rest.as_bytes().get(1) == Some(&b':'));
    Some(PathBuf::from(drive.unwrap_or(&text)))
}

/// Writes a path as a `file:` URI.
pub(crate) fn uri(path: &Path) -> String {
    let text = path.to_string_lossy().replace('\\', "/");
    let mut uri = String::from("file://");
    if !text.starts_with('/') {
        uri.push('/');
    }
    for byte in text.bytes() {
        match byte {
            b'/' | b'-' | b'_' | b'.' | b'~' => uri.push(char::from(byte)),
            _ if byte.is_ascii_alphanumeric() => uri.push(char::from(byte)),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    // SPEC 17.10
    #[test]
    fn positions_are_counted_in_utf16() {
        let text = "a\n技🎉é\r\nz";
        for (at, line, character) in
            [(0, 0, 0), (2, 1, 0), (5, 1, 1), (9, 1, 3), (11, 1, 4), (13, 2, 0), (14, 2, 1)]
        {
            let place = json!({ "line": line, "character": character });
            assert_eq!(position(text, at), place, "{at}");
            assert_eq!(offset(text, &place), at);
        }
        assert_eq!(offset(text, &json!({ "line": 1, "character": 99 })), 11);
        assert_eq!(offset(text, &json!({ "line": 9, "character": 0 })), text.len());
    }

    #[test]
    fn paths_come_back() {
        for text in ["/a b/ä%/c#d.md", "/plain/SKILL.md"] {
            assert_eq!(path(&uri(Path::new(text))).as_deref(), Some(Path::new(text)));
        }
        assert_eq!(path("untitled:1"), None);
    }
}
