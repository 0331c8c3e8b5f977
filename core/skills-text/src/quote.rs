//! Writes JSON strings, for code that writes JSON without a library.

use crate::json::scan;

/// Appends a text as a quoted JSON string, escaped like `serde_json` does.
///
/// ```
/// let mut out = String::new();
/// skills_text::push_quoted(&mut out, "a \"b\"\n");
/// assert_eq!(out, r#""a \"b\"\n""#);
/// ```
pub fn push_quoted(out: &mut String, text: &str) {
    out.reserve(text.len() + 2);
    out.push('"');
    let mut rest = text;
    loop {
        let at = scan::special(rest.as_bytes(), 0);
        let Some(&byte) = rest.as_bytes().get(at) else { break };
        let escape = match byte {
            b'"' => '"',
            b'\\' => '\\',
            0x08 => 'b',
            0x0c => 'f',
            b'\n' => 'n',
            b'\r' => 'r',
            b'\t' => 't',
            _ => 'u',
        };
        // Escaped characters are all one byte long, so the parts between them are valid UTF-8.
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        out.push('\\');
        out.push(escape);
        if escape == 'u' {
            out.push_str(if byte < 0x10 { "000" } else { "001" });
            out.push(char::from_digit(u32::from(byte) % 16, 16).unwrap_or_default());
        }
    }
    out.push_str(rest);
    out.push('"');
}

#[cfg(test)]
mod tests {
    #[test]
    fn controls_and_quotes_are_escaped_and_nothing_else() {
        let mut out = String::new();
        super::push_quoted(&mut out, "\0\u{8}\u{c}\u{1f}\t\r\n\\\"/é\u{7f}\u{2028}");
        assert_eq!(out, "\"\\u0000\\b\\f\\u001f\\t\\r\\n\\\\\\\"/é\u{7f}\u{2028}\"");
    }
}
