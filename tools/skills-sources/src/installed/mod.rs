//! Finds the skills of packages that the project has installed, without running any of their code.

mod cargo;
mod npm;
mod python;

use std::path::{Path, PathBuf};

use skills_core::read::is_license;
use skills_files::Root;
use skills_text::is_exact_path;

use crate::{PackageKind, Project, Source, SourceError};

/// The largest `SKILL.md` at the top of a package, in bytes.
const MAX_DOCUMENT: u64 = 10 << 20;

/// An installed package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct InstalledPackage {
    pub(crate) name: String,
    pub(crate) version: String,
    /// The license that the package names, or the file that holds it.
    pub(crate) license: Option<String>,
    /// The directory of the package.
    pub(crate) root: PathBuf,
    /// The directories of skills, relative to `root`.
    pub(crate) skills: Vec<String>,
}

/// A dependency of the project that ships skills.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dependency {
    /// The source of its skills.
    pub source: Source,
    /// The installed version.
    pub version: String,
}

/// Finds an installed package.
///
/// # Errors
/// Returns an error if it is not installed, or if several versions are and none is named.
pub(crate) fn find(
    project: &Project,
    kind: PackageKind,
    name: &str,
    version: Option<&str>,
) -> Result<InstalledPackage, SourceError> {
    let packages = match kind {
        PackageKind::Crate => cargo::packages(project)?.to_vec(),
        PackageKind::Npm => npm::find(project.path(), name).into_iter().collect(),
        PackageKind::Pypi => python::packages(project.path()),
    };
    let is_named = |package: &InstalledPackage| match kind {
        PackageKind::Pypi => python::normal(&package.name) == python::normal(name),
        _ => package.name == name,
    };
    let mut found: Vec<InstalledPackage> = packages.into_iter().filter(is_named).collect();
    found.retain(|package| version.is_none_or(|version| version == package.version));
    let shown = version.map_or_else(|| name.to_owned(), |version| format!("{name}@{version}"));
    let place = match kind {
        PackageKind::Crate => "the dependency graph of the Cargo workspace; `cargo add` adds it",
        PackageKind::Npm => "node_modules",
        PackageKind::Pypi => "the Python environment (VIRTUAL_ENV, CONDA_PREFIX or .venv)",
    };
    match (found.pop(), found.last()) {
        (None, _) => Err(SourceError::Missing(format!("`{shown}` is not in {place}"))),
        (Some(last), Some(other)) => Err(SourceError::Missing(format!(
            "`{name}` is installed in several versions: write `{kind}:{name}@{}` or `@{}`",
            other.version, last.version
        ))),
        (Some(package), None) => Ok(package),
    }
}

/// Returns the installed versions of a package as far as they are known without running a program, for a comparison
/// with the lock file. Empty if nothing is known.
pub(crate) fn versions(project: &Project, kind: PackageKind, name: &str) -> Vec<String> {
    match kind {
        PackageKind::Crate => cargo::locked_versions(project.path(), name),
        PackageKind::Npm => {
            npm::find(project.path(), name).into_iter().map(|package| package.version).collect()
        }
        PackageKind::Pypi => {
            let packages = python::packages(project.path()).into_iter();
            let named = packages.filter(|package| python::normal(&package.name) == python::normal(name));
            named.map(|package| package.version).collect()
        }
    }
}

/// Returns the dependencies of the project that ship skills: crates of the Cargo workspace's graph, packages in
/// `node_modules`, and packages of the active Python environment.
///
/// # Errors
/// Returns an error if there is a `Cargo.toml` and cargo cannot read the workspace.
pub fn dependencies(project: &Project) -> Result<Vec<Dependency>, SourceError> {
    let has_crates = project.path().join("Cargo.toml").symlink_metadata().is_ok();
    let crates = if has_crates { cargo::packages(project)? } else { &[] };
    let of = |kind: PackageKind, packages: &[InstalledPackage]| {
        let mut found: Vec<Dependency> = Vec::new();
        for package in packages.iter().filter(|package| !package.skills.is_empty()) {
            let is_several = packages.iter().filter(|other| other.name == package.name).count() > 1;
            let version = is_several.then(|| package.version.clone());
            let source = Source::Package { kind, name: package.name.clone(), version };
            // Two versions of a package have skills with the same names, so only the newest version counts.
            found.retain(|other| !other.source.is_same_package(&source));
            found.push(Dependency { source, version: package.version.clone() });
        }
        found
    };
    let mut found = of(PackageKind::Crate, crates);
    found.extend(of(PackageKind::Npm, &npm::packages(project.path())));
    found.extend(of(PackageKind::Pypi, &python::packages(project.path())));
    found.sort_by(|a, b| a.source.cmp(&b.source));
    Ok(found)
}

/// Keeps the directories that exist in a package and do not lead out of it. If there are none and the package has a
/// `SKILL.md` at its top, the package itself is the skill.
fn existing(root: &Path, candidates: impl IntoIterator<Item = String>) -> Vec<String> {
    let Ok(opened) = Root::open(root) else { return Vec::new() };
    let mut found: Vec<String> = Vec::new();
    for candidate in candidates {
        let path = candidate.trim_start_matches("./").trim_end_matches('/').to_owned();
        if is_exact_path(&path) && !found.contains(&path) && opened.open_dir(Path::new(&path)).is_ok() {
            found.push(path);
        }
    }
    if found.is_empty() && opened.read("SKILL.md".as_ref(), MAX_DOCUMENT).is_ok() {
        found.push(String::new());
    }
    found
}

/// Returns the license that a package names, or the file at its top that holds it.
fn license(root: &Path, named: Option<&str>) -> Option<String> {
    let file = || {
        let entries = std::fs::read_dir(root).into_iter().flatten().flatten();
        let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
        names.filter(|name| is_license(name)).min()
    };
    named.map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned).or_else(file)
}
