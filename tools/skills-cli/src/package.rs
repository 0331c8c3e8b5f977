//! `skills package`: prepares a crate with skills for a registry. `vendor` copies skills into a package and keeps the copy
//! equal, and `publish --check` shows which skills the users of a published crate get.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Subcommand};
use skills_core::catalog::{Catalog, CatalogSkill};
use skills_core::level::Level;
use skills_core::options::Options;
use skills_core::package::vendored::{self, SOURCE, seen_from};
use skills_core::package::{Bundled, Package};
use skills_core::read::{CARGO_MANIFEST, MAX_PROJECT_FILE, SkillOrigin, read_text};
use skills_core::rule::lints::NO_LICENSE;
use skills_files::Root;
use skills_install::{Adopt, InstallOptions, Target};
use skills_load::real_path;
use skills_report::json;
use skills_schema::json::Node;
use skills_schema::json::make::{array, boolean, number, object, string};
use skills_text::write_size;

use super::origin;
use super::report::print_report;
use super::source::DirectoryArgument;
use skills_commands::arguments::expand_path;
use skills_commands::failure::{self, CommandError, Ended};
use skills_commands::output::{OutputArgs, versioned};
use skills_commands::steps::{FileStep, FileSteps};
use skills_commands::terminal::{self, counted};

/// The commands of `skills package`.
#[derive(Debug, Subcommand)]
pub(crate) enum PackageCommand {
    /// Show which skills the users of a published crate get
    #[command(after_help = "\
Examples:
  skills package publish --check            check the crate in the current directory
  skills package publish --check crates/agent
                                            check another one

The skills come from `path` in [package.metadata.skills], or else from the directory `skills`, or else from a SKILL.md \
beside Cargo.toml. The exit code is 1 if a skill has an error, or if `cargo package` leaves out a file of a skill. Publish \
with `cargo publish`.")]
    Publish(Publish),
    /// Copy skills into a package, and keep the copy equal
    #[command(after_help = "\
Examples:
  skills package vendor skills crates/agent/skills
                                            copy the skills, or update the copy
  skills package vendor skills crates/agent/skills --ci
                                            change nothing, and fail if the copy differs, for CI

`cargo package` includes only files of the package, so a crate bundles a copy of skills from elsewhere. \
A file that was edited in the copy is never overwritten without --force.")]
    Vendor(Vendor),
}

impl PackageCommand {
    pub(crate) fn run(&self) -> Ended {
        match self {
            Self::Publish(publish) => publish.run(),
            Self::Vendor(vendor) => vendor.run(),
        }
    }
}

/// The name of the copies in the lock file.
const BUNDLE: &str = "vendor";

#[derive(Debug, Args)]
pub(crate) struct Vendor {
    /// The directory of skills to copy
    #[arg(value_name = "SRC")]
    from: PathBuf,
    /// The directory in the package, which is created if needed
    #[arg(value_name = "DEST")]
    to: PathBuf,
    /// For CI: change nothing, and fail unless the copy equals SRC
    #[arg(long, conflicts_with = "force")]
    ci: bool,
    /// Replace files that were edited in DEST; keep each edited file as `.bak`
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    output: OutputArgs,
}

impl Vendor {
    /// Copies the skills, or only compares the copy. Writes nothing if a file in DEST would be lost.
    fn run(&self) -> Ended {
        let source = DirectoryArgument::from(self.from.clone());
        let catalog = origin::read(&source)?;
        let to = expand_path(&self.to);
        let (from, copy) = (real_path(&source.path()), real_path(&to));
        if from.starts_with(&copy) || copy.starts_with(&from) {
            return Err(failure::error("one of the directories is inside the other; choose another DEST"));
        }
        let record = format!("{}\n", relative(&copy, &from));
        let mut steps = FileSteps::new(&self.output);
        if self.ci {
            return Ok(self.compare(&catalog, &to, &record, steps));
        }
        let registry = origin::registry(&catalog)?;
        let options =
            InstallOptions::new(BUNDLE).documents(false).restore(true).adopt(Adopt::Same).force(self.force);
        let plan = skills_install::plan(&registry, Target::directory(&to), &options)
            .map_err(|error| failure::installation(&error))?;
        let kept: Vec<_> = plan.steps().iter().filter(|step| !step.is_change()).cloned().collect();
        if !kept.is_empty() {
            steps.add(&self.to, &FileStep::installed(&kept, ""), "");
            steps.end_with(false, [("differences", array([]))]);
            return Err(failure::error(
                "nothing was copied, because files in DEST were not written by this command; move them, or use `--force`",
            ));
        }
        let report = plan.apply().map_err(|error| failure::installation(&error))?;
        let is_recorded = recorded_source(&to).is_some_and(|text| text == record);
        if !is_recorded {
            Root::create(&to)
                .and_then(|root| root.replace(Path::new(SOURCE), record.as_bytes(), None))
                .map_err(|error| failure::error(CommandError::unwritable(&to.join(SOURCE), error)))?;
        }
        steps.add(&self.to, &FileStep::installed(report.steps(), ""), "");
        Ok(self.compare(&catalog, &to, &record, steps))
    }

    /// Prints how the copy differs from the source.
    fn compare(&self, source: &Catalog, to: &Path, record: &str, steps: FileSteps) -> ExitCode {
        let copy = skills_core::load(to, &self.to.to_string_lossy(), &Options::default());
        let mut found = vendored::differences(&copy.catalog, source);
        if recorded_source(to).as_deref() != Some(record) {
            found.push(format!("`{SOURCE}` does not name the source"));
        }
        let differences = array(found.iter().map(|line| string(line.as_str())));
        let written = steps.end_with(!self.ci, [("differences", differences)]);
        if found.is_empty() {
            terminal::status("the copy is equal");
            return written;
        }
        if !self.output.is_json() {
            terminal::text(&found.iter().map(|line| format!("{line}\n")).collect::<String>());
        }
        let (from, to) = (skills_text::shell_path(&self.from), skills_text::shell_path(&self.to));
        failure::error(match self.ci {
            true => format!("the copy is not equal; run `skills package vendor {from} {to}`"),
            false => "the copy has files that the source lacks; remove them".to_owned(),
        })
    }
}

/// Returns the path from one real directory to another, with `/`. Returns the absolute path if they are on
/// different drives.
fn relative(from: &Path, to: &Path) -> String {
    let shared = from.components().zip(to.components()).take_while(|(a, b)| a == b).count();
    if shared == 0 {
        return to.to_string_lossy().replace('\\', "/");
    }
    let up = from.components().skip(shared).map(|_| "..".to_owned());
    let down = to.components().skip(shared).map(|part| part.as_os_str().to_string_lossy().into_owned());
    up.chain(down).collect::<Vec<_>>().join("/")
}

/// Reads the record of where a copy came from. The directory may be part of a hostile repository.
fn recorded_source(copy: &Path) -> Option<String> {
    read_text(&copy.join(SOURCE), MAX_PROJECT_FILE).ok()
}

#[derive(Debug, Args)]
pub(crate) struct Publish {
    /// The directory of the package
    #[arg(value_name = "DIR", default_value = ".", value_hint = clap::ValueHint::DirPath)]
    dir: PathBuf,
    #[arg(id = "named", long = "dir", value_name = "DIR", hide = true, conflicts_with = "dir")]
    named: Option<PathBuf>,
    /// Publish nothing, and show what would be published
    #[arg(long, required = true)]
    check: bool,
    #[command(flatten)]
    output: OutputArgs,
}

impl Publish {
    /// Prints the skills in the package, and what cargo leaves out.
    fn run(&self) -> Ended {
        let given = self.named.as_ref().unwrap_or(&self.dir);
        let dir = expand_path(given);
        let shown = given.join(CARGO_MANIFEST);
        if !dir.join(CARGO_MANIFEST).is_file() {
            return Err(terminal::usage(format!("there is no `{}`", shown.display())));
        }
        let dir = std::path::absolute(&dir).unwrap_or(dir);
        let package =
            Package::read(&dir, &shown.to_string_lossy().trim_start_matches("./").replace('\\', "/"));
        let Some(below) = skills_of(&package, &dir) else {
            return Err(terminal::usage(
                "the package has no skills: create `skills/NAME/SKILL.md`, or set `path` in [package.metadata.skills]",
            ));
        };
        let root = dir.join(&below);
        let label = seen_from(&given.to_string_lossy().replace('\\', "/"), &below);
        let bundled = Bundled { dir: &below, label: &label, root: &root };
        let mut options = Options::default();
        // The purpose of this command is to find these problems, so they are errors here.
        for rule in ["bundle-not-packaged", "bundle-outside-package"] {
            let _ = options.levels.set(rule, Level::Error);
        }
        skills_core::config::find(&root, None).apply(&mut options);
        // The skills are checked as they will be in the projects of the crate's users.
        options.origin = Some(SkillOrigin {
            source: format!("crate:{}", package.name()),
            revision: None,
            license: package.is_licensed().then(|| CARGO_MANIFEST.to_owned()),
        });
        let mut loaded = skills_core::load(&root, bundled.label, &options);
        // The person who publishes the package is the author.
        for problem in loaded.report.diagnostics.iter_mut().filter(|found| found.rule.code == NO_LICENSE.code)
        {
            problem.help = format!(
                "name the license of the package: `license` in the `[package]` of {}",
                shown.display()
            );
        }
        let is_json = self.output.is_json();
        if !is_json {
            print_report(&loaded.report, loaded.catalog.sources());
        }
        let files = package.files_of(&loaded.catalog, &below);
        let found = package.check(bundled, &files, &options.levels);
        let found = found.and(package.check_dependencies(&options.levels));
        let errors = loaded.report.errors() + found.report.errors();
        let sizes =
            loaded.catalog.skills().iter().map(|skill| Packed::new(&package, &loaded.catalog, skill, &below));
        if is_json {
            let problems = json::problems(&loaded.report, loaded.catalog.sources())
                .chain(json::problems(&found.report, &found.sources));
            terminal::json(&versioned([
                ("publishable", boolean(package.is_publishable())),
                ("skills", array(sizes.map(|size| size.node()))),
                ("problems", array(problems)),
            ]));
            return if errors == 0 { Ok(ExitCode::SUCCESS) } else { Err(ExitCode::FAILURE) };
        }
        print_report(&found.report, &found.sources);
        if !package.is_publishable() {
            terminal::note("the package is never published: `publish` in its Cargo.toml says so");
        }
        terminal::text(&sizes.map(|size| size.line()).collect::<String>());
        if errors == 0 {
            return Ok(ExitCode::SUCCESS);
        }
        Err(failure::error("the published package would not contain all of its skills unchanged"))
    }
}

/// Returns the directory of the skills of a package, below it.
fn skills_of(package: &Package, dir: &Path) -> Option<String> {
    if let Some(path) = package.skills_dir() {
        return Some(path.trim_end_matches('/').trim_start_matches("./").to_owned());
    }
    if dir.join("skills").is_dir() {
        return Some("skills".to_owned());
    }
    dir.join("SKILL.md").is_file().then(|| ".".to_owned())
}

/// The part of a skill that cargo packages.
struct Packed<'s> {
    skill: &'s CatalogSkill,
    files: usize,
    bytes: u64,
    left_out: usize,
}

impl<'s> Packed<'s> {
    fn new(package: &Package, catalog: &Catalog, skill: &'s CatalogSkill, below: &str) -> Self {
        let paths = package.files_of_skill(skill, below);
        let packaged = skill.files.iter().zip(&paths).filter(|(_, path)| package.has(path));
        let mut packed = Self { skill, files: 0, bytes: 0, left_out: skill.files.len() };
        for (file, _) in packaged {
            packed.files += 1;
            packed.left_out -= 1;
            packed.bytes += u64::try_from(file.bytes(catalog.sources()).len()).unwrap_or(u64::MAX);
        }
        packed
    }

    fn line(&self) -> String {
        let Self { skill, files, bytes, left_out } = self;
        let left = if *left_out == 0 { String::new() } else { format!(", {left_out} left out") };
        let (files, bytes) = (counted(*files, "file"), write_size(*bytes));
        format!("{} {}: {files}, {bytes}{left}\n", skill.name, skill.version)
    }

    fn node(&self) -> Node {
        object([
            ("name", string(self.skill.name.as_str())),
            ("version", string(self.skill.version.as_str())),
            ("files", number(self.files)),
            ("bytes", number(self.bytes)),
            ("left_out", number(self.left_out)),
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::relative;

    #[test]
    fn a_copy_names_its_source_from_where_it_lies() {
        let path = |from: &str, to: &str| relative(from.as_ref(), to.as_ref());
        assert_eq!(path("/w/crates/agent/skills", "/w/skills"), "../../../skills");
        assert_eq!(path("/w/a", "/w/b"), "../b");
    }
}
