//! Decides which backend runs a skill, from the available capabilities. Calls, dry runs, servers and the
//! command line use it.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use skills_registry::{Backend, Mode, Skill};

/// The maximum depth of nested calls.
pub const MAX_DEPTH: u32 = 10;

/// The capabilities of a host: returns `true` for `x` if skills that require `cap:x` can be used.
pub type Grants = Arc<dyn Fn(&str) -> bool + Send + Sync>;

/// The capabilities that can run skills.
pub trait Capabilities {
    /// Finds a callable skill by name: one with a `skill.json`, or a program with a `schema`.
    fn function(&self, name: &str) -> Option<Skill<'_>>;

    /// Returns `true` if the host has a function for a skill.
    fn serves(&self, name: &str) -> bool;

    /// Returns `true` if there is a language model.
    fn has_model(&self) -> bool;

    /// Returns `true` if MCP servers can be reached.
    fn has_mcp(&self) -> bool;

    /// Returns `true` if an untrusted skill has this name. It cannot be called, so an implementation must not forget this.
    fn is_untrusted(&self, name: &str) -> bool;
}

/// The reason why no available capability can run a skill. `Display` explains it to people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// The skill with the missing capability: the requested skill, or one that it always calls.
    pub skill: String,
    /// The missing capability.
    pub capability: MissingCapability,
}

/// The kinds of missing capabilities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MissingCapability {
    /// A function of the host or a program, with the mode of the skill.
    Code(Mode),
    /// A language model.
    Model,
    /// A connection to MCP servers.
    Mcp,
    /// The skill does not exist or is not a function.
    Function,
    /// Trust: the skill comes from a workspace that the user has not trusted.
    Trust,
    /// Depth: the call would exceed the maximum depth of nested calls.
    Depth,
}

/// Returns the backend that would run a skill, without checking the steps of a pipeline.
///
/// # Errors
///
/// Fails if no available capability can run the skill.
pub fn backend_of(capabilities: &dyn Capabilities, skill: Skill<'_>) -> Result<Backend, Missing> {
    match skill.backend() {
        Some(Backend::Model) if !capabilities.has_model() => {
            Err(Missing { skill: skill.name().to_owned(), capability: MissingCapability::Model })
        }
        Some(backend @ (Backend::Model | Backend::Pipeline)) => Ok(backend),
        Some(Backend::Host | Backend::Program | Backend::Mcp) | None => {
            choose_code_backend(skill, capabilities.serves(skill.name()), capabilities.has_mcp())
        }
    }
}

/// Chooses what runs a skill that neither a model nor a pipeline runs: a function of the host if it has one for the skill,
/// or else the program of the skill or the tool of its MCP server.
///
/// # Errors
///
/// Fails if no available capability can run the skill.
pub fn choose_code_backend(skill: Skill<'_>, is_served: bool, has_mcp: bool) -> Result<Backend, Missing> {
    let capability = match skill.backend() {
        Some(Backend::Host | Backend::Program | Backend::Mcp) if is_served => return Ok(Backend::Host),
        Some(Backend::Program) => return Ok(Backend::Program),
        Some(Backend::Mcp) if has_mcp => return Ok(Backend::Mcp),
        Some(Backend::Mcp) => MissingCapability::Mcp,
        Some(Backend::Host) => MissingCapability::Code(skill.mode().unwrap_or(Mode::Code)),
        Some(Backend::Model | Backend::Pipeline) | None => MissingCapability::Function,
    };
    Err(Missing { skill: skill.name().to_owned(), capability })
}

/// Returns the backend that would run a skill, if every skill that it always calls can also run. This
/// includes the certain steps of its pipeline, recursively.
///
/// A step with a `condition` or a `foreach` may not run at all, and neither may a step that waits for the
/// result of a conditional step. A step with `continueOnError` does not fail the call.
///
/// # Errors
///
/// Fails if each call of the skill would fail.
pub fn backend_with_callees(capabilities: &dyn Capabilities, skill: Skill<'_>) -> Result<Backend, Missing> {
    count_levels(capabilities, skill, 0, &mut HashMap::new())?;
    backend_of(capabilities, skill)
}

/// Returns how deep the calls that a skill certainly makes are nested, including the skill itself. `known`
/// holds the results for the skills already checked.
fn count_levels<'a>(
    capabilities: &'a dyn Capabilities,
    skill: Skill<'a>,
    depth: u32,
    known: &mut HashMap<&'a str, u32>,
) -> Result<u32, Missing> {
    let mut count = known.get(skill.name()).copied().unwrap_or(0);
    if depth + count.max(1) > MAX_DEPTH {
        return Err(Missing { skill: skill.name().to_owned(), capability: MissingCapability::Depth });
    }
    if count > 0 {
        return Ok(count);
    }
    if backend_of(capabilities, skill)? == Backend::Pipeline {
        for name in skill.certain_calls() {
            let callee = capabilities.function(name).ok_or_else(|| missing_function(capabilities, name))?;
            count = count.max(count_levels(capabilities, callee, depth + 1, known)?);
        }
    }
    known.insert(skill.name(), count + 1);
    Ok(count + 1)
}

/// Returns why no function has a name.
pub fn missing_function(capabilities: &dyn Capabilities, name: &str) -> Missing {
    let capability =
        if capabilities.is_untrusted(name) { MissingCapability::Trust } else { MissingCapability::Function };
    Missing { skill: name.to_owned(), capability }
}

impl MissingCapability {
    /// Writes that a skill lacks this capability.
    pub fn describe(self, skill: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(mode) => {
                write!(f, "Skill \"{skill}\" ({}) has no host function and no exec", mode.as_str())
            }
            Self::Model => write!(f, "Skill \"{skill}\" (llm) has no model"),
            Self::Mcp => write!(f, "Skill \"{skill}\" (mcp) has no connection to its MCP server"),
            Self::Function => write!(
                f,
                "Skill \"{skill}\" is not a function: it has neither a skill.json nor an `exec` with a `schema`"
            ),
            Self::Trust => write!(
                f,
                "Skill \"{skill}\" is in a workspace that is not trusted: review it, then run `skills trust DIR`"
            ),
            Self::Depth => {
                write!(f, "Skill \"{skill}\" exceeded max call depth ({MAX_DEPTH}/{MAX_DEPTH})")
            }
        }
    }
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.capability.describe(&self.skill, f)
    }
}

impl std::error::Error for Missing {}
