//! Directories of skills, read as a program reads them at run time.

use std::path::{Path, PathBuf};

use clap::Args;
use skills_core::diagnostic::{Profile, Report};
use skills_core::options::Options;
use skills_core::print::cargo;
use skills_core::read::{ReadOptions, expand_home};
use skills_core::rule::files::ROOT_UNREADABLE;
use skills_core::span::SourceMap;
use skills_core::{Loaded, load, lower};
use skills_registry::catalog::BUDGET;
use skills_registry::{Layout, Registry, Skill, write};

use crate::shelf::Shelf;
use crate::terminal;

/// One directory of skills: what `check` and `expand` judge.
#[derive(Debug, Args)]
pub(crate) struct Source {
    /// The directory of skills, or one skill
    #[arg(value_name = "DIR")]
    dir: PathBuf,
}

impl From<PathBuf> for Source {
    fn from(dir: PathBuf) -> Self {
        Self { dir }
    }
}

impl Source {
    /// Returns the path, a leading `~/` replaced by the home directory (SPEC 1.1).
    pub(crate) fn path(&self) -> PathBuf {
        expand_home(&self.dir, std::env::home_dir().as_deref())
    }

    /// Returns the directory as the user wrote it.
    pub(crate) fn label(&self) -> String {
        self.dir.to_string_lossy().into_owned()
    }

    /// Reads the directory as at run time: problems are told, and never stop other skills (SPEC 1.7).
    fn load(&self, contents: bool) -> Loaded {
        let read = ReadOptions { contents, ..ReadOptions::default() };
        let options = Options { profile: Profile::Disk, read, ..Options::default() };
        let loaded = load(&self.path(), &self.label(), &options);
        tell(&loaded.report, loaded.catalog.sources());
        let path = std::path::absolute(self.path()).unwrap_or_else(|_| self.path());
        if path.to_str().is_none() && !loaded.catalog.skills().is_empty() {
            let shown = path.to_string_lossy();
            terminal::line(&format!("warning: {shown}: the path is not UTF-8, and is printed as shown here"));
        }
        loaded
    }
}

/// Arguments that name skills to read.
pub(crate) trait Skills {
    /// Returns where they are.
    fn source(&self) -> Source;
}

/// The skills of a command whose other arguments have no names.
#[derive(Debug, Args)]
pub(crate) struct Directories {
    /// The directory of skills, or one skill
    #[arg(long, value_name = "DIR")]
    dir: PathBuf,
}

impl Skills for Directories {
    fn source(&self) -> Source {
        self.dir.clone().into()
    }
}

/// The skills of a command that takes a directory as its argument.
#[derive(Debug, Args)]
pub(crate) struct Place {
    /// The directory of skills, or one skill
    #[arg(value_name = "DIR")]
    dir: PathBuf,
}

impl Skills for Place {
    fn source(&self) -> Source {
        self.dir.clone().into()
    }
}

/// Tells the problems of a directory, one a line.
pub(crate) fn tell(report: &Report, sources: &SourceMap) {
    for diagnostic in &report.diagnostics {
        let line = cargo::line(diagnostic, sources);
        terminal::problem(&format!("{}: {line}", diagnostic.level.as_str()));
    }
}

/// Skills that were read, and the directory they lie in.
pub(crate) struct Read {
    registry: Registry,
    root: PathBuf,
}

impl Read {
    /// Reads the skills; `contents` says whether their files are needed, or their names only.
    ///
    /// Nothing when the directory itself cannot be read: then there is no list, not even an empty one (SPEC 1.2).
    pub(crate) fn new(source: &Source, contents: bool) -> Option<Self> {
        let loaded = source.load(contents);
        let is_unreadable =
            |problem: &skills_core::diagnostic::Diagnostic| std::ptr::eq(problem.rule, &ROOT_UNREADABLE);
        if loaded.report.diagnostics.iter().any(is_unreadable) {
            return None;
        }
        let root = source.path();
        let root = std::path::absolute(&root).unwrap_or(root);
        let mut records = lower::records(&loaded.catalog, &mut |_, _, bytes| lower::sha256(bytes));
        for record in &mut records {
            let document = below(&root, record.dir).join("SKILL.md");
            record.location = Some(document.to_string_lossy().into_owned());
        }
        match write(&records, Layout::Joined, BUDGET) {
            Ok(parts) => Some(Self { registry: Registry::new(parts.into_tables()), root }),
            Err(error) => {
                terminal::line(&format!("error: {error}"));
                None
            }
        }
    }

    /// Runs a command on the skills.
    pub(crate) fn with<T>(&self, command: impl FnOnce(&Shelf<'_>) -> T) -> T {
        let directory = |skill: Skill<'_>| Some(below(&self.root, skill.dir()));
        // The command is no host, so it grants no capability.
        command(&Shelf::new(&self.registry, &directory, &|_| false))
    }
}

fn below(root: &Path, dir: &str) -> PathBuf {
    if dir.is_empty() { root.to_owned() } else { root.join(dir) }
}
