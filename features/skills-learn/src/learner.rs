//! Runs programs as `skills-exec` does, and observes them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use skills_exec::{Confinement, Environment, Execution, Executor, Granted, Job, Request, Sandbox, Source};
use skills_registry::Net;

#[cfg(target_os = "linux")]
use crate::access::{Access as Found, Cause, Object, Right};
use crate::mentions;
use crate::observed::{Observed, Trace};
#[cfg(target_os = "linux")]
use crate::recorder::Recorder;

/// The rights of programs while they are observed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// A program may read everything, write below the workspace and its temporary directory, and connect to every host.
    Read,
    /// The rights that the policy of the runner grants. A program that the policy does not confine may do
    /// everything.
    Policy,
}

/// An executor that observes the programs that it runs.
///
/// ```
/// use skills_exec::Environment;
/// use skills_learn::{Access, Learner};
/// let learner = Learner::new(Access::Read, std::env::vars_os());
/// assert!(learner.observed().is_empty(), "nothing was run yet");
/// ```
#[derive(Clone, Debug)]
pub struct Learner {
    access: Access,
    /// The variables that a program gets if its texts read them.
    offered: Environment,
    /// The names of variables that look like secrets. No program gets them.
    withheld: Vec<String>,
    shared: Arc<Mutex<Shared>>,
}

#[derive(Debug, Default)]
struct Shared {
    label: Option<String>,
    /// The number of runs that were started.
    started: usize,
    skills: BTreeMap<String, Vec<Trace>>,
}

impl Shared {
    /// Returns the label of the next run: the label that was set, or else a number.
    fn next_label(&mut self) -> String {
        self.started += 1;
        self.label.clone().unwrap_or_else(|| format!("run {}", self.started))
    }
}

impl Learner {
    /// Creates a learner. `host` are the variables of this process. The program of a skill gets those that its texts
    /// read. Variables with names like secrets are passed only with [`Confinement::pass`].
    pub fn new(
        access: Access,
        host: impl IntoIterator<Item = (std::ffi::OsString, std::ffi::OsString)>,
    ) -> Self {
        let host: Vec<_> = host.into_iter().collect();
        let names = host.iter().filter_map(|(name, _)| name.to_str());
        let withheld = names.filter(|name| skills_text::is_secret_name(name)).map(str::to_owned).collect();
        let offered = Confinement::off().offer(host, []).offered;
        Self { access, offered, withheld, shared: Arc::default() }
    }

    /// Returns the reason why this system cannot observe programs, or `None` if it can.
    pub fn unavailable() -> Option<String> {
        if cfg!(target_os = "linux") { Confinement::unavailable() } else { Some("it needs Linux".to_owned()) }
    }

    /// Names the runs that follow.
    pub fn label(&self, text: impl Into<String>) {
        self.shared().label = Some(text.into());
    }

    /// Returns what was observed so far, sorted by the names of the skills.
    pub fn observed(&self) -> Vec<Observed> {
        self.shared().skills.iter().map(|(skill, runs)| Observed::of(skill, runs)).collect()
    }

    fn shared(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Chooses the sandbox and the variables of a run.
    fn prepare(&self, request: &mut Request, files: &Source) {
        let given = request.sandbox.take();
        let (mut sandbox, is_open) = match (self.access, given) {
            (Access::Policy, Some(sandbox)) => (sandbox, false),
            (Access::Read, given) => (open(given, &["$WORKSPACE"]), true),
            (Access::Policy, None) => (open(None, &["/", "~", "$WORKSPACE"]), true),
        };
        // With a proxy, even a refused host is observed.
        if sandbox.net == Net::None {
            sandbox.net = Net::Hosts(Vec::new());
        }
        request.sandbox = Some(sandbox);
        let directory = match files {
            Source::Directory(directory) => Some(directory.as_path()),
            Source::Copy(copy) => Some(copy.directory()),
            _ => None,
        };
        if let Some(directory) = directory.filter(|_| is_open) {
            let texts = mentions::texts_below(directory);
            for (name, value) in self.offered.iter() {
                let is_read = |name: &str| texts.iter().any(|text| mentions::line_of(text, name).is_some());
                if request.environment.get(name).is_none() && name.to_str().is_some_and(is_read) {
                    request.environment.set(name, value);
                }
            }
        }
    }
}

/// Returns a sandbox that grants reading everything, writing to some paths, and the network.
fn open(given: Option<Sandbox>, write: &[&str]) -> Sandbox {
    let mut sandbox = given.unwrap_or_default().network(true);
    let mut granted = Granted::default();
    granted.read = vec!["/".to_owned(), "~".to_owned()];
    granted.write = write.iter().map(|path| (*path).to_owned()).collect();
    sandbox.granted = Some(granted);
    sandbox
}

impl Executor for Learner {
    #[cfg(target_os = "linux")]
    fn start(&self, mut job: Job) -> Execution {
        self.prepare(&mut job.request, &job.files);
        let skill = job.request.name.clone();
        let label = self.shared().next_label();
        let recorder = Arc::new(Recorder::new(label.clone(), &job.request.input));
        job.request.observer = Some(Arc::clone(&recorder) as Arc<dyn skills_exec::Observer>);
        let given: Vec<String> = job
            .request
            .environment
            .iter()
            .filter_map(|(name, _)| name.to_str())
            .filter(|name| !skills_exec::DEFAULT_NAMES.contains(name) && *name != "SKILL_RUN_PARENTS")
            .map(str::to_owned)
            .collect();
        let learner = self.clone();
        let running = processes().start(job);
        Box::pin(async move {
            let outcome = running.await;
            let mut trace = recorder.take();
            trace.run = label;
            trace.exit_code = outcome.as_ref().map_or(126, |outcome| outcome.exit_code);
            read_variables(&mut trace, &given, &learner.withheld);
            learner.shared().skills.entry(skill).or_default().push(trace);
            outcome
        })
    }

    #[cfg(not(target_os = "linux"))]
    fn start(&self, mut job: Job) -> Execution {
        self.prepare(&mut job.request, &job.files);
        let refused =
            skills_exec::Outcome::refused(job.request.name, 126, "observing needs Linux".to_owned());
        Box::pin(std::future::ready(Ok(refused)))
    }
}

#[cfg(target_os = "linux")]
fn processes() -> skills_exec::Processes {
    skills_exec::Processes::new(skills_exec::RunOptions::of_process().cache)
}

/// Adds the variables that the files of the skill name, if the run has read them. The program had the variables `given`,
/// and did not get the variables `withheld`.
#[cfg(target_os = "linux")]
fn read_variables(trace: &mut Trace, given: &[String], withheld: &[String]) {
    let names = given.iter().map(|name| (name, false));
    let withheld = withheld.iter().filter(|name| !given.contains(name)).map(|name| (name, true));
    let names: Vec<(&String, bool)> = names.chain(withheld).collect();
    for path in &trace.scripts {
        let Some(text) = mentions::text(path) else { continue };
        let shown = path.strip_prefix(&trace.skill).unwrap_or(path).display().to_string();
        for (name, is_denied) in &names {
            let Some(line) = mentions::line_of(&text, name) else { continue };
            let cause = Cause {
                first: format!("{shown}:{line}"),
                call: "text".to_owned(),
                process: String::new(),
                run: trace.run.clone(),
            };
            trace.accesses.push(Found {
                right: Right::Env,
                object: Object::Named((*name).clone()),
                is_directory: false,
                is_input: false,
                is_denied: *is_denied,
                cause,
            });
        }
    }
}
