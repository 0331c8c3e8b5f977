//! Skills of directories as they are at the time, for `serve` and `mcp` (SPEC 1.6).

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use skills_call::{Failure, Runner};
use skills_load::{Changes, Live, Watch};

use super::source;
use crate::terminal;

/// The skills as they are now; new problems are told when they are met.
pub(crate) struct Current {
    live: Arc<Live>,
    /// What a runner is made of: it has the model.
    runner: Runner,
    /// Whether changes are not told, or were not taken up: directories are then read for each request.
    is_stale: Arc<AtomicBool>,
    changed: Arc<dyn Fn() + Send + Sync>,
    _watch: Option<Watch>,
}

impl Current {
    /// Follows the directories; `changed` is called when the skills have become others.
    pub(crate) fn of(live: Live, runner: Runner, changed: impl Fn() + Send + Sync + 'static) -> Self {
        let (live, changed) = (Arc::new(live), Arc::new(changed));
        let is_stale = Arc::new(AtomicBool::new(false));
        let (stale, said) = (Arc::clone(&is_stale), Arc::clone(&changed));
        let watch = live.watch(move |outcome| match outcome {
            Ok(changes) => {
                stale.store(false, Ordering::Release);
                tell(&changes, &*said);
            }
            Err(error) => {
                terminal::line(&format!("error: {error}"));
                stale.store(true, Ordering::Release);
            }
        });
        let watch = watch.inspect_err(|error| {
            terminal::line(&format!(
                "note: skills are read for each request, since they cannot be watched: {error}"
            ));
            is_stale.store(true, Ordering::Release);
        });
        Self { live, runner, is_stale, changed, _watch: watch.ok() }
    }

    /// Returns a runner of the skills as they are now.
    pub(crate) fn runner(&self) -> Result<Runner, Failure> {
        if self.is_stale.load(Ordering::Acquire) {
            let changes = self.live.reload()?;
            if !changes.is_empty() {
                tell(&changes, &*self.changed);
            }
        }
        Ok(self.last())
    }

    /// Returns a runner of the skills as they could be read last.
    pub(crate) fn last(&self) -> Runner {
        self.runner.clone().layers(self.live.layers())
    }
}

fn tell(changes: &Changes, changed: &dyn Fn()) {
    changes.new_problems.iter().for_each(source::tell_problem);
    changed();
}
