//! The build script's part: checks the skills, writes the generated module to `OUT_DIR`, and passes the
//! result to cargo and the macro.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use skills_core::level::Level;
use skills_core::options::{FormatPolicy, Options as CheckOptions};
use skills_core::report::Report;
use skills_core::span::SourceMap;
use skills_core::{lower, print};
use skills_registry::{Registry, Tables, TooLarge};

use crate::generate::{Code, Form, documentation, generate};
use crate::input::{BuildInput, BundlePlace};
use crate::layout::print_tokens;
use crate::locate::Location;
use crate::options::BundleOptions;
use crate::output::{BundleProblems, CargoLine};

/// Bundles a directory of skills. This is the only call that a `build.rs` needs.
///
/// The directory is relative to the package. If it does not exist, the build fails. `skills!` reports all
/// errors in the skills, and cargo shows the warnings.
pub fn bundle(dir: impl AsRef<Path>) {
    Bundle::new(dir).build();
}

/// A directory of skills to bundle, with options.
///
/// ```no_run
/// # #[allow(clippy::needless_doctest_main)]
/// fn main() {
///     skills_build::Bundle::new("skills").deny("name-mismatch").allow("long-body").build();
/// }
/// ```
#[derive(Clone, Debug)]
#[must_use = "nothing is bundled before `build` is called"]
pub struct Bundle {
    dir: PathBuf,
    options: BundleOptions,
    fail_early: bool,
}

impl Bundle {
    /// Sets the directory, relative to the package.
    pub fn new(dir: impl AsRef<Path>) -> Self {
        Self { dir: dir.as_ref().to_owned(), options: BundleOptions::default(), fail_early: false }
    }

    /// Makes a lint an error, like `deny(…)` in the macro.
    pub fn deny(self, rule: &str) -> Self {
        self.set(rule, Level::Error)
    }

    /// Makes a lint a warning, like `warn(…)` in the macro.
    pub fn warn(self, rule: &str) -> Self {
        self.set(rule, Level::Warning)
    }

    /// Silences a lint, like `allow(…)` in the macro.
    pub fn allow(self, rule: &str) -> Self {
        self.set(rule, Level::Allow)
    }

    /// Sets the maximum size of the catalog for a system prompt in tokens (default 8,000).
    pub fn catalog_budget(self, tokens: u64) -> Self {
        self.limit("catalog_budget", tokens)
    }

    /// Sets the maximum size of a file in bytes (default 10 MiB).
    pub fn file_cap(self, bytes: u64) -> Self {
        self.limit("file_cap", bytes)
    }

    /// Sets the maximum size of a skill in bytes (default 50 MiB).
    pub fn skill_cap(self, bytes: u64) -> Self {
        self.limit("skill_cap", bytes)
    }

    /// Sets the maximum size of the bundle in bytes (default 200 MiB).
    pub fn bundle_cap(self, bytes: u64) -> Self {
        self.limit("bundle_cap", bytes)
    }

    /// Sets whether `format` in a schema is asserted, like `formats(assert)` and `formats(ignore)` in the
    /// macro. The default depends on the draft of the schema.
    ///
    /// ```no_run
    /// use skills_build::{Bundle, FormatPolicy};
    /// Bundle::new("skills").formats(FormatPolicy::Assert).build();
    /// ```
    pub fn formats(mut self, policy: FormatPolicy) -> Self {
        self.options.set_formats(policy);
        self
    }

    /// Accepts files `NAME.md` that begin with a frontmatter as skills, like `flat` in the macro.
    pub fn flat(mut self) -> Self {
        self.options.flat = true;
        self
    }

    /// Makes the Rust blocks of the texts documentation tests, like `doctest` in the macro.
    pub fn doctest(mut self) -> Self {
        self.options.doctest = true;
        self
    }

    /// Makes the build script fail if a skill has errors, with one line for each.
    ///
    /// By default the build continues, and the macro shows each error with its source.
    pub fn fail_early(self) -> Self {
        Self { fail_early: true, ..self }
    }

    /// Bundles the skills. Call this in a build script.
    ///
    /// If it fails, it prints the error for cargo, which then fails the build.
    pub fn build(self) {
        match self.write_for_cargo() {
            Ok(lines) => lines.iter().for_each(CargoLine::print),
            Err(error) => CargoLine::Error(format!("skills: {}", one_line(&error.to_string()))).print(),
        }
    }

    /// Returns the problems that the build of a package would report: problems of the skills, of the package and of
    /// `skills.toml`. Options that are set in `given` have precedence over the options of the bundle.
    #[doc(hidden)]
    pub fn inspect(
        &self,
        package: &Path,
        place: BundlePlace<'_>,
        given: &CheckOptions,
    ) -> (skills_core::problems::Problems, [(Report, SourceMap); 2]) {
        let mut options = given.clone();
        // The build reports options that do not exist.
        self.options.add_to(&mut options);
        BuildInput::read_at(&Location::below(package, &self.dir), place, options).into_problems()
    }

    fn set(mut self, rule: &str, level: Level) -> Self {
        self.options.set_level(rule, level);
        self
    }

    fn limit(mut self, name: &'static str, value: u64) -> Self {
        self.options.set_limit(name, value);
        self
    }

    /// Writes the files of the bundle to the directory that cargo set.
    fn write_for_cargo(&self) -> Result<Vec<CargoLine>, BuildError> {
        let (package, out) = (cargo_variable("CARGO_MANIFEST_DIR")?, cargo_variable("OUT_DIR")?);
        self.write(&package, &out, std::env::var("CARGO_PKG_VERSION").ok())
    }

    /// Writes the files of the bundle to `out`, and returns the lines to print for cargo.
    fn write(
        &self,
        package: &Path,
        out: &Path,
        version: Option<String>,
    ) -> Result<Vec<CargoLine>, BuildError> {
        let options = self.options.check_options().map_err(BuildError::Options)?;
        let location = Location::below(package, &self.dir);
        let input = BuildInput::read(&location, &self.dir.to_string_lossy(), options, Some("build.rs"));
        let input = input.of_version(version);
        let mut lines = Vec::new();
        for path in watched(&input, &location, out) {
            lines.push(CargoLine::Key(format!("rerun-if-changed={}", utf8(&path)?)));
        }
        let BuildInput { catalog, options, program, .. } = &input;
        let stem = location.stem();
        let [bytes_file, rows_file, problems_file, code_file] =
            ["bytes", "rows", "problems", "rs"].map(|ending| out.join(format!("{stem}.{ending}")));
        let before = Before::read(&bytes_file, &rows_file);
        let code = generate(
            catalog,
            &location.relative,
            Form::Files(&stem),
            program,
            options.budget(),
            &mut |skill, file, bytes| {
                before.sha256(&skill.name, &file.path, bytes).unwrap_or_else(|| lower::sha256(bytes))
            },
        );
        let Code { mut items, parts } = code.map_err(BuildError::TooLarge)?;
        items.extend(documentation::doctests(catalog, &location.root, options));
        let source: String = items.into_iter().map(print_tokens).collect();

        // The build script itself reports a missing directory: a macro that names another directory would
        // never report it.
        let fail_early = self.fail_early || !location.root.is_dir();
        let warnings = input.warnings().map(|(found, sources)| print::cargo::line(found, sources));
        let warnings = warnings.chain(input.more_warnings());
        lines.extend(warnings.map(|line| CargoLine::Key(format!("warning={line}"))));
        if fail_early {
            let errors = input.errors().map(|(found, sources)| print::cargo::line(found, sources));
            lines.extend(errors.map(CargoLine::Error));
        }
        let errors = input.errors().map(|(found, sources)| print::text::without_level(found, sources));
        let errors = errors.collect();
        let problems = BundleProblems { options: self.options.in_macro(), errors }.to_text();
        let files: [(&Path, &[u8]); 4] = [
            (&bytes_file, &parts.bytes),
            (&rows_file, &parts.rows),
            (&problems_file, problems.as_bytes()),
            (&code_file, source.as_bytes()),
        ];
        for (path, content) in files {
            replace(path, content).map_err(|error| BuildError::Write(path.to_owned(), error))?;
        }
        lines.push(CargoLine::Key(format!("rustc-env={}={}", location.variable(), utf8(&code_file)?)));
        Ok(lines)
    }
}

/// Returns the paths for cargo to watch.
///
/// Cargo watches everything below a directory. If the directory contains the build's own output, every build would
/// trigger the next one, so this function returns the files of the skills instead.
fn watched(input: &BuildInput, location: &Location, out: &Path) -> Vec<PathBuf> {
    let root = &location.root;
    let mut paths: Vec<PathBuf> =
        input.config.path.iter().chain(&input.lock).chain(&input.commands).cloned().collect();
    paths.push(location.package().join(skills_core::read::CARGO_MANIFEST));
    paths.extend(skills_core::package::vendored::source_of(root).filter(|source| source.is_dir()));
    if !out.starts_with(root) {
        paths.push(root.clone());
        return paths;
    }
    let skills = input.catalog.skills().iter();
    paths.extend(skills.flat_map(|skill| {
        let dir = root.join(&skill.dir);
        skill.files.iter().map(move |file| dir.join(&file.path))
    }));
    // A skill with an error is not in the catalog.
    let own = ["SKILL.md", "skill.json", "assets", "references", "scripts"].map(|name| root.join(name));
    paths.extend(own.into_iter().filter(|path| path.exists()));
    paths
}

/// The output of the previous build. Hashing is most of the work of a build script, because build scripts run
/// without optimisation. So files that have not changed are not hashed again.
struct Before(Registry);

impl Before {
    fn read(bytes: &Path, rows: &Path) -> Self {
        let [bytes, rows] = [bytes, rows].map(|path| fs::read(path).unwrap_or_default());
        Self(Registry::new(Tables::owned(bytes, rows)))
    }

    fn sha256(&self, skill: &str, path: &str, bytes: &[u8]) -> Option<[u8; 32]> {
        let file = self.0.get(skill)?.file(path)?;
        (file.bytes() == bytes).then(|| *file.sha256())
    }
}

/// Replaces a file atomically, unless it already has the same content.
fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    if fs::read(path).is_ok_and(|old| old == content) {
        return Ok(());
    }
    let mut new = path.as_os_str().to_owned();
    new.push(".new");
    fs::write(&new, content)?;
    fs::rename(&new, path)
}

fn utf8(path: &Path) -> Result<&str, BuildError> {
    path.to_str().filter(|text| !text.contains('\n')).ok_or_else(|| BuildError::Path(path.to_owned()))
}

/// Returns the directory in a variable that cargo sets for build scripts.
fn cargo_variable(name: &'static str) -> Result<PathBuf, BuildError> {
    std::env::var_os(name).map(PathBuf::from).ok_or(BuildError::Variable(name))
}

/// The reason why a build script wrote nothing.
#[derive(Debug)]
enum BuildError {
    /// Cargo did not set a variable.
    Variable(&'static str),
    /// Rules are unknown, or their level cannot be lowered.
    Options(Vec<String>),
    /// Cargo does not accept a path.
    Path(PathBuf),
    TooLarge(TooLarge),
    Write(PathBuf, io::Error),
}

impl fmt::Display for BuildError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Variable(name) => write!(formatter, "{name} is not set: call this from a build script"),
            Self::Options(wrong) => formatter.write_str(&wrong.join("; ")),
            Self::Path(path) => {
                write!(formatter, "cargo accepts only paths that are one line of UTF-8, not {path:?}")
            }
            Self::TooLarge(error) => error.fmt(formatter),
            Self::Write(path, error) => write!(formatter, "cannot write {}: {error}", path.display()),
        }
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    // SPEC 21.12: a program knows the sources of its skills, and is built again when `skills.lock` changes
    #[test]
    fn a_bundle_has_the_sources_of_its_skills() {
        let top = std::env::temp_dir().join(format!("skills-sources-{}", std::process::id()));
        fs::create_dir_all(top.join("skills/pdf")).expect("a directory");
        fs::create_dir_all(top.join("out")).expect("a directory");
        let top = top.canonicalize().expect("a real path");
        let write = |path: &str, text: &str| fs::write(top.join(path), text).expect("a file");
        write("Cargo.toml", "[package]\nname = \"agent\"\nversion = \"1.0.0\"\n");
        write("skills/pdf/SKILL.md", "---\nname: pdf\ndescription: Reads.\nlicense: MIT\n---\nText.\n");
        write(
            "skills.lock",
            "version = 1\n[[skill]]\nname = \"pdf\"\ndirectory = \"skills/pdf\"\nsource = \"crate:kit\"\n\
             revision = \"1.2.0\"\nfiles = {}\n",
        );
        let bundle = Bundle::new("skills");
        let lines = bundle.write(&top, &top.join("out"), None).expect("it is written");
        let stem = Location::below(&top, Path::new("skills")).stem();
        let read = |ending: &str| fs::read(top.join(format!("out/{stem}.{ending}"))).expect("written");
        let registry = Registry::new(Tables::owned(read("bytes"), read("rows")));
        let source = registry.get("pdf").and_then(|skill| skill.source()).map(|source| source.to_string());
        assert_eq!(source.as_deref(), Some("crate:kit (1.2.0)"));
        let watched = format!("rerun-if-changed={}", top.join("skills.lock").display());
        assert!(lines.iter().any(|line| matches!(line, CargoLine::Key(key) if *key == watched)));
        fs::remove_dir_all(&top).expect("it was created");
    }
}
