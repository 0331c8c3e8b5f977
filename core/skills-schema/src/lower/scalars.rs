//! Writes the rules for types, numbers, strings and fixed values.

use super::containers::bound;
use super::{Lowering, ProblemKind};
use crate::document::{Part, Value};
use crate::json::number as decimal;
use crate::run::compare;
use crate::tables::{choice, kind, node, number, string};
use crate::{format, pattern};
use skills_text::order;

/// The names of the types and the kinds they allow.
const TYPES: &[(&str, u32)] = &[
    ("null", kind::NULL),
    ("boolean", kind::BOOL),
    ("integer", kind::INTEGER),
    ("number", kind::INTEGER | kind::NUMBER),
    ("string", kind::STRING),
    ("array", kind::ARRAY),
    ("object", kind::OBJECT),
];

/// The rules for numbers, in the order of their positions in the block.
pub(super) const BOUNDS: [&str; 5] =
    ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];

impl<'d> Lowering<'d> {
    pub(super) fn scalars(&mut self, at: u32, schema: Part<'d>) {
        let types = self.types(schema);
        self.writer.set(at + node::TYPES, types);
        let mut kinds = types;
        if let Some(values) = schema.rule("enum") {
            kinds &= self.choice(at, node::ENUM, &values.items());
        }
        if let Some(value) = schema.rule("const") {
            kinds &= self.choice(at, node::CONST, &[value]);
        }
        self.writer.set(at + node::KINDS, kinds);
        self.numbers(at, schema);
        self.strings(at, schema);
    }

    fn types(&mut self, schema: Part<'d>) -> u32 {
        let Some(value) = schema.rule("type") else { return kind::ALL };
        let mut mask = 0;
        for name in std::iter::once(value).chain(value.items()) {
            let Some(text) = name.as_str() else { continue };
            if let Some((_, kinds)) = TYPES.iter().find(|(known, _)| *known == text) {
                mask |= kinds;
                continue;
            }
            let suggestion = match text {
                "int" | "long" | "int32" | "int64" => Some("integer"),
                "float" | "double" | "decimal" => Some("number"),
                "bool" => Some("boolean"),
                "str" | "text" | "date" => Some("string"),
                "list" | "tuple" => Some("array"),
                "dict" | "map" => Some("object"),
                "none" | "None" | "nil" => Some("null"),
                text => skills_text::nearest(text, TYPES.iter().map(|(known, _)| *known)),
            };
            let problem = ProblemKind::UnknownType { name: text.to_owned(), suggestion };
            self.problem(schema, &name.span(), problem);
        }
        mask
    }

    /// Writes the values of `enum` or `const`. Returns their kinds.
    fn choice(&mut self, at: u32, place: u32, values: &[Part<'_>]) -> u32 {
        let mut block = vec![0; choice::FIRST as usize];
        block[choice::COUNT as usize] = self.writer.number(values.len());
        let mut kinds = 0;
        let mut written: Vec<(u32, String)> = Vec::with_capacity(values.len());
        for value in values {
            let (tag, text, value_kind) = match value.value() {
                Value::Null => (choice::NULL, String::new(), kind::NULL),
                Value::Bool(false) => (choice::FALSE, String::new(), kind::BOOL),
                Value::Bool(true) => (choice::TRUE, String::new(), kind::BOOL),
                Value::Number(text) if decimal::is_integer(text) => {
                    (choice::NUMBER, text.clone(), kind::INTEGER)
                }
                Value::Number(text) => (choice::NUMBER, text.clone(), kind::NUMBER),
                Value::String(text) => (choice::STRING, text.clone(), kind::STRING),
                Value::Array(_) => (choice::CONTAINER, value.to_node().to_string(), kind::ARRAY),
                Value::Object(_) => (choice::CONTAINER, value.to_node().to_string(), kind::OBJECT),
            };
            if tag == choice::CONTAINER {
                block[choice::CONTAINERS as usize] = 1;
                self.complex(at);
            }
            kinds |= value_kind;
            let (offset, len) = self.writer.intern(&text);
            block.extend([tag, offset, len]);
            written.push((tag, text));
        }
        if written.len() > choice::LINEAR_SEARCH_MAX as usize {
            let sorted = order(written.len(), &|a, b| {
                let ((a, a_text), (b, b_text)) = (&written[a], &written[b]);
                compare((*a, a_text), (*b, b_text))
            });
            let sorted: Vec<u32> = sorted.into_iter().map(|i| self.writer.number(i)).collect();
            block[choice::SORTED as usize] = self.writer.append(&sorted);
        }
        let block = self.writer.append(&block);
        self.writer.set(at + place, block);
        kinds
    }

    fn numbers(&mut self, at: u32, schema: Part<'d>) {
        let mut block = [0; number::WORDS as usize];
        for (i, name) in BOUNDS.into_iter().enumerate() {
            let Some(Value::Number(text)) = schema.rule(name).map(Part::value) else {
                continue;
            };
            let (offset, len) = self.writer.intern(text);
            block[0] |= 1 << i;
            let small = decimal::small(text);
            let [a, b, c, d, e, f, g, h] = small.unwrap_or(0).to_le_bytes();
            let [low, high] = [[a, b, c, d], [e, f, g, h]].map(u32::from_le_bytes);
            let entry = [offset, len, u32::from(small.is_some()), low, high];
            block[1 + i * 5..6 + i * 5].copy_from_slice(&entry);
        }
        if block[0] != 0 {
            let block = self.writer.append(&block);
            self.writer.set(at + node::NUMBER, block);
        }
    }

    fn strings(&mut self, at: u32, schema: Part<'d>) {
        let mut block = [0; string::WORDS as usize];
        block[string::MIN as usize] = bound(schema, "minLength", 0);
        block[string::MAX as usize] = bound(schema, "maxLength", u32::MAX);
        let mut any = schema.rule("minLength").or_else(|| schema.rule("maxLength")).is_some();
        if let Some(value) = schema.rule("pattern") {
            let text = value.as_str().unwrap_or_default();
            block[string::PROGRAM as usize] = self.program(text, &value.span(), schema);
            (block[string::PATTERN as usize], block[string::PATTERN_LEN as usize]) = self.writer.intern(text);
            any = true;
        }
        let asserted = self.document.asserts_formats(schema.resource());
        let name = schema.keyword_value("format").and_then(Part::as_str).filter(|_| asserted);
        if let Some(id) = name.and_then(|name| format::id(name, schema.draft())) {
            block[string::FORMAT as usize] = id;
            any = true;
        }
        if any {
            let block = self.writer.append(&block);
            self.writer.set(at + node::STRING, block);
        }
    }

    /// Writes a pattern's program and returns its position. If the pattern is not valid, adds a problem and
    /// returns 0.
    pub(super) fn program(&mut self, text: &str, span: &std::ops::Range<usize>, schema: Part<'_>) -> u32 {
        match pattern::compile(text, self.writer.text()) {
            Ok(program) => {
                let len = self.writer.number(program.len());
                let at = self.writer.append(&[len]);
                self.writer.append(&program);
                at
            }
            Err(fault) => {
                let problem = ProblemKind::InvalidPattern {
                    pattern: text.to_owned(),
                    reason: fault.reason,
                    at: fault.at,
                };
                self.problem(schema, span, problem);
                0
            }
        }
    }
}
