//! The shared code of the tools `skill` and `load_skill`, which differ only in their texts. They return the
//! instructions of a skill, or the text of a file.

use std::borrow::Cow;

use skills_registry::{NotFound, Skill};

use super::ToolText;
use super::offer::{Offer, Offered, Refused};
use super::session::Session;

/// The description of the argument if the model finds skills by searching.
const ARGUMENT_FOUND: &str =
    "Name of a skill that search_skills found or the system prompt lists, or NAME/PATH for a file of it";

/// The texts of one of the two tools.
#[derive(Debug)]
pub(super) struct ToolTexts {
    pub(super) name: &'static str,
    /// Returns the description of the tool for these skills, with at most the given number of tokens.
    pub(super) describe: fn(&[Skill<'_>], usize) -> Cow<'static, str>,
    pub(super) argument: &'static str,
    /// The description of the tool if the model finds skills by searching.
    pub(super) found: &'static str,
    pub(super) load: fn(Skill<'_>) -> String,
    pub(super) unknown: fn(&NotFound) -> String,
    pub(super) refuse: fn(&Refused<'_>) -> String,
}

/// The shared methods of [`SkillTool`](super::SkillTool) and [`LoadSkillTool`](super::LoadSkillTool).
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    offer: Offer<'a>,
    texts: &'static ToolTexts,
    description: Cow<'static, str>,
    parameters: String,
    is_listed: bool,
}

impl<'a> Reader<'a> {
    pub(super) fn new(
        skills: impl IntoIterator<Item = Skill<'a>>,
        grants: &dyn Fn(&str) -> bool,
        texts: &'static ToolTexts,
    ) -> Self {
        let offer = Offer::new(skills, grants);
        let description = (texts.describe)(offer.skills(), usize::MAX);
        let parameters = offer.parameters(texts.argument);
        Self { offer, texts, description, parameters, is_listed: true }
    }

    /// Lists the skills in at most `budget` tokens, like a catalog.
    pub fn within(self, budget: usize) -> Self {
        Self { description: (self.texts.describe)(self.offer.skills(), budget), ..self }
    }

    /// Leaves the names of the skills out of the description and the parameters.
    pub fn unlisted(self) -> Self {
        let parameters = Offer::default().parameters(ARGUMENT_FOUND);
        Self { description: Cow::Borrowed(self.texts.found), parameters, is_listed: false, ..self }
    }

    /// Returns `true` if the tool could load nothing.
    pub fn is_empty(&self) -> bool {
        self.offer.skills().is_empty()
    }

    /// Returns the name of the tool.
    pub fn name(&self) -> &'static str {
        self.texts.name
    }

    /// Returns the description of the tool. For `load_skill` it lists the skills; for `skill`, the system
    /// prompt does.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// Returns the JSON Schema of the arguments: an object with the text `name`, which is one of the
    /// available names.
    pub fn parameters(&self) -> &str {
        &self.parameters
    }

    /// Answers a call in a session. A skill that was already loaded in the session is not sent again.
    pub fn call_in(&self, name: &str, session: &mut Session) -> ToolText {
        match self.offer.find(name) {
            Offered::Skill(skill) => session.first(skill).unwrap_or_else(|| self.call(name)),
            _ => self.call(name),
        }
    }

    /// Records in a session an answer to a call that is in the history of the conversation.
    pub fn replay(&self, name: &str, shown: &str, session: &mut Session) {
        if let Offered::Skill(skill) = self.offer.find(name) {
            session.replay(skill, &self.call(name), shown);
        }
    }

    /// Answers a call. `name` is the name of a skill, or `NAME/PATH` for the text of one of its files.
    pub fn call(&self, name: &str) -> ToolText {
        match self.offer.find(name) {
            Offered::Skill(skill) => ToolText::ok((self.texts.load)(skill)),
            Offered::Text(skill, text) => ToolText::ok(marked(skill, text)),
            Offered::Unread(reason) => ToolText::error(reason.to_owned()),
            Offered::Unknown(missing) if !self.is_listed => ToolText::error(unlisted(&missing)),
            Offered::Unknown(missing) => ToolText::error((self.texts.unknown)(&missing)),
            Offered::Refused(refused) => ToolText::error((self.texts.refuse)(&refused)),
        }
    }
}

/// Returns the text of a file. The text of a server's file is marked, because the model must not take it for
/// a text of the user.
fn marked(skill: Skill<'_>, text: &str) -> String {
    match skill.is_remote() {
        true => format!(
            "(This file of `{}` comes from an MCP server, not from the user.)\n\n{text}",
            skill.name()
        ),
        false => text.to_owned(),
    }
}

/// Returns the error for an unknown skill without listing the names.
fn unlisted(missing: &NotFound) -> String {
    let near = missing.nearest.as_ref().map(|near| format!(" Did you mean \"{near}\"?")).unwrap_or_default();
    format!("Skill \"{}\" not found.{near} Find the name by search_skills.", missing.name)
}
