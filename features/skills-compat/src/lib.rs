//! The functions that programs know from other skill loaders, as thin wrappers of [`load`](skills_load).
//!
//! | Function | Original | Based on |
//! |---|---|---|
//! | [`discover`], [`find_by_name`], [`load_record`], [`exec`] | cogos (Go): `Discover`, `FindByName`, `LoadRecord`, `Exec` | [`Layers`](skills_load::Layers), lenient |
//! | [`parse_frontmatter`], [`infer_tier`] | cogos: `ParseFrontmatter`, `InferTier` | the parser and the rule of the loader |
//! | [`load_skills`], [`build_skill_prompt`], [`match_skill_triggers`], [`collect_all_mcp_servers`], [`is_on_path`] | omega-skills (Rust) | [`Layers`](skills_load::Layers), strict; [`Triggers`](skills_registry::Triggers) |
//! | [`ensure_projects_dir`], [`load_projects`], [`get_project_instructions`] | omega-skills | [`projects`](skills_load::projects) |
//! | [`install_bundled_skills`], [`migrate_flat_skills`] | omega-skills | [`install`](skills_install), feature `install` |
//!
//! Three other systems need no further functions. `SkillCatalog` of Pikuri (Ruby) is
//! [`Layers`](skills_load::Layers), and its tool `skill` is `tools::SkillTool`. The tool `load_skill` of an agent on
//! Vercel's AI SDK is `tools::LoadSkillTool`. The `SkillRegistry` of OpenEvo's `skill.json` is `Runner`.
//!
//! They differ from the originals where the originals have faults: an unreadable directory is an error and not an
//! empty list, links out of a directory are not followed, a frontmatter is parsed in one language only, and nothing
//! in it is ever executed. Skipped skills are logged with `tracing` if that feature is enabled; a program that needs
//! to know more uses [`Layers::problems`](skills_load::Layers::problems).
//!
//! ```
//! # let dir = std::env::temp_dir().join(format!("skills-compat-example-{}", std::process::id()));
//! # std::fs::create_dir_all(dir.join("pdf"))?;
//! # std::fs::write(dir.join("pdf/SKILL.md"), "# PDF\n\nReads PDF files.\n")?;
//! use skills_compat::{discover, find_by_name};
//!
//! let records = discover(&[&dir])?;
//! assert_eq!((records[0].name.as_str(), records[0].description.as_str()), ("pdf", "Reads PDF files."));
//! assert_eq!(find_by_name(&[&dir], "pfd").unwrap_err().to_string(), "skill not found: pfd");
//! # std::fs::remove_dir_all(&dir)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod frontmatter;
mod install;
mod omega;
mod program;
mod record;

pub use error::CompatError;
pub use frontmatter::{Frontmatter, infer_tier, parse_frontmatter};
pub use install::{install_bundled_skills, migrate_flat_skills};
pub use omega::{
    Project, build_skill_prompt, collect_all_mcp_servers, get_project_instructions, load_projects,
    match_skill_triggers,
};
pub use program::{Skill, load_skills};
pub use record::{Record, discover, exec, find_by_name, load_record};
pub use skills_core::catalog::Server as McpServer;
pub use skills_exec::Outcome as ExecResult;
pub use skills_load::projects::ensure_projects_dir;
pub use skills_registry::is_on_path;

use skills_load::Problem;

/// Logs which skills were skipped, like the original functions.
fn log_problems(problems: &[Problem]) {
    for problem in problems.iter().filter(|problem| problem.level > skills_load::Level::Note) {
        tracing::warn!(target: "skills", code = problem.code, "{problem}");
    }
}
