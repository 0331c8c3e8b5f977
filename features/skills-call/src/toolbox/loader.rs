//! The tool that a model uses to read skills: `load_skill` or `skill`.

use std::sync::LazyLock;

use serde_json::Value;
use skills_registry::Skill;
use skills_schema::lower::{DocumentOptions, lower};

use skills_runtime::tools::{LoadSkillTool, Reader, SkillTool};
use skills_runtime::typed::Checker;

/// Selects the tool that a model uses to read skills. The tool is omitted if there are no skills to load.
///
/// A function with the same name is not offered as a tool;
/// [`Runner::left_out`](super::super::Runner::left_out) lists it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Loader {
    /// `load_skill`, whose description lists the skills, so that [`Runner::prompt`](crate::Runner::prompt) does
    /// not list them again.
    #[default]
    LoadSkill,
    /// `skill`. [`Runner::prompt`](crate::Runner::prompt) lists the skills, and the program must send it.
    Skill,
    /// No tool: the agent loads skills in another way, or not at all.
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

    /// Returns `true` if the description of the tool lists the skills.
    pub(super) fn lists_skills(self) -> bool {
        self == Self::LoadSkill
    }

    /// Creates the tool if it can load a skill; the list of skills has at most `budget` tokens. The
    /// layers have already left out skills whose capabilities are not granted.
    pub(super) fn create_tool(
        self,
        skills: Vec<Skill<'_>>,
        is_listed: bool,
        budget: usize,
    ) -> Option<Reader<'_>> {
        let reader = match self {
            Self::LoadSkill => LoadSkillTool::granted(skills, &|_| true).budget(budget).into_reader(),
            Self::Skill => SkillTool::granted(skills, &|_| true)?.into_reader(),
            Self::None => return None,
        };
        let reader = if is_listed { reader } else { reader.unlisted() };
        Some(reader).filter(|reader| !reader.is_empty())
    }
}

/// The arguments of both tools, which differ only in their descriptions.
pub(super) static ARGUMENTS: LazyLock<Checker> = LazyLock::new(|| {
    let schema = r#"{"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}"#;
    lower(schema, &DocumentOptions::default()).tables
});

/// Returns the name in the arguments of a call, or an empty name if the arguments are invalid.
pub(super) fn name_in(arguments: &str) -> String {
    let arguments: Value = serde_json::from_str(arguments).unwrap_or_default();
    arguments.get("name").and_then(Value::as_str).unwrap_or_default().to_owned()
}
