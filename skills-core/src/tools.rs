//! A checked skill becomes the definition of a tool (SPEC 6.3); the code generator, the command and the runtime call it.

use skills_schema::tools::{Definition, Format, Tool, Unfit};

use crate::catalog::{Catalog, Skill, Way};
use crate::check::BASE;
use crate::read::Content;
use crate::span::SourceMap;

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
///     if let Ok(tool) = define(&loaded.catalog, skill, Format::Mcp, Host::None) {
///         println!("{tool}");
///     }
/// }
/// ```
pub fn define(catalog: &Catalog, skill: &Skill, format: Format, host: Host) -> Result<Definition, Left> {
    offered(catalog, skill, host, |tool| skills_schema::tools::define(tool, format))?.map_err(Left::Unfit)
}

/// Defines the tool that a skill is for every interface, in the order of [`Format::ALL`]; the schema is read once.
///
/// # Errors
/// [`Left`] when the skill is offered to none.
pub fn define_all(
    catalog: &Catalog,
    skill: &Skill,
    host: Host,
) -> Result<[Result<Definition, Unfit>; Format::ALL.len()], Left> {
    offered(catalog, skill, host, skills_schema::tools::define_all)
}

/// Hands the tool that a skill is to `then`, unless it is kept from every interface.
fn offered<T>(
    catalog: &Catalog,
    skill: &Skill,
    host: Host,
    then: impl FnOnce(&Tool<'_>) -> T,
) -> Result<T, Left> {
    let sources = catalog.sources();
    let file = skill.schema.as_deref().filter(|_| skill.tier == 3);
    if skill.way.is_none() {
        return Err(Left::NoFunction);
    }
    if !skill.model_invocable {
        return Err(Left::Hidden);
    }
    if host == Host::None && skill.way == Some(Way::Host) {
        return Err(Left::NoHost);
    }
    let (name, input, output) = match (&skill.signature, file) {
        (Some(signature), _) => ("skill.json", signature.input.as_str(), Some(signature.output.as_str())),
        (None, Some(path)) => (path, text(skill, path, sources).ok_or(Left::Unread)?, None),
        (None, None) => return Err(Left::NoFunction),
    };
    let is_partial = skill.files.iter().any(|file| matches!(file.content, Content::Unread));
    if is_partial && (leads_out(input) || output.is_some_and(leads_out)) {
        return Err(Left::Unread);
    }
    let documents = documents(skill, sources);
    let documents: Vec<(&str, &str)> = documents.iter().map(|(uri, text)| (uri.as_str(), *text)).collect();
    let tool = Tool {
        name: &skill.name,
        description: &skill.description,
        input,
        output,
        uri: &format!("{BASE}{name}?schema"),
        documents: &documents,
    };
    Ok(then(&tool))
}

/// Whether a reference in the text of a schema may lead to another file.
fn leads_out(schema: &str) -> bool {
    let targets = schema
        .split("\"$ref\"")
        .skip(1)
        .filter_map(|rest| rest.trim_start().strip_prefix(':')?.trim_start().strip_prefix('"'));
    targets.into_iter().any(|target| !target.starts_with('#'))
}

/// The text of a file, without a byte order mark.
fn text<'a>(skill: &'a Skill, path: &str, sources: &'a SourceMap) -> Option<&'a str> {
    let file = skill.file(path).filter(|file| !matches!(file.content, Content::Unread))?;
    std::str::from_utf8(file.bytes(sources)).ok().map(|text| text.trim_start_matches('\u{feff}'))
}

/// The JSON files of the skill that its schemas may refer to: those that checking took up as texts.
fn documents<'a>(skill: &'a Skill, sources: &'a SourceMap) -> Vec<(String, &'a str)> {
    let texts = skill.files.iter().filter(|file| {
        matches!(file.content, Content::Text(_)) && !matches!(file.path.as_str(), "SKILL.md" | "prompt.md")
    });
    texts
        .filter_map(|file| Some((format!("{BASE}{}", file.path), text(skill, &file.path, sources)?)))
        .collect()
}
