//! The `skill.json` of a new function.

use skills_schema::json::Node;
use skills_schema::json::make::{array, boolean, object, string};

use super::Kind;
use super::pipeline::Callee;

/// Writes the text of `skill.json`.
pub(super) fn manifest(name: &str, description: &str, kind: Kind, callee: Option<&Callee>) -> String {
    let input = one("text", "string", "The text to work on");
    let (mode, output) = match kind {
        Kind::Llm => ("llm", one("result", "string", "The result")),
        Kind::Pipeline => ("composite", one("received", "object", "The input as it arrived")),
        Kind::Code | Kind::Text => ("code", one("received", "object", "The input as it arrived")),
    };
    let (input, output) =
        callee.map_or((input, output), |callee| (callee.input.clone(), callee.output.clone()));
    let mut members = vec![
        ("name", string(name.replace('-', "_"))),
        ("description", string(description)),
        ("category", string("general")),
        ("input", input),
        ("output", output),
        ("mode", string(mode)),
    ];
    if let Some(callee) = callee {
        members.push(("calls", array([string(callee.name.as_str())])));
        members.push(("pipeline", array([callee.step()])));
    }
    format!("{}\n", object(members).indented(0))
}

/// Returns the schema of an object with one required property.
fn one(property: &str, kind: &str, description: &str) -> Node {
    let value = object([("type", string(kind)), ("description", string(description))]);
    object([
        ("type", string("object")),
        ("properties", object([(property, value)])),
        ("required", array([string(property)])),
        ("additionalProperties", boolean(false)),
    ])
}
