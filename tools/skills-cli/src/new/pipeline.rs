//! Uses an existing function as the step of a new pipeline.

use skills_core::catalog::CatalogSkill;
use skills_schema::json::Node;
use skills_schema::json::make::{object, string};

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
        let is_plain = |key: &str| {
            key.starts_with(|first: char| first.is_ascii_alphabetic())
                && key.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'_')
        };
        let properties = input.get("properties")?.members();
        let refers =
            [&signature.input, &signature.output].iter().any(|schema| schema.root().has_references());
        let fits =
            !properties.is_empty() && properties.iter().all(|property| is_plain(&property.key)) && !refers;
        fits.then(|| Callee { name: skill.name.clone(), input, output })
    })
}
