//! Prints a JSON tree on one line, or indented by two spaces per level.

use super::reader::special;
use super::{Kind, Node};
use std::fmt;

impl Node {
    /// Returns the value as JSON with two spaces per level. All lines after the first are indented by `level`
    /// more levels.
    ///
    /// ```
    /// let node = skills_text::json::parse(r#"{"a": [1.0, {}]}"#)?;
    /// assert_eq!(node.indented(0), "{\n  \"a\": [\n    1.0,\n    {}\n  ]\n}");
    /// # Ok::<(), skills_text::json::Error>(())
    /// ```
    pub fn indented(&self, level: usize) -> String {
        let mut out = String::new();
        write(&mut out, self, Some(level));
        out
    }

    /// Returns the value as JSON on one line.
    pub fn one_line(&self) -> String {
        let mut out = String::new();
        write(&mut out, self, None);
        out
    }
}

/// Writes the value as JSON on one line.
impl fmt::Display for Node {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.one_line())
    }
}

fn write(out: &mut String, node: &Node, level: Option<usize>) {
    match &node.kind {
        Kind::Null => out.push_str("null"),
        Kind::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Kind::Number(text) => out.push_str(text),
        Kind::String(text) => push_quoted(out, text),
        Kind::Array(items) => list(out, ('[', ']'), items, level, write),
        Kind::Object(members) => list(out, ('{', '}'), members, level, |out, member, level| {
            push_quoted(out, &member.key);
            out.push_str(if level.is_some() { ": " } else { ":" });
            write(out, &member.value, level);
        }),
    }
}

fn list<T>(
    out: &mut String,
    (open, close): (char, char),
    items: &[T],
    level: Option<usize>,
    each: impl Fn(&mut String, &T, Option<usize>),
) {
    out.push(open);
    let inner = level.map(|level| level + 1);
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        line(out, inner);
        each(out, item, inner);
    }
    if !items.is_empty() {
        line(out, level);
    }
    out.push(close);
}

fn line(out: &mut String, level: Option<usize>) {
    if let Some(level) = level {
        out.push('\n');
        for _ in 0..level {
            out.push_str("  ");
        }
    }
}

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
        let at = special(rest.as_bytes(), 0);
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
