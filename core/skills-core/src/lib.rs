//! Reads and checks directories of skills. The result is a checked [`Catalog`] and diagnostics with
//! instructions for fixes.
//!
//! The stages in order, each with one function and one type:
//!
//! ```text
//! files -> read -> SourceTree -> parse -> Parsed -> check -> Catalog
//! ```
//!
//! `skills-build` generates Rust from the catalog, the command line prints it, and the runtime loads skills
//! from it.

pub mod catalog;
mod check;
pub mod clients;
pub mod config;
pub mod diagnostic;
pub mod document;
pub mod edit;
pub mod fences;
pub mod frontmatter;
pub mod keywords;
pub mod known;
pub mod level;
pub mod levels;
pub mod lower;
mod manifest_keys;
pub mod meta;
pub mod name;
pub mod options;
pub mod package;
pub mod parse;
pub mod print;
pub mod projects;
pub mod read;
pub mod report;
pub mod rule;
pub mod session;
pub mod span;
pub mod summary;
mod text_faults;
mod text_scan;
pub mod tier;
#[cfg(feature = "typed")]
pub mod tools;
pub mod tree;
mod windows_1252;

use std::path::Path;

use catalog::Catalog;
use options::Options;
use read::{Overlay, PassedOver, SourceTree};
use report::Report;
use span::SourceMap;

/// The result of [`load`]: the valid skills, and the problems of all skills.
#[derive(Debug)]
pub struct Loaded {
    /// The skills without errors.
    pub catalog: Catalog,
    /// All problems, settled and sorted, with places in `catalog.sources()`.
    pub report: Report,
    /// The numbers of checked and passed-over skills.
    pub tally: Tally,
}

/// The checked skills, and the directories that were passed over.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// The number of checked skills.
    pub checked: usize,
    /// Their numbers in the source map, and their paths below the root.
    pub skills: Vec<(usize, String)>,
    /// Paths that look like skills but were not checked, sorted.
    pub passed_over: Vec<PassedOver>,
}

/// Reads, parses and checks a directory of skills.
///
/// `label` is the directory as the user wrote it; paths in reports begin with it. The function never fails:
/// problems are in the report, and the skills without errors are in the catalog.
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

/// Reads, parses and checks a directory as [`load`] does, with an overlay of files over the disk.
pub fn load_over(root: &Path, label: &str, options: &Options, over: &Overlay) -> Loaded {
    let mut report = Report::default();
    let tree = read::read_into(SourceMap::new(label), root, label, &options.read, over, &mut report);
    judge(tree, report, options)
}

/// Parses and checks a directory that was read; `report` has the problems of reading.
pub fn judge(mut tree: SourceTree, mut report: Report, options: &Options) -> Loaded {
    let mut passed_over = std::mem::take(&mut tree.passed_over);
    let parsed = parse::parse(tree, options.profile, &mut report);
    let is_judged = |skill: &&parse::ParsedSkill| {
        !skill.is_foreign()
            && (options.profile != levels::Profile::Standard || skill.dir.file("SKILL.md").is_some())
    };
    let judged = parsed.skills.iter().enumerate().filter(|(_, skill)| is_judged(skill));
    let skills: Vec<(usize, String)> = judged.map(|(at, skill)| (at, skill.dir.path.clone())).collect();
    for skill in parsed.skills.iter().filter(|skill| !is_judged(skill)) {
        let path = if skill.dir.path.is_empty() { "." } else { &skill.dir.path };
        let reason = match skill.is_foreign() {
            true => "a `skill.json` of another system and no `SKILL.md`".to_owned(),
            false => "no `SKILL.md`, which the standard requires".to_owned(),
        };
        passed_over.push(PassedOver { reason, path: path.to_owned() });
    }
    let catalog = check::check(parsed, options, &mut report);
    let tally = Tally { checked: skills.len(), skills, passed_over };
    Loaded { catalog, report, tally }
}
