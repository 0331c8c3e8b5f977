//! Limits for the responses of servers.

use skills_registry::json_values;

/// The maximum size in bytes of a JSON response, and of the content of a stream: text, reasoning and
/// arguments.
pub(crate) const ANSWER: usize = 16 << 20;

/// The maximum size of a stream in bytes, including its framing.
pub(crate) const STREAM: usize = 256 << 20;

/// The maximum size of one event of a stream in bytes.
pub(crate) const EVENT: usize = 4 << 20;

/// The maximum size of the arguments of one call in bytes.
pub(crate) const ARGUMENTS: usize = 1 << 20;

/// The maximum number of calls in one answer.
pub(crate) const CALLS: usize = 128;

/// The maximum number of values in one JSON text: in memory, an empty object takes a hundred times its size.
pub(crate) const VALUES: usize = 1 << 17;

/// The maximum number of bytes to read from an error response.
pub(crate) const FAILURE: usize = 64 << 10;

/// The error for exceeding a limit: name, limit and unit.
#[derive(Debug)]
pub(crate) struct TooMuch(&'static str, usize, &'static str);

impl TooMuch {
    /// Checks a size in bytes.
    pub(crate) fn check(what: &'static str, bytes: usize, most: usize) -> Result<(), Self> {
        if bytes > most { Err(Self(what, most >> 20, "MiB")) } else { Ok(()) }
    }

    /// Checks a number of calls.
    pub(crate) fn check_calls(count: usize) -> Result<(), Self> {
        if count > CALLS { Err(Self("the calls of an answer", CALLS, "calls")) } else { Ok(()) }
    }

    /// Checks the number of values in a JSON text before it is parsed.
    pub(crate) fn check_values(text: &[u8]) -> Result<(), Self> {
        let values = json_values(text);
        if values > VALUES { Err(Self("the values of a response", VALUES, "values")) } else { Ok(()) }
    }
}

impl std::fmt::Display for TooMuch {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self(what, most, unit) = self;
        write!(formatter, "{what} exceed the limit of {most} {unit}")
    }
}
