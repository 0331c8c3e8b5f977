//! Checks the skills of a program against its own commands, in a `#[test]`.

use std::fmt;

use skills_core::check_tree;
use skills_core::levels::Profile;
use skills_core::options::{Options, TextChecks};
use skills_core::print::text;
use skills_core::read::{Content, File, SkillDir, SourceTree, is_text};
use skills_core::report::Report;
use skills_core::span::SourceMap;
use skills_registry::{Registry, Skill};

use crate::set::CommandSet;
use crate::tree::CommandTree;

/// The places in the skills that do not fit the commands. Both `Debug` and `Display` print a report with the lines, so a test
/// may return it.
pub struct Mismatches(String);

impl fmt::Debug for Mismatches {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "the skills do not fit the commands\n\n{}", self.0)
    }
}

impl fmt::Display for Mismatches {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for Mismatches {}

/// Checks the command lines and variables in the texts of the skills against the definition of the program.
///
/// A skill may allow a rule with a comment in its text: `<!-- skills: allow(command-flag) -->`.
///
/// # Errors
/// Returns a report of all places that do not fit the commands, including places that are only deprecated.
///
/// ```
/// use clap::{Arg, ArgAction, Command};
///
/// # use skills_registry::Registry;
/// fn the_skills_fit(skills: &Registry) -> Result<(), skills_usage::Problems> {
///     let acme = Command::new("acme").arg(Arg::new("all").long("all").action(ArgAction::SetTrue));
///     skills_usage::check_bundle(skills, &acme)
/// }
/// ```
pub fn check(skills: &Registry, command: &clap::Command) -> Result<(), Mismatches> {
    let mut sources = SourceMap::new("");
    let dirs = skills.iter().enumerate().map(|(at, skill)| dir(at, skill, &mut sources)).collect();
    let tree = SourceTree { sources, skills: dirs, ..SourceTree::default() };
    let texts = TextChecks::new(CommandSet(vec![CommandTree::from(command)]));
    let options = Options { profile: Profile::Bundle, texts, ..Options::default() };
    let mut loaded = check_tree(tree, Report::default(), &options);
    // The build reported all other problems.
    let is_ours = |code: &str| code.starts_with("command-") || code == "env-undeclared";
    loaded.report.diagnostics.retain(|found| is_ours(found.rule.code));
    if loaded.report.diagnostics.is_empty() {
        return Ok(());
    }
    Err(Mismatches(text::print(&loaded.report, loaded.catalog.sources())))
}

/// Converts one skill of the bundle to the form in which skills are read from a directory.
fn dir(at: usize, skill: Skill<'_>, sources: &mut SourceMap) -> SkillDir {
    let path = skill.dir().to_owned();
    let below = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}/{name}") };
    let mut files: Vec<File> = Vec::new();
    for file in skill.files() {
        let content = match file.text().filter(|_| is_text(file.path())) {
            Some(text) => Content::Text(sources.add(below(file.path()), text.to_owned(), Some(at))),
            None => Content::Bytes(file.bytes().to_vec()),
        };
        files.push(File {
            path: file.path().to_owned(),
            content,
            executable: false,
            mode_executable: false,
            crlf_shebang: false,
        });
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    let name = path.rsplit('/').next().unwrap_or_default().to_owned();
    SkillDir { path, name, files, ..SkillDir::default() }
}
