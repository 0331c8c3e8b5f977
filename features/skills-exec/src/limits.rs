//! The resource limits of each process of a run, written as `memory=256M` and enforced by the kernel.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use skills_text::{parse_size, parse_timeout};

/// The resource limits of each process of a run. By default there are no limits.
///
/// ```
/// use skills_exec::Limits;
/// let mut limits = Limits::default();
/// limits.set("memory=256M")?;
/// limits.set("cpu=10s")?;
/// assert_eq!(limits.memory, Some(256 << 20));
/// assert!(limits.set("memroy=1G").unwrap_err().to_string().contains("did you mean `memory`"));
/// # Ok::<(), skills_exec::LimitError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of address space (`RLIMIT_AS`). Runtimes such as Node reserve much more than they use, and need
    /// a high limit.
    pub memory: Option<u64>,
    /// CPU time, rounded up to whole seconds (`RLIMIT_CPU`).
    pub cpu: Option<Duration>,
    /// The number of processes and threads that the user may have in addition to the existing ones
    /// (`RLIMIT_NPROC`). The kernel does not apply this limit to root: there, the processes of a run are
    /// counted every 20 ms, and the run is ended if there are too many.
    pub processes: Option<u64>,
    /// The maximum size in bytes of a written file (`RLIMIT_FSIZE`).
    pub file_size: Option<u64>,
}

const NAMES: [&str; 4] = ["memory", "cpu", "processes", "file-size"];

/// The reason why a text does not set a resource limit. Its `Display` says how to write it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LimitError {
    /// The text does not have the form `NAME=VALUE`.
    Form(String),
    /// There is no limit of this name.
    Name(String),
    /// The value is not a size.
    Size {
        /// The name of the limit.
        name: String,
        /// The value.
        value: String,
    },
    /// The value is not a CPU time.
    Time(String),
    /// The value is not a number of processes.
    Count(String),
}

impl fmt::Display for LimitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Form(text) => write!(f, "`{text}` is not a limit: write NAME=VALUE, such as memory=256M"),
            Self::Name(name) => {
                write!(f, "there is no limit `{name}`; ")?;
                match skills_text::nearest(name, NAMES) {
                    Some(near) => write!(f, "did you mean `{near}`?"),
                    None => write!(f, "there are {}", NAMES.join(", ")),
                }
            }
            Self::Size { name, value } => write!(
                f,
                "`{value}` is not a size: write bytes above 0, or with K, M, G or T, such as {name}=256M"
            ),
            Self::Time(value) => {
                write!(f, "`{value}` is not a CPU time: write seconds or a duration above 0, such as cpu=10s")
            }
            Self::Count(value) => write!(
                f,
                "`{value}` is not a number of processes: write a whole number, such as processes=16"
            ),
        }
    }
}

impl Error for LimitError {}

impl Limits {
    /// Sets one limit, written as `NAME=VALUE`: `memory=256M`, `cpu=10s`, `processes=16`, `file-size=10M`.
    ///
    /// # Errors
    /// If the text does not set a limit.
    pub fn set(&mut self, text: &str) -> Result<(), LimitError> {
        let Some((name, value)) = text.split_once('=') else {
            return Err(LimitError::Form(text.to_owned()));
        };
        let (name, value) = (name.trim(), value.trim());
        match name.replace('_', "-").as_str() {
            "memory" => self.memory = Some(bytes(name, value)?),
            "file-size" => self.file_size = Some(bytes(name, value)?),
            "cpu" => {
                let time = match value.bytes().all(|byte| byte.is_ascii_digit()) {
                    true => value.parse().ok().filter(|seconds| *seconds > 0).map(Duration::from_secs),
                    false => parse_timeout(value).map(Duration::from_millis),
                };
                self.cpu = Some(time.ok_or_else(|| LimitError::Time(value.to_owned()))?);
            }
            "processes" => {
                self.processes = Some(value.parse().map_err(|_| LimitError::Count(value.to_owned()))?);
            }
            _ => return Err(LimitError::Name(name.to_owned())),
        }
        Ok(())
    }
}

/// Parses the size of a limit.
fn bytes(name: &str, value: &str) -> Result<u64, LimitError> {
    parse_size(value).ok_or_else(|| LimitError::Size { name: name.to_owned(), value: value.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    // SPEC 13.11
    #[test]
    fn limits_are_parsed_or_refused() {
        for (text, wanted) in [
            ("memory=1", Limits { memory: Some(1), ..Limits::default() }),
            ("memory=64K", Limits { memory: Some(64 << 10), ..Limits::default() }),
            ("memory=2GiB", Limits { memory: Some(2 << 30), ..Limits::default() }),
            ("file-size=10MB", Limits { file_size: Some(10 << 20), ..Limits::default() }),
            ("file_size=10m", Limits { file_size: Some(10 << 20), ..Limits::default() }),
            ("processes=0", Limits { processes: Some(0), ..Limits::default() }),
            ("cpu=3", Limits { cpu: Some(Duration::from_secs(3)), ..Limits::default() }),
            ("cpu=1.5s", Limits { cpu: Some(Duration::from_millis(1_500)), ..Limits::default() }),
        ] {
            let mut limits = Limits::default();
            assert_eq!(limits.set(text), Ok(()), "{text}");
            assert_eq!(limits, wanted, "{text}");
        }
        for text in [
            "",
            "memory",
            "memory=",
            "memory=0",
            "memory=-1",
            "memory=1.5G",
            "memory=256X",
            "cpu=",
            "cpu=0",
            "cpu=soon",
            "processes=-1",
            "processes=many",
            "files=1",
            "memory=99999999999T",
            "=1",
        ] {
            assert!(Limits::default().set(text).is_err(), "{text}");
        }
    }
}
