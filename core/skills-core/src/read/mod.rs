//! Reads files into a [`SourceTree`]. No other stage reads the disk.
//!
//! AFTER THIS POINT: no path leaves the root, and every skill directory is known. Each file that was read is a UTF-8 text in
//! the [`SourceMap`], or [`Content::Bytes`], which later stages turn into a text when they need it
//! ([`add_source`](crate::parse)).

mod caps;
mod copies;
mod files;
mod ignore;
mod in_package;
mod inside;
mod junk;
mod links;
mod listing;
mod names;
mod open;
mod origins;
mod overlay;
mod path;
mod problem;
mod project_file;
pub(crate) mod projects;
mod reader;
mod root;
mod source_tree;
mod survey;
mod walk;

use std::path::Path;

use self::caps::Caps;
pub(crate) use self::ignore::git::{is_ignored as is_git_ignored, repository_of, up_to_repository};
use self::ignore::{IgnoreFiles, Ignores};
use self::names::Places;
pub(crate) use self::path::OPENAI;
pub use self::path::{CARGO_MANIFEST, LOCK_FILE, SETTINGS_FILE};
use self::problem::UnplacedProblem;
use self::reader::DirectoryReader;
use crate::report::Report;
use crate::rule;
use crate::span::SourceMap;

/// The directories of a project in which agents look for skills, lowest first.
pub const PROJECT_SKILLS: [&str; 3] = [".github/skills", ".claude/skills", ".agents/skills"];

pub use ignore::git::{git_ignored, repository_root};
pub use inside::open_inside;
pub(crate) use junk::is_closed;
pub use names::folded;
pub use open::may_execute;
use origins::owner_of_plugin;
pub(crate) use origins::owner_on_github;
pub use origins::{Origins, SkillOrigin, is_license, lock_above};
pub use overlay::{Overlaid, Overlay};
pub(crate) use project_file::real_below;
pub use project_file::{
    MAX_PROJECT_FILE, PROJECT_FILES, read_below, read_file, read_opened, read_text, read_text_below,
};
pub use skills_text::expand_home;
use skills_text::sort;
pub use source_tree::{
    Content, DirectoryKind, EvalCheck, EvalFile, File, PassedOver, ReadOptions, SkillDir, SourceTree,
};

/// Reads a directory of skills.
///
/// `root` is the directory, with a leading `~` expanded by [`expand_home`]; `label` is the root as the user
/// wrote it, for messages. Nothing outside the root is read. Refused entries are reported, and the rest is
/// read. A root that cannot be read gives an empty tree and a problem at its path.
///
/// A skill directory is in the tree if its `SKILL.md` or `skill.json` could be read. A file that is not UTF-8
/// is stored as [`Content::Bytes`].
///
/// ```
/// use skills_core::report::Report;
/// use skills_core::read::{ReadOptions, read};
///
/// let mut report = Report::default();
/// let tree = read("no/such".as_ref(), "no/such", &ReadOptions::default(), &mut report);
/// assert!(tree.skills.is_empty());
/// assert_eq!(report.diagnostics[0].rule.code, "root-missing");
/// ```
pub fn read(root: &Path, label: &str, options: &ReadOptions, report: &mut Report) -> SourceTree {
    read_into(SourceMap::new(label), root, label, options, &Overlay::default(), report)
}

/// Reads a directory of skills into a source map as [`read`] does, with an overlay of files over the disk.
pub(crate) fn read_into(
    sources: SourceMap,
    root: &Path,
    label: &str,
    options: &ReadOptions,
    over: &Overlay,
    report: &mut Report,
) -> SourceTree {
    let mut skills = Vec::new();
    let rest = read_each(sources, root, label, options, over, report, &mut |dir, _, _| skills.push(dir));
    SourceTree { skills, ..rest }
}

/// Reads a directory of skills as [`read_into`] does, but passes each skill to `take` as soon as it was read, with the
/// texts and the problems so far. The returned tree has no skills.
pub(crate) fn read_each(
    mut sources: SourceMap,
    root: &Path,
    label: &str,
    options: &ReadOptions,
    over: &Overlay,
    report: &mut Report,
    take: &mut dyn FnMut(SkillDir, &mut SourceMap, &mut Report),
) -> SourceTree {
    let (real, listing) = match root::open(root, label, "skills", over) {
        Ok(opened) => opened,
        Err(problem) => {
            let span = sources.add_path(".", None);
            report.push(problem.into_diagnostic(span, "."));
            return SourceTree { sources, ..SourceTree::default() };
        }
    };
    let loose = root::loose(&listing);
    let mut reader = DirectoryReader::new(real, options, over, sources, report);
    let mut ignore_files =
        if options.git { reader.ignores.repository(&reader.root) } else { IgnoreFiles::default() };
    if !options.exclude.is_empty() {
        ignore_files = reader.ignores.exclude(ignore_files, &options.exclude);
    }
    let mut discovery = walk::find_skills(&mut reader, listing, ignore_files);
    if options.scope == DirectoryKind::Repository {
        survey::assign_folders(&mut discovery, &reader.root.path.clone());
    }
    if discovery.skills.is_empty() && !reader.has_others {
        let problem = root::empty(&reader.root, label, &discovery, &loose);
        reader.report("", None, problem);
    }
    let origins = Origins::nearest(&reader.root.path);
    let mut index = 0;
    let (mut caps, mut places) = (Caps::new(options), Places::default());
    for found in discovery.skills {
        let origin = origins.find(&found.real).filter(|_| found.flat.is_none()).cloned();
        let real = found.real.clone();
        let listings = &mut discovery.listings;
        let skill = files::read_skill(&mut reader, found, listings, &mut caps, &mut places, index);
        if let Some(dir) = skill {
            let document = dir.text("SKILL.md").map(|file| &*reader.sources.file(file).text);
            let is_download = document.is_some_and(|text| text.contains("curl ") || text.contains("wget "));
            let owner = if is_download { owner_of_plugin(&reader.root.path, &real) } else { None };
            take(SkillDir { origin, owner, ..dir }, &mut reader.sources, reader.report);
            index += 1;
        }
    }
    if reader.ignores.is_exhausted() {
        let help = "use names, paths and endings such as `*.log`, which have no limit";
        let title =
            "the wildcards in `.skillignore` and `.gitignore` files take too long to compare with all paths";
        let problem = UnplacedProblem::new(&rule::files::SKILLIGNORE_LINE, title, help);
        reader.report("", None, problem.label("the paths after that are excluded"));
    }
    let DirectoryReader { sources, mut others, mut passed_over, has_links, .. } = reader;
    sort(&mut others, &|a, b| a.cmp(b));
    sort(&mut passed_over, &|a, b| a.cmp(b));
    passed_over.dedup();
    SourceTree { sources, skills: Vec::new(), others, passed_over, has_links }
}

/// Returns a help if a line of a `.skillignore` is not a valid pattern.
pub(crate) fn find_pattern_fault(line: &str) -> Option<String> {
    let (_, faults) = Ignores::default().add(Default::default(), "", line);
    faults.into_iter().next().map(|(_, problem)| problem.into_help())
}

/// Returns `true` if the file at a path below a skill is read as text regardless of the options.
pub fn is_text(path: &str) -> bool {
    path::TEXTS.contains(&path)
}

/// Returns `true` if a file would be left out because it contains a key.
pub(crate) fn holds_key(path: &str, bytes: &[u8]) -> bool {
    junk::secret_by_content(path.rsplit('/').next().unwrap_or(path), bytes).is_some()
}
