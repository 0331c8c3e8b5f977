//! A request to run a program: the program, its input, its limits and the unique id of the run. The caller makes it,
//! the engine reads it.

use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use skills_text::parse_timeout;

use super::{CallId, Environment, Limits, Refusal, Sandbox};

/// The time limit of a skill without a `skill.json`: 5 minutes.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(300);

/// The time limit of a skill with a `skill.json`: 30 seconds.
pub const DEFAULT_TIMEOUT_TYPED: Duration = Duration::from_millis(skills_text::FUNCTION_TIMEOUT_MS);

/// One run of one program.
#[derive(Clone, Debug)]
pub struct Request {
    /// The skill's name: in the outcome, and `SKILL_NAME` and `COGOS_SKILL_NAME` in the environment.
    pub name: String,
    /// The skill's version: `SKILL_VERSION` and `COGOS_SKILL_VERSION`.
    pub version: String,
    /// The directory of the skill's files: `SKILL_PATH` and `COGOS_SKILL_PATH`.
    pub directory: PathBuf,
    /// The real path of the directory of skills. When a sandbox opens `directory`, it must be below this
    /// path. `None` if the caller guarantees that the path is right.
    pub root: Option<PathBuf>,
    /// The program, absolute: a file inside the skill, already looked up.
    pub program: PathBuf,
    /// The input that the program reads on stdin, byte for byte. If empty, the program has no stdin.
    pub input: String,
    /// The directory where the program runs, also passed as `SKILL_WORKSPACE` and `COGOS_WORKSPACE`. `None`
    /// means the caller's directory.
    pub workspace: Option<PathBuf>,
    /// The time limit of the run.
    pub timeout: Duration,
    /// The variables of the host's environment that the program gets.
    pub environment: Environment,
    /// The limits on the captured output.
    pub caps: Caps,
    /// The id of this run: `SKILL_RUN_ID`.
    pub run_id: RunId,
    /// The sandbox of the program. `None` runs it unconfined.
    pub sandbox: Option<Sandbox>,
    /// The resource limits of each of its processes.
    pub limits: Limits,
    /// The call that this run belongs to. The event of the run contains its id.
    pub call: Option<CallId>,
    /// Receives the standard error of the program while it runs.
    pub stderr_log: Option<StderrLog>,
}

/// What a program, or all programs of a call, have written to standard error so far: at most the last 16 MiB. Clones share
/// it, so a caller that drops a run still has it.
#[derive(Clone, Debug, Default)]
pub struct StderrLog(Arc<Mutex<Vec<u8>>>);

impl StderrLog {
    /// Returns the text, of each program up to its cap. Invalid UTF-8 is replaced.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.lock().unwrap_or_else(PoisonError::into_inner)).into_owned()
    }

    #[cfg(unix)]
    pub(super) fn push(&self, bytes: &[u8]) {
        const MOST: usize = 16 << 20;
        let mut written = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // A call may run thousands of programs.
        if written.len() + bytes.len() > MOST {
            let rest = written.len().min(MOST / 2);
            let start = written.len() - rest;
            written.drain(..start);
        }
        written.extend_from_slice(bytes);
    }
}

impl Request {
    /// Creates a request with the defaults: no input, no workspace, 5 minutes, an empty environment, a fresh
    /// run id, no sandbox, no limits, no call.
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
            stderr_log: None,
        }
    }
}

/// The number of bytes of each output that are kept. The rest is read and dropped, and the outcome reports
/// it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caps {
    /// Bytes of stdout. Default: 1 MiB.
    pub stdout: usize,
    /// Bytes of stderr. Default: 1 MiB.
    pub stderr: usize,
}

impl Default for Caps {
    fn default() -> Self {
        Self { stdout: 1 << 20, stderr: 1 << 20 }
    }
}

/// Returns the time limit of a run: the limit of the call, or else of the skill, or else `default`.
///
/// # Errors
///
/// [`Refusal::InvalidTimeout`] if the chosen limit is invalid. The other limits are not checked.
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

/// Identifies a run of a program. The program gets it as `SKILL_RUN_ID`.
///
/// Only this type creates ids, because the processes of a run are found by its id: two runs with the same id
/// would end each other.
///
/// ```
/// use skills_exec::RunId;
/// let id = RunId::fresh();
/// assert_eq!(id.as_str().len(), 32);
/// assert_ne!(id, RunId::fresh());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RunId(String);

impl RunId {
    /// Creates a unique id: 32 hexadecimal digits, from random bits and a counter.
    pub fn fresh() -> Self {
        static COUNTER: AtomicU64 = AtomicU64::new(0);
        let count = COUNTER.fetch_add(1, Ordering::Relaxed);
        let pid = std::process::id();
        // Each RandomState has keys from the system's random source, so two processes with one pid (in
        // different containers) differ too.
        let random = RandomState::new().hash_one((pid, count));
        let other = RandomState::new().hash_one((count, pid));
        Self(format!("{random:016x}{:016x}", other.wrapping_add(count)))
    }

    /// Returns the id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::StderrLog;

    // SPEC 11.1
    #[test]
    fn a_log_of_many_programs_keeps_the_end() {
        let log = StderrLog::default();
        for number in 0..40 {
            log.push(format!("{}{number}", " ".repeat(1 << 20)).as_bytes());
        }
        let text = log.text();
        assert!(text.len() <= 16 << 20 && text.len() >= 8 << 20, "{}", text.len());
        assert!(text.ends_with("39"));
    }
}
