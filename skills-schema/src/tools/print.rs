//! Writes a JSON tree as text: on one line, or with two blanks per level.

use crate::json::{Kind, Node};

pub(super) fn compact(out: &mut String, node: &Node) {
    write(out, node, None);
}

pub(super) fn indented(out: &mut String, node: &Node, level: usize) {
    write(out, node, Some(level));
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
        out.extend(std::iter::repeat_n("  ", level));
    }
}

fn quote(out: &mut String, text: &str) {
    out.push('"');
    let mut plain = 0;
    for (at, byte) in text.bytes().enumerate() {
        let escape = match byte {
            b'"' => "\\\"",
            b'\\' => "\\\\",
            b'\n' => "\\n",
            b'\r' => "\\r",
            b'\t' => "\\t",
            0..0x20 => "",
            _ => continue,
        };
        out.push_str(&text[plain..at]);
        plain = at + 1;
        match escape {
            "" => out.push_str(&format!("\\u{byte:04x}")),
            escape => out.push_str(escape),
        }
    }
    out.push_str(&text[plain..]);
    out.push('"');
}
