//! Checks the skills of a program against its own commands, in a `#[test]`.

use std::fmt;
use std::path::{Path, PathBuf};

use skills_core::check_tree;
use skills_core::levels::{Levels, Profile};
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

/// Checks the command lines and variables in the texts of the skills, and the command that installed stubs name, against
/// the definition of the program.
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
/// fn the_skills_fit(skills: &Registry) -> Result<(), skills_usage::Mismatches> {
///     let acme = Command::new("acme").arg(Arg::new("all").long("all").action(ArgAction::SetTrue));
///     skills_usage::check_bundle(skills, &acme)
/// }
/// ```
pub fn check_bundle(skills: &Registry, command: &clap::Command) -> Result<(), Mismatches> {
    let mut sources = SourceMap::new("");
    let dirs = skills.iter().enumerate().map(|(at, skill)| dir(at, skill, &mut sources)).collect();
    let tree = SourceTree { sources, skills: dirs, ..SourceTree::default() };
    let program = CommandTree::from(command);
    let stub =
        skills.stub().and_then(|stub| match crate::stub::check(stub, std::slice::from_ref(&program)) {
            Ok(true) => None,
            Ok(false) => Some(format!("the stub names `{stub}`, but the program is `{}`", program.name)),
            Err(why) => Some(why.to_string()),
        });
    if let Some(why) = stub {
        return Err(Mismatches(format!("error: {why} (the key `stub` of `skills.toml`)\n")));
    }
    let texts = TextChecks::new(CommandSet(vec![program]));
    let options = Options { profile: Profile::Bundle, texts, ..Options::default() };
    let mut loaded = check_tree(tree, Report::default(), &options);
    // The build reported all other problems.
    loaded
        .report
        .diagnostics
        .retain(|found| found.rule.code.starts_with("command-") || found.rule.code == "env-undeclared");
    if loaded.report.diagnostics.is_empty() {
        return Ok(());
    }
    Err(Mismatches(text::print(&loaded.report, loaded.catalog.sources())))
}

/// Checks the marked blocks in the Markdown files below a directory against the definition of the program. With the
/// environment variable `BLESS=1`, renews them instead, and changes nothing else.
///
/// A block begins with the line `<!-- commands: acme db -->` and ends with the line `<!-- /commands -->`. Between them are
/// the command, its subcommands, their flags with defaults, and an example of each, in at most 1,000 tokens.
///
/// # Errors
/// Returns a report of the blocks that differ, or the file that cannot be read or written.
///
/// ```no_run
/// # use clap::Command;
/// fn the_blocks_fit() -> Result<(), skills_usage::Mismatches> {
///     skills_usage::blocks("skills", &Command::new("acme"))
/// }
/// ```
pub fn blocks(directory: impl AsRef<Path>, command: &clap::Command) -> Result<(), Mismatches> {
    let programs = [CommandTree::from(command)];
    let is_blessed = std::env::var_os("BLESS").is_some_and(|value| value == "1");
    let mut files = Vec::new();
    find_texts(directory.as_ref(), &mut files).map_err(|error| refused(directory.as_ref(), &error))?;
    let (mut sources, mut report) = (SourceMap::new(""), Report::default());
    for path in files {
        let text = std::fs::read_to_string(&path).map_err(|error| refused(&path, &error))?;
        let faults = crate::block::check(&text, &programs);
        let new = crate::block::renewed(&text, &faults).filter(|_| is_blessed);
        if let Some(new) = &new {
            std::fs::write(&path, new).map_err(|error| refused(&path, &error))?;
        }
        let left = faults.iter().filter(|fault| new.is_none() || fault.renewal.is_none());
        let file = sources.add(path.to_string_lossy().into_owned(), text, None);
        let place = sources.file(file).span(0..usize::MAX);
        left.for_each(|fault| report.push(fault.diagnostic(place)));
    }
    report.settle(&Levels::default(), Profile::Bundle, &sources);
    if report.diagnostics.is_empty() { Ok(()) } else { Err(Mismatches(text::print(&report, &sources))) }
}

fn refused(path: &Path, error: &std::io::Error) -> Mismatches {
    Mismatches(format!("{}: {error}\n", path.display()))
}

/// Collects the Markdown files below a directory in the order of their paths. Links are not followed.
fn find_texts(directory: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    let mut entries: Vec<_> = std::fs::read_dir(directory)?.collect::<Result<_, _>>()?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let (kind, path) = (entry.file_type()?, entry.path());
        if kind.is_dir() {
            find_texts(&path, files)?;
        } else if kind.is_file() && path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("md")) {
            files.push(path);
        }
    }
    Ok(())
}

/// Converts one skill of the bundle to the form in which skills are read from a directory.
fn dir(at: usize, skill: Skill<'_>, sources: &mut SourceMap) -> SkillDir {
    let path = skill.dir().to_owned();
    let above = if path.is_empty() { String::new() } else { format!("{path}/") };
    let mut files: Vec<File> = Vec::new();
    for file in skill.files() {
        let content = match file.text().filter(|_| is_text(file.path())) {
            Some(text) => {
                Content::Text(sources.add(format!("{above}{}", file.path()), text.to_owned(), Some(at)))
            }
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
