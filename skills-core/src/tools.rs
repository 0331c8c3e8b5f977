//! A checked skill becomes the definition of a tool (SPEC 6.3); the code generator, the command and the runtime call it.

use skills_schema::tools::{Definition, Format, Tool, Unfit};

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

/// Why a skill is not offered as a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// It is no function: it has neither a `skill.json`, nor an `exec` with a `schema`.
    NoFunction,
    /// It is kept from models: tagged `internal`, or with `disable-model-invocation`.
    Hidden,
    /// Nothing at hand can run it: a host function is wanted, or an `exec` (SPEC 6.2).
    NoHost,
    /// Its schema, or a file that one may refer to, was not read: the options asked for names only.
    Unread,
    /// The interface would refuse it.
    Unfit(Unfit),
}

/// Defines the tool that a skill is for an interface.
///
/// A skill with a `skill.json` is called with its `input`; a skill of tier 3 with what its `schema` file describes.
///
/// # Errors
/// [`Left`] when the skill is not offered.
///
/// ```
/// use skills_core::tools::{Host, define};
/// use skills_schema::tools::Format;
///
/// let loaded = skills_core::load(std::path::Path::new("skills"), "skills", &Default::default());
/// for skill in loaded.catalog.skills() {
///     if let Ok(tool) = define(skill, Format::Mcp, Host::None) {
///         println!("{tool}");
///     }
/// }
/// ```
pub fn define(skill: &Skill, format: Format, host: Host) -> Result<Definition, Left> {
    offered(skill, host, |tool| skills_schema::tools::define(tool, format))?.map_err(Left::Unfit)
}

/// Defines the tool that a skill is for every interface, in the order of [`Format::ALL`].
///
/// # Errors
/// [`Left`] when the skill is offered to none.
pub fn define_all(skill: &Skill, host: Host) -> Result<[Result<Definition, Unfit>; Format::ALL.len()], Left> {
    offered(skill, host, skills_schema::tools::define_all)
}

/// Hands the tool that a skill is to `then`, unless it is kept from every interface.
fn offered<T>(skill: &Skill, host: Host, then: impl FnOnce(&Tool<'_>) -> T) -> Result<T, Left> {
    if skill.way.is_none() {
        return Err(Left::NoFunction);
    }
    if !skill.model_invocable {
        return Err(Left::Hidden);
    }
    if host == Host::None && skill.way == Some(Way::Host) {
        return Err(Left::NoHost);
    }
    let (input, output) = match &skill.signature {
        Some(signature) => (&signature.input, Some(&signature.output)),
        None => (skill.schema_document.as_ref().ok_or(Left::Unread)?, None),
    };
    let is_partial = skill.files.iter().any(|file| matches!(file.content, Content::Unread));
    if is_partial && std::iter::once(input).chain(output).any(|document| !document.missing().is_empty()) {
        return Err(Left::Unread);
    }
    Ok(then(&Tool { name: &skill.name, description: &skill.description, input, output }))
}
