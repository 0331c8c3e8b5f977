//! Describes expected and actual values for violations.

use skills_text::cut;

use super::source::Cursor;
use crate::json::reader::ValueType;
use crate::tables::{View, choice, kind};

/// Longer texts are cut to this many characters.
const MAX_CHARS: usize = 60;

pub(crate) fn string(text: &str) -> String {
    format!("{:?}", cut(text, MAX_CHARS))
}

pub(super) fn number(text: &str) -> String {
    cut(text, MAX_CHARS)
}

pub(super) fn value(cursor: Cursor<'_>) -> String {
    let token = cursor.token();
    match token.kind {
        ValueType::Null => "null".to_owned(),
        ValueType::Bool => (token.a == 1).to_string(),
        ValueType::Number => number(cursor.text()),
        ValueType::String => string(cursor.text()),
        ValueType::Array => "an array".to_owned(),
        ValueType::Object => "an object".to_owned(),
    }
}

/// Joins alternatives: `a, b or c`.
pub fn one_of(names: &[String]) -> String {
    match names {
        [] => "nothing".to_owned(),
        [one] => one.clone(),
        [rest @ .., last] => format!("{} or {last}", rest.join(", ")),
    }
}

/// Describes the kinds in a mask.
pub(super) fn types(mask: u32) -> String {
    const NAMES: [(u32, &str); 7] = [
        (kind::STRING, "a string"),
        (kind::INTEGER | kind::NUMBER, "a number"),
        (kind::INTEGER, "an integer"),
        (kind::BOOL, "a boolean"),
        (kind::ARRAY, "an array"),
        (kind::OBJECT, "an object"),
        (kind::NULL, "null"),
    ];
    let mut left = mask;
    let mut words = Vec::new();
    for (bits, name) in NAMES {
        if left & bits == bits {
            left &= !bits;
            words.push(name.to_owned());
        }
    }
    one_of(&words)
}

/// Describes a value of an `enum` or `const` block.
pub(super) fn fixed(tag: u32, text: &str) -> String {
    match tag {
        choice::NULL => "null".to_owned(),
        choice::FALSE => "false".to_owned(),
        choice::TRUE => "true".to_owned(),
        choice::STRING => string(text),
        _ => cut(text, MAX_CHARS),
    }
}

/// Describes the values of `enum` and `const` blocks.
pub(super) fn choices(tables: View<'_>, blocks: &[u32]) -> String {
    const SHOWN: usize = 20;
    let all = blocks.iter().flat_map(|block| entries(tables, *block));
    let shown = all.take(SHOWN).map(|entry| fixed(tables.word(entry), tables.text_at(entry + 1)));
    let mut words: Vec<String> = shown.collect();
    let count: usize = blocks.iter().map(|block| tables.word(block + choice::COUNT) as usize).sum();
    if count > SHOWN {
        words.push(format!("{} more", count - SHOWN));
    }
    one_of(&words)
}

/// Returns the positions of the values in an `enum` or `const` block.
pub(super) fn entries(tables: View<'_>, block: u32) -> impl Iterator<Item = u32> {
    (0..tables.word(block + choice::COUNT)).map(move |i| block + choice::FIRST + i * choice::STRIDE)
}
