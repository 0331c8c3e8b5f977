//! The `skill.json` of a new function, or of a new pipeline, whose step is an existing function.

use skills_core::catalog::CatalogSkill;
use skills_schema::json::Node;
use skills_schema::json::make::{array, boolean, object, string};

use super::Kind;

/// Writes the text of `skill.json`.
pub(super) fn manifest(name: &str, description: &str, kind: Kind, callee: Option<&Callee>) -> String {
    let input = object_with("text", "string", "The text to work on");
    let (mode, output) = match kind {
        Kind::Llm => ("llm", object_with("result", "string", "The result")),
        Kind::Pipeline => ("composite", object_with("received", "object", "The input as it arrived")),
        Kind::Code | Kind::Text => ("code", object_with("received", "object", "The input as it arrived")),
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
fn object_with(property: &str, kind: &str, description: &str) -> Node {
    let value = object([("type", string(kind)), ("description", string(description))]);
    object([
        ("type", string("object")),
        ("properties", object([(property, value)])),
        ("required", array([string(property)])),
        ("additionalProperties", boolean(false)),
    ])
}

/// A function that a pipeline can call with its own input.
pub(super) struct Callee {
    pub(super) name: String,
    pub(super) input: Node,
    pub(super) output: Node,
}

impl Callee {
    /// Returns the step. It passes on every property and omits missing ones.
    pub(super) fn step(&self) -> Node {
        let properties = self.input.get("properties").map(Node::members).unwrap_or_default();
        let passed = properties
            .iter()
            .map(|property| (property.key.as_str(), string(format!("{{{{input.{}}}}}", property.key))));
        object([
            ("step", string(self.name.as_str())),
            ("skill", string(self.name.as_str())),
            ("input", object(passed)),
        ])
    }
}

/// Finds the first function, by name, whose input is an object of plain properties.
pub(super) fn callee(skills: &[CatalogSkill]) -> Option<Callee> {
    skills.iter().find_map(|skill| {
        let signature = skill.signature.as_ref()?;
        let (input, output) = (signature.input.root().to_node(), signature.output.root().to_node());
        let properties = input.get("properties")?.members();
        let refers =
            [&signature.input, &signature.output].iter().any(|schema| schema.root().has_references());
        let fits =
            !properties.is_empty() && properties.iter().all(|property| is_plain(&property.key)) && !refers;
        fits.then(|| Callee { name: skill.name.clone(), input, output })
    })
}

/// Returns `true` if a path of a template can name a key without quotes.
fn is_plain(key: &str) -> bool {
    key.starts_with(|first: char| first.is_ascii_alphabetic())
        && key.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'_')
}
