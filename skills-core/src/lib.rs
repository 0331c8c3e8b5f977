//! Files become a checked [`Catalog`], or diagnostics that say what to type.
//!
//! The stages, in order, each with one function and one type:
//!
//! ```text
//! files -> read -> SourceTree -> parse -> Parsed -> check -> Catalog
//! ```
//!
//! `skills-build` turns the catalog into Rust, the command line prints it, the runtime loads from it.

pub mod catalog;
mod cause;
mod check;
#[cfg(feature = "reports")]
pub mod clients;
pub mod config;
pub mod diagnostic;
mod document;
pub mod edit;
pub mod fences;
#[cfg(feature = "reports")]
pub mod fix;
pub mod frontmatter;
mod glance;
pub mod known;
pub mod level;
pub mod levels;
pub mod lower;
#[cfg(feature = "reports")]
pub mod meta;
pub mod name;
pub mod options;
pub mod parse;
#[cfg(feature = "reports")]
pub mod plugin;
pub mod print;
pub mod projects;
pub mod read;
pub mod report;
pub mod rule;
#[cfg(feature = "reports")]
pub mod session;
#[cfg(feature = "typed")]
pub mod shape;
pub mod span;
pub mod summary;
pub mod tier;
#[cfg(feature = "typed")]
pub mod tools;
pub mod tree;

use std::path::Path;

use catalog::Catalog;
use options::Options;
use read::{Overlay, PassedOver, SourceTree};
use report::Report;
use span::SourceMap;

/// What [`load`] returns: the good skills, and every problem of the others.
#[derive(Debug)]
pub struct Loaded {
    /// The skills without errors.
    pub catalog: Catalog,
    /// All problems, settled and sorted; the places are those of `catalog.sources()`.
    pub report: Report,
    /// How many skills that was, and what else there is.
    pub tally: Tally,
}

/// What was judged, and what was not.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// How many skills were judged.
    pub checked: usize,
    /// Their numbers in the source map, and their paths below the root.
    pub skills: Vec<(usize, String)>,
    /// What looks like a skill and was not judged, sorted (SPEC 1.9).
    pub passed_over: Vec<PassedOver>,
}

/// Reads, parses and checks a directory of skills.
///
/// `label` is the directory as the user wrote it; reports begin their paths with it. Nothing is thrown: what
/// is wrong is in the report, and the skills without errors are in the catalog.
///
/// ```
/// use std::path::Path;
/// let loaded = skills_core::load(Path::new("no/such/dir"), "no/such/dir", &Default::default());
/// assert_eq!(loaded.report.errors(), 1);
/// assert!(loaded.catalog.skills().is_empty());
/// ```
pub fn load(root: &Path, label: &str, options: &Options) -> Loaded {
    load_over(root, label, options, &Overlay::default())
}

/// Reads, parses and checks a directory as [`load`] does, with files that lie over those on disk.
pub fn load_over(root: &Path, label: &str, options: &Options, over: &Overlay) -> Loaded {
    let mut report = Report::default();
    let tree = read::read_into(SourceMap::new(label), root, label, &options.read, over, &mut report);
    judge(tree, report, options)
}

/// Parses and checks what was read; `report` holds what reading found.
pub fn judge(mut tree: SourceTree, mut report: Report, options: &Options) -> Loaded {
    let mut passed_over = std::mem::take(&mut tree.passed_over);
    let parsed = parse::parse(tree, options.profile, &mut report);
    let is_judged = |skill: &&parse::ParsedSkill| {
        options.profile != levels::Profile::Standard || skill.dir.file("SKILL.md").is_some()
    };
    let judged = parsed.skills.iter().enumerate().filter(|(_, skill)| is_judged(skill));
    let skills: Vec<(usize, String)> = judged.map(|(at, skill)| (at, skill.dir.path.clone())).collect();
    for skill in parsed.skills.iter().filter(|skill| !is_judged(skill)) {
        let path = if skill.dir.path.is_empty() { "." } else { &skill.dir.path };
        let reason = "no `SKILL.md`, which the standard requires".to_owned();
        passed_over.push(PassedOver { reason, path: path.to_owned() });
    }
    let catalog = check::check(parsed, options, &mut report);
    let tally = Tally { checked: skills.len(), skills, passed_over };
    Loaded { catalog, report, tally }
}
