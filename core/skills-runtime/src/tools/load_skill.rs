//! The tool `load_skill`: its description is the catalog, and it returns the instructions of a skill.

use std::borrow::Cow;
use std::ops::Deref;

use skills_registry::catalog::{one_line, render_list, shorten};
use skills_registry::{NotFound, Skill};

use super::offer::{Reason, Refused, files};
use super::reader::{Reader, ToolTexts};

/// The description of the tool, before the skills.
const HEAD: &str = "Load a skill by name to get detailed instructions for a task. Use when the user request matches an \
                    available skill.\nAvailable skills:";

static TEXTS: ToolTexts = ToolTexts {
    name: LoadSkillTool::NAME,
    describe,
    argument: "Skill name from the available skills list",
    found: "Load a skill by name to get detailed instructions for a task. Its name comes from search_skills or the system prompt.",
    load,
    unknown: NotFound::load_skill_text,
    refuse,
};

/// The tool `load_skill`, for agents whose system prompt does not mention skills: its description lists them.
///
/// ```
/// use skills_runtime::tools::LoadSkillTool;
/// let tool = LoadSkillTool::new([]);
/// assert!(tool.description().ends_with("No skills are currently available."));
/// assert_eq!(tool.call("pdf").text, "Skill \"pdf\" not found. Available skills: none");
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct LoadSkillTool<'a>(pub(crate) Reader<'a>);

impl<'a> LoadSkillTool<'a> {
    /// Returns the reader that answers the tool's calls.
    #[doc(hidden)]
    pub fn into_reader(self) -> Reader<'a> {
        self.0
    }

    /// The name of the tool.
    pub const NAME: &'static str = "load_skill";

    /// Creates the tool for a collection of skills.
    ///
    /// Skills that require a capability are left out; see [`granted`](Self::granted).
    pub fn new(skills: impl IntoIterator<Item = Skill<'a>>) -> Self {
        Self::granted(skills, &|_| false)
    }

    /// Creates the tool for a host with capabilities: `grants` is called with `x` for an entry `cap:x`.
    pub fn granted(skills: impl IntoIterator<Item = Skill<'a>>, grants: &dyn Fn(&str) -> bool) -> Self {
        Self(Reader::new(skills, grants, &TEXTS))
    }

    /// Lists the skills in at most `tokens` tokens; a token is four bytes. Descriptions are cut to 200
    /// characters, then to 100, and then skills are dropped from the end of the list and named in a last line.
    pub fn budget(self, tokens: usize) -> Self {
        Self(self.0.within(tokens))
    }

    /// Removes the skill names from its description, its schema and its errors, for a model that finds skills
    /// with `search_skills`.
    pub fn unlisted(self) -> Self {
        Self(self.0.unlisted())
    }
}

impl<'a> Deref for LoadSkillTool<'a> {
    type Target = Reader<'a>;

    fn deref(&self) -> &Reader<'a> {
        &self.0
    }
}

fn load(skill: Skill<'_>) -> String {
    let body = skill.loaded_body();
    format!("## Skill: {}\n\n{}{}{}", skill.name(), place(skill), body.trim(), listed(skill))
}

/// Describes the location of a skill's files. Only this tool can read files that are part of the program.
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

/// Lists the files of a skill on disk after its body. The files of a skill in the program are listed before
/// its body.
fn listed(skill: Skill<'_>) -> String {
    let files = if skill.is_bundled() { None } else { files(skill) };
    files.map(|files| format!("\n\n**Files**: {files}.")).unwrap_or_default()
}

fn describe(skills: &[Skill<'_>], budget: usize) -> Cow<'static, str> {
    if skills.is_empty() {
        return "Load a skill to get detailed instructions for a specific task. No skills are currently available."
            .into();
    }
    let names: Vec<&str> = skills.iter().map(|skill| skill.name()).collect();
    let push = |out: &mut String, at: usize, longest: usize| {
        let skill = skills[at];
        for part in ["\n- **", &one_line(skill.name()), "**: ", &shorten(&skill.offer(), longest)] {
            out.push_str(part);
        }
    };
    render_list(HEAD, "", &names, &push, budget).into()
}

fn refuse(refused: &Refused<'_>) -> String {
    let Refused { skill, path, reason, resources } = refused;
    let what = match reason {
        Reason::Missing => format!("Skill \"{skill}\" has no file \"{path}\""),
        Reason::Binary => format!("File \"{path}\" of skill \"{skill}\" is not text"),
        Reason::Outside => format!("Path \"{path}\" leads out of skill \"{skill}\""),
    };
    format!("{what}. Resources: {resources}")
}
