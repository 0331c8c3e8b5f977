//! The schemas of a skill: an object or a boolean, of a known draft, with known types (SPEC 3.2).

use crate::diagnostic::{Diagnostic, Report};
use crate::rule::manifest as rules;
use crate::tree::{Kind, Node, Value};

const TYPES: [&str; 7] = ["null", "boolean", "object", "array", "number", "string", "integer"];
const DIALECTS: [&str; 3] = [
    "http://json-schema.org/draft-07/schema",
    "https://json-schema.org/draft/2019-09/schema",
    "https://json-schema.org/draft/2020-12/schema",
];

/// Checks one schema and everything below it; true when it may be used.
pub(super) fn check(node: &Node, report: &mut Report) -> bool {
    let before = report.diagnostics.len();
    schema(node, report);
    report.diagnostics.len() == before
}

fn schema(node: &Node, report: &mut Report) {
    match &node.value {
        Value::Scalar(scalar) if scalar.kind == Kind::Bool => {}
        Value::Map(entries) => {
            for entry in entries {
                keyword(&entry.key, &entry.value, report);
            }
        }
        _ => report.push(
            Diagnostic::new(
                &rules::SCHEMA_INVALID,
                node.span,
                format!("a JSON Schema must be an object or a boolean, found {}", node.describe()),
                "write it as: { \"type\": \"object\", \"properties\": {} }",
            )
            .label("not a schema"),
        ),
    }
}

fn keyword(key: &str, node: &Node, report: &mut Report) {
    match key {
        "$schema" => dialect(node, report),
        "type" => types(node, report),
        "properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas" => {
            for entry in node.as_map().unwrap_or_default() {
                schema(&entry.value, report);
            }
        }
        "allOf" | "anyOf" | "oneOf" | "prefixItems" => {
            node.as_list().unwrap_or_default().iter().for_each(|item| schema(item, report));
        }
        "items" if node.as_list().is_some() => {
            node.as_list().unwrap_or_default().iter().for_each(|item| schema(item, report));
        }
        "items"
        | "additionalItems"
        | "additionalProperties"
        | "propertyNames"
        | "contains"
        | "not"
        | "if"
        | "then"
        | "else"
        | "unevaluatedItems"
        | "unevaluatedProperties" => schema(node, report),
        _ => {}
    }
}

fn dialect(node: &Node, report: &mut Report) {
    let known =
        node.as_string().is_some_and(|text| DIALECTS.contains(&text.strip_suffix('#').unwrap_or(text)));
    if !known {
        report.push(
            Diagnostic::new(
                &rules::SCHEMA_DIALECT,
                node.span,
                "unknown JSON Schema dialect",
                format!("write one of:\n{}", DIALECTS.map(|uri| format!("\"{uri}\"")).join("\n")),
            )
            .label("draft-07, 2019-09 and 2020-12 are supported"),
        );
    }
}

fn types(node: &Node, report: &mut Report) {
    let names = match &node.value {
        Value::List(items) => items.as_slice(),
        _ => std::slice::from_ref(node),
    };
    for name in names {
        if name.as_string().is_some_and(|text| TYPES.contains(&text)) {
            continue;
        }
        let title = match name.as_string() {
            Some(text) => format!("unknown type `{text}`"),
            None => format!("`type` must name types, found {}", name.describe()),
        };
        let help = match name.as_string().and_then(|text| skills_registry::nearest(text, TYPES)) {
            Some(near) => format!("did you mean \"{near}\"?"),
            None => format!("write one of {}", TYPES.map(|name| format!("\"{name}\"")).join(", ")),
        };
        report.push(
            Diagnostic::new(&rules::SCHEMA_INVALID, name.span, title, help).label("no JSON Schema type"),
        );
    }
}
