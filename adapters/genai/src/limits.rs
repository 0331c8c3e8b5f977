//! Limits on the size of one answer of a server.

use std::time::Duration;

/// The maximum size of text, reasoning, names and arguments together, in bytes.
pub(crate) const ANSWER: usize = 16 << 20;

/// The maximum size of the arguments of one call in bytes.
pub(crate) const ARGUMENTS: usize = 1 << 20;

/// The maximum time that may be spent on reading one answer, without the time in which nothing arrives. genai copies all
/// that has arrived of an event for each new piece of it, so that an event of 20 MB takes many seconds.
pub(crate) const READING: Duration = Duration::from_secs(5);

/// The maximum number of calls in one answer.
pub(crate) const CALLS: usize = 128;

/// The error for exceeding a limit: name, limit and unit.
#[derive(Debug)]
pub(crate) struct TooMuch(&'static str, usize, &'static str);

impl TooMuch {
    /// Checks a size in bytes.
    pub(crate) fn check(what: &'static str, bytes: usize, most: usize) -> Result<(), Self> {
        if bytes > most { Err(Self(what, most >> 20, "MiB")) } else { Ok(()) }
    }

    /// The error for too much work on reading an answer.
    pub(crate) fn reading() -> Self {
        Self("the seconds that it takes to read an answer", READING.as_secs() as usize, "s")
    }

    /// Checks a number of calls.
    pub(crate) fn check_calls(count: usize) -> Result<(), Self> {
        if count > CALLS { Err(Self("the calls of an answer", CALLS, "calls")) } else { Ok(()) }
    }
}

impl std::fmt::Display for TooMuch {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self(what, most, unit) = self;
        write!(formatter, "{what} exceed the limit of {most} {unit}")
    }
}
