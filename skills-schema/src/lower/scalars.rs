//! Writes what a schema says about types, numbers, strings and fixed values.

use super::advice::count;
use super::{Lowering, ProblemKind};
use crate::json::quoted;
use crate::json::{Kind, Node, number as decimal};
use crate::tables::{choice, kind, node, number, string};
use crate::{format, pattern};

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

/// The number rules in the order of their places in the block.
pub(super) const BOUNDS: [&str; 5] =
    ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];

impl<'d> Lowering<'d> {
    pub(super) fn scalars(&mut self, at: u32, schema: &'d Node, resource: usize) {
        let types = self.types(schema, resource);
        self.writer.set(at + node::TYPES, types);
        let mut kinds = types;
        if let Some(values) = self.rule(schema, "enum", resource) {
            let values: Vec<&Node> = values.items().iter().collect();
            kinds &= self.choice(at, node::ENUM, &values);
        }
        if let Some(value) = self.rule(schema, "const", resource) {
            kinds &= self.choice(at, node::CONST, &[value]);
        }
        self.writer.set(at + node::KINDS, kinds);
        self.numbers(at, schema, resource);
        self.strings(at, schema, resource);
    }

    fn types(&mut self, schema: &'d Node, resource: usize) -> u32 {
        let Some(value) = self.rule(schema, "type", resource) else { return kind::ALL };
        let mut mask = 0;
        for name in std::iter::once(value).chain(value.items()).filter(|n| n.as_str().is_some()) {
            let text = name.as_str().unwrap_or_default();
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
                text => skills_registry::nearest(text, TYPES.iter().map(|(known, _)| *known)),
            };
            let problem = ProblemKind::UnknownType { name: text.to_owned(), suggestion };
            self.problem(resource, &name.span, problem);
        }
        mask
    }

    /// Writes the values of `enum` or `const`; returns their kinds.
    fn choice(&mut self, at: u32, place: u32, values: &[&Node]) -> u32 {
        let mut block = vec![self.writer.number(values.len()), 0];
        let mut kinds = 0;
        for value in values {
            let (tag, text, value_kind) = match &value.kind {
                Kind::Null => (choice::NULL, String::new(), kind::NULL),
                Kind::Bool(false) => (choice::FALSE, String::new(), kind::BOOL),
                Kind::Bool(true) => (choice::TRUE, String::new(), kind::BOOL),
                Kind::Number(text) if decimal::is_integer(text) => {
                    (choice::NUMBER, text.clone(), kind::INTEGER)
                }
                Kind::Number(text) => (choice::NUMBER, text.clone(), kind::NUMBER),
                Kind::String(text) => (choice::STRING, text.clone(), kind::STRING),
                Kind::Array(_) => (choice::CONTAINER, spell(value), kind::ARRAY),
                Kind::Object(_) => (choice::CONTAINER, spell(value), kind::OBJECT),
            };
            if tag == choice::CONTAINER {
                block[choice::CONTAINERS as usize] = 1;
                let types = self.writer.get(at + node::TYPES);
                self.writer.set(at + node::TYPES, types | node::COMPLEX);
            }
            kinds |= value_kind;
            let (offset, len) = self.writer.intern(&text);
            block.extend([tag, offset, len]);
        }
        let block = self.writer.append(&block);
        self.writer.set(at + place, block);
        kinds
    }

    fn numbers(&mut self, at: u32, schema: &'d Node, resource: usize) {
        let mut block = [0; number::WORDS as usize];
        for (i, name) in BOUNDS.into_iter().enumerate() {
            let Some(Kind::Number(text)) = self.rule(schema, name, resource).map(|value| &value.kind) else {
                continue;
            };
            let (offset, len) = self.writer.intern(text);
            block[0] |= 1 << i;
            let small = decimal::small(text);
            let bytes = small.unwrap_or(0).to_le_bytes();
            let half = |from: usize| {
                u32::from_le_bytes([bytes[from], bytes[from + 1], bytes[from + 2], bytes[from + 3]])
            };
            let entry = [offset, len, u32::from(small.is_some()), half(0), half(4)];
            block[1 + i * 5..6 + i * 5].copy_from_slice(&entry);
        }
        if block[0] != 0 {
            let block = self.writer.append(&block);
            self.writer.set(at + node::NUMBER, block);
        }
    }

    fn strings(&mut self, at: u32, schema: &'d Node, resource: usize) {
        let mut block = [0; string::WORDS as usize];
        let min = self.rule(schema, "minLength", resource).and_then(count);
        let max = self.rule(schema, "maxLength", resource).and_then(count);
        block[string::MIN as usize] = min.unwrap_or(0);
        block[string::MAX as usize] = max.unwrap_or(u32::MAX);
        let mut any = min.is_some() || max.is_some();
        if let Some(value) = self.rule(schema, "pattern", resource) {
            let text = value.as_str().unwrap_or_default();
            block[string::PROGRAM as usize] = self.program(text, &value.span, resource);
            (block[string::PATTERN as usize], block[string::PATTERN_LEN as usize]) = self.writer.intern(text);
            any = true;
        }
        let home = &self.index.resources[resource];
        let asserted = self.formats.are_asserted(home);
        let name = self.get(schema, "format", resource).and_then(Node::as_str).filter(|_| asserted);
        if let Some(id) = name.and_then(|name| format::id(name, home.draft)) {
            block[string::FORMAT as usize] = id;
            any = true;
        }
        if any {
            let block = self.writer.append(&block);
            self.writer.set(at + node::STRING, block);
        }
    }

    /// Writes a pattern's program and returns where; 0 (and a problem) when it is none.
    pub(super) fn program(&mut self, text: &str, span: &std::ops::Range<usize>, resource: usize) -> u32 {
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
                self.problem(resource, span, problem);
                0
            }
        }
    }
}

/// Writes a value as JSON text.
pub(super) fn spell(value: &Node) -> String {
    fn write(out: &mut String, value: &Node) {
        match &value.kind {
            Kind::Null => out.push_str("null"),
            Kind::Bool(yes) => out.push_str(if *yes { "true" } else { "false" }),
            Kind::Number(text) => out.push_str(text),
            Kind::String(text) => quoted(out, text),
            Kind::Array(items) => {
                for (i, item) in items.iter().enumerate() {
                    out.push(if i == 0 { '[' } else { ',' });
                    write(out, item);
                }
                out.push_str(if items.is_empty() { "[]" } else { "]" });
            }
            Kind::Object(members) => {
                for (i, member) in members.iter().enumerate() {
                    out.push(if i == 0 { '{' } else { ',' });
                    quoted(out, &member.key);
                    out.push(':');
                    write(out, &member.value);
                }
                out.push_str(if members.is_empty() { "{}" } else { "}" });
            }
        }
    }
    let mut out = String::new();
    write(&mut out, value);
    out
}
