//! What to run and within which limits: made by the caller, read by the engine (SPEC 7.1).

use std::path::PathBuf;
use std::time::Duration;

use skills_registry::parse_timeout;

use super::{CallId, Environment, Limits, Refusal, RunId, Sandbox};

/// The limit of a skill that has no `skill.json`: 5 minutes (SPEC 7.1).
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(300);

/// The limit of a skill that has a `skill.json`: 30 seconds (SPEC 7.1).
pub const DEFAULT_TIMEOUT_TYPED: Duration = Duration::from_secs(30);

/// One run of one program.
#[derive(Clone, Debug)]
pub struct Request {
    /// The skill's name: in the outcome, and `SKILL_NAME` and `COGOS_SKILL_NAME` in the environment.
    pub name: String,
    /// The skill's version: `SKILL_VERSION` and `COGOS_SKILL_VERSION`.
    pub version: String,
    /// The directory of the skill's files: `SKILL_PATH` and `COGOS_SKILL_PATH`.
    pub directory: PathBuf,
    /// The real path of the directory of skills that `directory` must lie below when a sandbox opens it. `None` if the
    /// caller answers for the path.
    pub root: Option<PathBuf>,
    /// The program, absolute: a file inside the skill, already looked up.
    pub program: PathBuf,
    /// What the program reads on stdin, byte for byte; empty: it has no stdin.
    pub input: String,
    /// Where the program runs, and `SKILL_WORKSPACE` and `COGOS_WORKSPACE`; none: the caller's directory.
    pub workspace: Option<PathBuf>,
    /// How long it may run.
    pub timeout: Duration,
    /// What it sees of the host's environment.
    pub environment: Environment,
    /// How much of its output is kept.
    pub caps: Caps,
    /// The id of this run: `SKILL_RUN_ID`.
    pub run_id: RunId,
    /// What the program is confined to; none: to nothing.
    pub sandbox: Option<Sandbox>,
    /// What each of its processes may take of the machine.
    pub limits: Limits,
    /// The call that it runs for; its event then says so (SPEC 7.6).
    pub call: Option<CallId>,
}

impl Request {
    /// Makes a request with the defaults of SPEC 7.1: no input, no workspace, 5 minutes, an empty environment, a
    /// fresh run id, no sandbox, no limits, no call.
    pub fn new(
        name: impl Into<String>,
        version: impl Into<String>,
        directory: impl Into<PathBuf>,
        program: impl Into<PathBuf>,
    ) -> Self {
        Self {
            name: name.into(),
            version: version.into(),
            directory: directory.into(),
            root: None,
            program: program.into(),
            input: String::new(),
            workspace: None,
            timeout: DEFAULT_TIMEOUT,
            environment: Environment::empty(),
            caps: Caps::default(),
            run_id: RunId::fresh(),
            sandbox: None,
            limits: Limits::default(),
            call: None,
        }
    }
}

/// How many bytes of each output are kept; the rest is read and dropped, and the outcome says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caps {
    /// Bytes of stdout: 1 MiB.
    pub stdout: usize,
    /// Bytes of stderr: 1 MiB.
    pub stderr: usize,
}

impl Default for Caps {
    fn default() -> Self {
        Self { stdout: 1 << 20, stderr: 1 << 20 }
    }
}

/// Chooses the limit of a run: the call's, else the skill's, else `default` (SPEC 7.1).
///
/// # Errors
///
/// [`Refusal::InvalidTimeout`] when the one chosen is no time limit; the others are not looked at.
pub fn choose_timeout(
    call: Option<&str>,
    skill: Option<&str>,
    default: Duration,
) -> Result<Duration, Refusal> {
    match call.or(skill) {
        None => Ok(default),
        Some(text) => parse_timeout(text)
            .map(Duration::from_millis)
            .ok_or_else(|| Refusal::InvalidTimeout { text: text.to_owned() }),
    }
}
