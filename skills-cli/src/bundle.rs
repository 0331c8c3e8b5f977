//! A directory of skills, judged as a build judges it: what `skills install`, `status` and `expand` begin with.

use std::path::Path;

use skills_core::catalog::Catalog;
use skills_core::options::Options;
use skills_core::print::cargo;
use skills_core::{load, lower};
use skills_registry::Registry;

use crate::source::Source;
use crate::terminal;

/// Reads a directory and tells its problems; nothing when one of them is an error.
pub(crate) fn read(source: &Source) -> Option<Catalog> {
    let loaded = load(&source.path(), &source.label(), &Options::default());
    for diagnostic in &loaded.report.diagnostics {
        let line = cargo::line(diagnostic, loaded.catalog.sources());
        terminal::problem(&format!("{}: {line}", diagnostic.level.as_str()));
    }
    (loaded.report.errors() == 0).then_some(loaded.catalog)
}

/// Reads a directory into the registry that a program would have of it.
pub(crate) fn registry(source: &Source) -> Option<Registry> {
    let catalog = read(source)?;
    match lower::tables(&catalog, Options::default().catalog_budget) {
        Ok(tables) => Some(Registry::new(tables)),
        Err(error) => {
            terminal::problem(&format!("error: {error}"));
            None
        }
    }
}

/// Names the skills of a directory in a lock file: by the last two parts of its path, such as `my-agent/skills`.
///
/// Not by the whole path, which may go into a project's repository. Two directories of one name would remove each
/// other's skills as no longer part of the bundle (SPEC 9.1), so the directory above tells them apart.
pub(crate) fn name(dir: &Path) -> String {
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
