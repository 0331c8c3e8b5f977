//! Prints a JSON tree on one line, or indented by two spaces per level.

use std::fmt;

use super::{Kind, Node, quoted as quote};

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
        Kind::String(text) => quote(out, text),
        Kind::Array(items) => list(out, ('[', ']'), items, level, write),
        Kind::Object(members) => list(out, ('{', '}'), members, level, |out, member, level| {
            quote(out, &member.key);
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
