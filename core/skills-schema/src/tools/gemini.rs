//! Converts JSON Schema to Gemini's subset of OpenAPI: no references, one type per schema, only enums of
//! strings.
//!
//! Rules that the subset cannot express are added to the description (formats, fixed numbers) or left out.

use crate::Document;
use crate::json::make::{self, array, boolean, object, string};
use crate::json::{Kind, Node};
use skills_text::Decimal;

use super::copy::{self, copy};
use super::merge::merge;
use super::tree;
use tree::types;

/// The maximum number of schemas in a definition. References are replaced with their targets everywhere.
const LIMIT: usize = 2_000;
/// The maximum nesting depth of references.
const NESTED: usize = 16;

/// Converts the (object) schema of an input. Returns `None` if it has no properties, since Gemini accepts
/// only absent parameters then.
pub(crate) fn parameters(input: &Node, document: &Document) -> Option<Node> {
    let mut gemini = Gemini { document, left: LIMIT, around: Vec::new() };
    let parameters = gemini.schema(input);
    parameters.get("properties").is_some().then_some(parameters)
}

struct Gemini<'d> {
    document: &'d Document,
    left: usize,
    /// The targets of the references that are being followed.
    around: Vec<u32>,
}

impl Gemini<'_> {
    fn schema(&mut self, schema: &Node) -> Node {
        if self.left == 0 || !matches!(schema.kind, Kind::Object(_)) {
            return untyped();
        }
        self.left -= 1;
        let outside = self.around.len();
        let mut flat = self.flat(schema);
        let out = self.flattened(&mut flat);
        self.around.truncate(outside);
        out
    }

    /// Returns the schema with its references followed and its `allOf` merged into it.
    fn flat(&mut self, schema: &Node) -> Node {
        let mut schema = schema.clone();
        while let Some(reference) = schema.remove("$ref") {
            let Some(target) = copy::target(self.document, &reference) else { break };
            if self.around.contains(&target.number()) || self.around.len() >= NESTED || self.left == 0 {
                break;
            }
            self.left -= 1;
            self.around.push(target.number());
            let target = copy(target);
            merge(&mut schema, &target);
            if let Some(next) = target.get("$ref") {
                schema.set("$ref", next.clone());
            }
        }
        if let Some(parts) = schema.remove("allOf") {
            for part in parts.items() {
                let part = self.flat(part);
                merge(&mut schema, &part);
            }
        }
        schema
    }

    fn flattened(&mut self, schema: &mut Node) -> Node {
        let mut nullable = types(schema).iter().any(|name| name == "null");
        let mut branches = Vec::new();
        while let Some(union) = union(schema) {
            let (nulls, rest): (Vec<Node>, Vec<Node>) = union.items().iter().cloned().partition(is_null);
            nullable |= !nulls.is_empty();
            let is_typed = types(schema).iter().any(|name| name != "null");
            if rest.len() != 1 && !is_typed {
                branches = rest;
                break;
            }
            // A schema cannot have both a type and a choice. The choice is left out, and its properties are
            // shown.
            let is_only = rest.len() == 1;
            for branch in rest {
                let mut branch = self.flat(&branch);
                nullable |= types(&branch).iter().any(|name| name == "null");
                if !is_only {
                    ["required", "anyOf", "oneOf"].iter().for_each(|key| drop(branch.remove(key)));
                }
                merge(schema, &branch);
            }
        }
        let mut out = if branches.is_empty() {
            self.kinds(schema, &mut nullable)
        } else {
            object([("anyOf", array(branches.iter().map(|branch| self.schema(branch))))])
        };
        if nullable && out.get("type").and_then(Node::as_str) != Some("NULL") {
            out.set("nullable", boolean(true));
        }
        describe(&mut out, schema);
        out
    }

    /// Returns the schema with its type, or a choice if there are several types.
    fn kinds(&mut self, schema: &Node, nullable: &mut bool) -> Node {
        let values = values(schema);
        *nullable |= values.iter().flatten().any(|value| value.kind == Kind::Null);
        let names: Vec<String> = match types(schema) {
            names if names.is_empty() => inferred(schema, values.as_deref()),
            names => names,
        };
        let rest: Vec<&String> = names.iter().filter(|name| *name != "null").collect();
        match rest.as_slice() {
            [] if names.is_empty() => untyped(),
            [] => object([("type", string("NULL"))]),
            [one] => self.typed(one, schema),
            several => object([("anyOf", array(several.iter().map(|name| self.typed(name, schema))))]),
        }
    }

    fn typed(&mut self, name: &str, schema: &Node) -> Node {
        let mut out = object([("type", string(name.to_ascii_uppercase()))]);
        let entries = match name {
            "string" => vec![
                ("format", format(schema, &["date-time"])),
                ("minLength", count(schema, "minLength")),
                ("maxLength", count(schema, "maxLength")),
                ("pattern", text(schema, "pattern")),
                ("enum", words(schema)),
            ],
            "number" | "integer" => {
                let known: &[&str] =
                    if name == "number" { &["float", "double"] } else { &["int32", "int64"] };
                let above = number(schema, "exclusiveMinimum").map(|bound| beyond(bound, name, 1));
                let below = number(schema, "exclusiveMaximum").map(|bound| beyond(bound, name, -1));
                vec![
                    ("format", format(schema, known)),
                    ("minimum", number(schema, "minimum").or(above)),
                    ("maximum", number(schema, "maximum").or(below)),
                ]
            }
            "array" => vec![
                ("minItems", count(schema, "minItems")),
                ("maxItems", count(schema, "maxItems")),
                ("items", Some(self.items(schema))),
            ],
            _ => Vec::new(),
        };
        for (key, value) in entries {
            if let Some(value) = value {
                out.set(key, value);
            }
        }
        if name == "object" {
            self.members(schema, &mut out);
        }
        out
    }

    fn members(&mut self, schema: &Node, out: &mut Node) {
        let properties = schema.get("properties").map(Node::members).unwrap_or_default();
        if properties.is_empty() {
            return;
        }
        let converted =
            properties.iter().map(|property| make::member(&property.key, self.schema(&property.value)));
        out.set("properties", make::node(Kind::Object(converted.collect())));
        let mut required = tree::names(schema.get("required"));
        required.retain(|name| properties.iter().any(|property| property.key == *name));
        if !required.is_empty() {
            out.set("required", tree::strings(&required));
        }
    }

    /// Returns the schema of an array's items: one schema, or a choice of the schemas in a tuple.
    fn items(&mut self, schema: &Node) -> Node {
        let tuple =
            schema.get("prefixItems").or_else(|| schema.get("items")).map(Node::items).unwrap_or_default();
        let mut kinds: Vec<Node> = Vec::new();
        for item in tuple {
            let item = self.schema(item);
            if !kinds.contains(&item) {
                kinds.push(item);
            }
        }
        match (kinds.len(), schema.get("items")) {
            (0, Some(items)) => self.schema(items),
            (0, None) => untyped(),
            (1, _) => kinds.remove(0),
            _ => object([("anyOf", array(kinds))]),
        }
    }
}

/// Removes the choice from a schema and returns it. If it has both `anyOf` and `oneOf`, only the first can be
/// expressed.
fn union(schema: &mut Node) -> Option<Node> {
    let (any, one) = (schema.remove("anyOf"), schema.remove("oneOf"));
    any.or(one)
}

/// Returns a schema for any value. Gemini requires a type everywhere.
fn untyped() -> Node {
    let kinds = ["STRING", "NUMBER", "BOOLEAN", "OBJECT"];
    object([("anyOf", array(kinds.map(|name| object([("type", string(name))]))))])
}

fn is_null(schema: &Node) -> bool {
    if types(schema) == ["null"] || schema.get("const").is_some_and(|value| value.kind == Kind::Null) {
        return true;
    }
    let values = schema.get("enum").map(Node::items).unwrap_or_default();
    !values.is_empty() && values.iter().all(|value| value.kind == Kind::Null)
}

/// Returns the values in `const` or `enum`.
fn values(schema: &Node) -> Option<Vec<Node>> {
    match schema.get("const") {
        Some(value) => Some(vec![value.clone()]),
        None => schema.get("enum").map(|values| values.items().to_vec()),
    }
}

/// Returns the values of an enum of strings. Gemini does not accept empty strings.
fn words(schema: &Node) -> Option<Node> {
    let mut values = values(schema)?;
    values.retain(|value| value.as_str().is_some());
    let is_sayable = !values.is_empty() && values.iter().all(|value| value.as_str() != Some(""));
    is_sayable.then(|| array(values))
}

/// Infers the types of a schema without `type` from its other keywords.
fn inferred(schema: &Node, values: Option<&[Node]>) -> Vec<String> {
    let mut names: Vec<&str> = Vec::new();
    for value in values.unwrap_or_default() {
        let name = match &value.kind {
            Kind::Null => "null",
            Kind::Bool(_) => "boolean",
            Kind::Number(text) if Decimal::parse(text).to_i64().is_some() => "integer",
            Kind::Number(_) => "number",
            Kind::String(_) => "string",
            Kind::Array(_) => "array",
            Kind::Object(_) => "object",
        };
        if !names.contains(&name) {
            names.push(name);
        }
    }
    if names.contains(&"number") {
        names.retain(|name| *name != "integer");
    }
    if names.is_empty() {
        let by_keyword: [(&str, &[&str]); 4] = [
            ("object", &["properties", "required", "additionalProperties", "patternProperties"]),
            ("array", &["items", "prefixItems", "minItems", "maxItems", "uniqueItems"]),
            ("string", &["pattern", "minLength", "maxLength", "format"]),
            ("number", &["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]),
        ];
        let mut kinds = by_keyword.iter();
        let found = kinds.find(|(_, keys)| keys.iter().any(|key| schema.get(key).is_some()));
        names.extend(found.map(|(name, _)| *name));
    }
    names.into_iter().map(str::to_owned).collect()
}

fn number(schema: &Node, key: &str) -> Option<Node> {
    schema.get(key).filter(|value| matches!(value.kind, Kind::Number(_))).cloned()
}

fn text(schema: &Node, key: &str) -> Option<Node> {
    schema.get(key).filter(|value| value.as_str().is_some()).cloned()
}

/// Returns the format, if it is one of those that Gemini knows.
fn format(schema: &Node, known: &[&str]) -> Option<Node> {
    text(schema, "format").filter(|format| known.iter().any(|name| format.as_str() == Some(name)))
}

/// Returns a count that fits 64 bits. Gemini refuses others.
fn count(schema: &Node, key: &str) -> Option<Node> {
    let value = schema.get(key)?;
    let Kind::Number(text) = &value.kind else { return None };
    let count = Decimal::parse(text).to_i64().filter(|count| *count >= 0)?;
    Some(make::number(count))
}

/// Returns the nearest inclusive bound for an exclusive one: the next integer, or for other numbers the same
/// bound, which is less strict.
fn beyond(bound: Node, name: &str, step: i64) -> Node {
    let Kind::Number(text) = &bound.kind else { return bound };
    let next = Decimal::parse(text).to_i64().and_then(|value| value.checked_add(step));
    next.filter(|_| name == "integer").map_or(bound, make::number)
}

/// Adds title, description and default, and describes the rules for which the subset has no keyword.
fn describe(out: &mut Node, schema: &Node) {
    let mut words: Vec<String> = Vec::new();
    if let Some(text) =
        schema.get("description").and_then(Node::as_str).filter(|text| !text.trim().is_empty())
    {
        words.push(text.to_owned());
    }
    if out.get("format").is_none()
        && let Some(format) = schema.get("format").and_then(Node::as_str)
    {
        words.push(format!("Format: {format}."));
    }
    if let Some(values) = values(schema)
        && out.get("enum").is_none()
        && values.iter().any(|value| value.kind != Kind::Null)
    {
        let list: Vec<String> = values.iter().take(100).map(Node::to_string).collect();
        words.push(format!("One of: {}.", list.join(", ")));
    }
    if let Some(step) = schema.get("multipleOf") {
        words.push(format!("A multiple of {}.", step));
    }
    for (key, value) in [
        ("title", schema.get("title").filter(|title| title.as_str().is_some()).cloned()),
        ("description", (!words.is_empty()).then(|| string(words.join(" ")))),
        ("default", schema.get("default").cloned()),
    ] {
        if let Some(value) = value {
            out.set(key, value);
        }
    }
}
