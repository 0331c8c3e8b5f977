//! Renders the catalog: the text that lists the available skills for a model.

mod budget;
mod entry;
mod style;

use std::borrow::Cow;
use std::ffi::OsStr;

pub use budget::{BUDGET, estimated_tokens, render, render_list, render_some};
pub use entry::{CatalogEntry, escape, one_line, shorten};
pub(crate) use style::LOADER;
pub use style::Style;

use crate::available::search_path;
use crate::skill::Skill;

/// Options for rendering a catalog.
///
/// ```
/// use skills_registry::{Prompt, Style};
/// let prompt = Prompt::new(Style::Omega).budget(2_000).grant(&|capability| capability == "camera");
/// ```
#[derive(Clone, Copy)]
pub struct Prompt<'a> {
    pub(crate) style: Style,
    pub(crate) budget: Option<usize>,
    pub(crate) grants: Option<&'a dyn Fn(&str) -> bool>,
    path: Option<&'a OsStr>,
    pub(crate) loader: &'a str,
}

impl<'a> Prompt<'a> {
    /// Creates options for a style, with the bundle's budget and no capability granted.
    pub fn new(style: Style) -> Self {
        Self { style, budget: None, grants: None, path: None, loader: LOADER }
    }

    /// Sets the maximum length in tokens; a token is four bytes. The default is the budget of the bundle,
    /// which is 8,000 unless it was changed.
    pub fn budget(self, tokens: usize) -> Self {
        Self { budget: Some(tokens), ..self }
    }

    /// Sets the budget if it is not set yet.
    #[must_use]
    pub fn budget_or(self, tokens: usize) -> Self {
        Self { budget: self.budget.or(Some(tokens)), ..self }
    }

    /// Sets the capabilities of the host: `grants` is called with `x` for an entry `cap:x`. By default none
    /// is granted.
    pub fn grant(self, grants: &'a dyn Fn(&str) -> bool) -> Self {
        Self { grants: Some(grants), ..self }
    }

    /// Sets the directories to search for required programs (default: `PATH` of this process). Only used by
    /// [`Style::Omega`].
    pub fn path(self, path: &'a OsStr) -> Self {
        Self { path: Some(path), ..self }
    }

    /// Sets the name of the tool that loads skills (default: `skill`). Only used by [`Style::Skills`].
    pub fn loader(self, loader: &'a str) -> Self {
        Self { loader, ..self }
    }

    /// Returns `true` if a capability is granted.
    pub fn grants(&self, capability: &str) -> bool {
        self.grants.is_some_and(|grants| grants(capability))
    }

    /// Renders the catalog entry of one skill, regardless of the budget. Empty for a skill that the catalog
    /// leaves out.
    pub fn entry(&self, skill: Skill<'_>) -> String {
        let whole = self.budget(usize::MAX).render(std::iter::once(skill));
        let entry = whole
            .strip_prefix(&*self.style.head(self.loader))
            .and_then(|rest| rest.strip_suffix(self.style.tail()));
        entry.unwrap_or_default().to_owned()
    }

    /// Renders the catalog of skills from any source, which must be sorted by name.
    ///
    /// Leaves out skills without a `SKILL.md`, skills that models must not see, and skills that require a
    /// capability that is not granted. If `prompt` has no budget, the text has at most [`BUDGET`] tokens.
    ///
    /// ```
    /// use skills_registry::{Facts, Layout, Prompt, Registry, Style, write};
    /// let pdf = Facts { name: "pdf".to_owned(), body: Some(0..0), model_invocable: true, ..Facts::default() };
    /// let registry = Registry::new(write(&[pdf.into()], Layout::Joined, 8_000)?.into_tables());
    /// let text = Prompt::new(Style::AgentSkills).render(registry.iter());
    /// assert!(text.contains("skill://pdf/SKILL.md"));
    /// # Ok::<(), skills_registry::TooLarge>(())
    /// ```
    pub fn render<'s>(&self, skills: impl Iterator<Item = Skill<'s>>) -> String {
        let path = search_path(self.path);
        let skills: Vec<(Skill<'s>, Cow<'s, str>)> = skills
            .filter(|skill| skill.is_offered() && !skill.is_gated(&|capability| self.grants(capability)))
            .map(|skill| (skill, skill.offer()))
            .collect();
        let entries: Vec<CatalogEntry<'_>> = skills
            .iter()
            .map(|(skill, description)| CatalogEntry {
                name: skill.name(),
                description,
                location: skill.location(),
                installed: self.style == Style::Omega && skill.is_available(&path),
            })
            .collect();
        self.render_entries(&entries)
    }

    /// Renders the catalog of skills that are in no registry. They must be sorted by name.
    pub fn render_entries(&self, entries: &[CatalogEntry<'_>]) -> String {
        render(entries, self.style, self.loader, self.budget.unwrap_or(BUDGET))
    }
}

impl std::fmt::Debug for Prompt<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Prompt")
            .field("style", &self.style)
            .field("budget", &self.budget)
            .field("path", &self.path)
            .finish_non_exhaustive()
    }
}
