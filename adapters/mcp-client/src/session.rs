//! One session with a server: its requests, and its end.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rmcp::model::{ClientRequest, ServerPeerInfo, ServerResult, SubscriptionFilter};
use rmcp::service::{PeerRequestOptions, RequestHandle, RunningService};
use rmcp::{RoleClient, ServiceError};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep, sleep_until, timeout, timeout_at};

use crate::error::Error;
use crate::guard::Guard;
use crate::handler::{CallProgress, Handler};
use crate::open::{ServerProgram, Tail};

/// How long a program may take to exit after its input is closed, and then again after SIGTERM.
const EXIT_TIMEOUT: Duration = Duration::from_millis(500);

/// How many reports of progress wait for a slow receiver.
const REPORTS: usize = 64;

/// How often a subscription to changes is renewed. It ends if the server ends it, or if this client is too
/// slow.
const RENEWALS: usize = 10;

/// How long a request may take.
#[derive(Clone, Copy)]
pub(crate) struct Timeouts<'a> {
    /// How long the server may send neither an answer nor a report of progress.
    pub(crate) idle: Duration,
    /// The time limit for the whole request.
    pub(crate) total: Duration,
    /// When this time is over.
    pub(crate) end: Instant,
    pub(crate) progress: Option<&'a (dyn Fn(CallProgress) + Send + Sync)>,
}

/// A session. Dropping it ends the program of the server at once.
pub(crate) struct ServerSession {
    service: RunningService<RoleClient, Handler>,
    guard: Arc<Guard>,
    program: Mutex<Option<ServerProgram>>,
    tail: Tail,
    is_lost: AtomicBool,
    has_answered: AtomicBool,
}

impl ServerSession {
    pub(crate) fn new(
        service: RunningService<RoleClient, Handler>,
        guard: Arc<Guard>,
        program: Option<ServerProgram>,
        tail: Tail,
    ) -> Self {
        let session = Self {
            service,
            guard,
            program: Mutex::new(program),
            tail,
            is_lost: AtomicBool::new(false),
            has_answered: AtomicBool::new(false),
        };
        session.follow_changes();
        session
    }

    pub(crate) fn info(&self) -> Option<Arc<ServerPeerInfo>> {
        self.service.peer_info()
    }

    /// Lets the server send as much as its budget allows for the next operation.
    pub(crate) fn renew_budget(&self) {
        self.guard.renew();
    }

    /// Returns `true` if no further request can succeed.
    pub(crate) fn is_closed(&self) -> bool {
        self.is_lost.load(Ordering::Relaxed)
            || self.service.is_transport_closed()
            || self.guard.fault().is_some()
    }

    /// Returns `true` if the server has answered a request.
    pub(crate) fn has_answered(&self) -> bool {
        self.has_answered.load(Ordering::Relaxed)
    }

    /// Sends a request and waits for the answer. If the future is dropped, the request is cancelled.
    pub(crate) async fn request(
        self: &Arc<Self>,
        request: ClientRequest,
        timeouts: Timeouts<'_>,
    ) -> Result<ServerResult, Error> {
        let (sender, mut reports) = mpsc::channel(REPORTS);
        let sent = self.service.peer().send_request_with_option(request, PeerRequestOptions::no_options());
        let handle = match timeout_at(timeouts.end, sent).await {
            Ok(Ok(handle)) => handle,
            Ok(Err(error)) => return Err(self.explain(error).await),
            Err(_) => return Err(Error::Timeout(timeouts.total)),
        };
        self.guard.sinks.insert(&handle.progress_token, sender);
        let mut flight = InFlight { session: Arc::clone(self), handle: Some(handle) };
        let show = |report| timeouts.progress.iter().for_each(|show| show(CallProgress::clone(&report)));
        let mut idle = Instant::now() + timeouts.idle;
        loop {
            let Some(handle) = &mut flight.handle else { return Err(Error::Closed(String::new())) };
            tokio::select! {
                answer = &mut handle.rx => {
                    flight.land();
                    while let Ok(report) = reports.try_recv() {
                        show(report);
                    }
                    let answer = answer.unwrap_or(Err(ServiceError::TransportClosed));
                    if matches!(answer, Ok(_) | Err(ServiceError::McpError(_))) {
                        self.has_answered.store(true, Ordering::Relaxed);
                    }
                    return match answer {
                        Ok(answer) => Ok(answer),
                        Err(error) => Err(self.explain(error).await),
                    };
                }
                Some(report) = reports.recv() => {
                    idle = Instant::now() + timeouts.idle;
                    show(report);
                }
                () = sleep_until(idle.min(timeouts.end)) => {
                    let is_over = timeouts.end <= idle;
                    return Err(Error::Timeout(if is_over { timeouts.total } else { timeouts.idle }));
                }
            }
        }
    }

    /// Converts an error of rmcp. If the error means that the session is over, records that.
    async fn explain(&self, error: ServiceError) -> Error {
        match Error::from_service(error) {
            Error::Closed(reason) => {
                self.is_lost.store(true, Ordering::Relaxed);
                match self.guard.fault() {
                    Some(fault) => fault,
                    None => Error::Closed(self.tail.explain(&reason).await),
                }
            }
            error => error,
        }
    }

    /// Subscribes to changes of lists, which servers of the revision 2026-07-28 send to subscribers only.
    fn follow_changes(&self) {
        let is_new = self.info().is_some_and(|info| !info.protocol_version.has_initialize());
        if !is_new {
            return;
        }
        let (peer, changed) = (self.service.peer().clone(), self.service.service().changed.clone());
        tokio::spawn(async move {
            let all = SubscriptionFilter::builder()
                .tools_list_changed()
                .resources_list_changed()
                .prompts_list_changed()
                .build();
            for _ in 0..RENEWALS {
                let Ok(mut subscription) = peer.listen(all.clone()).await else { return };
                while let Ok(Some(notification)) = subscription.next().await {
                    changed.send_if_modified(|changed| changed.count(&notification));
                }
                sleep(EXIT_TIMEOUT).await;
            }
        });
    }

    /// Ends the session. A program gets time to exit.
    pub(crate) async fn close(&self) {
        self.is_lost.store(true, Ordering::Relaxed);
        self.service.cancellation_token().cancel();
        let program = self.program.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(mut program) = program else { return };
        for asks in [false, true] {
            if asks {
                program.companion.terminate();
            }
            let end = Instant::now() + EXIT_TIMEOUT;
            while Instant::now() < end {
                if program.companion.has_exited() {
                    return;
                }
                sleep(Duration::from_millis(5)).await;
            }
        }
    }
}

/// A request without an answer. Dropping it cancels the request on the server.
struct InFlight {
    session: Arc<ServerSession>,
    handle: Option<RequestHandle<RoleClient>>,
}

impl InFlight {
    fn land(&mut self) -> Option<RequestHandle<RoleClient>> {
        let handle = self.handle.take()?;
        self.session.guard.sinks.remove(&handle.progress_token);
        Some(handle)
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        let (Some(handle), Ok(runtime)) = (self.land(), tokio::runtime::Handle::try_current()) else {
            return;
        };
        runtime.spawn(async move {
            drop(timeout(EXIT_TIMEOUT, handle.cancel(Some("the client stopped waiting".to_owned()))).await);
        });
    }
}
