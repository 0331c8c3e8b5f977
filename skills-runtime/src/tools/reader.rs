//! The tool by which a model reads skills: a name becomes the instructions, or the text of a file. `skill` and `load_skill`
//! differ in their words alone (SPEC 8.2).

use std::borrow::Cow;

use skills_registry::{NotFound, Skill};

use super::Answer;
use super::offer::{Found, Offer, Refused};
use super::session::Session;

/// What the one argument is where skills are found.
const ARGUMENT_FOUND: &str =
    "Name of a skill that search_skills found or the system prompt lists, or NAME/PATH for a file of it";

/// What is said by one of the two tools.
#[derive(Debug)]
pub(super) struct Words {
    pub(super) name: &'static str,
    /// What the tool does with these skills.
    pub(super) describe: fn(&[Skill<'_>]) -> Cow<'static, str>,
    /// What the one argument is.
    pub(super) argument: &'static str,
    /// What the tool does where skills are found.
    pub(super) found: &'static str,
    pub(super) load: fn(Skill<'_>) -> String,
    pub(super) unknown: fn(&NotFound) -> String,
    pub(super) refuse: fn(&Refused<'_>) -> String,
}

/// What [`SkillTool`](super::SkillTool) and [`LoadSkillTool`](super::LoadSkillTool) both do.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    offer: Offer<'a>,
    words: &'static Words,
    description: Cow<'static, str>,
    parameters: String,
    is_listed: bool,
}

impl<'a> Reader<'a> {
    pub(super) fn new(
        skills: impl IntoIterator<Item = Skill<'a>>,
        grants: &dyn Fn(&str) -> bool,
        words: &'static Words,
    ) -> Self {
        let offer = Offer::new(skills, grants);
        let description = (words.describe)(offer.skills());
        let parameters = offer.parameters(words.argument);
        Self { offer, words, description, parameters, is_listed: true }
    }

    pub fn unlisted(self) -> Self {
        let parameters = Offer::default().parameters(ARGUMENT_FOUND);
        Self { description: Cow::Borrowed(self.words.found), parameters, is_listed: false, ..self }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.offer.skills().is_empty()
    }

    /// Returns the name of the tool.
    pub fn name(&self) -> &'static str {
        self.words.name
    }

    /// Returns what the tool does: that of `load_skill` has a line for each skill, where the system prompt lists them for
    /// `skill`.
    pub fn description(&self) -> &str {
        &self.description
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
    pub fn replay(&self, name: &str, shown: &str, session: &mut Session) {
        if let Found::Skill(skill) = self.offer.find(name) {
            session.replay(skill, &self.call(name), shown);
        }
    }

    /// Answers a call: `name` is that of a skill, or `NAME/PATH` for the text of one of its files.
    pub fn call(&self, name: &str) -> Answer {
        match self.offer.find(name) {
            Found::Skill(skill) => Answer::ok((self.words.load)(skill)),
            Found::Text(text) => Answer::ok(text.to_owned()),
            Found::Unknown(missing) if !self.is_listed => Answer::error(unlisted(&missing)),
            Found::Unknown(missing) => Answer::error((self.words.unknown)(&missing)),
            Found::Refused(refused) => Answer::error((self.words.refuse)(&refused)),
        }
    }
}

/// Says that a skill is not there, without the names of all.
fn unlisted(missing: &NotFound) -> String {
    let near = missing.nearest.as_ref().map(|near| format!(" Did you mean \"{near}\"?")).unwrap_or_default();
    format!("Skill \"{}\" not found.{near} Find the name by search_skills.", missing.name)
}
