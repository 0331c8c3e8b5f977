//! Reads and checks a directory of [`ParsedProject`]s: each is a `ROLE.md` with instructions and a list of skills.
//!
//! ```text
//! files -> read::projects -> frontmatter::split -> ParsedProject
//! ```
//!
//! Programs load projects from disk while they run; `skills check` and the editor check them.

use std::path::Path;

use crate::diagnostic::Diagnostic;
use crate::frontmatter;
use crate::level::Level;
use crate::options::Options;
use crate::parse::Frontmatter;
use crate::read::Overlay;
use crate::read::projects::{ROLE, Role, read};
use crate::report::Report;
use crate::rule::{fields, projects as rules};
use crate::span::{FileId, SourceMap, Span};
use crate::tree::{MapEntry, Node};

/// One project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParsedProject {
    /// The name of its directory.
    pub name: String,
    /// The text of `ROLE.md` after its frontmatter, trimmed; never empty.
    pub instructions: String,
    /// The skills it names, in file order.
    pub skills: Vec<String>,
}

/// The result of [`load`]: the valid projects, and the problems of all projects.
#[derive(Debug)]
pub struct LoadedProjects {
    /// The projects without errors, sorted by name.
    pub projects: Vec<ParsedProject>,
    /// The texts of the report's places.
    pub sources: SourceMap,
    /// All problems, settled and sorted.
    pub report: Report,
}

/// Reads and checks a directory of projects: `NAME/ROLE.md`, one level deep.
///
/// `label` is the directory as the user wrote it. `known` lists the skills that projects may name; with
/// `None` the names are not checked. The function never fails: problems are in the report, and the projects
/// without errors are returned.
///
/// ```
/// use std::path::Path;
/// use skills_core::{levels::Profile, options::Options, projects::load};
///
/// let options = Options { profile: Profile::Disk, ..Options::default() };
/// let loaded = load(Path::new("no/such/dir"), "no/such/dir", &options, None);
/// assert!(loaded.projects.is_empty() && loaded.report.diagnostics.is_empty());
/// ```
pub fn load(root: &Path, label: &str, options: &Options, known: Option<&[&str]>) -> LoadedProjects {
    load_over(root, label, options, &Overlay::default(), known)
}

/// Reads and checks projects as [`load`] does, with an overlay of files over the disk.
pub fn load_over(
    root: &Path,
    label: &str,
    options: &Options,
    over: &Overlay,
    known: Option<&[&str]>,
) -> LoadedProjects {
    let mut report = Report::default();
    let mut roles = read(root, label, &options.read, over, &mut report);
    if roles.is_listed && !roles.found.iter().any(|role| !role.is_missing) {
        let place = roles.sources.add_path(".", None);
        let label = label.trim_end_matches('/');
        rules::PROJECT_NONE
            .report_at(place, format!("`{label}` contains no project"))
            .label("no directory in it has a file named exactly `ROLE.md`")
            .help(format!("create the first one: `{label}/NAME/{ROLE}`"))
            .add_to(&mut report);
    }
    for role in roles.found.iter().filter(|role| role.is_missing) {
        let place = roles.sources.add_path(&role.name, None);
        report.push(role_missing(role, label, place));
    }
    let sources = roles.sources;
    let mut drafts: Vec<(FileId, ParsedProject)> = Vec::new();
    for role in roles.found {
        let Some(file) = role.file else { continue };
        drafts.extend(project(role.name, file, &sources, known, &mut report).map(|project| (file, project)));
    }
    report.settle(&options.levels, options.profile, &sources);
    drafts.retain(|(file, _)| {
        let path = &sources.file(*file).path;
        let mut errors = report.diagnostics.iter().filter(|problem| problem.level == Level::Error);
        errors.all(|problem| sources.file_of(problem.span).path != *path)
    });
    let projects = drafts.into_iter().map(|(_, project)| project).collect();
    LoadedProjects { projects, sources, report }
}

/// Returns `true` if a directory contains projects and not skills. The first subdirectory with a `ROLE.md` or
/// a `SKILL.md` decides.
pub fn are_in(root: &Path) -> bool {
    let Ok(entries) = std::fs::read_dir(root) else { return false };
    for entry in entries.filter_map(Result::ok) {
        // In a directory of many skills, only the first subdirectories are read.
        let is_skill = entry.path().join("SKILL.md").is_file();
        if is_skill || entry.path().join(ROLE).is_file() {
            return !is_skill;
        }
    }
    false
}

/// Reads one `ROLE.md`; `None`, with a report, if its frontmatter is broken or its body is empty.
fn project(
    name: String,
    file: FileId,
    sources: &SourceMap,
    known: Option<&[&str]>,
    report: &mut Report,
) -> Option<ParsedProject> {
    let document = frontmatter::split(file, sources, report);
    let skills = match &document.frontmatter {
        Some(frontmatter) => skills(frontmatter, report),
        None => Vec::new(),
    };
    for (skill, place) in &skills {
        if let Some(known) = known.filter(|known| !known.contains(&skill.as_str())) {
            report.push(skill_unknown(skill, *place, known));
        }
    }
    if document.frontmatter.as_ref().is_some_and(|frontmatter| !frontmatter.sound) {
        return None;
    }
    let instructions = sources.text(document.body).trim().to_owned();
    if instructions.is_empty() {
        let place = sources.file(file).span(0..0);
        let help = "write the instructions of the project below the frontmatter";
        rules::PROJECT_EMPTY
            .report_at(place, format!("project `{name}` has no instructions"))
            .label("no text after the frontmatter")
            .help(help)
            .add_to(report);
        return None;
    }
    Some(ParsedProject { name, instructions, skills: skills.into_iter().map(|(skill, _)| skill).collect() })
}

/// Returns the skills that a frontmatter names, with their places, and reports other keys as unknown.
fn skills(frontmatter: &Frontmatter, report: &mut Report) -> Vec<(String, Span)> {
    let mut skills = Vec::new();
    for entry in frontmatter.tree.as_map().unwrap_or_default() {
        if entry.key == "skills" {
            skills = names(entry, report);
        } else {
            let title = format!("unknown key `{}`", entry.key);
            let found = fields::KEY_UNKNOWN
                .report_at(entry.key_span, title)
                .label("no such key in the frontmatter of a project");
            report.push(match skills_text::nearest(&entry.key, ["skills"]) {
                Some(near) => found.near(near),
                None => found.help("delete this line: a project has only `skills`"),
            });
        }
    }
    skills
}

/// Reads a list of names; a scalar counts as a list of one, and empty items are dropped.
fn names(entry: &MapEntry, report: &mut Report) -> Vec<(String, Span)> {
    let mut names = Vec::new();
    if entry.value.is_absent() {
        return names;
    }
    let Some(items) = entry.value.as_items() else {
        report.push(wrong(&entry.value));
        return names;
    };
    for item in items {
        match item.as_scalar().map(|scalar| scalar.text.trim()).filter(|name| !name.is_empty()) {
            Some(name) => names.push((name.to_owned(), item.span)),
            None => report.push(wrong(item)),
        }
    }
    names
}

fn wrong(node: &Node) -> Diagnostic {
    let title = format!("`skills` must be a list of names, found {}", node.describe());
    fields::VALUE_TYPE
        .report_at(node.span, title)
        .label("expected the name of a skill")
        .help("write it as:\nskills: [one, two]")
}

fn skill_unknown(skill: &str, place: Span, known: &[&str]) -> Diagnostic {
    let found = rules::PROJECT_SKILL_UNKNOWN
        .report_at(place, format!("there is no skill `{skill}`"))
        .label("named here");
    match skills_text::nearest(skill, known.iter().copied()) {
        Some(near) => found.near(near),
        None => found.help("add the skill, or remove its name from the list"),
    }
}

fn role_missing(role: &Role, label: &str, place: Span) -> Diagnostic {
    let (label, name) = (label.trim_end_matches('/'), &role.name);
    rules::PROJECT_ROLE_MISSING
        .report_at(place, format!("`{name}` has no `{ROLE}`"))
        .label("not a project")
        .help(format!("write the instructions of the project to `{label}/{name}/{ROLE}`"))
}
