//! The tool `skill`: returns a skill as a `<skill>` block. The catalog is in the system prompt.

use std::ops::Deref;

use skills_registry::catalog::escape;
use skills_registry::{NotFound, Skill};

use super::offer::{Reason, Refused, files};
use super::reader::{Reader, ToolTexts};

const DESCRIPTION: &str = "Load a specialized skill that provides domain-specific instructions and resources for a particular task.

Usage:
- The catalog of available skills is listed in your system prompt under `<available_skills>`.
- Invoke this tool with a skill's `name` to inject its full instructions into the conversation.
- The loaded skill may reference helper scripts and files in its base directory — use the `read` tool to load those when the skill's instructions tell you to.
- On `Error: skill '...' not found`, do NOT retry with a guessed name. Pick a name that actually appears in `<available_skills>`, or report to the user that no matching skill is installed.";

static TEXTS: ToolTexts = ToolTexts {
    name: SkillTool::NAME,
    describe: |_, _| DESCRIPTION.into(),
    argument: "Name of the skill to load, e.g. \"pdf-extraction\". Must match a name listed under `<available_skills>` in the system prompt.",
    found: "Load a specialized skill that provides domain-specific instructions and resources for a particular task. Its name comes from search_skills or from `<available_skills>` in your system prompt; do NOT guess one.",
    load,
    unknown: NotFound::skill_tool_text,
    refuse,
};

/// The tool `skill`, with which a model reads a skill from the catalog of
/// [`Registry::prompt`](crate::Registry::prompt).
#[derive(Clone, Debug)]
#[must_use]
pub struct SkillTool<'a>(pub(crate) Reader<'a>);

impl<'a> SkillTool<'a> {
    /// Returns the reader that answers the tool's calls.
    #[doc(hidden)]
    pub fn into_reader(self) -> Reader<'a> {
        self.0
    }

    /// The name of the tool.
    pub const NAME: &'static str = "skill";

    /// Creates the tool for a collection of skills. Returns `None` if a model may see none of them, since the
    /// tool would be useless.
    ///
    /// Skills that require a capability are left out; see [`granted`](Self::granted).
    pub fn new(skills: impl IntoIterator<Item = Skill<'a>>) -> Option<Self> {
        Self::granted(skills, &|_| false)
    }

    /// Creates the tool for a host with capabilities: `grants` is called with `x` for an entry `cap:x`.
    pub fn granted(
        skills: impl IntoIterator<Item = Skill<'a>>,
        grants: &dyn Fn(&str) -> bool,
    ) -> Option<Self> {
        Some(Self(Reader::new(skills, grants, &TEXTS))).filter(|tool| !tool.is_empty())
    }

    /// Removes the skill names from its schema and its errors, for a model that finds skills with
    /// `search_skills`.
    pub fn unlisted(self) -> Self {
        Self(self.0.unlisted())
    }
}

impl<'a> Deref for SkillTool<'a> {
    type Target = Reader<'a>;

    fn deref(&self) -> &Reader<'a> {
        &self.0
    }
}

fn load(skill: Skill<'_>) -> String {
    let body = skill.loaded_body();
    let mut out = String::with_capacity(body.len() + 256);
    out.push_str("<skill name=\"");
    escape(&mut out, skill.name());
    out.push_str("\" location=\"");
    escape(&mut out, skill.location());
    out.push_str("\">\nSidecar paths in this skill (e.g. scripts/, references/) are relative to ");
    out.push_str(&harmless(skill.base()));
    out.push('.');
    if skill.is_bundled() {
        out.push_str(" Read them by calling this tool with \"");
        out.push_str(&harmless(skill.name()));
        out.push_str("/relative/path\".");
    }
    out.push_str("\n\n");
    out.push_str(&harmless(&body));
    if let Some(files) = files(skill) {
        out.push_str("\n\nFiles of this skill: ");
        out.push_str(&harmless(&files));
        out.push('.');
    }
    out.push_str("\n</skill>\n");
    out
}

/// Escapes closing tags that would end the block early, in any spelling.
fn harmless(text: &str) -> String {
    const END: &str = "</skill";
    let (mut out, mut from) = (String::with_capacity(text.len()), 0);
    for (at, _) in text.match_indices("</") {
        if text.get(at..at + END.len()).is_some_and(|tag| tag.eq_ignore_ascii_case(END)) {
            out.push_str(text.get(from..at).unwrap_or_default());
            out.push_str("&lt;");
            from = at + 1;
        }
    }
    out.push_str(text.get(from..).unwrap_or_default());
    out
}

fn refuse(refused: &Refused<'_>) -> String {
    let Refused { skill, path, reason, resources } = refused;
    let what = match reason {
        Reason::Missing => format!("skill '{skill}' has no file '{path}'"),
        Reason::Binary => format!("file '{path}' of skill '{skill}' is not text"),
        Reason::Outside => format!("path '{path}' leads out of skill '{skill}'"),
    };
    format!("Error: {what}. Resources: {resources}.")
}
