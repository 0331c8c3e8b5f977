//! The options for running programs: the policy of a host, and the settings of a single run.

use std::path::PathBuf;

#[cfg(unix)]
use crate::cache::Cache;

use super::{Caps, Confinement, Environment, Sandbox, StderrLog};
use crate::trace::TraceContext;
use skills_runtime::__setters as setters;

/// The options for running the program of a skill.
///
/// ```
/// use skills_exec::{Caps, RunOptions};
/// let options = RunOptions::of_process().timeout("10s").caps(Caps { stdout: 4_096, ..Caps::default() });
/// assert_eq!(options.timeout.as_deref(), Some("10s"));
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
#[must_use]
pub struct RunOptions {
    /// The time limit: milliseconds, or a duration such as `1.5s`. `None` uses the limit of the skill, or
    /// else 5 minutes, or 30 seconds if there is a `skill.json`.
    pub timeout: Option<String>,
    /// The directory of the skill. `None` uses the path in its record, and unpacks a skill that is compiled
    /// into this program. A record contains text, so only this field can hold a path that is not UTF-8.
    pub directory: Option<PathBuf>,
    /// The directory where the program runs. `None` uses the working directory of this process.
    pub workspace: Option<PathBuf>,
    /// The variables of the environment of this process that the program gets.
    pub environment: Environment,
    /// The limits on the captured output.
    pub caps: Caps,
    /// The sandbox of the program, independent of its skill. `None` uses `confinement`.
    pub sandbox: Option<Sandbox>,
    /// The policy of the host: the permissions of programs, and when programs are confined.
    pub confinement: Confinement,
    /// Whether the files of the skill are trusted. Default: `true`.
    pub trusted: bool,
    /// Receives the standard error of the program while it runs.
    pub stderr_log: Option<StderrLog>,
    /// The cache into which a skill that is compiled into this program is unpacked.
    #[cfg(unix)]
    pub cache: Cache,
}

impl RunOptions {
    /// Returns the default options: the variables of this process that
    /// [`DEFAULT_NAMES`](super::DEFAULT_NAMES) lists, and the cache of its user.
    pub fn of_process() -> Self {
        Self {
            environment: Environment::from_variables(std::env::vars_os(), []),
            #[cfg(unix)]
            cache: Cache::of_user(
                std::env::var_os("XDG_CACHE_HOME"),
                std::env::var_os("HOME"),
                std::env::temp_dir(),
            ),
            ..Self::bare()
        }
    }

    /// Returns options that do not depend on this process: an empty environment, and no directory for
    /// unpacking files.
    pub fn bare() -> Self {
        Self {
            timeout: None,
            directory: None,
            workspace: None,
            environment: Environment::empty(),
            caps: Caps::default(),
            sandbox: None,
            confinement: Confinement::off(),
            trusted: true,
            stderr_log: None,
            #[cfg(unix)]
            cache: Cache::new(None, PathBuf::new()),
        }
    }

    setters! {
        /// Sets the time limit: milliseconds, or a duration such as `1.5s`. An invalid limit is refused when
        /// a run starts.
        timeout(limit: impl Into<String>) => timeout = Some(limit.into());
        /// Sets the directory of the skill.
        directory(path: impl Into<PathBuf>) => directory = Some(path.into());
        /// Sets the directory where the program runs.
        workspace(path: impl Into<PathBuf>) => workspace = Some(path.into());
        /// Sets the environment variables of the program.
        environment(environment: Environment) => environment = environment;
        /// Sets the limits on the captured output.
        caps(caps: Caps) => caps = caps;
        /// Sets the policy of the host: the permissions of programs, and when programs are confined.
        confinement(confinement: Confinement) => confinement = confinement;
        /// Sets whether the files of the skill are trusted.
        trusted(trusted: bool) => trusted = trusted;
        /// Sets the sandbox of the program, independent of its skill.
        sandbox(sandbox: Sandbox) => sandbox = Some(sandbox);
        /// Sets what receives the standard error of the program while it runs.
        stderr_log(log: StderrLog) => stderr_log = Some(log);
        /// Sets the cache into which a skill that is compiled into this program is unpacked.
        #[cfg(unix)]
        cache(cache: Cache) => cache = cache;
    }
}

impl Default for RunOptions {
    fn default() -> Self {
        Self::of_process()
    }
}

/// The options of a single `Runner::exec` of `skills-call`. All other options belong to the runner, and unset
/// options use its values.
///
/// ```
/// use skills_exec::ExecOptions;
/// let options = ExecOptions::default().timeout("30s".to_owned());
/// assert_eq!(options.timeout.as_deref(), Some("30s"));
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
#[must_use]
pub struct ExecOptions {
    /// The time limit: milliseconds, or a duration such as `1.5s`. Overrides the limit of the skill.
    pub timeout: Option<String>,
    /// The directory where the program runs, instead of the workspace of the runner.
    pub workspace: Option<PathBuf>,
    /// The position of the caller in a distributed trace.
    pub trace: Option<TraceContext>,
    /// Receives the standard error of the program while it runs, if it runs on this machine.
    pub stderr_log: Option<StderrLog>,
}

impl ExecOptions {
    setters! {
        /// Sets the time limit. `None` leaves it to the skill. An invalid limit is refused with the code
        /// `invalid_timeout`.
        timeout(limit: impl Into<Option<String>>) => timeout = limit.into();
        /// Sets the directory where the program runs. `None` leaves it to the runner.
        workspace(path: impl Into<Option<PathBuf>>) => workspace = path.into();
        /// Sets the position of the caller in a distributed trace.
        trace(context: impl Into<Option<TraceContext>>) => trace = context.into();
        /// Sets what receives the standard error of the program while it runs.
        stderr_log(log: StderrLog) => stderr_log = Some(log);
    }
}
