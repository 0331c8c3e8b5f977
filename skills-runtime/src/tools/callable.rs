//! Which skills a model may call, of what is at hand, and how an interface is told of one: runners, servers and the
//! command ask (SPEC 6.5).

use std::borrow::Cow;
use std::fmt;

use skills_registry::{Skill, ToolFormat};
use skills_schema::files::schema_of;
use skills_schema::tools::{Tool, Unfit, define};

use crate::at_hand::{self, AtHand, Missing};

/// Why a skill is no tool. `Display` says so, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Left {
    /// It is no function: it has neither a `skill.json`, nor a program with a `schema`.
    NoFunction,
    /// It is kept from models: tagged `internal`, or with `disable-model-invocation`.
    Hidden,
    /// Nothing at hand can run it, or what it always calls (SPEC 6.2).
    Missing(Missing),
    /// The tool that loads skills has its name (SPEC 6.5).
    Loader,
    /// The tool that finds skills has its name (SPEC 16.3).
    Search,
    /// Its schema file is no text.
    Unread,
    /// The interface would refuse it.
    Unfit(Unfit),
}

impl Left {
    /// Tells whether nobody needs to hear of it: the skill is no function, or its author keeps it from models.
    pub fn is_meant(&self) -> bool {
        matches!(self, Self::NoFunction | Self::Hidden)
    }
}

impl fmt::Display for Left {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoFunction => f.write_str("it is no function"),
            Self::Hidden => f.write_str("it is kept from models"),
            Self::Missing(missing) => write!(f, "each call would fail: {missing}"),
            Self::Loader => f.write_str("the tool that loads skills has its name"),
            Self::Search => f.write_str("the tool that finds skills has its name"),
            Self::Unread => f.write_str("its schema was not read"),
            Self::Unfit(unfit) => unfit.fmt(f),
        }
    }
}

/// Returns the definition of a skill as a tool, when it can be called now: the text that lies ready with the skill, else
/// one made of its schemas.
///
/// # Errors
/// The skill is no tool of this interface.
pub fn definition_of<'a>(
    at_hand: &dyn AtHand,
    skill: Skill<'a>,
    format: ToolFormat,
) -> Result<Cow<'a, str>, Left> {
    if skill.way().is_none() {
        return Err(Left::NoFunction);
    }
    if !skill.is_model_invocable() {
        return Err(Left::Hidden);
    }
    at_hand::all(at_hand, skill).map_err(Left::Missing)?;
    if let Some(ready) = skill.tool(format) {
        return Ok(Cow::Borrowed(ready));
    }
    // A skill on disk that only a host can run has none ready; any other is refused here, with the reason.
    let (file, input) = skill.input_document().ok_or(Left::Unread)?;
    let input = schema_of(skill, file, input);
    let output = skill.output_schema().map(|output| schema_of(skill, file, output));
    let tool =
        Tool { name: skill.name(), description: skill.description(), input: &input, output: output.as_ref() };
    define(&tool, format).map(|made| Cow::Owned(made.to_string())).map_err(Left::Unfit)
}
