//! A run that is over becomes the event `skill.exec`, without input and output (SPEC 7.6).

use super::{CallId, Outcome, Request};

/// What an event says of a run beside its outcome.
#[derive(Debug)]
pub(super) struct About {
    name: String,
    version: String,
    call: Option<CallId>,
}

impl About {
    pub(super) fn of(request: &Request) -> Self {
        Self { name: request.name.clone(), version: request.version.clone(), call: request.call }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Emits the event to the subscriber that is current.
    #[cfg(feature = "tracing")]
    pub(super) fn tell(&self, outcome: &Outcome) {
        tracing::event!(
            name: "skill.exec",
            target: "skills",
            tracing::Level::INFO,
            call_id = self.call.map(CallId::number),
            parent_call_id = self.call.and_then(CallId::parent),
            name = self.name,
            version = self.version,
            exit_code = outcome.exit_code,
            duration_ms = outcome.duration_ms(),
            error = (!outcome.error.is_empty()).then_some(outcome.error.as_str()),
            "program ended",
        );
    }

    /// Nobody listens.
    #[cfg(not(feature = "tracing"))]
    pub(super) fn tell(&self, _outcome: &Outcome) {
        let _ = (&self.version, self.call);
    }
}
