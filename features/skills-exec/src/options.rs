//! How programs are run: the policy of a host, and what one run may say instead (SPEC 7.1, 12.4).

use std::path::PathBuf;

#[cfg(unix)]
use crate::cache::Cache;

use super::{Caps, Confinement, Environment, Sandbox};
use crate::trace::TraceContext;
use skills_runtime::__setters as setters;

/// How the program of a skill is run.
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
    /// The time limit: milliseconds, or a duration such as `1.5s`; none: what the skill says, else 5 minutes, or 30
    /// seconds with a `skill.json` (SPEC 7.1).
    pub timeout: Option<String>,
    /// Where the skill lies; none: where its record says, and one that is part of this program is unpacked. A record
    /// holds text, so that a path which is not UTF-8 is known only here.
    pub directory: Option<PathBuf>,
    /// Where the program runs; none: the directory of this process.
    pub workspace: Option<PathBuf>,
    /// What it sees of the environment of this process.
    pub environment: Environment,
    /// How much of its output is kept.
    pub caps: Caps,
    /// What it is confined to, whatever its skill asks for; none: what `confinement` says.
    pub sandbox: Option<Sandbox>,
    /// What the host allows programs, and when they are confined to that.
    pub confinement: Confinement,
    /// Whether somebody answers for the files of the skill (SPEC 13.5): true.
    pub trusted: bool,
    /// Where a skill that is part of this program is unpacked.
    #[cfg(unix)]
    pub cache: Cache,
}

impl RunOptions {
    /// Takes the defaults: the variables of this process that [`DEFAULT_NAMES`](super::DEFAULT_NAMES) lists, and the
    /// cache of its user.
    pub fn of_process() -> Self {
        Self {
            environment: Environment::of(std::env::vars_os(), []),
            #[cfg(unix)]
            cache: Cache::of_user(
                std::env::var_os("XDG_CACHE_HOME"),
                std::env::var_os("HOME"),
                std::env::temp_dir(),
            ),
            ..Self::bare()
        }
    }

    /// Takes nothing of this process: an empty environment, and no place to unpack files.
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
            #[cfg(unix)]
            cache: Cache::new(None, PathBuf::new()),
        }
    }

    setters! {
        /// Sets the time limit: milliseconds, or a duration such as `1.5s`. What is none is refused when it is used.
        timeout(limit: impl Into<String>) => timeout = Some(limit.into());
        /// Sets where the skill lies.
        directory(path: impl Into<PathBuf>) => directory = Some(path.into());
        /// Sets where the program runs.
        workspace(path: impl Into<PathBuf>) => workspace = Some(path.into());
        /// Sets what the program sees of the environment.
        environment(environment: Environment) => environment = environment;
        /// Sets how much of its output is kept.
        caps(caps: Caps) => caps = caps;
        /// Sets what the host allows programs, and when they are confined to that.
        confinement(confinement: Confinement) => confinement = confinement;
        /// Sets whether somebody answers for the files of the skill.
        trusted(trusted: bool) => trusted = trusted;
        /// Confines it, whatever its skill asks for.
        sandbox(sandbox: Sandbox) => sandbox = Some(sandbox);
        /// Sets where a skill that is part of this program is unpacked.
        #[cfg(unix)]
        cache(cache: Cache) => cache = cache;
    }
}

impl Default for RunOptions {
    fn default() -> Self {
        Self::of_process()
    }
}

/// What one run of `Runner::exec` of `skills-call` may say; the rest is the runner's. The default says nothing.
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
    /// The time limit: milliseconds, or a duration such as `1.5s`, instead of the skill's (SPEC 7.1).
    pub timeout: Option<String>,
    /// Where the program runs, instead of the runner's workspace.
    pub workspace: Option<PathBuf>,
    /// Where the caller is in a trace of another program (SPEC 20.3).
    pub trace: Option<TraceContext>,
}

impl ExecOptions {
    setters! {
        /// Sets the time limit, or leaves it to the skill. What is none is refused with the code `invalid_timeout`.
        timeout(limit: impl Into<Option<String>>) => timeout = limit.into();
        /// Sets where the program runs, or leaves it to the runner.
        workspace(path: impl Into<Option<PathBuf>>) => workspace = path.into();
        /// Sets where the caller is in a trace of another program.
        trace(context: impl Into<Option<TraceContext>>) => trace = context.into();
    }
}
