//! A checked skill becomes the definition of a tool (SPEC 6.3); `lower` writes it into the tables.

use skills_registry::ToolFormat;
use skills_schema::tools::{Definition, Tool, Unfit, define_all};

use crate::catalog::{Skill, Way};
use crate::read::Content;

/// What can run a skill that a model calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Host {
    /// A program that implements the functions of the skills.
    Program,
    /// Nothing but the skill itself: its `exec`, its prompt, its pipeline.
    None,
}

/// Defines the tool that a skill is for every interface, in the order of [`ToolFormat::ALL`]; why not, where one would
/// refuse it. Nothing for a skill that no interface is offered.
///
/// A skill with a `skill.json` is called with its `input`; a skill of tier 3 with what its `schema` file describes. One
/// is left out when it is no function, is kept from models, wants a host and there is none, or has a schema, or a file
/// that one may refer to, which was not read.
///
/// ```
/// use skills_core::tools::{Host, define};
///
/// let loaded = skills_core::load(std::path::Path::new("skills"), "skills", &Default::default());
/// for skill in loaded.catalog.skills() {
///     for tool in define(skill, Host::None).into_iter().flatten().flatten() {
///         println!("{tool}");
///     }
/// }
/// ```
pub fn define(skill: &Skill, host: Host) -> Option<[Result<Definition, Unfit>; ToolFormat::ALL.len()]> {
    let is_offered = match skill.way {
        None => false,
        Some(Way::Host) => host == Host::Program,
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
