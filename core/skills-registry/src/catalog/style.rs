//! The three formats of a catalog, and the text before and after the skills in each.

use std::borrow::Cow;

/// The tool that loads skills, unless a prompt names another.
pub(crate) const LOADER: &str = "skill";

/// The format of a catalog.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Style {
    /// An introduction that names the tool `skill`, then XML.
    #[default]
    Skills,
    /// The XML of the open Agent Skills standard: each tag and each value on its own line.
    AgentSkills,
    /// An introduction that tells the model to read files, then one line for each skill, with whether its
    /// programs are installed.
    Omega,
}

impl Style {
    /// Returns the text before the skills. `loader` is the tool that loads them.
    pub(super) fn head(self, loader: &str) -> Cow<'static, str> {
        match self {
            Self::Skills => Cow::Owned(format!(
                "\n\nThe following skills provide specialized instructions for specific tasks.\nUse the {loader} tool \
                 to load a skill's full instructions when the task matches its description.\n\n<available_skills>\n"
            )),
            Self::AgentSkills => Cow::Borrowed("<available_skills>\n"),
            Self::Omega => Cow::Borrowed(
                "\n\nYou have the following skills available. Before using any skill, you MUST read its file for full \
                 instructions. If a tool is not installed, the skill file contains installation instructions — \
                 install it first, then use it.\n\nSkills:\n",
            ),
        }
    }

    /// Returns the text after the skills.
    pub(super) fn tail(self) -> &'static str {
        match self {
            Self::Skills | Self::AgentSkills => "</available_skills>",
            Self::Omega => "",
        }
    }

    /// Returns the whole text of a catalog without skills.
    pub(super) fn empty(self) -> &'static str {
        match self {
            Self::AgentSkills => "<available_skills>\n</available_skills>",
            Self::Skills | Self::Omega => "",
        }
    }
}

skills_text::__named!(Style, "style", { Skills = "skills", AgentSkills = "agent-skills", Omega = "omega" });
