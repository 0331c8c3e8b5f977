//! The functions that programs know from other skill loaders, as thin wrappers of this crate.
//!
//! | Function | Original | Based on |
//! |---|---|---|
//! | [`discover`], [`find_by_name`], [`load_record`], [`exec`] | cogos (Go): `Discover`, `FindByName`, `LoadRecord`, `Exec` | [`Layers`](crate::Layers), lenient |
//! | [`parse_frontmatter`], [`infer_tier`] | cogos: `ParseFrontmatter`, `InferTier` | the parser and the rule of the loader |
//! | [`load_skills`], [`build_skill_prompt`], [`match_skill_triggers`], [`collect_all_mcp_servers`], [`is_on_path`] | omega-skills (Rust) | [`Layers`](crate::Layers), strict; [`Triggers`](skills_registry::Triggers) |
//! | [`ensure_projects_dir`], [`load_projects`], [`get_project_instructions`] | omega-skills | [`projects`](crate::projects) |
//! | [`install_bundled_skills`], [`migrate_flat_skills`] | omega-skills | [`install`](skills_install), |
//!
//! Three other systems need no further functions. `SkillCatalog` of Pikuri (Ruby) is
//! [`Layers`](crate::Layers), and its tool `skill` is `tools::SkillTool`. The tool `load_skill` of an agent on
//! Vercel's AI SDK is `tools::LoadSkillTool`. The `SkillRegistry` of OpenEvo's `skill.json` is `Runner`.
//!
//! They differ from the originals where the originals have faults: an unreadable directory is an error and not an
//! empty list, links out of a directory are not followed, a frontmatter is parsed in one language only, and nothing
//! in it is ever executed. Skipped skills are logged with `tracing` if that feature is enabled; a program that needs
//! to know more uses [`Layers::problems`](crate::Layers::problems).
//!
//! ```
//! # let dir = std::env::temp_dir().join(format!("skills-compat-example-{}", std::process::id()));
//! # std::fs::create_dir_all(dir.join("pdf"))?;
//! # std::fs::write(dir.join("pdf/SKILL.md"), "# PDF\n\nReads PDF files.\n")?;
//! use skills_load::compat::{discover, find_by_name};
//!
//! let records = discover(&[&dir])?;
//! assert_eq!((records[0].name.as_str(), records[0].description.as_str()), ("pdf", "Reads PDF files."));
//! assert_eq!(find_by_name(&[&dir], "pfd").unwrap_err().to_string(), "skill not found: pfd");
//! # std::fs::remove_dir_all(&dir)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod cogos;
mod omega;

use std::fmt;
use std::path::PathBuf;

use skills_exec::NotRun;
use skills_registry::NotFound;

use crate::{Level, Problem, Unreadable};

pub use crate::projects::ensure_projects_dir;
pub use cogos::{
    Frontmatter, Record, discover, exec, find_by_name, infer_tier, load_record, parse_frontmatter,
};
pub use omega::{
    Project, Skill, build_skill_prompt, collect_all_mcp_servers, get_project_instructions,
    install_bundled_skills, load_projects, load_skills, match_skill_triggers, migrate_flat_skills,
};
pub use skills_core::catalog::ServerFacts as McpServer;
pub use skills_exec::Outcome as ExecResult;
pub use skills_registry::is_on_path;

/// The reason why a record could not be loaded.
#[derive(Debug)]
#[non_exhaustive]
pub enum CompatError {
    /// A directory exists but cannot be read: `read skills dir D: …`.
    Unreadable(Unreadable),
    /// No skill has the name: `skill not found: X`.
    NotFound(NotFound),
    /// The program was not started.
    NotRun(NotRun),
    /// The directory has no `SKILL.md`, or none that can be loaded.
    NoSkill {
        /// The directory.
        directory: PathBuf,
        /// The reasons, if there is a `SKILL.md`.
        problems: Vec<Problem>,
    },
}

impl fmt::Display for CompatError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(error) => error.fmt(formatter),
            Self::NotFound(error) => error.fmt(formatter),
            Self::NotRun(error) => error.fmt(formatter),
            Self::NoSkill { directory, problems } => {
                write!(formatter, "no skill in {}", directory.display())?;
                problems.iter().try_for_each(|problem| write!(formatter, "\n{problem}"))
            }
        }
    }
}

impl std::error::Error for CompatError {}

impl From<Unreadable> for CompatError {
    fn from(error: Unreadable) -> Self {
        Self::Unreadable(error)
    }
}

impl From<NotRun> for CompatError {
    fn from(error: NotRun) -> Self {
        Self::NotRun(error)
    }
}

impl From<NotFound> for CompatError {
    fn from(error: NotFound) -> Self {
        Self::NotFound(error)
    }
}

/// Logs which skills were skipped, like the original functions.
fn log_problems(problems: &[Problem]) {
    for problem in problems.iter().filter(|problem| problem.level > Level::Note) {
        tracing::warn!(target: "skills", code = problem.code, "{problem}");
    }
}
