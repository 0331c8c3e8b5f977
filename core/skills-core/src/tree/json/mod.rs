//! Parses JSON text into a [`Node`] with spans. Every fault is reported, and most are tolerated.

mod fault;

use std::borrow::Cow;
use std::ops::Range;

use skills_schema::json;
use skills_text::{Places, unmarked};

use super::{MapEntry, Node, Scalar, ScalarType, Value};
use crate::{Report, SourceFile, Span};
use fault::diagnose;

/// Parses a whole file; `None` if no part of it could be read.
pub fn parse(file: &SourceFile, report: &mut Report) -> Option<Node> {
    let skipped = file.text.len() - unmarked(&file.text).len();
    parse_part(file, skipped..file.text.len(), report)
}

/// Parses a part of a file, such as a block of code.
pub(crate) fn parse_part(file: &SourceFile, part: Range<usize>, report: &mut Report) -> Option<Node> {
    let skipped = part.start;
    let text = file.text.get(part).unwrap_or_default();
    let span = |range: Range<usize>| file.span(range.start + skipped..range.end + skipped);
    let parsed = json::read(text);
    for fault in &parsed.faults {
        report.push(diagnose(fault.kind, text, fault.start..fault.end, &span));
    }
    parsed.root.map(|root| convert(root, &span))
}

/// Parses a string that holds a JSON object; any other value is returned unchanged.
pub fn unwrapped(node: &Node) -> Cow<'_, Node> {
    match node.as_string().and_then(json::object_in) {
        // Positions inside the string differ from those in the file, so problems are at the whole value.
        Some(object) => Cow::Owned(convert(object, &|_| node.span)),
        None => Cow::Borrowed(node),
    }
}

fn convert(node: json::Node, span: &dyn Fn(Range<usize>) -> Span) -> Node {
    let value = match node.kind {
        json::Kind::Null => Value::Scalar(Scalar { kind: ScalarType::Null, text: "null".to_owned() }),
        json::Kind::Bool(value) => Value::Scalar(Scalar { kind: ScalarType::Bool, text: value.to_string() }),
        json::Kind::Number(text) => Value::Scalar(Scalar { kind: ScalarType::Number, text }),
        json::Kind::String(text) => Value::Scalar(Scalar { kind: ScalarType::String, text }),
        json::Kind::Array(items) => Value::List(items.into_iter().map(|item| convert(item, span)).collect()),
        json::Kind::Object(members) => {
            let mut entries: Vec<MapEntry> = Vec::with_capacity(members.len());
            let mut keys = Places::default();
            for member in members {
                // If a key occurs twice, the first one is kept. The second was already reported.
                if keys.insert(member.key.clone(), entries.len()).is_none() {
                    let key_span = span(member.key_span);
                    entries.push(MapEntry { key: member.key, key_span, value: convert(member.value, span) });
                }
            }
            Value::Map(entries)
        }
    };
    Node { span: span(node.span), value }
}

/// A string as written in JSON, with its quotes. Its escapes are found only once, for the positions of all bytes.
pub(crate) struct Literal<'t> {
    text: &'t str,
    escapes: Vec<Escape>,
}

struct Escape {
    /// Where it begins in the value, and how many bytes it is there.
    value: usize,
    bytes: usize,
    /// Where it begins in the literal, and how many bytes it is there.
    place: usize,
    width: usize,
}

impl<'t> Literal<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        let (mut escapes, mut value, mut place) = (Vec::new(), 0, 1);
        while let Some(plain) = text.get(place..).and_then(|rest| rest.find('\\')) {
            let (width, bytes) = escape(text, place + plain);
            escapes.push(Escape { value: value + plain, bytes, place: place + plain, width });
            value += plain + bytes;
            place += plain + width;
        }
        Self { text, escapes }
    }

    /// Returns the bytes that encode the character at byte `at` of the value, or its last character.
    pub(crate) fn bytes(&self, at: usize) -> Range<usize> {
        skills_text::work::count(1);
        let behind = self.escapes.partition_point(|escape| escape.value <= at);
        let before = behind.checked_sub(1).and_then(|last| self.escapes.get(last));
        let start = match before {
            Some(escape) if at < escape.value + escape.bytes => {
                return escape.place..escape.place + escape.width;
            }
            Some(escape) => escape.place + escape.width + (at - escape.value - escape.bytes),
            None => 1 + at,
        };
        let end = self.text.strip_suffix('"').map_or(self.text.len(), str::len).max(1);
        if start >= end {
            return end..end;
        }
        let start = skills_text::floor(self.text, start);
        let width = self.text.get(start..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
        start..start + width
    }

    /// Returns the place in a file of a byte range of the value; `span` is the place of the literal.
    pub(crate) fn place(&self, span: Span, start: usize, end: usize) -> Span {
        span.part(self.bytes(start).start, self.bytes(end).start)
    }
}

/// Returns the number of bytes of the escape at a place of a literal, and of its character in the value.
fn escape(literal: &str, place: usize) -> (usize, usize) {
    let digits = literal.get(place..place + 6).and_then(|escape| escape.strip_prefix("\\u"));
    match digits.and_then(|digits| u32::from_str_radix(digits, 16).ok()) {
        None => (2, 1),
        Some(0xD800..=0xDBFF) => (12, 4),
        Some(code) => (6, char::from_u32(code).map_or(3, char::len_utf8)),
    }
}

#[cfg(test)]
mod tests {
    use super::Literal;

    #[test]
    fn a_byte_of_a_string_is_found_in_its_literal() {
        // The value is a \ é 😀 b: bytes 0, 1, 2-3, 4-7, 8.
        let literal = r#""a\\\u00e9\ud83d\ude00b""#;
        for (at, spelled) in
            [(0, "a"), (1, r"\\"), (2, r"\u00e9"), (3, r"\u00e9"), (4, r"\ud83d\ude00"), (8, "b"), (9, "")]
        {
            assert_eq!(&literal[Literal::new(literal).bytes(at)], spelled, "{at}");
        }
        assert_eq!(Literal::new("").bytes(3), 1..1, "a text that is not a string literal");
        // SPEC 5.5
        let (literal, value) = (r#""a\nb\u00e9c\ud83e\udd80d""#, "a\nbéc🦀d");
        for (text, at) in [("a", 1), ("\n", 2), ("b", 4), ("é", 5), ("c", 11), ("🦀", 12), ("d", 24)] {
            assert_eq!(Literal::new(literal).bytes(value.find(text).unwrap()).start, at, "{text}");
        }
        assert_eq!(Literal::new(literal).bytes(value.len()).start, literal.len() - 1);
    }
}
