//! `skills publish --check`: shows which skills the users of a published crate get.

use std::path::{Path, PathBuf};

use clap::Args;
use skills_core::catalog::{Catalog, Skill};
use skills_core::level::Level;
use skills_core::options::Options;
use skills_core::package::vendored::seen_from;
use skills_core::package::{Bundled, MANIFEST, Package};
use skills_core::read::Origin;
use skills_text::write_size;

use super::report::tell;
use skills_commands::failure::{self, Ended};
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
}

impl Publish {
    /// Prints the skills in the package, and what cargo leaves out.
    pub(crate) fn run(&self) -> Ended {
        let dir = home::path(&self.dir);
        let shown = self.dir.join(MANIFEST);
        if !dir.join(MANIFEST).is_file() {
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
        // The command exists to find these, so they are errors here.
        for rule in ["bundle-not-packaged", "bundle-outside-package"] {
            let _ = options.levels.set(rule, Level::Error);
        }
        skills_core::config::find(&root, None).apply(&mut options);
        // The skills are checked as they will be in the projects of the crate's users.
        options.origin = Some(Origin {
            source: format!("crate:{}", package.name()),
            revision: None,
            license: package.is_licensed().then(|| MANIFEST.to_owned()),
        });
        let loaded = skills_core::load(&root, bundled.label, &options);
        tell(&loaded.report, loaded.catalog.sources());
        let files = package.files_of(&loaded.catalog, &below);
        let found = package.check(bundled, &files, &options.levels);
        tell(&found.report, &found.sources);
        if !package.is_publishable() {
            terminal::line("note: the package is never published: `publish` in its Cargo.toml says so");
        }
        for skill in loaded.catalog.skills() {
            terminal::text(&line(&package, &loaded.catalog, skill, &below));
        }
        match loaded.report.errors() + found.report.errors() {
            0 => Ok(std::process::ExitCode::SUCCESS),
            _ => Err(failure::error("the published package would not have all of its skills, as they are")),
        }
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

/// Returns a line about a skill: the files that are packaged, and their size.
fn line(package: &Package, catalog: &Catalog, skill: &Skill, below: &str) -> String {
    let paths = package.files_of_skill(skill, below);
    let packaged = skill.files.iter().zip(&paths).filter(|(_, path)| package.has(path));
    let (mut count, mut bytes) = (0, 0);
    for (file, _) in packaged {
        count += 1;
        bytes += u64::try_from(file.bytes(catalog.sources()).len()).unwrap_or(u64::MAX);
    }
    let left = skill.files.len() - count;
    let left = if left == 0 { String::new() } else { format!(", {left} left out") };
    format!("{} {}: {}, {}{left}\n", skill.name, skill.version, counted(count, "file"), write_size(bytes))
}
