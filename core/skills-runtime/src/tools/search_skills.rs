//! The tool `search_skills`: finds skills for a task, so that a model does not have to see the list of all
//! skills.

use skills_registry::catalog::{one_line, shorten};
use skills_registry::{Skill, ranked};

use super::ToolText;
use super::offer::Offer;

const DESCRIPTION: &str = "Find the skills and functions that fit a task, best first. Search before you say that something cannot be done. Say what is to be done in a few words of any language; when nothing fits, try other words.";

/// The parameters: a query, and the number of results.
const PARAMETERS: &str = r#"{"type":"object","properties":{"query":{"type":"string","description":"What is to be done, in a few words"},"limit":{"type":"integer","minimum":1,"maximum":20,"default":5,"description":"How many skills to return at most"}},"required":["query"]}"#;

/// The number of skills in an answer, unless the model asks for another number.
pub const DEFAULT_RESULTS: usize = 5;
/// The maximum number of skills in an answer.
pub const MAX_RESULTS: usize = 20;
/// The maximum number of characters of a description that are shown.
pub const SHOWN: usize = 200;

/// The tool `search_skills`, which finds skills for a model to load with another tool.
///
/// ```
/// # use skills_registry::{Facts, CompiledFile, Layout, CompiledSkill, Registry, write};
/// # let body = Some(0..0);
/// # let facts = Facts { name: "pdf".to_owned(), description: "Reads PDF files.".to_owned(), body, model_invocable: true, ..Facts::default() };
/// # let skills = Registry::new(write(&[CompiledSkill::from(facts)], Layout::Joined, 8_000)?.into_tables());
/// use skills_runtime::tools::{LoadSkillTool, SearchSkillsTool};
/// let (search, load) = (SearchSkillsTool::new(&skills), LoadSkillTool::new(&skills).unlisted());
/// assert!(!load.description().contains("pdf"));
/// assert!(search.call("read a pdf", 5).text.ends_with("- **pdf**: Reads PDF files."));
/// # Ok::<(), skills_registry::TooLarge>(())
/// ```
#[derive(Clone, Debug)]
pub struct SearchSkillsTool<'a> {
    offer: Offer<'a>,
}

impl<'a> SearchSkillsTool<'a> {
    /// The name of the tool.
    pub const NAME: &'static str = "search_skills";

    /// Creates the tool for a collection of skills.
    ///
    /// Skills that require a capability are left out; see [`granted`](Self::granted).
    pub fn new(skills: impl IntoIterator<Item = Skill<'a>>) -> Self {
        Self::granted(skills, &|_| false)
    }

    /// Creates the tool for a host with capabilities: `grants` is called with `x` for an entry `cap:x`.
    pub fn granted(skills: impl IntoIterator<Item = Skill<'a>>, grants: &dyn Fn(&str) -> bool) -> Self {
        Self { offer: Offer::new(skills, grants) }
    }

    /// Returns the name of the tool.
    pub fn name(&self) -> &'static str {
        Self::NAME
    }

    /// Returns the description of the tool.
    pub fn description(&self) -> &'static str {
        DESCRIPTION
    }

    /// Returns the JSON Schema of the arguments: an object with the text `query` and optionally the number
    /// `limit`.
    pub fn parameters(&self) -> &'static str {
        PARAMETERS
    }

    /// Answers a call with the matching skills, at most 20. Having no results is not an error.
    pub fn call(&self, query: &str, limit: usize) -> ToolText {
        let hits =
            ranked(self.offer.skills().iter().copied(), query).into_iter().take(limit.min(MAX_RESULTS));
        let item = |skill| Item { skill, is_read: true, is_called: false };
        let found: Vec<Item<'_>> = hits.map(|hit| item(hit.skill)).collect();
        ToolText::ok(listing(&found, Some("load_skill")))
    }
}

/// A search result, and how a model can use it.
#[derive(Clone, Copy, Debug)]
pub struct Item<'a> {
    /// The skill.
    pub skill: Skill<'a>,
    /// Whether it has instructions to load.
    pub is_read: bool,
    /// Whether the skill is a tool itself, under its own name.
    pub is_called: bool,
}

/// Lists the skills found, one per line. `loader` is the tool that loads skills; without it their locations are listed.
pub fn listing(found: &[Item<'_>], loader: Option<&str>) -> String {
    let (reads, calls) = (found.iter().any(|item| item.is_read), found.iter().any(|item| item.is_called));
    let load = match loader {
        Some(loader) => format!("Load a skill by {loader} before you follow it."),
        None => "Read a skill at its location before you follow it.".to_owned(),
    };
    let call = "Call a function as the tool of its name.";
    let mut out = match (reads, calls) {
        (false, false) => return "No skill fits. Try other words.".to_owned(),
        (true, false) => load,
        (false, true) => call.to_owned(),
        (true, true) => format!("{load} {call}"),
    };
    for Item { skill, is_read, is_called } in found {
        let kind = match (is_read, is_called) {
            (true, true) => " (function, with instructions)",
            (false, true) => " (function)",
            _ => "",
        };
        let location =
            if loader.is_none() && *is_read { format!(" at {}", skill.location()) } else { String::new() };
        out.push_str(&format!(
            "\n- **{}**{kind}{location}: {}",
            one_line(skill.name()),
            shorten(&skill.offer(), SHOWN)
        ));
    }
    out
}
