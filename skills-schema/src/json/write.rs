//! Writes strings as JSON text.

use std::fmt::Write as _;

/// Appends a string as JSON: in quotes, with the escapes that must be and no others.
///
/// ```
/// let mut out = String::new();
/// skills_schema::json::quoted(&mut out, "a \"b\"\n");
/// assert_eq!(out, r#""a \"b\"\n""#);
/// ```
pub fn quoted(out: &mut String, text: &str) {
    out.push('"');
    let mut plain = 0;
    for (at, byte) in text.bytes().enumerate() {
        // All of these are one byte long, so what lies between them is whole characters.
        let escape = match byte {
            b'"' => "\\\"",
            b'\\' => "\\\\",
            b'\n' => "\\n",
            b'\r' => "\\r",
            b'\t' => "\\t",
            0..0x20 => "",
            _ => continue,
        };
        out.push_str(text.get(plain..at).unwrap_or(""));
        plain = at + 1;
        match escape {
            // Writing to a string cannot fail.
            "" => drop(write!(out, "\\u{byte:04x}")),
            escape => out.push_str(escape),
        }
    }
    out.push_str(text.get(plain..).unwrap_or(""));
    out.push('"');
}
