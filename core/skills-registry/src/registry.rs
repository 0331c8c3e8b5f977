//! The skills of a program: the type that `SKILLS` dereferences to.

use std::borrow::Cow;

use crate::catalog::{LOADER, Prompt, Style};
use crate::facts::Facts;
use crate::not_found::NotFound;
use crate::rows::{Cell, Column, HEADER, Row, SkillRow, TextPlace};
use crate::search::Hits;
use crate::skill::{self as handle, Skill};
use crate::tables::Tables;
use skills_text::ToolFormat;
use skills_text::{hex, lower_bound};

/// A collection of skills, sorted by name.
pub struct Registry {
    tables: Tables,
}

impl Registry {
    /// Creates a registry from tables, at no cost.
    #[doc(hidden)]
    pub const fn new(tables: Tables) -> Self {
        Self { tables }
    }

    /// Returns the number of skills.
    pub fn len(&self) -> usize {
        usize::try_from(self.count()).unwrap_or(usize::MAX)
    }

    /// Returns `true` if there are no skills.
    pub fn is_empty(&self) -> bool {
        self.count() == 0
    }

    /// Returns the digest of the skills that are compiled into a program, which is a constant. `None` for
    /// skills on disk.
    ///
    /// It is the SHA-256 of the output of `sha256sum` for all bundled files, sorted by path.
    pub fn digest(&self) -> Option<&[u8; 32]> {
        Some(self.header(HEADER.digest)).filter(|digest| **digest != [0; 32])
    }

    /// Returns the digest as 64 lower-case hexadecimal digits.
    pub fn digest_hex(&self) -> Option<String> {
        self.digest().map(|digest| hex(digest))
    }

    /// Returns the version of the program that contains the skills. `None` for skills on disk.
    pub fn program_version(&self) -> Option<&str> {
        self.header(HEADER.program_version).filter(|text| !text.is_empty())
    }

    /// Returns the command of the program that prints a skill, such as `mytool skill`: the key `stub` of `skills.toml`.
    /// Installations of the skills are then stubs, which name this command.
    pub fn stub(&self) -> Option<&str> {
        self.header(HEADER.stub).filter(|text| !text.is_empty())
    }

    /// Returns all skills, sorted by name.
    pub fn iter(&self) -> Skills<'_> {
        Skills { tables: &self.tables, next: 0, end: self.count() }
    }

    /// Finds a skill by its exact name.
    pub fn get(&self, name: &str) -> Option<Skill<'_>> {
        let tables = &self.tables;
        let row = lower_bound(self.count(), |row| handle::name(tables, row) < name.as_bytes());
        (row < self.count() && handle::name(tables, row) == name.as_bytes())
            .then_some(Skill::new(tables, row))
    }

    /// Returns `true` if a skill is one of these skills, and not an equal one of another registry.
    pub fn contains(&self, skill: Skill<'_>) -> bool {
        std::ptr::eq(skill.tables(), &self.tables)
    }

    /// Finds a skill by its exact name, with an error that lists the available names.
    ///
    /// # Errors
    /// [`NotFound`] if no skill has the name.
    pub fn find(&self, name: &str) -> Result<Skill<'_>, NotFound> {
        self.get(name).ok_or_else(|| self.not_found(name, &|_| false))
    }

    /// Creates the error for an unknown name. Skills that require a capability refused by `grants` are not
    /// listed.
    pub fn not_found(&self, name: &str, grants: &dyn Fn(&str) -> bool) -> NotFound {
        NotFound::new(name, self.iter().filter(|skill| !skill.is_gated(grants)).map(Skill::name))
    }

    /// Finds the skills that match a sentence: at most 32, best first. Does not allocate.
    ///
    /// Searches all skills, including skills that models must not see. To restrict the search, use
    /// [`search_among`](Self::search_among); to rank any collection, use [`ranked`](crate::ranked).
    ///
    /// ```
    /// use skills_registry::{Facts, Layout, Registry, write};
    /// let named = |name: &str, description: &str| {
    ///     Facts { name: name.to_owned(), description: description.to_owned(), ..Facts::default() }.into()
    /// };
    /// let skills = [named("pdf", "Extract tables from PDF files"), named("changelog", "Write what changed since a tag")];
    /// let skills = Registry::new(write(&skills, Layout::Joined, 8_000)?.into_tables());
    /// assert_eq!(skills.search("how do I extratc a table?").next().map(|hit| hit.skill.name()), Some("pdf"));
    /// assert_eq!(skills.search("write poetry").map(|hit| hit.skill.name()).collect::<Vec<_>>(), ["changelog"]);
    /// # Ok::<(), skills_registry::TooLarge>(())
    /// ```
    pub fn search(&self, query: &str) -> Hits<'_> {
        self.search_among(query, &|_| true)
    }

    /// Finds the skills that match a sentence and for which `admits` returns `true`; see
    /// [`search`](Self::search).
    pub fn search_among(&self, query: &str, admits: &dyn Fn(Skill<'_>) -> bool) -> Hits<'_> {
        Hits::new(&self.tables, self.count(), query, admits)
    }

    /// Returns the skill of a row. Called by generated code.
    #[doc(hidden)]
    #[inline]
    pub const fn row(&self, row: u32) -> Skill<'_> {
        Skill::new(&self.tables, row)
    }

    /// Returns the catalog for a system prompt in the style `skills`, within the budget of the bundle.
    ///
    /// It was rendered when the registry was created. Skills that require a capability of the host are not
    /// included; use [`prompt_with`](Self::prompt_with) to grant capabilities.
    pub fn prompt(&self) -> &str {
        self.header(HEADER.prompt_skills).unwrap_or_default()
    }

    /// Returns the maximum size of the catalog in tokens: the `catalog_budget` of the bundle.
    pub fn catalog_budget(&self) -> usize {
        usize::try_from(self.header(HEADER.budget)).unwrap_or(usize::MAX)
    }

    /// Returns the catalog for a system prompt. The registry already has some catalogs. This function renders
    /// one only if `prompt` asks for another.
    ///
    /// ```
    /// use skills_registry::{Layout, Prompt, Registry, Style, write};
    /// let registry = Registry::new(write(&[], Layout::Joined, 8_000)?.into_tables());
    /// let text = registry.prompt_with(&Prompt::new(Style::AgentSkills));
    /// assert_eq!(text, "<available_skills>\n</available_skills>");
    /// # Ok::<(), skills_registry::TooLarge>(())
    /// ```
    pub fn prompt_with(&self, prompt: &Prompt<'_>) -> Cow<'_, str> {
        let own_budget = self.catalog_budget();
        let budget = prompt.budget.unwrap_or(own_budget);
        let plain =
            budget == own_budget && (prompt.grants.is_none() || !self.header(HEADER.has_capabilities));
        match prompt.style {
            Style::Skills if plain && prompt.loader == LOADER => return Cow::Borrowed(self.prompt()),
            Style::AgentSkills if plain => {
                return Cow::Borrowed(self.header(HEADER.prompt_agent_skills).unwrap_or_default());
            }
            _ => {}
        }
        Cow::Owned(prompt.budget(budget).render(self.iter()))
    }

    /// Returns the tool definitions of all functions for an API, as a JSON array. This includes functions that
    /// cannot run here. The `tools` of a runner are only the tools that can run, and the tool that loads
    /// skills.
    ///
    /// It was written when the registry was created. Skills tagged `internal`, with
    /// `disable-model-invocation`, or that require a capability of the host are not included; use
    /// [`all_tools_with`](Self::all_tools_with) to grant capabilities.
    ///
    /// The tools of a program include skills that only a function of the host can run.
    pub fn all_tools(&self, format: ToolFormat) -> &str {
        self.tables.text(self.header(HEADER.tools).saturating_add(format as u32 * TextPlace::WIDTH))
    }

    /// Returns the tool definitions of skills whose capabilities are all granted, sorted by name. The text is
    /// built now only if some skill requires a capability. `grants` is called with `x` for an entry `cap:x`.
    ///
    /// ```
    /// use skills_registry::{Facts, Layout, CompiledSkill, Registry, ToolFormat, write};
    /// let requires = vec!["cap:web".to_owned()];
    /// let facts = Facts { name: "fetch".to_owned(), requires, ..Facts::default() };
    /// let tools = std::array::from_fn(|_| Some(r#"{"name":"fetch"}"#.to_owned()));
    /// let fetch = CompiledSkill { tools, ..facts.into() };
    /// let registry = Registry::new(write(&[fetch], Layout::Joined, 8_000)?.into_tables());
    /// assert_eq!(registry.all_tools(ToolFormat::Mcp), "[]");
    /// let with = registry.all_tools_with(ToolFormat::Mcp, &|capability| capability == "web");
    /// assert_eq!(with, r#"[{"name":"fetch"}]"#);
    /// # Ok::<(), skills_registry::TooLarge>(())
    /// ```
    pub fn all_tools_with(&self, format: ToolFormat, grants: &dyn Fn(&str) -> bool) -> Cow<'_, str> {
        if !self.header(HEADER.has_capabilities) {
            return Cow::Borrowed(self.all_tools(format));
        }
        Cow::Owned(all_tools(self.iter().filter(|skill| !skill.is_gated(grants)), format))
    }

    /// Returns the number of skills, limited to the size of the rows. Tables of another format have none: a build script
    /// finds those that an earlier version left in its directory.
    fn count(&self) -> u32 {
        if self.header(HEADER.format) != crate::FORMAT {
            return 0;
        }
        self.header(HEADER.count).min(self.tables.len() / (SkillRow::WIDTH + Facts::WIDTH))
    }

    fn header<T: Cell>(&self, column: Column<T>) -> T::Value<'_> {
        Row::header(&self.tables).get(column)
    }
}

/// Returns the tool definitions of all functions among skills for an API, as a JSON array.
pub fn all_tools<'a>(skills: impl Iterator<Item = Skill<'a>>, format: ToolFormat) -> String {
    let texts: Vec<&str> = skills.filter_map(|skill| skill.tool(format)).collect();
    format!("[{}]", texts.join(","))
}

impl std::fmt::Debug for Registry {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_set().entries(self.iter().map(Skill::name)).finish()
    }
}

impl<'a> IntoIterator for &'a Registry {
    type Item = Skill<'a>;
    type IntoIter = Skills<'a>;

    fn into_iter(self) -> Skills<'a> {
        self.iter()
    }
}

/// Skills of a registry, sorted by name.
#[derive(Clone, Debug)]
pub struct Skills<'a> {
    tables: &'a Tables,
    next: u32,
    end: u32,
}

impl<'a> Iterator for Skills<'a> {
    type Item = Skill<'a>;

    fn next(&mut self) -> Option<Skill<'a>> {
        let row = self.next;
        (row < self.end).then(|| {
            self.next += 1;
            Skill::new(self.tables, row)
        })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = usize::try_from(self.end - self.next).unwrap_or(usize::MAX);
        (left, Some(left))
    }
}

impl ExactSizeIterator for Skills<'_> {}
