//! `skills check`: reports every problem of a directory in the chosen format.

mod baseline;
mod bundles;
mod place;
mod watch;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;

use clap::{Args, ValueEnum};
use skills_core::config::{self, Config};
use skills_core::edit::Applicability;
use skills_core::level::Level;
use skills_core::levels::{Levels, Profile};
use skills_core::options::{Options, TextChecks};
use skills_core::print::text;
use skills_core::problems::{self, Problems};
use skills_core::projects;
use skills_core::read::{DirectoryKind, Overlay, ReadOptions, read};
use skills_core::report::{Repeated, Report};
use skills_core::span::SourceMap;
use skills_core::{Tally, load_over};
use skills_report::fix::{self, Checked};
use skills_report::{evals, github, json, repeats, sarif, suggestions, tally};
use skills_text::{parse_size, visible};
use skills_usage::CommandSet;

use self::bundles::BundleRoot;

use super::commands::PrintCommands;
use super::explain::RULES;
use super::report::{self, print_report};
use super::source::DirectoryArgument;
use super::waiting;
use skills_commands::failure::{CommandError, Ended};
use skills_commands::output::{self, FORMAT_VERSION, OutputArgs};
use skills_commands::terminal::{self, counted};

/// Problems of files that are not skills, each report with its texts.
type Others = Vec<(Report, SourceMap)>;

#[derive(Debug, Args)]
pub(crate) struct CheckCommand {
    #[command(flatten)]
    source: DirectoryArgument,
    #[command(flatten)]
    output: OutputArgs<Format>,
    /// Check only the rules of the open Agent Skills standard
    #[arg(long, help_heading = "What is checked")]
    standard: bool,
    /// Check DIR as one bundle, as `skills!` does: no skills in hidden directories or inside other skills, no name used
    /// twice, and size limits are errors
    #[arg(long, help_heading = "What is checked")]
    bundle: bool,
    /// The maximum size of the bundle, such as `500MiB`, of a skill (`skill=SIZE`) or of a file (`file=SIZE`)
    /// (repeatable) [default: bundle=200MiB, skill=50MiB, file=10MiB]
    #[arg(long, value_name = "[WHAT=]SIZE", help_heading = "What is checked")]
    cap: Vec<Cap>,
    /// The maximum size of the catalog of a directory of skills, in tokens [default: 8000]
    #[arg(long, value_name = "TOKENS", help_heading = "What is checked")]
    budget: Option<usize>,
    /// Check the command lines in texts by the commands in this JSON file, which `--print-commands` prints (repeatable)
    /// [default: the files in skills.toml]
    #[arg(long, value_name = "FILE", conflicts_with = "standard", help_heading = "Command lines")]
    commands: Vec<PathBuf>,
    #[command(flatten)]
    print_commands: PrintCommands,
    /// Report a rule as an error (repeatable)
    #[arg(long, value_name = "RULE", value_parser = RULES, hide_possible_values = true, help_heading = "Rules")]
    deny: Vec<String>,
    /// Report a lint as a warning (repeatable)
    #[arg(long, value_name = "RULE", value_parser = RULES, hide_possible_values = true, help_heading = "Rules")]
    warn: Vec<String>,
    /// Do not report a lint (repeatable)
    #[arg(long, value_name = "RULE", value_parser = RULES, hide_possible_values = true, help_heading = "Rules")]
    allow: Vec<String>,
    /// Apply all safe fixes, and report the remaining problems
    #[arg(long, help_heading = "Fixes")]
    fix: bool,
    /// With `--fix` or `--diff`, also apply fixes that may change the meaning
    #[arg(long, help_heading = "Fixes")]
    unsafe_fixes: bool,
    /// Print the changes that `--fix` would make as a diff for `git apply` or `patch -p1`, without writing them; exit with
    /// 1 if there are any
    #[arg(long, help_heading = "Fixes")]
    diff: bool,
    /// Also print the other places of a problem that repeats
    #[arg(long, help_heading = "Report")]
    all: bool,
    /// Do not report the problems in this file; create it with the current problems if it does not exist, except with `--ci`
    #[arg(long, value_name = "FILE", conflicts_with = "diff", help_heading = "Rules")]
    baseline: Option<PathBuf>,
    /// Check again after each change, until Ctrl-C
    #[arg(long, conflicts_with_all = ["fix", "diff"], help_heading = "Report")]
    watch: bool,
    /// For CI: change nothing, and fail if there is any problem, even a warning
    #[arg(long, conflicts_with_all = ["fix", "watch"], help_heading = "Report")]
    ci: bool,
}

/// How problems are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Each problem with the lines it is in, for a terminal
    Text,
    /// One JSON object per line
    Json,
    /// Annotations for GitHub Actions
    Github,
    /// SARIF 2.1.0, for code scanning services
    Sarif,
    /// Fixes as review comments for GitHub, one JSON object per line
    Suggestions,
}

impl output::Format for Format {
    const DEFAULT: &str = "text";
    const JSON: Self = Self::Json;
}

impl CheckCommand {
    /// Checks the directory and prints the report.
    pub(crate) fn run(mut self) -> Ended {
        if let Some(printed) = self.print_commands.run() {
            return printed;
        }
        self.source.or(".");
        if self.unsafe_fixes && !self.fix && !self.diff {
            return Err(terminal::usage("`--unsafe-fixes` requires `--fix` or `--diff`"));
        }
        let levels = self.levels().map_err(terminal::usage)?;
        if self.watch {
            let path = self.source.path();
            let config = config::find(&path, None).path;
            // The problems were printed. Continue to watch, because the next change may fix them.
            watch::follow(&path, &config.into_iter().collect::<Vec<_>>(), || {
                let _: Ended = self.check(levels.clone());
            });
        }
        let code = self.check(levels)?;
        // The report names similar directories, so it is printed even if there is nothing to read.
        Ok(if self.source.path().exists() { code } else { ExitCode::from(2) })
    }

    /// Checks the directory once.
    fn check(&self, levels: Levels) -> Ended {
        let (path, label) = (self.source.path(), self.source.label());
        let profile = if self.standard { Profile::Standard } else { Profile::Bundle };
        let mut config = config::find(&path, None);
        let texts = match self.commands.as_slice() {
            [] => CommandSet::configured(&mut config),
            files => {
                let commands = CommandSet::read(files).map_err(terminal::usage)?;
                commands.check_stub(&mut config);
                TextChecks::new(commands)
            }
        };
        let given = Options {
            profile,
            levels,
            read: self.read_options(),
            catalog_budget: self.budget,
            texts,
            ..Options::default()
        };
        self.check_directory(&path, &label, &given, config)
    }

    /// Prints problems of files that are not in the format of the skills' problems.
    fn print_others(&self, others: &[(Report, SourceMap)]) {
        for (report, sources) in others {
            match self.output.format() {
                Format::Text if !self.diff => drop(report::print(report, sources, None)),
                Format::Json if !self.diff => drop(terminal::json(&json::print(report, sources))),
                Format::Github if !self.diff => drop(terminal::exact(&github::print(report, sources))),
                _ => print_report(report, sources),
            }
        }
    }

    /// Checks a directory with the options that were given, and otherwise with those of `skills.toml`.
    fn check_directory(&self, path: &Path, label: &str, given: &Options, config: Config) -> Ended {
        let mut options = given.clone();
        config.apply(&mut options);
        let options = &options;
        let what = format!("checking {label}");
        let settings = (config.report, config.sources);
        let fails = settings.0.errors() > 0;
        let is_of_projects = is_of_projects(path, options);
        let code = if is_of_projects {
            self.print_others(&[settings]);
            let checked = waiting::counted(&what, || {
                self.with_fixes(path, |over| projects::load_over(path, label, options, over, None))
            })?;
            let Some(mut checked) = checked else {
                return Err(ExitCode::FAILURE);
            };
            let is_new = self.baseline(&mut checked.report, &checked.sources)?;
            self.print_report(&checked, checked.projects.len(), "project", is_new, None)
        } else {
            let others = RefCell::new(Others::new());
            let mut found = if !self.fix && !self.diff {
                waiting::counted(&what, || {
                    let found = problems::find(path, label, options);
                    let mut around = None;
                    let roots = self.bundles(path, &found.manifests, &mut around);
                    let found = judge(found, &roots, label, given, &Overlay::default(), &others);
                    explain(&found.folders, &roots, around.as_deref(), label);
                    found
                })
            } else {
                let names = ReadOptions { contents: false, ..options.read.clone() };
                let tree = read(path, "", &names, &mut Report::default());
                let roots = self.bundles(path, &problems::manifests(&tree.others), &mut None);
                let fixed = waiting::counted(&what, || {
                    self.with_fixes(path, |over| {
                        let found = load_over(path, label, options, over).into();
                        judge(found, &roots, label, given, over, &others)
                    })
                })?;
                let Some(found) = fixed else {
                    self.print_others(&[settings]);
                    return Err(ExitCode::FAILURE);
                };
                found
            };
            let is_new = self.baseline(&mut found.report, &found.sources)?;
            let mut others = others.take();
            // A bundle has the `skills.toml` that was read already, or a nearer one.
            others.retain(|(_, sources)| path_of(sources) != path_of(&settings.1));
            others.insert(0, settings);
            if is_new || self.diff {
                self.print_others(&others);
            } else {
                let others = others.into_iter().rev();
                found = others.fold(found, |found, (report, sources)| found.with_others(report, sources));
            }
            let code = self.print_report(&found, found.tally.checked, "skill", is_new, Some(&found.tally));
            // The process ends here, and the system frees the memory at once, which is faster.
            std::mem::forget(found);
            code
        };
        Ok(if fails { ExitCode::FAILURE } else { code })
    }

    /// Returns the directories that crates bundle, unless all of the directory is judged in one way.
    fn bundles(&self, path: &Path, manifests: &[String], around: &mut Option<String>) -> Vec<BundleRoot> {
        if self.bundle || self.standard { Vec::new() } else { bundles::find(path, manifests, around) }
    }

    /// Removes the problems of the baseline from a report. Returns `true` if the baseline was written just
    /// now.
    fn baseline(&self, report: &mut Report, sources: &SourceMap) -> Result<bool, ExitCode> {
        let Some(path) = &self.baseline else { return Ok(false) };
        baseline::apply(path, self.ci, report, sources).map_err(terminal::usage)
    }

    /// Checks the directory and applies fixes if the user asked for them. Returns `None` if it printed a diff
    /// instead.
    fn with_fixes<J: Checked>(
        &self,
        path: &Path,
        check: impl Fn(&Overlay) -> J,
    ) -> Result<Option<J>, ExitCode> {
        let least = if self.unsafe_fixes { Applicability::Unsafe } else { Applicability::Safe };
        if !self.fix && !self.diff {
            return Ok(Some(check(&Overlay::default())));
        }
        // The report contains the problems of the root.
        let Ok(fixed) = fix::fix(path, Overlay::default(), least, &check) else {
            return Ok(Some(check(&Overlay::default())));
        };
        if fixed.is_cut {
            terminal::warning(
                "not all fixes were tried: the work for one run is bounded; fix a part of the files first",
            );
        }
        if self.diff {
            return match place::print(path, &fixed)? {
                true => Ok(None),
                false => Ok(Some(fixed.checked)),
            };
        }
        fix::write(path, &fixed.over, &fixed.renamed, &fixed.found)
            .map_err(|problem| terminal::usage(format!("cannot write the fixes: {problem}")))?;
        if fixed.solved > 0 && self.output.format() == Format::Text {
            let own = fixed.solved.min(fixed.offered);
            let also = match fixed.solved - own {
                0 => String::new(),
                more => {
                    format!(", and {more} more that were caused by {}", if own == 1 { "it" } else { "them" })
                }
            };
            terminal::status(&format!("fixed {}{also}", counted(own, "problem")));
        }
        Ok(Some(fixed.checked))
    }

    /// Prints a report. `count` is the number of good entries, and `tally` says how many skills there are.
    fn print_report(
        &self,
        checked: &impl Checked,
        count: usize,
        what: &str,
        is_new: bool,
        tally: Option<&Tally>,
    ) -> ExitCode {
        if self.diff {
            return ExitCode::SUCCESS;
        }
        let (report, sources) = (checked.report(), checked.sources());
        if is_new {
            let problems = counted(report.diagnostics.len(), "problem");
            terminal::status(&format!(
                "the baseline has {problems}; from now on, only new ones are reported"
            ));
            return ExitCode::SUCCESS;
        }
        let written = match self.output.format() {
            Format::Text => self.print_text(report, sources, count, what, tally),
            Format::Json => {
                let last = tally.map_or_else(String::new, |tally| tally::json(tally, FORMAT_VERSION) + "\n");
                terminal::json(&(json::print(report, sources) + &last))
            }
            Format::Github => {
                let last = tally.map_or_else(String::new, |tally| tally::line(tally) + "\n");
                terminal::exact(&(github::print(report, sources) + &last))
            }
            Format::Sarif => terminal::json(&match tally {
                Some(tally) => sarif::print_counted(report, sources, tally),
                None => sarif::print(report, sources),
            }),
            Format::Suggestions => terminal::json(&suggestions::print(report, sources)),
        };
        note_repeated(if self.bundle { &[] } else { &report.repeated }, &self.source.label());
        let fails = report.errors() > 0 || (self.ci && !report.diagnostics.is_empty());
        if fails { ExitCode::FAILURE } else { written }
    }

    /// Prints a report for people. The last line of standard output says how many problems there are, and which paths
    /// were passed over.
    fn print_text(
        &self,
        report: &Report,
        sources: &SourceMap,
        count: usize,
        what: &str,
        tally: Option<&Tally>,
    ) -> ExitCode {
        if self.all {
            report::print(report, sources, Some(fix::is_fixable));
        } else {
            report::print(&repeats::merge(report, sources), sources, Some(fix::is_fixable));
        }
        let mut out = text::by_rule(report);
        if let Some(tally) = tally.filter(|tally| self.standard && tally.checked > 1) {
            out.push_str(&tally::verdicts(tally, report, sources));
        }
        out.push_str(&match report.diagnostics.is_empty() {
            true => format!("{}, no problems", counted(tally.map_or(count, |all| all.checked), what)),
            false => tally::summary(report, sources, what, tally),
        });
        if let Some(over) = tally.and_then(|tally| tally::passed_over(&tally.passed_over, "check")) {
            out.push_str(&format!("; {over}"));
        }
        out.push('\n');
        terminal::exact(&out)
    }

    fn levels(&self) -> Result<Levels, CommandError> {
        let mut levels = Levels::default();
        for (names, level) in
            [(&self.allow, Level::Allow), (&self.warn, Level::Warning), (&self.deny, Level::Error)]
        {
            names.iter().try_for_each(|name| levels.set(name, level)).map_err(CommandError::new)?;
        }
        Ok(levels)
    }

    fn read_options(&self) -> ReadOptions {
        let scope = if self.bundle { DirectoryKind::Bundle } else { DirectoryKind::Repository };
        let mut read = ReadOptions { scope, evals: Some(evals::CHECK), ..ReadOptions::default() };
        self.cap.iter().for_each(|cap| cap.set(&mut read));
        read
    }
}

/// Replaces what was found in the directories that crates bundle by the problems that their builds report. The problems
/// of packages and of `skills.toml` are put into `others`.
fn judge(
    found: Problems,
    roots: &[BundleRoot],
    label: &str,
    given: &Options,
    over: &Overlay,
    others: &RefCell<Others>,
) -> Problems {
    let mut all = Others::new();
    let mut options = given.clone();
    options.read.scope = DirectoryKind::Bundle;
    let bundles = roots.iter().map(|root| {
        let (problems, more) = root.problems(label, &options, over);
        all.extend(more.into_iter().filter(|(report, _)| !report.diagnostics.is_empty()));
        (root.below.clone(), problems)
    });
    let found = found.with_bundles(bundles.collect());
    others.replace(all);
    found
}

/// Prints with `-v` how each directory was judged, and why.
fn explain(folders: &[String], roots: &[BundleRoot], around: Option<&str>, label: &str) {
    if !terminal::is_verbose() {
        return;
    }
    for root in roots {
        let folder = if root.below.is_empty() { label } else { &root.below };
        terminal::line(&visible(&format!("{folder}: judged as a bundle: {}", root.why)));
    }
    for folder in folders {
        let folder = if folder.is_empty() { label } else { folder };
        let why = match around {
            Some(around) => format!("judged by itself: it is a part of a bundle, by {around}"),
            None => "judged as a folder of skills: no crate bundles it".to_owned(),
        };
        terminal::line(&visible(&format!("{folder}: {why}")));
    }
}

/// Returns the path of the first file.
fn path_of(sources: &SourceMap) -> Option<&str> {
    sources.files().first().map(|file| file.path.as_str())
}

/// Returns `true` if a directory holds projects: it contains `NAME/ROLE.md` and no skill.
fn is_of_projects(path: &Path, options: &Options) -> bool {
    projects::are_in(path) && {
        let names = ReadOptions { contents: false, ..options.read.clone() };
        read(path, "", &names, &mut Report::default()).skills.is_empty()
    }
}

/// A limit on the size of a bundle, a skill or a file, in bytes.
#[derive(Clone, Copy, Debug)]
enum Cap {
    Bundle(u64),
    Skill(u64),
    File(u64),
}

impl Cap {
    fn set(self, read: &mut ReadOptions) {
        match self {
            Self::Bundle(size) => read.bundle_cap = Some(size),
            Self::Skill(size) => read.skill_cap = Some(size),
            Self::File(size) => read.file_cap = Some(size),
        }
    }
}

impl FromStr for Cap {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (what, size) = text.split_once('=').unwrap_or(("bundle", text));
        let size = parse_size(size)
            .ok_or_else(|| format!("`{size}` is not a size above 0: write one such as `500MiB`"))?;
        match what {
            "bundle" => Ok(Self::Bundle(size)),
            "skill" => Ok(Self::Skill(size)),
            "file" => Ok(Self::File(size)),
            other => Err(format!("`{other}` has no limit: `bundle`, `skill` and `file` have")),
        }
    }
}

/// The maximum number of printed names, and of printed paths for each name.
const MAX_NAMES: usize = 3;

/// Warns about repeated names, because `list`, or a program that reads the directory, has only the first skill of
/// each name. Hidden directories do not count, because only `check` reads them. Names that are reported as errors do
/// not count either, because their skills are not in the catalog.
fn note_repeated(repeated: &[Repeated], label: &str) {
    let mut names: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for found in repeated {
        let paths = names.entry(&found.first).or_insert_with(|| vec![&found.first]);
        paths.push(&found.path);
    }
    let named: BTreeMap<&str, &str> = repeated.iter().map(|found| (&*found.first, &*found.name)).collect();
    let lines: Vec<String> = names
        .iter()
        .filter_map(|(first, paths)| {
            let mut paths = paths.clone();
            paths.retain(|path| !path.split('/').any(|part| part.starts_with('.')));
            let more = if paths.len() > MAX_NAMES { ", …" } else { "" };
            let shown = paths.get(..MAX_NAMES.min(paths.len())).unwrap_or_default().join(", ");
            (paths.len() > 1).then(|| format!("`{}` ({shown}{more})", named.get(first).unwrap_or(first)))
        })
        .collect();
    if lines.is_empty() {
        return;
    }
    let more = match lines.len().saturating_sub(MAX_NAMES) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let shown = lines.iter().take(MAX_NAMES).map(String::as_str).collect::<Vec<_>>().join(", ");
    terminal::warning(visible(&format!(
        "several skills have the same name: {shown}{more}; `list`, and a program that reads {label} as one directory, have \
         only the first of each; `check --bundle` shows all"
    )));
}
