//! What a run came to, and its JSON in the key order callers rely on (SPEC 7.2).

use std::time::Duration;

use skills_schema::json::make::{number, object, string};

/// What a run came to: the process's own exit code and output, or why there is none.
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
    /// The process's exit code; 128+n after signal n, 124 after the limit, 126 or 127 when it could not start.
    pub exit_code: i32,
    /// What it wrote, up to the cap; invalid UTF-8 is replaced.
    pub stdout: String,
    /// The same of stderr.
    pub stderr: String,
    /// How long the run took, clean-up included.
    pub duration: Duration,
    /// What went wrong; empty when nothing did.
    pub error: String,
    /// Whether the run ended at its limit.
    pub timed_out: bool,
    /// How many bytes of stdout were dropped at the cap; `error` says so too.
    pub stdout_dropped: u64,
    /// The same of stderr.
    pub stderr_dropped: u64,
}

impl Outcome {
    /// Makes the outcome of a run that never began: `exit_code` is 126 (found, cannot run) or 127 (not found).
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

    /// Makes the outcome of a run that is killed because nobody waits for it any more.
    #[doc(hidden)]
    pub fn cancelled(name: &str, duration: Duration) -> Self {
        /// 128 and the number of SIGKILL.
        const KILLED: i32 = 137;
        Self { duration, ..Self::refused(name, KILLED, "cancelled".to_owned()) }
    }

    /// Returns the run's time in whole milliseconds.
    pub fn duration_ms(&self) -> u64 {
        u64::try_from(self.duration.as_millis()).unwrap_or(u64::MAX)
    }

    /// Writes the outcome as one line of JSON: name, exit_code, stdout, stderr, duration_ms, and error unless it
    /// is empty (SPEC 7.2).
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
