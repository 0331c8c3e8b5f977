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
pub mod config;
pub mod diagnostic;
pub mod edit;
pub mod frontmatter;
pub mod known;
pub mod level;
pub mod levels;
mod link_paths;
pub mod lower;
pub mod markdown;
pub mod meta;
pub mod name;
pub mod options;
pub mod package;
pub mod parse;
mod patterns;
pub mod print;
pub mod problems;
pub mod projects;
pub mod read;
pub mod report;
pub mod rule;
pub mod session;
pub mod span;
pub mod tier;
pub mod tree;

use std::path::Path;

use catalog::Catalog;
use read::{Overlay, PassedOver, SourceTree};

// The types that almost every check needs have short paths within this crate.
pub(crate) use catalog::Mode;
pub(crate) use diagnostic::Diagnostic;
pub(crate) use edit::{Change, Fix};
pub(crate) use frontmatter::TextScan;
pub(crate) use frontmatter::{Dialect, Frontmatter};
pub(crate) use level::Level;
pub(crate) use levels::{Levels, Profile};
pub(crate) use options::{FormatPolicy, Options};
pub(crate) use read::{Content, DirectoryKind};
pub(crate) use report::Report;
pub(crate) use span::{FileId, SourceFile, SourceMap, Span, Spanned};

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
    check_tree(tree, report, options)
}

/// Parses and checks a directory that was read; `report` has the problems of reading.
pub fn check_tree(mut tree: SourceTree, mut report: Report, options: &Options) -> Loaded {
    let mut tally = Tally { passed_over: std::mem::take(&mut tree.passed_over), ..Tally::default() };
    let parsed = parse::parse(tree, options.profile, &mut report);
    for (at, skill) in parsed.skills.iter().enumerate() {
        tally.count(at, skill, options.profile);
    }
    let catalog = check::check(parsed, options, &mut report);
    Loaded { catalog, report, tally }
}

impl Tally {
    /// Counts the skill with the number `at`, as checked or as passed over.
    pub(crate) fn count(&mut self, at: usize, skill: &parse::ParsedSkill, profile: Profile) {
        let is_outside = profile == Profile::Standard && skill.dir.file("SKILL.md").is_none();
        let reason = match skill.is_foreign() {
            true => "a `skill.json` of another system and no `SKILL.md`",
            false if is_outside => "no `SKILL.md`, which the standard requires",
            false => {
                self.checked += 1;
                return self.skills.push((at, skill.dir.path.clone()));
            }
        };
        let path = if skill.dir.path.is_empty() { "." } else { &skill.dir.path };
        self.passed_over.push(PassedOver { reason: reason.to_owned(), path: path.to_owned() });
    }
}
