//! How much of an answer is taken from a server (SPEC 7.7, 14.16).

use skills_registry::json_values;

/// The most bytes of a response that is one JSON text, and of what a stream says: text, reasoning and arguments.
pub(crate) const ANSWER: usize = 16 << 20;

/// The most bytes of a stream, most of which is wrapping.
pub(crate) const STREAM: usize = 256 << 20;

/// The most bytes of one event of a stream.
pub(crate) const EVENT: usize = 4 << 20;

/// The most bytes of the arguments of one call.
pub(crate) const ARGUMENTS: usize = 1 << 20;

/// The most calls in one answer.
pub(crate) const CALLS: usize = 128;

/// The most values in one JSON text: in memory an empty object takes a hundred times its three bytes.
pub(crate) const VALUES: usize = 1 << 17;

/// The most bytes of a response that tells a failure; the rest is not read.
pub(crate) const FAILURE: usize = 64 << 10;

/// Something is larger than is taken: what, and how much would be.
#[derive(Debug)]
pub(crate) struct TooMuch(&'static str, usize, &'static str);

impl TooMuch {
    /// Checks a number of bytes.
    pub(crate) fn check(what: &'static str, bytes: usize, most: usize) -> Result<(), Self> {
        if bytes > most { Err(Self(what, most >> 20, "MiB")) } else { Ok(()) }
    }

    /// Checks a number of calls.
    pub(crate) fn check_calls(count: usize) -> Result<(), Self> {
        if count > CALLS { Err(Self("the calls of an answer", CALLS, "calls")) } else { Ok(()) }
    }

    /// Checks how many values a JSON text has, before any of them is made.
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
