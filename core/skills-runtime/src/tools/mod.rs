//! The tools with which a model uses skills: `skill` and `load_skill` read them, and `search_skills` finds
//! them.
//!
//! A tool is created for a collection of skills and keeps it: a sub-agent that gets a copy of the tool sees
//! the same skills. Skills that a model must not see are treated like unknown ones: skills without a
//! `SKILL.md`, with `disable-model-invocation` or the tag `internal`, or that require a capability the host
//! refuses.
//!
//! ```
//! # use skills_registry::{Facts, CompiledFile, Layout, CompiledSkill, Registry, write};
//! # let text = "Read pages.";
//! # let files = vec![CompiledFile { path: "SKILL.md", bytes: text.as_bytes(), executable: false, sha256: [0; 32] }];
//! # let body = Some(0..text.len());
//! # let facts = Facts { name: "pdf".to_owned(), body, model_invocable: true, ..Facts::default() };
//! # let skills = Registry::new(write(&[CompiledSkill { files, ..facts.into() }], Layout::Joined, 8_000)?.into_tables());
//! use skills_runtime::tools::SkillTool;
//!
//! // `skills` is a registry; a bundle's `SKILLS` does as well.
//! if let Some(tool) = SkillTool::new(&skills) {
//!     assert!(tool.call("pdf").text.starts_with("<skill name=\"pdf\" location=\"skill://pdf/SKILL.md\">\n"));
//!     let unknown = tool.call("dfp");
//!     assert!(unknown.is_error);
//!     assert_eq!(unknown.text, "Error: skill 'dfp' not found. Available skills: pdf.");
//! }
//! # Ok::<(), skills_registry::TooLarge>(())
//! ```

#[cfg(feature = "tools")]
mod callable;
mod load_skill;
mod offer;
mod reader;
#[doc(hidden)]
pub mod search_skills;
mod session;
mod skill;

#[cfg(feature = "tools")]
pub use callable::{Exclusion, definition_of};
#[cfg(feature = "tools")]
pub use skills_schema::tools::Definition;

use skills_text::clean;

pub use load_skill::LoadSkillTool;
pub use reader::Reader;
pub use search_skills::SearchSkillsTool;
pub use session::Session;
pub use skill::SkillTool;

/// The answer of a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ToolText {
    /// The text for the model.
    pub text: String,
    /// Whether the text is an error message, for APIs that mark errors.
    pub is_error: bool,
}

impl ToolText {
    fn ok(text: String) -> Self {
        Self { text: clean(&text).into_owned(), is_error: false }
    }

    fn error(text: String) -> Self {
        Self { text: clean(&text).into_owned(), is_error: true }
    }
}

impl std::fmt::Display for ToolText {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.text)
    }
}
