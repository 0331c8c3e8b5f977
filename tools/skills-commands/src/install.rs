//! `install`: writes skills to the directory from which an agent reads them, and keeps them up to date there.
//! `uninstall`: removes the files that `install` wrote, and nothing else.

use std::path::Path;
use std::process::ExitCode;

use clap::Args;
use skills_install::{Action, Adopt, InstallError, InstallOptions, Reason, Stub};
use skills_registry::Registry;

use crate::failure::Ended;
use crate::output::OutputArgs;
use crate::steps::{FileStep, FileSteps};
use crate::target::TargetArgs;
use crate::{failure, terminal};

#[derive(Debug, Args)]
pub struct Install {
    /// Install only these skills, even if they were deleted at the target [default: all]
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    #[command(flatten)]
    pub target: TargetArgs,
    /// Show what would change without changing anything
    #[arg(long)]
    dry_run: bool,
    /// For CI: change nothing, and fail unless everything is up to date
    #[arg(long, conflicts_with_all = ["dry_run", "force", "restore", "adopt"])]
    ci: bool,
    /// Replace files that were edited at the target or that another program wrote; keep each as `.bak`
    #[arg(long)]
    force: bool,
    /// Restore skills and files that were deleted at the target
    #[arg(long)]
    restore: bool,
    /// Take over identical skills that another program wrote
    #[arg(long)]
    adopt: bool,
    /// Write stubs, which name the command that prints a skill, instead of copies [default: true if `skills.toml` has
    /// the key `stub`, otherwise false]
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    stub: Option<bool>,
    #[command(flatten)]
    output: OutputArgs,
}

impl Install {
    /// Installs the skills of a bundle and prints a line for each file that was written or kept. The arguments
    /// add to the options. `command` is the command that prints a skill, if `skills.toml` does not name one.
    pub fn run(&self, registry: &Registry, options: InstallOptions, command: Option<String>) -> Ended {
        let options = match (self.stub, registry.stub(), command) {
            (Some(false), ..) => options,
            (Some(true), None, Some(command)) => {
                options.stub(Stub::new(command).version(registry.program_version().unwrap_or_default()))
            }
            (Some(true), None, None) => {
                let text = "`--stub` needs the command that prints a skill: name it in `skills.toml`, as in `stub = \"mytool skill\"`";
                return Err(terminal::usage(text));
            }
            _ => options.of_program(registry),
        };
        let options = options.names(&self.names);
        let adopt = if self.adopt { Adopt::Same } else { Adopt::Nothing };
        let options = options.force(self.force).restore(self.restore).adopt(adopt);
        let options = self.target.confined(options)?;
        let mut steps = FileSteps::new(&self.output);
        let code = self.target.each(|target| {
            if self.ci {
                return compared(registry, target, &options, &mut steps);
            }
            let done = if self.dry_run {
                let place = std::path::absolute(target).unwrap_or_else(|_| target.to_owned());
                terminal::status(&format!("in {}:", place.join("skills").display()));
                skills_install::plan(registry, target, &options)
                    .map(|plan| FileStep::installed(plan.steps(), FOLDER))
            } else {
                skills_install::install(registry, target, &options)
                    .map(|report| FileStep::installed(report.steps(), FOLDER))
            };
            show(done, target, &mut steps, "everything is up to date")
        })?;
        Ok(failure::first(code, steps.end(!self.dry_run && !self.ci)))
    }
}

/// Compares the target with the skills and its lock file. Prints the differences and returns an error if
/// there are any.
fn compared(registry: &Registry, target: &Path, options: &InstallOptions, steps: &mut FileSteps) -> ExitCode {
    let kept = match skills_install::plan(registry, target, options) {
        Ok(plan) => plan.steps().iter().filter_map(|step| reason(&step.action)).cloned().collect(),
        Err(error) => return failure::installation(&error),
    };
    // A skill that the user deleted also counts as missing.
    let options = options.clone().restore(true);
    match skills_install::plan(registry, target, &options) {
        Ok(plan) => {
            steps.add(target, &FileStep::installed(plan.steps(), FOLDER), "");
            match plan.steps() {
                [] => ExitCode::SUCCESS,
                _ => failure::error(format!("the installed skills are not up to date; {}", advice(kept))),
            }
        }
        Err(error) => failure::installation(&error),
    }
}

fn reason(action: &Action) -> Option<&Reason> {
    match action {
        Action::Keep(reason) => Some(reason),
        _ => None,
    }
}

/// Says how to bring a target up to date that keeps files for these reasons.
fn advice(kept: Vec<Reason>) -> String {
    let (mut options, mut effects) = (Vec::new(), Vec::new());
    if kept.contains(&Reason::Deleted) {
        options.push("`--restore`");
        effects.push("`--restore` restores what was deleted");
    }
    if kept.iter().any(|reason| matches!(reason, Reason::Edited | Reason::EditedOrphan | Reason::Foreign)) {
        options.push("`--force`");
        effects
            .push("`--force` replaces what was edited or written by another program, and keeps it as `.bak`");
    }
    if kept.contains(&Reason::ForeignSame) {
        options.push("`--adopt`");
        effects.push("`--adopt` takes over equal files of another program");
    }
    match options.is_empty() {
        true => "run the command without `--ci`".to_owned(),
        false => format!(
            "run the command with {} instead of `--ci`: {}",
            options.join(" and "),
            effects.join("; ")
        ),
    }
}

/// The folder of a target that has the skills.
pub(crate) const FOLDER: &str = "skills/";

/// Prints the steps at a target. If there are no steps, prints the text `none`.
fn show(
    done: Result<Vec<FileStep>, InstallError>,
    target: &Path,
    steps: &mut FileSteps,
    none: &str,
) -> ExitCode {
    match done {
        Ok(done) => steps.add(target, &done, none),
        Err(error) => failure::installation(&error),
    }
}

#[derive(Debug, Args)]
pub struct Uninstall {
    /// Remove only these skills [default: all]
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    #[command(flatten)]
    pub target: TargetArgs,
    /// Show what would change without changing anything
    #[arg(long)]
    dry_run: bool,
    /// Also move files that were edited at the target, to `.bak`
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    output: OutputArgs,
}

impl Uninstall {
    /// Removes the skills of a bundle and prints a line for each file that was removed or kept.
    pub fn run(&self, bundle: &str) -> Ended {
        let options = InstallOptions::new(bundle).names(&self.names).force(self.force);
        let options = self.target.confined(options)?;
        let mut steps = FileSteps::new(&self.output);
        let code = self.target.each(|target| {
            let done = if self.dry_run {
                skills_install::plan_removal(target, &options)
                    .map(|plan| FileStep::installed(plan.steps(), FOLDER))
            } else {
                skills_install::uninstall(target, &options)
                    .map(|report| FileStep::installed(report.steps(), FOLDER))
            };
            show(done, target, &mut steps, &format!("no skill of `{bundle}` is installed here"))
        })?;
        Ok(failure::first(code, steps.end(!self.dry_run)))
    }
}
