//! The tool `load_skill`: its description is the catalog, and a name becomes the instructions (SPEC 8.2).

use skills_registry::catalog::one_line;
use skills_registry::{NotFound, Skill};

use super::Answer;
use super::offer::{Found, Offer, Reason, Refused, files};
use super::session::Session;

/// What the one argument is.
const ARGUMENT: &str = "Skill name from the available skills list";

/// The same where skills are found, and what the tool does then.
const ARGUMENT_FOUND: &str =
    "Name of a skill that search_skills found or the system prompt lists, or NAME/PATH for a file of it";
const FOUND: &str = "Load a skill by name to get detailed instructions for a task. Its name comes from search_skills or the system prompt.";

/// The tool `load_skill`, for agents whose system prompt says nothing of skills: its description lists them.
///
/// ```
/// use skills_runtime::tools::LoadSkillTool;
/// let tool = LoadSkillTool::new([]);
/// assert!(tool.description().ends_with("No skills are currently available."));
/// assert_eq!(tool.call("pdf").text, "Skill \"pdf\" not found. Available skills: none");
/// ```
#[derive(Clone, Debug)]
pub struct LoadSkillTool<'a> {
    offer: Offer<'a>,
    description: String,
    parameters: String,
    is_listed: bool,
}

impl<'a> LoadSkillTool<'a> {
    /// The name of the tool.
    pub const NAME: &'static str = "load_skill";

    /// Makes the tool for the skills of a collection.
    ///
    /// Skills that ask for a capability are not among them; see [`granted`](Self::granted).
    pub fn new(skills: impl IntoIterator<Item = Skill<'a>>) -> Self {
        Self::granted(skills, &|_| false)
    }

    /// Makes the tool for a host with capabilities: it is asked about `x` for `cap:x` (SPEC 2.9).
    pub fn granted(skills: impl IntoIterator<Item = Skill<'a>>, grants: &dyn Fn(&str) -> bool) -> Self {
        let offer = Offer::new(skills, grants);
        let description = describe(offer.skills());
        let parameters = offer.parameters(ARGUMENT);
        Self { offer, description, parameters, is_listed: true }
    }

    /// Names no skills in its description, its schema and its refusals: for a model that finds them by `search_skills`
    /// (SPEC 16.5).
    #[must_use]
    pub fn unlisted(self) -> Self {
        let parameters = Offer::open_parameters(ARGUMENT_FOUND);
        Self { description: FOUND.to_owned(), parameters, is_listed: false, ..self }
    }

    /// Returns the name of the tool.
    pub fn name(&self) -> &'static str {
        Self::NAME
    }

    /// Returns what the tool does, with a line for each skill.
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
    #[cfg(feature = "call")]
    pub(crate) fn replay(&self, name: &str, shown: &str, session: &mut Session) {
        if let Found::Skill(skill) = self.offer.find(name) {
            session.replay(skill, &self.call(name), shown);
        }
    }

    /// Answers a call: `name` is that of a skill, or `NAME/PATH` for the text of one of its files.
    pub fn call(&self, name: &str) -> Answer {
        match self.offer.find(name) {
            Found::Skill(skill) => Answer::ok(format!(
                "## Skill: {}\n\n{}{}{}",
                skill.name(),
                place(skill),
                skill.loaded_body().trim(),
                listed(skill)
            )),
            Found::Text(text) => Answer::ok(text.to_owned()),
            Found::Unknown(missing) if !self.is_listed => Answer::error(unlisted_text(&missing)),
            Found::Unknown(missing) => Answer::error(missing.load_skill_text()),
            Found::Refused(refused) => Answer::error(refusal(&refused)),
        }
    }
}

/// Says that a skill is not there, without the names of all.
pub(super) fn unlisted_text(missing: &NotFound) -> String {
    let near = missing.nearest.as_ref().map(|near| format!(" Did you mean \"{near}\"?")).unwrap_or_default();
    format!("Skill \"{}\" not found.{near} Find the name by search_skills.", missing.name)
}

/// Says where the files of a skill are. Those of one that is in the program only have no address but this tool.
fn place(skill: Skill<'_>) -> String {
    if !skill.is_bundled() {
        return format!("**Base directory**: {}\n\n", skill.base());
    }
    let paths: Vec<&str> = skill.resources().map(|file| file.path()).collect();
    if paths.is_empty() {
        return String::new();
    }
    let (name, files) = (skill.name(), paths.join(", "));
    format!("**Files**: {files}. Read one by calling this tool with \"{name}/PATH\".\n\n")
}

/// Names the files of a skill on disk behind its body (SPEC 8.13); of one in the program they stand before it.
fn listed(skill: Skill<'_>) -> String {
    let files = if skill.is_bundled() { None } else { files(skill) };
    files.map(|files| format!("\n\n**Files**: {files}.")).unwrap_or_default()
}

fn describe(skills: &[Skill<'_>]) -> String {
    if skills.is_empty() {
        return "Load a skill to get detailed instructions for a specific task. No skills are currently available."
            .to_owned();
    }
    let mut out =
        "Load a skill by name to get detailed instructions for a task. Use when the user request matches \
                   an available skill.\nAvailable skills:"
            .to_owned();
    for skill in skills {
        for part in ["\n- **", &one_line(skill.name()), "**: ", &one_line(&skill.offer())] {
            out.push_str(part);
        }
    }
    out
}

fn refusal(refused: &Refused<'_>) -> String {
    let Refused { skill, path, reason, resources } = refused;
    let what = match reason {
        Reason::Missing => format!("Skill \"{skill}\" has no file \"{path}\""),
        Reason::Binary => format!("File \"{path}\" of skill \"{skill}\" is no text"),
        Reason::Outside => format!("Path \"{path}\" leads out of skill \"{skill}\""),
    };
    format!("{what}. Resources: {resources}")
}
