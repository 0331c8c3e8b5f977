//! Reads the inputs of a bundle: `skills.toml`, `Cargo.toml` and the skills. Used by the build script and the
//! macro, so that both report the same problems.

use std::path::{Path, PathBuf};

use skills_core::catalog::Catalog;
use skills_core::config::Config;
use skills_core::diagnostic::Diagnostic;
use skills_core::level::Level;
use skills_core::options::Options;
use skills_core::package::{Bundled, Findings, Package, vendored};
use skills_core::problems::Problems;
use skills_core::read::{CARGO_MANIFEST, Overlay};
use skills_core::report::Report;
use skills_core::span::SourceMap;
use skills_core::{Loaded, Tally};

use crate::generate::Program;
use crate::locate::Location;

/// The maximum number of warnings that one build shows. Cargo repeats them in every build, even if nothing
/// has changed.
const MAX_WARNINGS: usize = 5;

/// The place of a bundle in reports, and what is read there.
#[derive(Clone, Copy, Debug)]
pub struct BundlePlace<'p> {
    /// The name of the directory in reports.
    pub label: &'p str,
    /// The name of the `Cargo.toml` in reports.
    pub manifest: &'p str,
    /// The file that bundles the directory, below the package.
    pub caller: Option<&'p str>,
    /// Files that are read instead of those on disk.
    pub over: &'p Overlay,
}

/// The skills of a bundle, and all problems.
pub(crate) struct BuildInput {
    pub(crate) catalog: Catalog,
    tally: Tally,
    pub(crate) config: Config,
    /// The `skills.lock` that names the sources of skills.
    pub(crate) lock: Option<PathBuf>,
    /// The files with commands of programs.
    pub(crate) commands: Vec<PathBuf>,
    /// The options, with the settings of `skills.toml`.
    pub(crate) options: Options,
    /// The program that bundles the skills.
    pub(crate) program: Program,
    report: Report,
    /// The problems of the package.
    findings: Findings,
    command: String,
}

impl BuildInput {
    /// Reads and checks a directory; `written` is its path as the user wrote it, `caller` the file that bundles
    /// it, below the package.
    pub(crate) fn read(location: &Location, written: &str, options: Options, caller: Option<&str>) -> Self {
        let manifest = Location::below(location.package(), Path::new(CARGO_MANIFEST)).label(CARGO_MANIFEST);
        let label = location.label(written);
        let place = BundlePlace { label: &label, manifest: &manifest, caller, over: &Overlay::default() };
        Self::read_at(location, place, options)
    }

    pub(crate) fn read_at(location: &Location, place: BundlePlace<'_>, mut options: Options) -> Self {
        let BundlePlace { label, manifest, caller, over } = place;
        let mut config = skills_core::config::find_over(&location.root, None, over);
        config.apply(&mut options);
        let lock = skills_core::read::lock_above(&location.root);
        let command = format!("skills check --bundle {}", skills_text::shell_path(Path::new(label)));
        let bundled = Bundled { dir: &location.relative, label, root: &location.root };
        let package = Package::read(location.package(), manifest);
        let commands = configure_commands(&package, &mut config, &mut options);
        if let Some(findings) = package.published_without_skills(bundled) {
            let (catalog, report, tally) = (Catalog::default(), Report::default(), Tally::default());
            let program = Program::default();
            return Self {
                catalog,
                tally,
                config,
                lock,
                commands,
                options,
                program,
                report,
                findings,
                command,
            };
        }
        let loaded = skills_core::load_over(&location.root, label, &options, over);
        // If a test or an example is not packaged, the skills that it bundles need not be packaged either.
        let is_shipped = caller.is_none_or(|caller| package.has(caller));
        let mut findings = Findings::default();
        if is_shipped && location.root.is_dir() && !package.is_packed() {
            let files = package.files_of(&loaded.catalog, &location.relative);
            findings = package.check(bundled, &files, &options.levels);
            findings = findings.and(vendored::check(bundled, &loaded.catalog, &options));
            findings = findings.and(package.check_config(&config, &options.levels));
        }
        let Loaded { catalog, report, tally } = loaded;
        let program = Program { version: None, stub: config.stub().map(|(stub, _)| stub.to_owned()) };
        Self { catalog, tally, config, lock, commands, options, program, report, findings, command }
    }

    /// Puts the version of the program into its skills. It is not known when the skills are only checked.
    pub(crate) fn of_version(mut self, version: Option<String>) -> Self {
        if let Some(version) = &version {
            self.catalog.fill_program_version(version);
        }
        self.program.version = version;
        self
    }

    /// Returns the problems of the skills, and those of the package and of `skills.toml`.
    pub(crate) fn into_problems(self) -> (Problems, [(Report, SourceMap); 2]) {
        let Self { catalog, tally, config, report, findings, .. } = self;
        let others = [(findings.report, findings.sources), (config.report, config.sources)];
        (Loaded { catalog, report, tally }.into(), others)
    }

    /// Returns `true` if a problem depends on the contents of `Cargo.toml`, which can change without the
    /// skills.
    pub(crate) fn depends_on_manifest(&self) -> bool {
        !self.findings.report.diagnostics.is_empty()
    }

    /// Returns the errors, with the sources of their places.
    pub(crate) fn errors(&self) -> impl Iterator<Item = (&Diagnostic, &SourceMap)> {
        self.problems().filter(|(found, _)| found.level == Level::Error)
    }

    /// Returns the first warnings, with the sources of their places.
    pub(crate) fn warnings(&self) -> impl Iterator<Item = (&Diagnostic, &SourceMap)> {
        let all = self.problems().filter(|(found, _)| found.level < Level::Error);
        all.take(if self.left() > 0 { MAX_WARNINGS } else { usize::MAX })
    }

    /// Returns a line about the warnings that are not among [`warnings`](Self::warnings).
    pub(crate) fn more_warnings(&self) -> Option<String> {
        let left = self.left();
        (left > 0).then(|| format!("{left} more warnings about skills: `{}` shows them", self.command))
    }

    /// Counts the warnings that are not shown. If there would be only one, it is shown instead.
    fn left(&self) -> usize {
        let all = self.problems().filter(|(found, _)| found.level < Level::Error).count();
        if all > MAX_WARNINGS + 1 { all - MAX_WARNINGS } else { 0 }
    }

    fn problems(&self) -> impl Iterator<Item = (&Diagnostic, &SourceMap)> {
        [
            (&self.findings.report, &self.findings.sources),
            (&self.config.report, &self.config.sources),
            (&self.report, self.catalog.sources()),
        ]
        .into_iter()
        .flat_map(|(report, sources)| report.diagnostics.iter().map(move |found| (found, sources)))
    }
}

/// Adds the check of command lines, and returns the files that it reads. The author of a published package checked them,
/// and the package may lack the files.
#[cfg(feature = "commands")]
fn configure_commands(package: &Package, config: &mut Config, options: &mut Options) -> Vec<PathBuf> {
    if package.is_packed() {
        return Vec::new();
    }
    options.texts = skills_usage::CommandSet::configured(config);
    config.command_files().into_iter().map(|(file, _)| file).collect()
}

#[cfg(not(feature = "commands"))]
fn configure_commands(_: &Package, _: &mut Config, _: &mut Options) -> Vec<PathBuf> {
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    // SPEC 23.7: the texts are checked with the command descriptions that `skills.toml` names, except in a
    // published package
    #[cfg(feature = "commands")]
    #[test]
    fn the_build_checks_command_lines() {
        let top = std::env::temp_dir().join(format!("skills-commands-{}", std::process::id()));
        std::fs::create_dir_all(top.join("skills/acme")).expect("a directory");
        let write = |path: &str, text: &str| std::fs::write(top.join(path), text).expect("a file");
        write(
            "skills/acme/SKILL.md",
            "---\nname: acme\ndescription: Lists things.\n---\n```sh\nacme lst\n```\n",
        );
        write("skills.toml", "commands = [\"acme.json\"]\n");
        write("Cargo.toml", "[package]\nname = \"agent\"\nversion = \"1.0.0\"\npublish = false\n");
        let read = || read_below(&top);
        let errors =
            |input: &BuildInput| input.errors().map(|(found, _)| found.title.clone()).collect::<Vec<_>>();

        let missing = errors(&read());
        assert!(missing.len() == 1 && missing[0].starts_with("cannot read the commands in"), "{missing:?}");
        write("acme.json", r#"{ "name": "acme", "commands": [{ "name": "list" }] }"#);
        let input = read();
        assert_eq!(errors(&input), ["`acme` has no command `lst`"]);
        assert_eq!(input.commands.len(), 1, "the file is watched");
        write("Cargo.toml", "# THIS FILE IS AUTOMATICALLY GENERATED BY CARGO\n[package]\nname = \"agent\"\n");
        let input = read();
        assert_eq!((errors(&input), input.commands.len()), (Vec::new(), 0));
        std::fs::remove_dir_all(&top).expect("it was created");
    }

    // SPEC 2.21: the version is in the frontmatter, the body and the file; other values are errors
    #[test]
    fn the_version_of_the_program_is_filled_in() {
        let top = std::env::temp_dir().join(format!("skills-version-{}", std::process::id()));
        std::fs::create_dir_all(top.join("skills/acme")).expect("a directory");
        std::fs::write(top.join("Cargo.toml"), "[package]\nname = \"acme\"\npublish = false\n")
            .expect("a file");
        let write = |text: &str| std::fs::write(top.join("skills/acme/SKILL.md"), text).expect("a file");
        write(
            "---\nname: acme\ndescription: For acme {{program.version}}.\nversion: \"{{program.version}}\"\n---\n\
             This is {{program.version}}, not {{x}} or {{ programs.version }}.\n",
        );
        let input = read_below(&top).of_version(Some("1.2.3-rc.1".to_owned()));
        assert_eq!(input.errors().map(|(found, _)| found.title.clone()).collect::<Vec<_>>(), [""; 0]);
        let skill = &input.catalog.skills()[0];
        assert_eq!((&*skill.description, &*skill.version), ("For acme 1.2.3-rc.1.", "1.2.3-rc.1"));
        let body = "This is 1.2.3-rc.1, not {{x}} or {{ programs.version }}.\n";
        assert_eq!(input.catalog.body(skill), body);
        let file = skill.file("SKILL.md").expect("it is there").bytes(input.catalog.sources());
        assert!(file.starts_with(b"---\nname: acme\ndescription: For acme 1.2.3-rc.1.\n"));

        write(
            "---\nname: acme\ndescription: Does it.\n---\n{{ program.version }} {{program.versoin}} {{program.x}}\n",
        );
        let input = read_below(&top).of_version(Some("1.0.0".to_owned()));
        assert_eq!(
            input.errors().map(|(found, _)| found.title.clone()).collect::<Vec<_>>(),
            [
                "a value of the program is written without spaces",
                "the program has no value `program.versoin`",
                "the program has no value `program.x`",
            ]
        );
        std::fs::remove_dir_all(&top).expect("it was created");
    }

    // SPEC 9.15: a stub names a command of the program
    #[cfg(feature = "commands")]
    #[test]
    fn a_stub_without_its_command_is_an_error() {
        let top = std::env::temp_dir().join(format!("skills-stub-{}", std::process::id()));
        std::fs::create_dir_all(top.join("skills/acme")).expect("a directory");
        let write = |path: &str, text: &str| std::fs::write(top.join(path), text).expect("a file");
        write("Cargo.toml", "[package]\nname = \"acme\"\npublish = false\n");
        write("skills/acme/SKILL.md", "---\nname: acme\ndescription: Lists things.\n---\nText.\n");
        write(
            "acme.json",
            r#"{ "name": "acme", "commands": [{ "name": "skill", "arguments": [{ "name": "NAME" }] }] }"#,
        );
        for (stub, wrong) in [("acme skill", None), ("acme skil", Some("the stub names `acme skil`, but"))] {
            write("skills.toml", &format!("commands = [\"acme.json\"]\nstub = \"{stub}\"\n"));
            let input = read_below(&top);
            let titles: Vec<_> = input.errors().map(|(found, _)| found.title.clone()).collect();
            assert_eq!(titles.len(), usize::from(wrong.is_some()), "{titles:?}");
            assert!(titles.iter().all(|title| title.starts_with(wrong.unwrap_or_default())), "{titles:?}");
            assert_eq!(input.program.stub.as_deref(), Some(stub));
        }
        std::fs::remove_dir_all(&top).expect("it was created");
    }

    /// Reads the directory `skills` of a package.
    fn read_below(package: &Path) -> BuildInput {
        BuildInput::read(&Location::below(package, Path::new("skills")), "skills", Options::default(), None)
    }

    fn read(skills: usize) -> BuildInput {
        let top = std::env::temp_dir().join(format!("skills-input-{}-{skills}", std::process::id()));
        for at in 0..skills {
            let dir = top.join(format!("skills/a{at}"));
            std::fs::create_dir_all(&dir).expect("a directory");
            let text = format!("---\nname: other{at}\ndescription: Does it.\n---\nText.\n");
            std::fs::write(dir.join("SKILL.md"), text).expect("a file");
        }
        let input = read_below(&top);
        std::fs::remove_dir_all(&top).expect("it was created");
        input
    }

    // SPEC 18.14: a published package without its `skills.toml` would bundle other skills.
    #[test]
    fn settings_that_are_not_packaged_are_reported() {
        let top = std::env::temp_dir().join(format!("skills-settings-{}", std::process::id()));
        std::fs::create_dir_all(top.join("agent/skills/a")).expect("a directory");
        let write = |path: &str, text: &str| std::fs::write(top.join(path), text).expect("a file");
        write("agent/skills/a/SKILL.md", "---\nname: a\ndescription: Does it.\n---\nText.\n");
        write("agent/Cargo.toml", "[package]\nname = \"agent\"\nversion = \"1.0.0\"\n");
        let titles = |path: &str, settings: &str| {
            write(path, settings);
            let input = read_below(&top.join("agent"));
            input.warnings().map(|(found, _)| found.title.clone()).collect::<Vec<_>>()
        };
        let missing = ["`cargo package` leaves out the `skills.toml` that this bundle depends on"];
        assert_eq!(titles("skills.toml", "exclude = [\"b\"]\n"), missing);
        assert_eq!(titles("skills.toml", "file-cap = 1000000\n"), missing);
        assert_eq!(titles("skills.toml", "[rules]\nlong-body = \"deny\"\n"), [""; 0]);
        assert_eq!(titles("agent/skills.toml", "exclude = [\"b\"]\n"), [""; 0]);
        std::fs::remove_dir_all(&top).expect("it was created");
    }

    // SPEC 18.16
    #[test]
    fn a_build_does_not_repeat_many_warnings() {
        let few = read(6);
        assert_eq!((few.warnings().count(), few.more_warnings()), (6, None));
        let many = read(30);
        assert_eq!(many.warnings().count(), 5);
        let more = many.more_warnings().expect("there are more");
        assert_eq!(more, "25 more warnings about skills: `skills check --bundle skills` shows them");
    }
}
