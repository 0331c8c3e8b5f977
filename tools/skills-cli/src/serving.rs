//! `skills serve` and `skills mcp`: serve the current skills of directories over HTTP, and to clients of the Model Context
//! Protocol.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;
use skills_call::{Failure, Runner};
use skills_commands::failure::Ended;
#[cfg(feature = "mcp")]
use skills_commands::mcp::Channel;
#[cfg(feature = "serve")]
use skills_commands::serve::Listener;
use skills_commands::terminal;
use skills_load::{Changes, Live, Watch};
#[cfg(feature = "mcp")]
use skills_mcp::{Notifier, Server};

use crate::otlp::Otlp;
use crate::servers::tool_servers;
use crate::source::{self, SkillPlaces, Skills};

#[cfg(feature = "mcp")]
#[derive(Debug, Args)]
pub(crate) struct Mcp {
    #[command(flatten)]
    skills: SkillPlaces,
    #[command(flatten)]
    channel: Channel,
    #[command(flatten)]
    otlp: Otlp,
}

#[cfg(feature = "mcp")]
impl Mcp {
    /// Returns the options for the traces of calls.
    pub(crate) fn otlp(&self) -> Option<&Otlp> {
        Some(&self.otlp)
    }

    /// Serves until the client closes its side or a signal arrives. Then stops the programs that calls have
    /// started.
    pub(crate) fn run(&self) -> Ended {
        #[cfg(target_os = "linux")]
        if let Some(code) = crate::first::serve_beside() {
            return Ok(code);
        }
        let guard = self.channel.guard()?;
        let live = Live::with(self.skills.builder(), self.skills.read()?);
        let runner = tool_servers::connect(Runner::from(live.layers()));
        let runner = self.channel.equip(self.otlp.propagate(runner), false)?;
        let notifier = Notifier::default();
        let clients = notifier.clone();
        let skills = CurrentSkills::watch(live, runner, move || clients.changed());
        let server = Server::live(move || {
            // A client uses the list that it received until it is notified of a change. So until then, the
            // skills of that list are served.
            Ok(skills.runner().unwrap_or_else(|error| {
                terminal::error(format_args!("{error}"));
                skills.last()
            }))
        });
        self.channel.run(server.notifier(&notifier), guard)
    }
}

#[cfg(feature = "serve")]
#[derive(Debug, Args)]
pub(crate) struct Serve {
    #[command(flatten)]
    skills: SkillPlaces,
    #[command(flatten)]
    listener: Listener,
    #[command(flatten)]
    otlp: Otlp,
}

#[cfg(feature = "serve")]
impl Serve {
    /// Returns the options for the traces of calls.
    pub(crate) fn otlp(&self) -> Option<&Otlp> {
        Some(&self.otlp)
    }

    /// Serves until a signal arrives.
    pub(crate) fn run(&self) -> Ended {
        #[cfg(target_os = "linux")]
        if let Some(code) = crate::first::serve_beside() {
            return Ok(code);
        }
        let guard = self.listener.guard()?;
        let live = Live::with(self.skills.builder(), self.skills.read()?);
        let runner = tool_servers::connect(Runner::from(live.layers()));
        let runner = self.listener.equip(self.otlp.propagate(runner), false)?;
        let skills = CurrentSkills::watch(live, runner, || {});
        self.listener.listen(guard, move || skills.runner())
    }
}

/// The current skills. Reports new problems when they appear.
struct CurrentSkills {
    live: Arc<Live>,
    /// The runner with the model, from which the runners of newer skills are made.
    runner: Runner,
    /// `true` if changes are not reported by the system or could not be read. Each request then reads the
    /// directories.
    is_stale: Arc<AtomicBool>,
    changed: Arc<dyn Fn() + Send + Sync>,
    _watch: Option<Watch>,
}

impl CurrentSkills {
    /// Watches the directories. Calls `changed` when the skills have changed.
    fn watch(live: Live, runner: Runner, changed: impl Fn() + Send + Sync + 'static) -> Self {
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
    fn runner(&self) -> Result<Runner, Failure> {
        if self.is_stale.load(Ordering::Acquire) || self.live.is_outdated() {
            let changes = self.live.reload()?;
            if !changes.is_empty() {
                print_changes(&changes, &*self.changed);
            }
        }
        Ok(self.last())
    }

    /// Returns a runner of the skills that were last read successfully.
    fn last(&self) -> Runner {
        self.runner.clone().layers(self.live.layers())
    }
}

fn print_changes(changes: &Changes, changed: &dyn Fn()) {
    for problem in &changes.new_problems {
        source::print_with_level(problem.level, problem);
    }
    changed();
}
