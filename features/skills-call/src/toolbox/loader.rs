//! The tool by which a model reads skills, whichever of the two it is (SPEC 8.2).

use std::sync::LazyLock;

use serde_json::Value;
use skills_registry::Skill;
use skills_schema::lower::{Options, lower};

use skills_runtime::tools::{LoadSkillTool, Reader, SkillTool};
use skills_runtime::typed::Checker;

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
    pub(super) fn of(self, skills: Vec<Skill<'_>>, is_listed: bool) -> Option<Reader<'_>> {
        let reader = match self {
            Self::LoadSkill => LoadSkillTool::granted(skills, &|_| true).into_reader(),
            Self::Skill => SkillTool::granted(skills, &|_| true)?.into_reader(),
            Self::None => return None,
        };
        Some(if is_listed { reader } else { reader.unlisted() })
    }
}

/// The arguments of both tools, which differ only in their descriptions.
pub(super) static ARGUMENTS: LazyLock<Checker> = LazyLock::new(|| {
    let schema = r#"{"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}"#;
    lower(schema, &Options::default()).tables
});

/// Returns the name in the arguments of a call, or an empty one if the arguments do not fit.
pub(super) fn name_in(arguments: &str) -> String {
    let arguments: Value = serde_json::from_str(arguments).unwrap_or_default();
    arguments.get("name").and_then(Value::as_str).unwrap_or_default().to_owned()
}
