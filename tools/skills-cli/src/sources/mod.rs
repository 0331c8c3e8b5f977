//! The commands that add skills of other projects and keep them equal to `skills.lock`.

mod add;
mod dependencies;
mod output;
mod sync;
mod update;

pub(crate) use add::{Add, Remove};
pub(crate) use sync::Sync;
pub(crate) use update::Update;

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::ExitCode;

use clap::Args;
use skills_commands::failure::Ended;
use skills_commands::{failure, terminal};
use skills_core::config;
use skills_core::options::Options;
use skills_sources::{
    Change, LeftOut, Offer, Project, Source, SourceError, apply, check, current, diff, fetch, warnings,
};
use skills_text::{shell_path, visible};

use crate::asking::confirm;
use crate::trust::{forget_foreign, record_foreign};
use crate::waiting;
use skills_commands::output::OutputArgs;

/// Opens the project of the current directory.
fn project() -> Result<Project, ExitCode> {
    Project::open(Path::new(".")).map_err(failed)
}

/// Opens the project of the current directory for a change. Completes the change of a process that was killed first,
/// because half of it looks like edits of the user. A dry run only says that there is such a change.
fn project_to_change(dry_run: bool) -> Result<Project, ExitCode> {
    let project = project()?;
    if !dry_run {
        record_foreign(&project.interrupted().map_err(failed)?)?;
        let notes = apply(&Change::default(), &project).map_err(failed)?;
        notes.iter().for_each(terminal::note);
    } else if project.is_interrupted() {
        terminal::note(
            "a change was interrupted, and this is the state in between: `skills sync` completes it",
        );
    }
    Ok(project)
}

/// Prints an error and returns its exit code.
fn failed(error: SourceError) -> ExitCode {
    match error {
        SourceError::Usage(text) => terminal::usage(text),
        error => failure::error(error),
    }
}

/// Returns the options of the project for checking skills.
fn options(project: &Project) -> Options {
    config::find(project.path(), None).options()
}

/// Names the hosts that a command is going to ask. `skills.lock` names them, and can be part of a clone.
fn announce<'s>(sources: impl IntoIterator<Item = &'s Source>) {
    let hosts: BTreeSet<&str> = sources.into_iter().filter_map(Source::host).collect();
    if !hosts.is_empty() {
        let hosts: Vec<&str> = hosts.into_iter().collect();
        terminal::note(format!("asking {}, which skills.lock names", hosts.join(", ")));
    }
}

/// Fetches a source and checks its skills.
fn offer(source: &Source, project: &Project, pinned: Option<&str>) -> Result<Offer, SourceError> {
    let fetched = waiting_for(source, || fetch(source, project, pinned))?;
    check(&fetched, &options(project))
}

/// Returns the newest revision of a source, as `skills_sources::current` does.
fn newest_revision(source: &Source, project: &Project) -> Result<Option<String>, SourceError> {
    waiting_for(source, || current(source, project))
}

/// Says on a terminal which source the command waits for.
fn waiting_for<T>(source: &Source, work: impl FnOnce() -> T) -> T {
    waiting::counted(&format!("waiting for {source}"), work)
}

/// Returns the value of a key, which is made at the first use.
fn cached<K: Ord, V>(
    known: &mut BTreeMap<K, V>,
    key: K,
    make: impl FnOnce() -> Result<V, SourceError>,
) -> Result<&V, ExitCode> {
    Ok(match known.entry(key) {
        Entry::Occupied(known) => known.into_mut(),
        Entry::Vacant(new) => new.insert(make().map_err(failed)?),
    })
}

/// The options of a command that shows a change before it writes it.
#[derive(Debug, Args)]
struct Writing {
    /// Write without asking
    #[arg(short, long)]
    yes: bool,
    /// Show what would change without writing anything
    #[arg(long, conflicts_with = "yes")]
    dry_run: bool,
    #[command(flatten)]
    output: OutputArgs,
}

impl Writing {
    /// Shows the change, and writes it if the user agrees.
    fn propose(&self, project: &Project, change: &Change, offers: &[Offer]) -> Ended {
        let (output, yes, dry_run) = (&self.output, self.yes, self.dry_run);
        Proposal { project, change, offers, output, yes, dry_run }.run()
    }
}

/// Shows a change, asks for confirmation, and writes the change.
struct Proposal<'a> {
    project: &'a Project,
    change: &'a Change,
    offers: &'a [Offer],
    output: &'a OutputArgs,
    yes: bool,
    dry_run: bool,
}

impl Proposal<'_> {
    fn run(&self) -> Ended {
        if !self.output.is_json() {
            self.show();
        }
        // Do not ask if standard input is not a terminal, or for JSON output, because then a program runs the
        // command.
        let is_wanted = !self.change.is_empty() && !self.dry_run;
        let mut notes = Vec::new();
        if is_wanted {
            confirm(self.yes)?;
            // Other people write these skills, so edits of a directory around them do not count as edits of the user.
            let (written, removed): (Vec<_>, Vec<_>) =
                self.change.steps.iter().partition(|step| step.new.is_some());
            let [written, removed] = [written, removed].map(|steps| {
                steps.iter().map(|step| self.project.path().join(step.directory())).collect::<Vec<_>>()
            });
            record_foreign(&written)?;
            notes = apply(self.change, self.project).map_err(failed)?;
            forget_foreign(&removed);
        }
        if self.output.is_json() {
            return Ok(output::changes(self.change, self.offers, is_wanted, &notes));
        }
        notes.iter().for_each(terminal::note);
        let code = terminal::text(&output::summary(self.change, is_wanted));
        if is_wanted {
            self.print_next_step();
        }
        Ok(code)
    }

    /// Prints how to trust the new skills. They are never trusted after edits, because other people write them.
    fn print_next_step(&self) {
        let new = self.change.steps.iter().filter(|step| step.old.is_none());
        let commands: Vec<String> =
            new.map(|step| format!("`skills trust {}`", shell_path(Path::new(step.directory())))).collect();
        if !commands.is_empty() {
            terminal::status(&format!(
                "the new skills are not trusted yet: review them, then run {}",
                commands.join(" and ")
            ));
        }
    }

    /// Prints the new skills, the differences of changed skills, and at the end the points that a person must not
    /// overlook.
    fn show(&self) {
        for offer in self.offers {
            terminal::text(&output::offer(offer, self.change));
        }
        let updates = self
            .change
            .steps
            .iter()
            .filter(|step| step.old.is_some() && step.new.is_some() && !step.is_restored());
        let updates = Change { steps: updates.cloned().collect(), ..Change::default() };
        terminal::diff(&diff(&updates, self.project));
        for LeftOut { source, name, path, reason } in &self.change.left_out {
            let text = format!("`{name}` of {source} is left out: `{path}`: {reason}");
            terminal::note(visible(&text));
        }
        for line in self.change.steps.iter().flat_map(warnings) {
            terminal::warning(line);
        }
    }
}
