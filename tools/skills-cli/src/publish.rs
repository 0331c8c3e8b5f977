//! `skills publish --check`: shows which skills the users of a published crate get.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use skills_core::catalog::{Catalog, CatalogSkill};
use skills_core::level::Level;
use skills_core::options::Options;
use skills_core::package::vendored::seen_from;
use skills_core::package::{Bundled, Package};
use skills_core::read::{CARGO_MANIFEST, SkillOrigin};
use skills_core::rule::lints::NO_LICENSE;
use skills_report::json;
use skills_schema::json::Node;
use skills_schema::json::make::{array, boolean, number, object, string};
use skills_text::write_size;

use super::report::print_report;
use skills_commands::failure::{self, Ended};
use skills_commands::output::{Output, versioned};
use skills_commands::terminal::counted;
use skills_commands::{home, terminal};

#[derive(Debug, Args)]
pub(crate) struct Publish {
    /// The directory of the package
    #[arg(value_name = "DIR", default_value = ".")]
    dir: PathBuf,
    /// Publish nothing, and show what would be published
    #[arg(long, required = true)]
    check: bool,
    #[command(flatten)]
    output: Output,
}

impl Publish {
    /// Prints the skills in the package, and what cargo leaves out.
    pub(crate) fn run(&self) -> Ended {
        let dir = home::path(&self.dir);
        let shown = self.dir.join(CARGO_MANIFEST);
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
        let label = seen_from(&self.dir.to_string_lossy().replace('\\', "/"), &below);
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
            loaded.catalog.skills().iter().map(|skill| Packed::of(&package, &loaded.catalog, skill, &below));
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
    let named =
        package.skills_dir().map(|path| path.trim_end_matches('/').trim_start_matches("./").to_owned());
    let usual = || dir.join("skills").is_dir().then(|| "skills".to_owned());
    let beside = || dir.join("SKILL.md").is_file().then(|| ".".to_owned());
    named.or_else(usual).or_else(beside)
}

/// The part of a skill that cargo packages.
struct Packed<'s> {
    skill: &'s CatalogSkill,
    files: usize,
    bytes: u64,
    left_out: usize,
}

impl<'s> Packed<'s> {
    fn of(package: &Package, catalog: &Catalog, skill: &'s CatalogSkill, below: &str) -> Self {
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
