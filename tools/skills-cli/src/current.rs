//! Keeps the skills of directories up to date for `serve` and `mcp`.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use skills_call::{Failure, Runner};
use skills_load::{Changes, Live, Watch};

use super::source;
use skills_commands::terminal;

/// The current skills. Reports new problems when they appear.
pub(crate) struct Current {
    live: Arc<Live>,
    /// The runner with the model, from which the runners of newer skills are made.
    runner: Runner,
    /// `true` if changes are not reported by the system or could not be read. Each request then reads the
    /// directories.
    is_stale: Arc<AtomicBool>,
    changed: Arc<dyn Fn() + Send + Sync>,
    _watch: Option<Watch>,
}

impl Current {
    /// Watches the directories. Calls `changed` when the skills have changed.
    pub(crate) fn of(live: Live, runner: Runner, changed: impl Fn() + Send + Sync + 'static) -> Self {
        let (live, changed) = (Arc::new(live), Arc::new(changed));
        let is_stale = Arc::new(AtomicBool::new(false));
        let (stale, callback) = (Arc::clone(&is_stale), Arc::clone(&changed));
        let watch = live.watch(move |outcome| match outcome {
            Ok(changes) => {
                stale.store(false, Ordering::Release);
                print_changes(&changes, &*callback);
            }
            Err(error) => {
                terminal::error(format_args!("{error}"));
                stale.store(true, Ordering::Release);
            }
        });
        let watch = watch.inspect_err(|error| {
            terminal::note(format_args!(
                "skills are read for each request, since they cannot be watched: {error}"
            ));
            is_stale.store(true, Ordering::Release);
        });
        Self { live, runner, is_stale, changed, _watch: watch.ok() }
    }

    /// Returns a runner of the current skills.
    pub(crate) fn runner(&self) -> Result<Runner, Failure> {
        if self.is_stale.load(Ordering::Acquire) || self.live.is_outdated() {
            let changes = self.live.reload()?;
            if !changes.is_empty() {
                print_changes(&changes, &*self.changed);
            }
        }
        Ok(self.last())
    }

    /// Returns a runner of the skills that were last read successfully.
    pub(crate) fn last(&self) -> Runner {
        self.runner.clone().layers(self.live.layers())
    }
}

fn print_changes(changes: &Changes, changed: &dyn Fn()) {
    for problem in &changes.new_problems {
        source::print_with_level(problem.level, problem);
    }
    changed();
}
