//! The outcome of a run, and its JSON with the key order that callers rely on.

use std::time::Duration;

use skills_schema::json::make::{number, object, string};

/// The outcome of a run: the exit code and output of the process, or the reason why the process did not
/// start.
///
/// ```
/// use skills_exec::Outcome;
/// # let outcome = Outcome::refused("n", 127, "no such file".to_owned());
/// assert_eq!(
///     outcome.to_json(),
///     r#"{"name":"n","exit_code":127,"stdout":"","stderr":"","duration_ms":0,"error":"no such file"}"#
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The skill's name.
    pub name: String,
    /// The exit code of the process, 128+n after signal n, 124 at the time limit, or 126 or 127 if it could
    /// not start.
    pub exit_code: i32,
    /// The captured stdout, up to the cap. Invalid UTF-8 is replaced.
    pub stdout: String,
    /// The same of stderr.
    pub stderr: String,
    /// The duration of the run, including the clean-up.
    pub duration: Duration,
    /// The error message, or an empty string if nothing went wrong.
    pub error: String,
    /// Whether the run reached its time limit.
    pub timed_out: bool,
    /// The number of bytes of stdout dropped at the cap. `error` reports them, too.
    pub stdout_dropped: u64,
    /// The same of stderr.
    pub stderr_dropped: u64,
}

impl Outcome {
    /// Creates the outcome of a run that never started: `exit_code` is 126 (found, cannot run) or 127 (not
    /// found).
    pub fn refused(name: impl Into<String>, exit_code: i32, error: String) -> Self {
        Self {
            name: name.into(),
            exit_code,
            stdout: String::new(),
            stderr: String::new(),
            duration: Duration::ZERO,
            error,
            timed_out: false,
            stdout_dropped: 0,
            stderr_dropped: 0,
        }
    }

    /// Creates the outcome of a run that is killed because its handle was dropped.
    #[doc(hidden)]
    pub fn cancelled(name: &str, duration: Duration) -> Self {
        /// 128 plus the number of SIGKILL.
        const KILLED: i32 = 137;
        Self { duration, ..Self::refused(name, KILLED, "cancelled".to_owned()) }
    }

    /// Returns the duration of the run in whole milliseconds.
    pub fn duration_ms(&self) -> u64 {
        u64::try_from(self.duration.as_millis()).unwrap_or(u64::MAX)
    }

    /// Returns the outcome as one line of JSON: name, exit_code, stdout, stderr, duration_ms, and error
    /// unless it is empty.
    pub fn to_json(&self) -> String {
        let mut members = vec![
            ("name", string(self.name.as_str())),
            ("exit_code", number(self.exit_code)),
            ("stdout", string(self.stdout.as_str())),
            ("stderr", string(self.stderr.as_str())),
            ("duration_ms", number(self.duration_ms())),
        ];
        if !self.error.is_empty() {
            members.push(("error", string(self.error.as_str())));
        }
        object(members).to_string()
    }
}
