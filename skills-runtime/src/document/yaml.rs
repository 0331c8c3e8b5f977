//! JSON becomes YAML 1.2 that readers of YAML 1.1 read alike: keys of a block, values in the flow style, texts in quotes.

use std::fmt::Write;

use skills_schema::json::{Kind, Node};

/// What YAML 1.1 takes for something else than a text.
const WORDS: [&str; 9] = ["false", "n", "no", "null", "off", "on", "true", "y", "yes"];

/// Writes a value in the flow style.
pub(super) fn value(text: &mut String, node: &Node) {
    match &node.kind {
        Kind::String(content) => quote(text, content),
        Kind::Array(items) => {
            text.push('[');
            for (at, item) in items.iter().enumerate() {
                text.push_str(if at > 0 { ", " } else { "" });
                value(text, item);
            }
            text.push(']');
        }
        Kind::Object(members) => {
            text.push('{');
            for (at, member) in members.iter().enumerate() {
                text.push_str(if at > 0 { ", " } else { "" });
                quote(text, &member.key);
                text.push_str(": ");
                value(text, &member.value);
            }
            text.push('}');
        }
        _ => text.push_str(&node.to_string()),
    }
}

/// Writes a key.
pub(super) fn key(text: &mut String, key: &str) {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    if !WORDS.iter().any(|word| word.eq_ignore_ascii_case(key))
        && key.starts_with(|c: char| c.is_ascii_alphabetic())
        && key.chars().all(is_plain)
    {
        text.push_str(key);
    } else {
        quote(text, key);
    }
}

/// Writes a text in double quotes of YAML 1.2: one line, whatever the text is.
fn quote(text: &mut String, value: &str) {
    text.push('"');
    for character in value.chars() {
        match character {
            '"' | '\\' => text.extend(['\\', character]),
            '\n' => text.push_str("\\n"),
            '\t' => text.push_str("\\t"),
            // Controls, line breaks of older YAML, the byte order mark, and what YAML calls not printable.
            '\0'..='\u{1f}'
            | '\u{7f}'..='\u{9f}'
            | '\u{2028}'
            | '\u{2029}'
            | '\u{feff}'
            | '\u{fffe}'
            | '\u{ffff}' => {
                let _: std::fmt::Result = write!(text, "\\u{:04x}", u32::from(character));
            }
            _ => text.push(character),
        }
    }
    text.push('"');
}
