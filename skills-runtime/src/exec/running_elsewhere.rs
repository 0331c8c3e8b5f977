//! Where there is no Unix, every run is refused with the reason (SPEC 7.2).

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use super::{Outcome, Request};

/// Refuses the request: exit code 126.
pub fn run(request: &Request) -> Outcome {
    Outcome::refused(&request.name, 126, "skills run programs on Unix only".to_owned())
}

/// Refuses the request: exit code 126.
pub fn start(request: Request) -> Running {
    Running { outcome: run(&request) }
}

/// Refuses the request: exit code 126.
pub(super) fn start_holding(request: Request, _hold: impl Send + 'static) -> Running {
    start(request)
}

/// Refuses the request: exit code 126.
#[cfg(feature = "call")]
pub(super) fn start_placed<H>(
    request: Request,
    _place: impl FnOnce(&mut Request) -> Result<H, super::NotRun>,
) -> super::Execution {
    let outcome = run(&request);
    Box::pin(async { Ok(outcome) })
}

/// A run that was refused.
#[derive(Debug)]
#[must_use = "dropped, the run is killed"]
pub struct Running {
    outcome: Outcome,
}

impl Running {
    /// Returns the refusal.
    pub fn wait(self) -> Outcome {
        self.outcome
    }
}

impl Future for Running {
    type Output = Outcome;

    fn poll(self: Pin<&mut Self>, _context: &mut Context<'_>) -> Poll<Outcome> {
        Poll::Ready(self.outcome.clone())
    }
}
