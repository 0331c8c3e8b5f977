//! The tool by which a model reads skills, whichever of the two it is (SPEC 8.2).

use std::sync::LazyLock;

use serde_json::{Value, json};
use skills_registry::{Skill, ToolFormat};
use skills_schema::lower::{Options, lower};
use skills_schema::validate_str;

use crate::model::ToolDefinition;
use crate::tools::{Answer, LoadSkillTool, Session, SkillTool};
use crate::typed::{Checker, Invalid};

/// By which tool a model reads skills.
///
/// A function of the same name is no tool beside it; [`Runner::left_out`](super::super::Runner::left_out) says so.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Loader {
    /// `load_skill`, whose description lists the skills.
    #[default]
    LoadSkill,
    /// `skill`, for a model whose system prompt lists them; it is not there when there is nothing to load.
    Skill,
    /// None: the agent has another way, or reads no skills.
    None,
}

/// That tool, for the skills of a runner.
pub(super) enum Loading<'a> {
    LoadSkill(LoadSkillTool<'a>),
    Skill(SkillTool<'a>),
}

impl Loader {
    /// Returns the name of the tool.
    pub fn name(self) -> Option<&'static str> {
        match self {
            Self::LoadSkill => Some(LoadSkillTool::NAME),
            Self::Skill => Some(SkillTool::NAME),
            Self::None => None,
        }
    }

    /// Makes the tool; a library has left out what is gated, by capabilities that it knows.
    pub(super) fn of(self, skills: Vec<Skill<'_>>, is_listed: bool) -> Option<Loading<'_>> {
        let loading = match self {
            Self::LoadSkill => Loading::LoadSkill(LoadSkillTool::granted(skills, &|_| true)),
            Self::Skill => Loading::Skill(SkillTool::granted(skills, &|_| true)?),
            Self::None => return None,
        };
        Some(match loading {
            Loading::LoadSkill(tool) if !is_listed => Loading::LoadSkill(tool.unlisted()),
            Loading::Skill(tool) if !is_listed => Loading::Skill(tool.unlisted()),
            listed => listed,
        })
    }
}

/// What both take: they differ in how they describe it.
static ARGUMENTS: LazyLock<Checker> = LazyLock::new(|| {
    let schema = r#"{"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}"#;
    lower(schema, &Options::default()).tables
});

impl Loading<'_> {
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::LoadSkill(_) => LoadSkillTool::NAME,
            Self::Skill(_) => SkillTool::NAME,
        }
    }

    pub(super) fn definition(&self, format: ToolFormat) -> String {
        match self {
            Self::LoadSkill(tool) => tool.definition(format),
            Self::Skill(tool) => tool.definition(format),
        }
        .to_string()
    }

    pub(super) fn neutral(&self) -> ToolDefinition {
        let (name, description, parameters) = match self {
            Self::LoadSkill(tool) => (tool.name(), tool.description(), tool.parameters()),
            Self::Skill(tool) => (tool.name(), tool.description(), tool.parameters()),
        };
        let parameters = serde_json::from_str(parameters).unwrap_or_else(|_| json!({"type": "object"}));
        ToolDefinition { name: name.to_owned(), description: description.to_owned(), parameters }
    }

    /// Answers a call.
    ///
    /// # Errors
    /// The arguments do not fit.
    pub(super) fn call(&self, arguments: &str, session: Option<&mut Session>) -> Result<Answer, Invalid> {
        validate_str(&ARGUMENTS, arguments)?;
        let name = name_in(arguments);
        Ok(match (self, session) {
            (Self::LoadSkill(tool), Some(session)) => tool.call_in(&name, session),
            (Self::LoadSkill(tool), None) => tool.call(&name),
            (Self::Skill(tool), Some(session)) => tool.call_in(&name, session),
            (Self::Skill(tool), None) => tool.call(&name),
        })
    }

    /// Notes in a session what its history shows as the answer to a call.
    pub(super) fn replay(&self, arguments: &str, shown: &str, session: &mut Session) {
        let name = name_in(arguments);
        match self {
            Self::LoadSkill(tool) => tool.replay(&name, shown, session),
            Self::Skill(tool) => tool.replay(&name, shown, session),
        }
    }
}

/// Returns the name in the arguments of a call; of those that do not fit, an empty one.
pub(super) fn name_in(arguments: &str) -> String {
    let arguments: Value = serde_json::from_str(arguments).unwrap_or_default();
    arguments.get("name").and_then(Value::as_str).unwrap_or_default().to_owned()
}
