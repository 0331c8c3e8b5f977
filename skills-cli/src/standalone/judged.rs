//! A directory of skills, judged as a build judges it: what `install`, `status` and `expand` begin with.

use std::path::{Path, PathBuf};

use clap::Args;
use skills_core::catalog::Catalog;
use skills_core::options::Options;
use skills_core::{load, lower};
use skills_registry::Registry;

use super::source::{Source, tell};
use crate::terminal;

/// The skills to install.
#[derive(Debug, Args)]
pub(crate) struct Origin {
    /// The directory of skills to install
    #[arg(long, value_name = "SRC")]
    dir: PathBuf,
    /// The name that the lock file at the target knows the skills of SRC by [default: the last two parts of its path]
    #[arg(long = "as", value_name = "BUNDLE")]
    known_as: Option<String>,
}

/// The skills that were installed.
#[derive(Debug, Args)]
pub(crate) struct Installed {
    /// The directory that the skills were installed from; it need not exist any more
    #[arg(long, value_name = "SRC", required_unless_present = "known_as")]
    dir: Option<PathBuf>,
    /// The name that the lock file at the target knows the skills by [default: the last two parts of SRC]
    #[arg(long = "as", value_name = "BUNDLE")]
    known_as: Option<String>,
}

impl Origin {
    /// Returns the name of the bundle.
    pub(crate) fn name(&self) -> String {
        self.known_as.clone().unwrap_or_else(|| name(&Source::from(self.dir.clone()).path()))
    }

    /// Reads the directory into the registry that a program would have of it; nothing when it has errors.
    pub(crate) fn registry(&self) -> Option<Registry> {
        let catalog = read(&Source::from(self.dir.clone()))?;
        match lower::tables(&catalog, Options::default().catalog_budget) {
            Ok(tables) => Some(Registry::new(tables)),
            Err(error) => {
                terminal::line(&format!("error: {error}"));
                None
            }
        }
    }
}

impl Installed {
    /// Returns the name of the bundle.
    ///
    /// # Errors
    /// Nothing names it.
    pub(crate) fn name(&self) -> Result<String, String> {
        let from = self.dir.clone().map(|dir| name(&Source::from(dir).path()));
        let bundle = self.known_as.clone().or(from);
        bundle.ok_or_else(|| "no skills are given: name them by `--dir` or `--as`".to_owned())
    }
}

/// Reads a directory and tells its problems; nothing when one of them is an error.
pub(crate) fn read(source: &Source) -> Option<Catalog> {
    let loaded = load(&source.path(), &source.label(), &Options::default());
    tell(&loaded.report, loaded.catalog.sources());
    (loaded.report.errors() == 0).then_some(loaded.catalog)
}

/// Names the skills of a directory in a lock file: by the last two parts of its path, such as `my-agent/skills`.
///
/// Not by the whole path, which may go into a project's repository. Two directories of one name would remove each
/// other's skills as no longer part of the bundle (SPEC 9.1), so the directory above tells them apart.
fn name(dir: &Path) -> String {
    let path = dir.canonicalize().or_else(|_| std::path::absolute(dir)).unwrap_or_else(|_| dir.to_owned());
    let names = path.components().filter_map(|part| match part {
        std::path::Component::Normal(name) => Some(name.to_string_lossy().into_owned()),
        _ => None,
    });
    let names: Vec<String> = names.collect();
    match names.as_slice() {
        [] => "skills".to_owned(),
        [.., above, last] => format!("{above}/{last}"),
        [only] => only.clone(),
    }
}
