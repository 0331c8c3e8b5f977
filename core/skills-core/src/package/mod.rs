//! Determines whether the published package of a crate contains the skills that the crate bundles.
//!
//! The build script and the macro check this before they bundle, and `skills package publish` prints the same results.
//! This is the only place that decides which files cargo packages.

mod manifest;
mod packing;
pub mod vendored;

use std::path::Path;

use skills_text::path_names;

use crate::catalog::{Catalog, CatalogSkill};
use crate::config::Config;
use crate::diagnostic::Diagnostic;
use crate::levels::{Levels, Profile};
use crate::read::{CARGO_MANIFEST, SETTINGS_FILE};
use crate::report::Report;
use crate::rule::packages as rules;
use crate::span::SourceMap;
use manifest::CargoManifest;
pub use packing::LeftOut;

/// The package that bundles skills.
#[derive(Debug)]
pub struct Package {
    dir: std::path::PathBuf,
    sources: SourceMap,
    manifest: CargoManifest,
}

/// A directory of skills that a package bundles.
#[derive(Clone, Copy, Debug)]
pub struct Bundled<'a> {
    /// Its path below the package, with `/`, without `.` and, where possible, without `..`.
    pub dir: &'a str,
    /// Its name in reports.
    pub label: &'a str,
    /// The path to open it.
    pub root: &'a Path,
}

/// The problems of a package, with places in its own sources.
#[derive(Debug, Default)]
pub struct Findings {
    /// `Cargo.toml`, and the paths with problems.
    pub sources: SourceMap,
    /// The problems, settled and sorted.
    pub report: Report,
}

impl Findings {
    /// Settles and sorts the problems that `report` finds.
    fn new(
        mut sources: SourceMap,
        levels: &Levels,
        report: impl FnOnce(&mut SourceMap) -> Vec<Diagnostic>,
    ) -> Self {
        let mut report = Report { diagnostics: report(&mut sources), ..Report::default() };
        report.settle(levels, Profile::Bundle, &sources);
        Self { sources, report }
    }

    /// Adds the problems of another check of the same package.
    pub fn and(mut self, other: Self) -> Self {
        if self.report.diagnostics.is_empty() {
            return other;
        }
        let distance = self.sources.append(other.sources, None, 0);
        for mut diagnostic in other.report.diagnostics {
            diagnostic.relocate(distance, "");
            self.report.push(diagnostic);
        }
        self
    }
}

impl Package {
    /// Reads the `Cargo.toml` of a package; `shown` is the path of that file in reports. A file that cannot be
    /// read counts as empty, since cargo reports it.
    pub fn read(dir: &Path, shown: &str) -> Self {
        let mut sources = SourceMap::new("");
        let manifest = CargoManifest::read(dir, shown, &mut sources);
        Self { dir: dir.to_owned(), sources, manifest }
    }

    /// Returns the name of the package.
    pub fn name(&self) -> &str {
        &self.manifest.name
    }

    /// Returns `true` if cargo wrote the `Cargo.toml`: the package was published, or is about to be.
    ///
    /// In `target/package`, where `cargo package` builds the packed crate, a path such as `../../../skills`
    /// leads back into the workspace. On a user's machine it leads nowhere.
    pub fn is_packed(&self) -> bool {
        self.manifest.is_packed
    }

    /// Returns `true` if cargo would publish the package.
    pub fn is_publishable(&self) -> bool {
        self.manifest.publish
    }

    /// Returns `true` if the package names a license.
    pub fn is_licensed(&self) -> bool {
        self.manifest.is_licensed
    }

    /// Returns the directory of skills that the package names in `[package.metadata.skills]`.
    pub fn skills_dir(&self) -> Option<&str> {
        self.manifest.skills.as_deref()
    }

    /// Returns the paths of all files of skills below the package; `dir` is the directory of the skills.
    pub fn files_of(&self, catalog: &Catalog, dir: &str) -> Vec<String> {
        catalog.skills().iter().flat_map(|skill| self.files_of_skill(skill, dir)).collect()
    }

    /// Returns the paths of the files of a skill below the package, in their order.
    pub fn files_of_skill(&self, skill: &CatalogSkill, dir: &str) -> Vec<String> {
        if skill.is_flat {
            return vec![join_path(dir, &format!("{}.md", skill.dir))];
        }
        skill.files.iter().map(|file| join_path(dir, &join_path(&skill.dir, &file.path))).collect()
    }

    /// Returns `true` if the package has a file; `path` is below the package, with `/`.
    pub fn has(&self, path: &str) -> bool {
        self.left_out(path).is_none()
    }

    /// Returns the error for a package that was published without its skills. Its users cannot repair this.
    pub fn published_without_skills(&self, bundled: Bundled<'_>) -> Option<Findings> {
        let is_outside = is_outside(bundled.dir);
        if !self.is_packed() || (!is_outside && bundled.root.exists()) {
            return None;
        }
        let (dir, into) = (bundled.dir, into(bundled.dir));
        let (label, help) = match is_outside {
            true => (
                format!("`{dir}` is outside the package"),
                format!(
                    "copy the skills into the package with `skills package vendor {dir} {into}`, bundle `{into}`, and publish a \
                     new version"
                ),
            ),
            false => (
                format!("the package has no `{dir}`"),
                format!(
                    "add `\"/{dir}/**\"` to `include` in `Cargo.toml`, or remove what excludes it, and publish a new version"
                ),
            ),
        };
        let CargoManifest { name, version, .. } = &self.manifest;
        let title = format!("the package `{name}` {version} was published without its skills");
        Some(self.finish(&Levels::default(), |sources| {
            let place = sources.add_path(bundled.label, None);
            vec![rules::PACKAGE_WITHOUT_SKILLS.report_at(place, title).label(label).help(help)]
        }))
    }

    /// Checks that the published package would have the `skills.toml` that its bundle depends on.
    pub fn check_config(&self, config: &Config, levels: &Levels) -> Findings {
        let Some(path) = config.path.as_deref().filter(|_| config.decides_bundle()) else {
            return Findings::default();
        };
        let dir = self.dir.canonicalize().unwrap_or_else(|_| self.dir.clone());
        let below = path.strip_prefix(&dir).ok().and_then(Path::to_str).map(|path| path.replace('\\', "/"));
        if self.is_packed() || !self.is_publishable() || below.as_deref().is_some_and(|path| self.has(path)) {
            return Findings::default();
        }
        let help = match &below {
            Some(path) => format!("add to `include` in `Cargo.toml`: \"/{path}\""),
            None => "write the settings into the macro or the build script of the package".to_owned(),
        };
        let title = format!("`cargo package` leaves out the `{}` that this bundle depends on", SETTINGS_FILE);
        self.finish(levels, |sources| {
            let place = sources.add_path(below.as_deref().unwrap_or(SETTINGS_FILE), None);
            let found = rules::BUNDLE_NOT_PACKAGED.report_at(place, title).help(help);
            vec![found.label("its settings do not apply to the published package")]
        })
    }

    /// Checks that the published package would have the files of its skills, given by their paths below the
    /// package. Nothing is reported for a package that is never published.
    pub fn check(&self, bundled: Bundled<'_>, files: &[String], levels: &Levels) -> Findings {
        if self.is_packed() || !self.is_publishable() {
            return Findings::default();
        }
        self.finish(levels, |sources| match is_outside(bundled.dir) {
            true => vec![self.outside(bundled, sources)],
            false => self.missing(bundled, files, sources),
        })
    }

    /// Checks that cargo would package the crate: each dependency has a version. A build does not report this, since only
    /// a published crate needs the versions.
    pub fn check_dependencies(&self, levels: &Levels) -> Findings {
        if self.is_packed() || !self.is_publishable() {
            return Findings::default();
        }
        self.finish(levels, |_| {
            let dependencies = self.manifest.unversioned.iter();
            let problems = dependencies.map(|(name, place)| {
                rules::BUNDLE_NOT_PACKAGED
                    .report_at(
                        *place,
                        format!("`cargo package` refuses the dependency `{name}`, which has no version"),
                    )
                    .label("a registry finds a dependency only by its version")
                    .help(format!("add the version of `{name}`: version = \"…\""))
            });
            problems.collect()
        })
    }

    fn outside(&self, bundled: Bundled<'_>, sources: &mut SourceMap) -> Diagnostic {
        let above = self.manifest.shown.trim_end_matches(CARGO_MANIFEST);
        let into = into(bundled.dir);
        let title = format!(
            "the directory `{}` is outside the package `{}`, which would be published without its skills",
            bundled.dir, self.manifest.name
        );
        rules::BUNDLE_OUTSIDE_PACKAGE
            .report_at(sources.add_path(bundled.label, None), title)
            .label("`cargo package` takes only files below the directory of `Cargo.toml`")
            .help(format!(
                "copy the skills with `skills package vendor {} {above}{into}`, and bundle `{into}`; for a package that is never \
                 published, write `publish = false` in `Cargo.toml`",
                bundled.label,
            ))
    }

    fn finish(&self, levels: &Levels, report: impl FnOnce(&mut SourceMap) -> Vec<Diagnostic>) -> Findings {
        Findings::new(self.sources.clone(), levels, report)
    }
}

/// Returns `true` if a path leads out of the package.
fn is_outside(dir: &str) -> bool {
    dir.starts_with("..") && dir.split('/').next() == Some("..") || Path::new(dir).is_absolute()
}

/// Returns the directory of a package into which skills from elsewhere are copied.
fn into(dir: &str) -> &str {
    path_names(dir).last().copied().filter(|name| *name != "..").unwrap_or("skills")
}

/// Joins two paths, the first of which may be the directory itself.
fn join_path(above: &str, path: &str) -> String {
    match above {
        "" | "." => path.to_owned(),
        above => format!("{above}/{path}"),
    }
}
