//! The directory a command works on, read as a program reads it at run time.

use std::path::{Path, PathBuf};

use clap::Args;
use skills_core::diagnostic::Profile;
use skills_core::options::Options;
use skills_core::print::cargo;
use skills_core::read::{ReadOptions, expand_home};
use skills_core::rule::files::ROOT_UNREADABLE;
use skills_core::{Loaded, load};

use crate::terminal;

/// Where the skills are.
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
        let home = std::env::home_dir();
        expand_home(&self.dir, home.as_deref())
    }

    /// Returns the directory as the user wrote it.
    pub(crate) fn label(&self) -> String {
        self.dir.to_string_lossy().into_owned()
    }

    /// Reads the directory as at run time: problems are told, and never stop other skills (SPEC 1.7).
    pub(crate) fn load(&self) -> Loaded {
        self.load_with(ReadOptions { contents: false, ..ReadOptions::default() })
    }

    /// The same with the contents of all files, which schemas may refer to.
    pub(crate) fn load_contents(&self) -> Loaded {
        self.load_with(ReadOptions::default())
    }

    fn load_with(&self, read: ReadOptions) -> Loaded {
        let options = Options { profile: Profile::Disk, read, ..Options::default() };
        let loaded = load(&self.path(), &self.label(), &options);
        for diagnostic in &loaded.report.diagnostics {
            let line = cargo::line(diagnostic, loaded.catalog.sources());
            terminal::problem(&format!("{}: {line}", diagnostic.level.as_str()));
        }
        let path = std::path::absolute(self.path()).unwrap_or_else(|_| self.path());
        if path.to_str().is_none() && !loaded.catalog.skills().is_empty() {
            let shown = path.to_string_lossy();
            terminal::problem(&format!(
                "warning: {shown}: the path is not UTF-8, and is printed as shown here"
            ));
        }
        loaded
    }

    /// Tells whether the directory itself could not be read: then there is no list, not even an empty one (SPEC 1.2).
    pub(crate) fn is_unreadable(loaded: &Loaded) -> bool {
        loaded.report.diagnostics.iter().any(|problem| std::ptr::eq(problem.rule, &ROOT_UNREADABLE))
    }

    /// Returns the absolute path of a skill's directory.
    pub(crate) fn skill_dir(&self, dir: &str) -> PathBuf {
        let root = self.path();
        let root = std::path::absolute(&root).unwrap_or(root);
        if dir.is_empty() { root } else { root.join(Path::new(dir)) }
    }
}
