//! Decides which skills a model may call, given the capabilities of the environment, and returns their tool
//! definitions. Used by runners, servers and the command.

use std::borrow::Cow;
use std::fmt;

use skills_registry::{Skill, ToolFormat};
use skills_schema::Document;
use skills_schema::files::schema_of;
use skills_schema::lower::DocumentOptions;
use skills_schema::tools::{Definition, Tool, Unfit, define};

use super::{Reader, SearchSkillsTool};
use crate::capabilities::{self, Capabilities, Missing};

/// The reason why a skill is not a tool. `Display` describes it for people.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Exclusion {
    /// It is not a function: it has neither a `skill.json` nor a program with a `schema`.
    NoFunction,
    /// Models must not see it: it is tagged `internal`, or has `disable-model-invocation`.
    Hidden,
    /// A capability is missing to run it, or to run a skill that it always calls.
    Missing(Missing),
    /// It has the name of the tool that loads skills.
    Loader,
    /// It has the name of the tool that finds skills.
    Search,
    /// Its schema file is not UTF-8.
    Unread,
    /// The API would refuse it.
    Unfit(Unfit),
}

impl Exclusion {
    /// Returns `true` if the exclusion need not be reported: the skill is not a function, or its author hides
    /// it from models.
    pub fn is_meant(&self) -> bool {
        matches!(self, Self::NoFunction | Self::Hidden)
    }
}

impl fmt::Display for Exclusion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoFunction => f.write_str("it is not a function"),
            Self::Hidden => f.write_str("it is hidden from models"),
            Self::Missing(missing) => write!(f, "each call would fail: {missing}"),
            Self::Loader => f.write_str("the tool that loads skills has its name"),
            Self::Search => f.write_str("the tool that finds skills has its name"),
            Self::Unread => f.write_str("its schema was not read"),
            Self::Unfit(unfit) => unfit.fmt(f),
        }
    }
}

/// Returns the tool definition of a skill that can be called now: the stored one, or one created from its
/// schemas.
///
/// # Errors
/// If the skill is not a tool of this API.
pub fn definition_of<'a>(
    capabilities: &dyn Capabilities,
    skill: Skill<'a>,
    format: ToolFormat,
) -> Result<Cow<'a, str>, Exclusion> {
    if skill.backend().is_none() {
        return Err(Exclusion::NoFunction);
    }
    if !skill.is_model_invocable() {
        return Err(Exclusion::Hidden);
    }
    capabilities::backend_with_callees(capabilities, skill).map_err(Exclusion::Missing)?;
    if let Some(ready) = skill.tool(format) {
        return Ok(Cow::Borrowed(ready));
    }
    // A skill on disk that only a host can run has no stored definition, so it is created here. Other skills
    // without a stored definition are refused, with the reason.
    let (file, input) = skill.input_document().ok_or(Exclusion::Unread)?;
    let text_of = |path: &str| skill.file(path)?.text();
    let input = schema_of(file, input, &text_of);
    let output = skill.output_schema().map(|output| schema_of(file, output, &text_of));
    let tool =
        Tool { name: skill.name(), description: skill.description(), input: &input, output: output.as_ref() };
    define(&tool, format).map(|made| Cow::Owned(made.to_string())).map_err(Exclusion::Unfit)
}

impl Reader<'_> {
    /// Returns the definition for an API.
    pub fn definition(&self, format: ToolFormat) -> Definition {
        definition(self.name(), self.description(), self.parameters(), format)
    }
}

impl SearchSkillsTool<'_> {
    /// Returns the definition for an API.
    pub fn definition(&self, format: ToolFormat) -> Definition {
        definition(self.name(), self.description(), self.parameters(), format)
    }
}

fn definition(name: &str, description: &str, input: &str, format: ToolFormat) -> Definition {
    let input = Document::read(input, &DocumentOptions::default());
    let tool = Tool { name, description, input: &input, output: None };
    define(&tool, format)
        .expect("every API accepts a name of letters and `_`, and a schema that is an object")
}
