//! Defines checked skills as tools. Used by `lower` for the tables.

use skills_registry::ToolFormat;
use skills_schema::tools::{Definition, Tool, Unfit, define_all};

use crate::catalog::{Backend, CatalogSkill};
use crate::read::Content;

/// Defines the tool of a skill for every interface, in the order of [`ToolFormat::ALL`], with an error for
/// each interface that would refuse it. Returns `None` for a skill that is not a tool.
///
/// A skill with a `skill.json` is called with its `input`; a skill of tier 3 with the input that its `schema`
/// file describes. A skill is not a tool if it is not a function, if it is hidden from models, or if it needs
/// a host and `has_host` is `false`. It is also not a tool if its schema, or a file to which the schema refers, was
/// not read.
///
/// ```
/// use skills_core::tools::define;
///
/// let loaded = skills_core::load(std::path::Path::new("skills"), "skills", &Default::default());
/// for skill in loaded.catalog.skills() {
///     for tool in define(skill, false).into_iter().flatten().flatten() {
///         println!("{tool}");
///     }
/// }
/// ```
pub fn define(
    skill: &CatalogSkill,
    has_host: bool,
) -> Option<[Result<Definition, Unfit>; ToolFormat::ALL.len()]> {
    let is_offered = match skill.backend {
        None => false,
        Some(Backend::Host) => has_host,
        Some(_) => true,
    };
    if !is_offered || !skill.model_invocable {
        return None;
    }
    let (input, output) = match &skill.signature {
        Some(signature) => (&signature.input, Some(&signature.output)),
        None => (skill.schema_document.as_ref()?, None),
    };
    let is_partial = skill.files.iter().any(|file| matches!(file.content, Content::Unread));
    if is_partial && std::iter::once(input).chain(output).any(|document| !document.missing().is_empty()) {
        return None;
    }
    Some(define_all(&Tool { name: &skill.name, description: &skill.description, input, output }))
}
