//! W3C Trace Context: the position of a call in a distributed trace, which programs and servers pass on.

use std::ffi::OsString;

use crate::Environment;

/// The names of the environment variables for the context.
const PARENT: &str = "TRACEPARENT";
const STATE: &str = "TRACESTATE";

/// The maximum length of a `tracestate` in bytes; a longer one is left out.
const LONGEST_STATE: usize = 512;

/// A position in a trace: a `traceparent` and a `tracestate`, both as received.
///
/// ```
/// use skills_exec::trace::TraceContext;
/// let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
/// assert_eq!(TraceContext::new(parent, None).map(|context| context.parent().to_owned()).as_deref(), Some(parent));
/// assert_eq!(TraceContext::new("00-0-0-01", None), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceContext {
    parent: String,
    state: String,
}

impl TraceContext {
    /// Creates a context from a valid `traceparent` and its `tracestate`. Returns `None` if the `traceparent`
    /// is invalid.
    pub fn new(parent: &str, state: Option<&str>) -> Option<Self> {
        let state = state.map(str::trim).filter(|state| is_state(state)).unwrap_or_default();
        is_parent(parent.trim()).then(|| Self { parent: parent.trim().to_owned(), state: state.to_owned() })
    }

    /// Returns the context from the environment of this process, if there is one.
    pub fn of_environment() -> Option<Self> {
        Self::new(&std::env::var(PARENT).ok()?, std::env::var(STATE).ok().as_deref())
    }

    /// Returns the `traceparent`: version, trace, span and flags.
    pub fn parent(&self) -> &str {
        &self.parent
    }

    /// Returns the `tracestate`, which tracing systems add to; may be empty.
    pub fn state(&self) -> &str {
        &self.state
    }

    /// Passes the context to a program in its environment.
    pub fn add_to(&self, environment: &mut Environment) {
        environment.set(PARENT, OsString::from(&self.parent));
        if !self.state.is_empty() {
            environment.set(STATE, OsString::from(&self.state));
        }
    }
}

/// Returns `true` if `text` has the form `VERSION-TRACE-SPAN-FLAGS`. Future versions may be longer.
fn is_parent(text: &str) -> bool {
    let mut parts = text.split('-');
    let (Some(version), Some(trace), Some(span), Some(flags)) =
        (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return false;
    };
    let is_long = parts.next().is_some();
    let is_visible = text.len() <= LONGEST_STATE && text.bytes().all(|byte| byte.is_ascii_graphic());
    let is_version = is_hex(version, 2) && version != "ff" && (version != "00" || !is_long);
    is_version && is_id(trace, 32) && is_id(span, 16) && is_hex(flags, 2) && is_visible
}

/// Returns `true` for a number of that many digits, in lower-case hexadecimal.
fn is_hex(part: &str, length: usize) -> bool {
    part.len() == length && part.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// Returns `true` for a hexadecimal number that is not zero.
fn is_id(part: &str, length: usize) -> bool {
    is_hex(part, length) && part.bytes().any(|byte| byte != b'0')
}

fn is_state(text: &str) -> bool {
    text.len() <= LONGEST_STATE && text.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic())
}

#[cfg(test)]
mod tests {
    use super::TraceContext;
    use crate::Environment;

    const PARENT: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    // SPEC 20.3
    #[test]
    fn only_a_trace_parent_is_passed_on() {
        for wrong in [
            "",
            "00",
            "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
            "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01\n",
            "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-a\0b",
            "00-4bf92f3577b34da6a3ce929d0e0e473é-00f067aa0ba902b7-01",
        ] {
            let found = TraceContext::new(wrong, None);
            assert!(found.is_none_or(|context| context.parent() == PARENT), "{wrong:?}");
        }
        assert!(TraceContext::new(&PARENT.replacen("00", "cc", 1), None).is_some(), "a version to come");
        assert!(TraceContext::new(&format!("cc{}-more", &PARENT[2..]), None).is_some());
    }

    // SPEC 20.3
    #[test]
    fn a_program_finds_both_in_its_environment() {
        let mut environment = Environment::empty();
        TraceContext::new(PARENT, Some("a=1,b=2")).expect("one").add_to(&mut environment);
        assert_eq!(environment.get("TRACEPARENT"), Some(PARENT.as_ref()));
        assert_eq!(environment.get("TRACESTATE"), Some("a=1,b=2".as_ref()));
        for state in ["a=\nb=1", &"x".repeat(600), "ä=1", ""] {
            let mut environment = Environment::empty();
            TraceContext::new(PARENT, Some(state)).expect("one").add_to(&mut environment);
            assert_eq!(environment.get("TRACESTATE"), None, "{state:?}");
        }
    }
}
