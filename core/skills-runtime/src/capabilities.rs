//! Decides what runs a skill, from what is available: a host function, a program, a model or a pipeline.

use std::collections::HashMap;
use std::fmt;

use skills_registry::{Backend, Mode, Skill};

/// How many calls may be around each other (SPEC 6.4).
pub const MAX_DEPTH: u32 = 10;

/// The capabilities that skills can be run with.
pub trait Capabilities {
    /// Finds a skill that can be called by its name: one with a `skill.json`, or a program with a `schema` (SPEC 6.3).
    fn function(&self, name: &str) -> Option<Skill<'_>>;

    /// Returns `true` if the host has a function for the skill.
    fn serves(&self, name: &str) -> bool;

    /// Returns `true` if there is a language model.
    fn has_model(&self) -> bool;

    /// Returns `true` if a skill has this name and is not trusted, so that it cannot be called.
    fn is_untrusted(&self, _name: &str) -> bool {
        false
    }
}

/// The reason why a skill cannot be run. `Display` explains it to people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// The skill for which something is missing: the one that was asked about, or one that it always calls.
    pub skill: String,
    /// The missing capability.
    pub lack: MissingCapability,
}

/// A capability that a skill needs and the host lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissingCapability {
    /// A function of the host, or a program; with how the skill runs.
    Code(Mode),
    /// A language model.
    Model,
    /// The skill is not a function, or does not exist.
    Function,
    /// Trust: it comes from a workspace, and nobody has said that it may run.
    Trust,
    /// A place: it is called below as many others as there may be.
    Depth,
}

/// Returns what would run a skill itself; the steps of a pipeline are not looked at.
///
/// # Errors
/// Nothing that is available can run the skill.
pub fn own(capabilities: &dyn Capabilities, skill: Skill<'_>) -> Result<Backend, Missing> {
    choose(skill, || capabilities.serves(skill.name()), capabilities.has_model())
}

/// Chooses what runs a skill: the one place that says what goes before what.
pub fn choose(skill: Skill<'_>, serves: impl Fn() -> bool, has_model: bool) -> Result<Backend, Missing> {
    let lack = match skill.backend() {
        None => MissingCapability::Function,
        Some(Backend::Model) if !has_model => MissingCapability::Model,
        Some(backend @ (Backend::Model | Backend::Pipeline)) => return Ok(backend),
        Some(Backend::Host | Backend::Program) if serves() => return Ok(Backend::Host),
        Some(Backend::Program) => return Ok(Backend::Program),
        Some(Backend::Host) => MissingCapability::Code(skill.mode().unwrap_or(Mode::Code)),
    };
    Err(Missing { skill: skill.name().to_owned(), lack })
}

/// Returns what would run a skill, when it can also run all that it always calls: the certain steps of its pipeline, all
/// the way down.
///
/// A step with a `condition` or a `foreach`, and one that waits for the result of a conditional one, may not run at all;
/// one with `continueOnError` fails no call.
///
/// # Errors
/// Each call of the skill would fail.
pub fn all(capabilities: &dyn Capabilities, skill: Skill<'_>) -> Result<Backend, Missing> {
    levels(capabilities, skill, 0, &mut HashMap::new())?;
    own(capabilities, skill)
}

/// Returns how many levels of calls a skill is certain to make, including itself. `known` caches the results.
fn levels<'a>(
    capabilities: &'a dyn Capabilities,
    skill: Skill<'a>,
    depth: u32,
    known: &mut HashMap<&'a str, u32>,
) -> Result<u32, Missing> {
    let mut count = known.get(skill.name()).copied().unwrap_or(0);
    if depth + count.max(1) > MAX_DEPTH {
        return Err(Missing { skill: skill.name().to_owned(), lack: MissingCapability::Depth });
    }
    if count > 0 {
        return Ok(count);
    }
    if own(capabilities, skill)? == Backend::Pipeline {
        for name in skill.certain_calls() {
            let callee = capabilities.function(name).ok_or_else(|| absent(capabilities, name))?;
            count = count.max(levels(capabilities, callee, depth + 1, known)?);
        }
    }
    known.insert(skill.name(), count + 1);
    Ok(count + 1)
}

/// Returns the reason why there is no function of this name.
pub fn absent(capabilities: &dyn Capabilities, name: &str) -> Missing {
    let lack =
        if capabilities.is_untrusted(name) { MissingCapability::Trust } else { MissingCapability::Function };
    Missing { skill: name.to_owned(), lack }
}

impl MissingCapability {
    /// Says that a skill lacks it, in the words of SPEC 6.2.
    pub fn tell(self, skill: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(mode) => {
                write!(f, "Skill \"{skill}\" ({}) has no host function and no exec", mode.as_str())
            }
            Self::Model => write!(f, "Skill \"{skill}\" (llm) has no model"),
            Self::Function => write!(f, "Skill \"{skill}\" has no skill.json, so it cannot be called"),
            Self::Trust => write!(
                f,
                "Skill \"{skill}\" is of a workspace that is not trusted: `skills trust DIR` says that it may run"
            ),
            Self::Depth => {
                write!(f, "Skill \"{skill}\" exceeded max call depth ({MAX_DEPTH}/{MAX_DEPTH})")
            }
        }
    }
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.lack.tell(&self.skill, f)
    }
}

impl std::error::Error for Missing {}
