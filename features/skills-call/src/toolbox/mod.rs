//! The tools and prompts that a runner offers to a model, for chats, servers and agents.
//!
//! The same runner can run everything that it offers: [`Runner::tools`](crate::Runner::tools),
//! [`Runner::prompt`](crate::Runner::prompt) and [`Runner::dispatch`](crate::Runner::dispatch) select skills in the same way.

mod answer;
mod loader;
mod on_demand;
mod session;

use std::borrow::Cow;

use serde_json::{Value, json};
use skills_registry::{Prompt, Skill, Style, ToolFormat};
use skills_text::clean;

use super::run::state::RunnerState;
use crate::model::ToolDefinition;
pub use answer::ToolAnswer;
pub use loader::Loader;
pub use on_demand::OnDemand;
use skills_runtime::tools::{Exclusion, Reader, SearchSkillsTool, Session, definition_of};

/// The most expressive format, which also accepts every name that another format accepts.
const FULL: ToolFormat = ToolFormat::Mcp;

impl RunnerState {
    /// Renders everything that a model may call now as a JSON array.
    pub(crate) fn tools(&self, format: ToolFormat) -> String {
        let loader = self.loading().map(|loading| Cow::Owned(loading.definition(format).to_string()));
        let search = self.search_tool(format).map(Cow::Owned);
        let mut is_deferring = false;
        let functions = self.layers.iter().filter_map(|skill| {
            let tool = self.tool(skill, format).ok()?;
            let deferred = if self.defers(skill) { on_demand::deferred(&tool, format) } else { None };
            is_deferring |= deferred.is_some();
            Some(deferred.map_or(tool, Cow::Owned))
        });
        let mut texts: Vec<Cow<'_, str>> = loader.into_iter().chain(search).chain(functions).collect();
        texts.extend(on_demand::hosted(format).filter(|_| is_deferring).map(Cow::Borrowed));
        format!("[{}]", texts.join(","))
    }

    /// Returns `true` if a model sees a function only after it has found it.
    fn defers(&self, skill: Skill<'_>) -> bool {
        self.on_demand.as_ref().is_some_and(|on_demand| !on_demand.is_pinned(skill.name()))
    }

    /// Returns the definitions of all tools.
    pub(crate) fn tool_definitions(&self) -> Vec<ToolDefinition> {
        self.definitions(&|_| true)
    }

    /// Returns the definitions of the tools that a session has found.
    pub(crate) fn tool_definitions_in(&self, session: &Session) -> Vec<ToolDefinition> {
        self.definitions(&|skill| !self.defers(skill) || session.has_found(skill.name()))
    }

    fn definitions(&self, wanted: &dyn Fn(Skill<'_>) -> bool) -> Vec<ToolDefinition> {
        let loading = self.loading();
        let loader = loading.map(|own| define(own.name(), own.description(), own.parameters()));
        let search = self.has_search().then(|| SearchSkillsTool::new([]));
        let search = search.map(|own| define(own.name(), own.description(), own.parameters()));
        let skills = self.layers.iter().filter(|skill| wanted(*skill));
        let functions = skills.filter_map(|skill| {
            let mut tool: Value = serde_json::from_str(&self.tool(skill, FULL).ok()?).ok()?;
            let parameters =
                tool.get_mut("inputSchema").map_or_else(|| json!({"type": "object"}), Value::take);
            let (name, description) = (skill.name().to_owned(), clean(skill.description()).into_owned());
            Some(ToolDefinition { name, description, parameters })
        });
        loader.into_iter().chain(search).chain(functions).collect()
    }

    /// Returns the tool definition of one skill, or why it is not a tool now.
    pub(crate) fn tool<'a>(&self, skill: Skill<'a>, format: ToolFormat) -> Result<Cow<'a, str>, Exclusion> {
        if !self.offers_functions {
            return Err(Exclusion::Hidden);
        }
        let definition = definition_of(self, skill, format)?;
        if Some(skill.name()) == self.loader.name() {
            return Err(Exclusion::Loader);
        }
        if self.is_search(skill.name()) {
            return Err(Exclusion::Search);
        }
        Ok(definition)
    }

    /// Returns `true` if a function of this name is a tool now.
    pub(crate) fn is_tool(&self, name: &str) -> bool {
        self.layers.get(name).is_some_and(|skill| self.tool(skill, FULL).is_ok())
    }

    /// Returns the functions that an interface cannot offer, each with the reason.
    pub(crate) fn left_out(&self, format: ToolFormat) -> Vec<(Skill<'_>, Exclusion)> {
        let skills = self.layers.iter();
        let left = skills.filter_map(|skill| Some((skill, self.tool(skill, format).err()?)));
        left.filter(|(_, left)| !left.is_meant()).collect()
    }

    /// Renders the text for a system prompt, with the skills that a message is likely to need.
    pub(crate) fn prompt_for(&self, message: &str) -> String {
        match &self.on_demand {
            Some(on_demand) => self.prompt_on_demand(on_demand, message),
            None => self.prompt(),
        }
    }

    /// Renders the text for a system prompt.
    pub(crate) fn prompt(&self) -> String {
        if self.on_demand.is_some() {
            return self.prompt_for("");
        }
        let layers = &self.layers;
        let skills: Vec<Skill<'_>> = layers.iter().collect();
        if self.loader.lists_skills() || !skills.iter().any(|skill| skill.is_offered()) {
            return String::new();
        }
        let (style, loader) = self.style();
        let prompt = Prompt::new(style).loader(loader).budget(layers.catalog_budget()).grant(&|_| true);
        prompt.render(skills.into_iter())
    }

    /// Returns the style of the text for a system prompt, and the tool that it names.
    fn style(&self) -> (Style, &'static str) {
        self.loader.name().map_or((Style::AgentSkills, ""), |loader| (Style::Skills, loader))
    }

    /// Returns the definition of the tool that loads skills.
    pub(crate) fn loader_tool(&self, format: ToolFormat) -> Option<String> {
        self.loading().map(|loading| loading.definition(format).to_string())
    }

    fn loading(&self) -> Option<Reader<'_>> {
        let layers = &self.layers;
        self.loader.create_tool(layers.iter().collect(), self.on_demand.is_none(), layers.catalog_budget())
    }
}

fn define(name: &str, description: &str, parameters: &str) -> ToolDefinition {
    let parameters = serde_json::from_str(parameters).unwrap_or_else(|_| json!({"type": "object"}));
    ToolDefinition { name: name.to_owned(), description: description.to_owned(), parameters }
}
