//! What would run a skill, of what is at hand: calls, dry runs, servers and the command ask (SPEC 6.2).

use std::collections::HashMap;
use std::fmt;

use skills_registry::{Mode, Skill, Way};

/// How many calls may be around each other (SPEC 6.4).
pub const MAX_DEPTH: u32 = 10;

/// What skills can be run with.
pub trait AtHand {
    /// Finds a skill that can be called by its name: one with a `skill.json`, or a program with a `schema` (SPEC 6.3).
    fn function(&self, name: &str) -> Option<Skill<'_>>;

    /// Tells whether the host has a function for a skill.
    fn serves(&self, name: &str) -> bool;

    /// Tells whether there is a language model.
    fn has_model(&self) -> bool;

    /// Tells whether there is a skill of this name that nobody answers for: it is no function (SPEC 14.10).
    fn is_untrusted(&self, _name: &str) -> bool {
        false
    }
}

/// Why nothing at hand can run a skill. `Display` says so, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// The skill for which something is missing: the one that was asked about, or one that it always calls.
    pub skill: String,
    /// What is missing.
    pub lack: Lack,
}

/// What a skill lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lack {
    /// A function of the host, or a program; with how the skill runs.
    Code(Mode),
    /// A language model.
    Model,
    /// It is no function, or not there at all.
    Function,
    /// Trust: it comes from a workspace, and nobody has said that it may run.
    Trust,
    /// A place: it is called below as many others as there may be.
    Depth,
}

/// Returns what would run a skill itself; the steps of a pipeline are not looked at.
///
/// # Errors
/// Nothing at hand would.
pub fn own(at_hand: &dyn AtHand, skill: Skill<'_>) -> Result<Way, Missing> {
    choose(skill, || at_hand.serves(skill.name()), at_hand.has_model())
}

/// Chooses what runs a skill: the one place that says what goes before what.
pub fn choose(skill: Skill<'_>, serves: impl Fn() -> bool, has_model: bool) -> Result<Way, Missing> {
    let lack = match skill.way() {
        None => Lack::Function,
        Some(Way::Model) if !has_model => Lack::Model,
        Some(way @ (Way::Model | Way::Pipeline)) => return Ok(way),
        Some(Way::Host | Way::Program) if serves() => return Ok(Way::Host),
        Some(Way::Program) => return Ok(Way::Program),
        Some(Way::Host) => Lack::Code(skill.mode().unwrap_or(Mode::Code)),
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
pub fn all(at_hand: &dyn AtHand, skill: Skill<'_>) -> Result<Way, Missing> {
    levels(at_hand, skill, 0, &mut HashMap::new())?;
    own(at_hand, skill)
}

/// Returns how many levels of calls a skill has for certain, itself being one; `known` are those that were looked at.
fn levels<'a>(
    at_hand: &'a dyn AtHand,
    skill: Skill<'a>,
    depth: u32,
    known: &mut HashMap<&'a str, u32>,
) -> Result<u32, Missing> {
    let mut count = known.get(skill.name()).copied().unwrap_or(0);
    if depth + count.max(1) > MAX_DEPTH {
        return Err(Missing { skill: skill.name().to_owned(), lack: Lack::Depth });
    }
    if count > 0 {
        return Ok(count);
    }
    if own(at_hand, skill)? == Way::Pipeline {
        for name in skill.certain_calls() {
            let callee = at_hand.function(name).ok_or_else(|| absent(at_hand, name))?;
            count = count.max(levels(at_hand, callee, depth + 1, known)?);
        }
    }
    known.insert(skill.name(), count + 1);
    Ok(count + 1)
}

/// Says why there is no function of a name.
pub fn absent(at_hand: &dyn AtHand, name: &str) -> Missing {
    let lack = if at_hand.is_untrusted(name) { Lack::Trust } else { Lack::Function };
    Missing { skill: name.to_owned(), lack }
}

impl Lack {
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
