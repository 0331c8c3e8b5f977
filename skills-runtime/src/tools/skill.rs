//! The tool `skill`: a name becomes a `<skill>` block (SPEC 8.2); the catalog stands in the system prompt.

use skills_registry::Skill;
use skills_registry::catalog::escape;

use super::Answer;
use super::load_skill::unlisted_text;
use super::offer::{Found, Offer, Reason, Refused, files};
use super::session::Session;

const DESCRIPTION: &str = "Load a specialized skill that provides domain-specific instructions and resources for a particular task.

Usage:
- The catalog of available skills is listed in your system prompt under `<available_skills>`.
- Invoke this tool with a skill's `name` to inject its full instructions into the conversation.
- The loaded skill may reference helper scripts and files in its base directory — use the `read` tool to load those when the skill's instructions tell you to.
- On `Error: skill '...' not found`, do NOT retry with a guessed name. Pick a name that actually appears in `<available_skills>`, or report to the user that no matching skill is installed.";

/// What the one argument is.
const ARGUMENT: &str = "Name of the skill to load, e.g. \"pdf-extraction\". Must match a name listed under `<available_skills>` in the system prompt.";

/// The same where skills are found, and what the tool does then.
const ARGUMENT_FOUND: &str =
    "Name of a skill that search_skills found or the system prompt lists, or NAME/PATH for a file of it";
const FOUND: &str = "Load a specialized skill that provides domain-specific instructions and resources for a particular task. Its name comes from search_skills or from `<available_skills>` in your system prompt; do NOT guess one.";

/// The tool `skill`: a model that saw the catalog of [`Registry::prompt`](crate::Registry::prompt) reads a skill by it.
#[derive(Clone, Debug)]
pub struct SkillTool<'a> {
    offer: Offer<'a>,
    parameters: String,
    is_listed: bool,
}

impl<'a> SkillTool<'a> {
    /// The name of the tool.
    pub const NAME: &'static str = "skill";

    /// Makes the tool for the skills of a collection; nothing when a model may be shown none of them: then it gets no
    /// tool either.
    ///
    /// Skills that ask for a capability are not among them; see [`granted`](Self::granted).
    pub fn new(skills: impl IntoIterator<Item = Skill<'a>>) -> Option<Self> {
        Self::granted(skills, &|_| false)
    }

    /// Makes the tool for a host with capabilities: it is asked about `x` for `cap:x` (SPEC 2.9).
    pub fn granted(
        skills: impl IntoIterator<Item = Skill<'a>>,
        grants: &dyn Fn(&str) -> bool,
    ) -> Option<Self> {
        let offer = Offer::new(skills, grants);
        let parameters = offer.parameters(ARGUMENT);
        (!offer.skills().is_empty()).then_some(Self { offer, parameters, is_listed: true })
    }

    /// Names no skills in its schema and its refusals: for a model that finds them by `search_skills` (SPEC 16.5).
    #[must_use]
    pub fn unlisted(self) -> Self {
        Self { parameters: Offer::open_parameters(ARGUMENT_FOUND), is_listed: false, ..self }
    }

    /// Returns the name of the tool.
    pub fn name(&self) -> &'static str {
        Self::NAME
    }

    /// Returns what the tool does: it does not say which skills there are, the system prompt does.
    pub fn description(&self) -> &'static str {
        if self.is_listed { DESCRIPTION } else { FOUND }
    }

    /// Returns the JSON Schema of the arguments: an object with the text `name`, one of those that there are (SPEC 8.13).
    pub fn parameters(&self) -> &str {
        &self.parameters
    }

    /// Answers a call in a session: a skill that was loaded in it is not sent again (SPEC 8.13).
    pub fn call_in(&self, name: &str, session: &mut Session) -> Answer {
        match self.offer.find(name) {
            Found::Skill(skill) => session.first(skill).unwrap_or_else(|| self.call(name)),
            _ => self.call(name),
        }
    }

    /// Notes in a session what its history shows as the answer to a call (SPEC 11.17).
    #[cfg(feature = "call")]
    pub(crate) fn replay(&self, name: &str, shown: &str, session: &mut Session) {
        if let Found::Skill(skill) = self.offer.find(name) {
            session.replay(skill, &self.call(name), shown);
        }
    }

    /// Answers a call: `name` is that of a skill, or `NAME/PATH` for the text of one of its files.
    pub fn call(&self, name: &str) -> Answer {
        match self.offer.find(name) {
            Found::Skill(skill) => Answer::ok(block(skill)),
            Found::Text(text) => Answer::ok(text.to_owned()),
            Found::Unknown(missing) if !self.is_listed => Answer::error(unlisted_text(&missing)),
            Found::Unknown(missing) => Answer::error(missing.skill_tool_text()),
            Found::Refused(refused) => Answer::error(refusal(&refused)),
        }
    }
}

fn block(skill: Skill<'_>) -> String {
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

/// Mends the one text that would end the block early, however it is spelt (SPEC 12.8).
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

fn refusal(refused: &Refused<'_>) -> String {
    let Refused { skill, path, reason, resources } = refused;
    let what = match reason {
        Reason::Missing => format!("skill '{skill}' has no file '{path}'"),
        Reason::Binary => format!("file '{path}' of skill '{skill}' is no text"),
        Reason::Outside => format!("path '{path}' leads out of skill '{skill}'"),
    };
    format!("Error: {what}. Resources: {resources}.")
}
