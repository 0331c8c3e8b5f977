//! Skills on demand: the prompt lists a few skills, and a model finds the others with the tool
//! `search_skills`.

use std::sync::LazyLock;

use serde_json::{Value, json};
use skills_registry::catalog::{CatalogEntry, render_some, shorten};
use skills_registry::{Skill, ToolFormat};
use skills_schema::lower::{DocumentOptions, lower};
use skills_schema::validate_str;
use skills_text::clean;

use super::session::{asked, lock};
use super::{FULL, ToolAnswer};
use crate::run::state::RunnerState;
use crate::{CallError, CallOptions};
use skills_runtime::__setters as setters;
use skills_runtime::tools::SearchSkillsTool;
use skills_runtime::tools::search_skills::{Item, MAX_RESULTS, SHOWN, listing};
use skills_runtime::typed::Checker;

/// Sets which skills a prompt lists if a model finds the others by search, and how long the prompt is.
///
/// ```
/// use skills_call::OnDemand;
/// let few = OnDemand::default().pin("house-style").budget(400);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct OnDemand {
    pinned: Vec<String>,
    budget: usize,
    likely: usize,
}

impl Default for OnDemand {
    /// Pins no skills, lists three likely skills for a message, and uses at most 250 tokens. Tokens are
    /// estimated as four bytes, and real tokenizers count fewer than 300 for such a text.
    fn default() -> Self {
        Self { pinned: Vec::new(), budget: 250, likely: 3 }
    }
}

impl OnDemand {
    /// Lists a skill in every prompt. If it is a function, also offers its full tool definition. Call this
    /// several times to pin several skills; they are listed in this order. [`Runner::problems`](crate::Runner::problems) has
    /// a line for each pinned skill that is not listed: it does not exist, has no instructions, or exceeds the budget.
    pub fn pin(mut self, name: impl Into<String>) -> Self {
        self.pinned.push(name.into());
        self
    }

    setters! {
        /// Sets the maximum number of tokens of the prompt, with about 120 for the text around the skills. Pinned skills
        /// beyond this limit must be found by search, and [`Runner::problems`](crate::Runner::problems) names them.
        budget(tokens: usize) => budget = tokens;
        /// Sets how many skills a prompt lists in addition because they match the message best.
        likely(count: usize) => likely = count;
    }

    /// Returns the names of the pinned skills.
    pub fn pinned(&self) -> impl Iterator<Item = &str> {
        self.pinned.iter().map(String::as_str)
    }

    pub(super) fn is_pinned(&self, name: &str) -> bool {
        self.pinned().any(|pinned| pinned == name)
    }
}

static ARGUMENTS: LazyLock<Checker> =
    LazyLock::new(|| lower(SearchSkillsTool::new([]).parameters(), &DocumentOptions::default()).tables);

impl RunnerState {
    /// Returns the definition of the tool that finds skills.
    pub(crate) fn search_tool(&self, format: ToolFormat) -> Option<String> {
        self.has_search().then(|| SearchSkillsTool::new([]).definition(format).to_string())
    }

    /// Returns `true` if the tool that finds skills is offered.
    pub(crate) fn has_search(&self) -> bool {
        self.on_demand.is_some() && self.layers.iter().any(|skill| self.item(skill).is_some())
    }

    /// Returns the skills for a task that a model may load or call, best first.
    pub(crate) fn find_skills(&self, task: &str, limit: usize) -> Vec<Skill<'_>> {
        self.found(task, limit).into_iter().map(|item| item.skill).collect()
    }

    fn found(&self, task: &str, limit: usize) -> Vec<Item<'_>> {
        let hits = self.layers.search(task, &|skill| self.item(skill).is_some());
        hits.into_iter().filter_map(|hit| self.item(hit.skill)).take(limit.min(MAX_RESULTS)).collect()
    }

    /// Returns how a model can use a skill; `None` if the skill is hidden or cannot be used.
    fn item<'a>(&self, skill: Skill<'a>) -> Option<Item<'a>> {
        let is_read = skill.is_offered();
        let is_called = self.tool(skill, FULL).is_ok();
        (is_read || is_called).then_some(Item { skill, is_read, is_called })
    }

    fn is_read(&self, skill: Skill<'_>) -> bool {
        self.item(skill).is_some_and(|item| item.is_read)
    }

    /// Returns `true` if the tool that finds skills has this name.
    pub(super) fn is_search(&self, name: &str) -> bool {
        self.on_demand.is_some() && name == SearchSkillsTool::NAME
    }

    /// Answers a call of `search_skills`. The functions that it finds are tools of the session from then on.
    pub(super) fn search_for(&self, arguments: &str, options: &CallOptions) -> ToolAnswer {
        if let Err(invalid) = validate_str(&ARGUMENTS, arguments) {
            return ToolAnswer::of_error(&CallError::invalid_input(SearchSkillsTool::NAME, invalid));
        }
        let (query, limit) = asked(arguments);
        let found = self.found(&query, limit);
        let tools: Vec<String> =
            found.iter().filter(|item| item.is_called).map(|item| item.skill.name().to_owned()).collect();
        if let Some(session) = &options.session {
            lock(session).finds(tools.iter().cloned());
        }
        let skills: Vec<Value> = found
            .iter()
            .map(|item| {
                let description = shorten(&item.skill.offer(), SHOWN);
                let name = clean(item.skill.name());
                json!({"name": name, "description": description, "load": item.is_read, "call": item.is_called})
            })
            .collect();
        let text = clean(&listing(&found, self.loader.name())).into_owned();
        ToolAnswer { output: Some(json!({ "skills": skills })), tools, ..ToolAnswer::read(text) }
    }

    /// Returns the names of the functions among the skills that match a task best.
    pub(super) fn functions_like(&self, task: &str, limit: usize) -> Vec<String> {
        let found = self.found(task, limit).into_iter().filter(|item| item.is_called);
        found.map(|item| item.skill.name().to_owned()).collect()
    }

    /// Returns the prompt: pinned skills, skills that a message is likely to need, and how to find others.
    pub(super) fn prompt_on_demand(&self, on_demand: &OnDemand, message: &str) -> String {
        let mut listed: Vec<Skill<'_>> = self.pinned_texts(on_demand).collect();
        if !message.trim().is_empty() {
            let likely =
                self.layers.search(message, &|skill| self.is_read(skill)).into_iter().map(|hit| hit.skill);
            let likely = likely.filter(|skill| !listed.iter().any(|known| known.is(*skill)));
            let likely: Vec<Skill<'_>> = likely.take(on_demand.likely).collect();
            listed.extend(likely);
        }
        self.render_listed(on_demand, &listed).0
    }

    /// Returns the pinned skills that a model can load, in the order in which they were pinned.
    fn pinned_texts(&self, on_demand: &OnDemand) -> impl Iterator<Item = Skill<'_>> {
        on_demand.pinned().filter_map(|name| self.layers.get(name)).filter(|skill| self.is_read(*skill))
    }

    /// Renders as many of these skills as the budget allows, and how to find the others. Returns the text and the number of
    /// skills in it.
    fn render_listed(&self, on_demand: &OnDemand, listed: &[Skill<'_>]) -> (String, usize) {
        let count = self.layers.iter().filter(|skill| self.item(*skill).is_some()).count();
        if count == 0 {
            return (String::new(), 0);
        }
        let offers: Vec<_> = listed.iter().map(|skill| skill.offer()).collect();
        let entries = listed.iter().zip(&offers).map(|(skill, description)| CatalogEntry {
            name: skill.name(),
            description,
            location: skill.location(),
            installed: false,
        });
        let entries: Vec<CatalogEntry<'_>> = entries.collect();
        let (style, loader) = self.style();
        render_some(&entries, style, loader, on_demand.budget, &|shown: usize| match count
            .saturating_sub(shown)
        {
            0 => String::new(),
            more => format!("\n{}", others(more, true)),
        })
        .unwrap_or_else(|| (format!("\n\n{}", others(count, false)), 0))
    }

    /// Returns a line for each pinned skill that the prompt does not list.
    pub(crate) fn pin_problems(&self) -> Vec<String> {
        let Some(on_demand) = &self.on_demand else { return Vec::new() };
        let mut lines = Vec::new();
        for name in on_demand.pinned() {
            match self.layers.find(name) {
                Err(missing) => {
                    let near = missing.nearest.as_ref().map(|near| format!("; did you mean `{near}`?"));
                    lines.push(format!("{missing}{}", near.unwrap_or_default()));
                }
                Ok(skill) if self.is_read(skill) => {}
                Ok(skill) if self.tool(skill, FULL).is_ok() => lines.push(format!(
                    "`{name}` has no instructions, so the prompt does not list it; only its tool definition is pinned"
                )),
                Ok(_) => lines.push(format!("`{name}` is not offered to models, so the prompt does not list it")),
            }
        }
        let listed: Vec<Skill<'_>> = self.pinned_texts(on_demand).collect();
        let (_, shown) = self.render_listed(on_demand, &listed);
        lines.extend(listed.iter().skip(shown).map(|skill| {
            let (name, budget) = (skill.name(), on_demand.budget);
            format!("`{name}` does not fit in the budget of {budget} tokens, so a model must search for it")
        }));
        lines
    }
}

/// Returns the text that explains how to find skills that are not listed.
fn others(count: usize, is_more: bool) -> String {
    let more = if is_more { " more" } else { "" };
    let (skills, are) =
        if count == 1 { ("skill or function", "is") } else { ("skills and functions", "are") };
    format!(
        "{count}{more} {skills} for specialized tasks {are} not listed here. Call the tool {} with what is to be done, in \
         a few words, before you do a task without one or say that it cannot be done.",
        SearchSkillsTool::NAME
    )
}

/// Marks a definition as deferred: the interface hides it from the model until it is found.
pub(super) fn deferred(definition: &str, format: ToolFormat) -> Option<String> {
    let takes = matches!(format, ToolFormat::Anthropic | ToolFormat::OpenAiResponses);
    let open = definition.trim_end().strip_suffix('}').filter(|_| takes)?;
    Some(format!("{open},\"defer_loading\":true}}"))
}

/// Returns the tool definition that makes the interface search deferred tools itself; `None` for interfaces
/// that use references.
pub(super) fn hosted(format: ToolFormat) -> Option<&'static str> {
    (format == ToolFormat::OpenAiResponses).then_some(r#"{"type":"tool_search"}"#)
}
