//! Functions with the names and results of other skill loaders, based on [`load`](crate::load).
//!
//! | Function | Original | Based on |
//! |---|---|---|
//! | [`discover`], [`find_by_name`], [`load_record`] | cogos (Go): `Discover`, `FindByName`, `LoadRecord` | [`Layers`](crate::load::Layers), lenient |
//! | [`parse_frontmatter`], [`infer_tier`] | cogos: `ParseFrontmatter`, `InferTier` | the parser and the rule of the loader |
//! | [`load_skills`] | omega-skills (Rust): `load_skills` | [`Layers`](crate::load::Layers), strict |
//! | [`install_bundled_skills`], [`migrate_flat_skills`] | omega-skills | [`install`](crate::install), feature `install` |
//!
//! They fix the mistakes of the originals: unreadable input is an error and not an empty list, links out of a
//! directory are not followed, the frontmatter is always YAML, and nothing in it is ever executed. Skipped
//! skills are logged with `tracing` if that feature is enabled. To get them as values, use
//! [`Layers::problems`](crate::load::Layers::problems).
//!
//! ```
//! # let dir = std::env::temp_dir().join(format!("skills-compat-example-{}", std::process::id()));
//! # std::fs::create_dir_all(dir.join("pdf"))?;
//! # std::fs::write(dir.join("pdf/SKILL.md"), "# PDF\n\nReads PDF files.\n")?;
//! use skills_runtime::compat::{discover, find_by_name};
//!
//! let records = discover(&[&dir])?;
//! assert_eq!((records[0].name.as_str(), records[0].description.as_str()), ("pdf", "Reads PDF files."));
//! assert_eq!(find_by_name(&[&dir], "pfd").unwrap_err().to_string(), "skill not found: pfd");
//! # std::fs::remove_dir_all(&dir)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod frontmatter;
#[cfg(feature = "install")]
mod install;
mod program;
mod record;

pub use error::CompatError;
pub use frontmatter::{Frontmatter, infer_tier, parse_frontmatter};
#[cfg(feature = "install")]
pub use install::{install_bundled_skills, migrate_flat_skills};
pub use program::{ProgramSkill, load_skills};
pub use record::{Record, discover, find_by_name, load_record};
pub use skills_core::catalog::Server as McpServer;

use crate::load::Problem;

/// Logs the skipped skills, as the original functions do.
#[cfg(feature = "tracing")]
fn tell(problems: &[Problem]) {
    for problem in problems.iter().filter(|problem| problem.level > crate::load::Level::Note) {
        tracing::warn!(target: "skills", code = problem.code, "{problem}");
    }
}

#[cfg(not(feature = "tracing"))]
fn tell(_: &[Problem]) {}
