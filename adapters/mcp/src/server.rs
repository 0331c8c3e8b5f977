//! The options of the server: the skills to serve, and the limits.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{Extensions, Implementation, ServerCapabilities, ServerConfig};
use rmcp::service::RequestContext;
use skills_call::{Failure, Runner};
use tokio::sync::{Semaphore, watch};

use crate::changes::{ClientState, Notifier, SessionConnections};
use crate::shared::{ChangeReporting, End, Shared};
#[cfg(feature = "http")]
use crate::wire::attendance::Presence;

/// How long calls continue after the client of a pair of streams has closed its side. The client may still
/// read the results. Clients that end the process usually wait for about two seconds.
const CALL_GRACE: Duration = Duration::from_secs(1);

/// Serves the skills of a program over MCP.
///
/// ```no_run
/// # async fn serve(runner: skills_call::Runner) -> std::io::Result<()> {
/// skills_mcp::stdio(skills_mcp::Server::new(runner)).await
/// # }
/// ```
#[must_use]
#[derive(Clone)]
pub struct Server {
    pub(crate) shared: Arc<Shared>,
    pub(crate) session: Arc<ClientState>,
    /// Becomes `true` when the client of a pair of streams has closed its side.
    pub(crate) closed: Option<watch::Receiver<bool>>,
    #[cfg(feature = "http")]
    pub(crate) presence: Option<Presence>,
}

impl Server {
    /// Serves the skills of a runner. At most 64 calls run at once. Others wait, and over HTTP they
    /// are refused after 1 second.
    pub fn new<B: 'static>(runner: Runner<B>) -> Self {
        Self::live(move || Ok(runner.clone()))
    }

    /// Serves the skills that `source` returns for each request, such as skills on disk that are reloaded. A
    /// [`Notifier`](crate::Notifier) informs clients of changes.
    pub fn live<B: 'static>(source: impl Fn() -> Result<Runner<B>, Failure> + Send + Sync + 'static) -> Self {
        let shared = Shared {
            source: Arc::new(move || source().map(Runner::untyped)),
            identity: Implementation::new("skills", env!("CARGO_PKG_VERSION")),
            instructions: None,
            reporting: None,
            workspace: None,
            runs: Arc::new(Semaphore::new(64)),
            end: End::default(),
            reconnect_time: Duration::from_secs(10),
            budget: skills_serve::Budget::new(256 << 20),
        };
        Self {
            shared: Arc::new(shared),
            session: Arc::default(),
            closed: None,
            #[cfg(feature = "http")]
            presence: None,
        }
    }

    /// Notifies clients of changes that the [`Notifier`] signals. Without one, the lists are declared
    /// constant, and files cannot be subscribed to.
    pub fn notifier(self, notifier: &Notifier) -> Self {
        self.with(|shared| shared.reporting = Some(ChangeReporting::new(notifier)))
    }

    /// Shuts the server down when this future completes: new requests are refused, clients that only listen
    /// are disconnected, and active calls may continue for the time of [`grace`](Self::grace). Applies to
    /// [`stdio`](crate::stdio), [`serve`](crate::serve) and, over HTTP, to [`routes`](Self::routes) in any
    /// server that shuts down at the same signal.
    ///
    /// A thread of tokio may still wait for standard input, so end the runtime with `shutdown_background`, or
    /// exit the process.
    pub fn until(self, signal: impl Future<Output = ()> + Send + 'static) -> Self {
        self.with(|shared| shared.end.set(signal))
    }

    /// Sets how long active calls may continue after the shutdown begins; 5 seconds by default. Longer ones
    /// are dropped with all their work. With [`Duration::ZERO`], all are dropped at once.
    pub fn grace(self, time: Duration) -> Self {
        self.with(|shared| shared.end.grace = time)
    }

    /// Sets the server's name and version for clients. The default is `skills` and the version of this crate.
    pub fn identity(self, name: impl Into<String>, version: impl Into<String>) -> Self {
        self.with(|shared| shared.identity = Implementation::new(name, version))
    }

    /// Sets the instructions for clients on using the server.
    pub fn instructions(self, text: impl Into<String>) -> Self {
        self.with(|shared| shared.instructions = Some(text.into()))
    }

    /// Sets the working directory of programs.
    pub fn workspace(self, directory: impl Into<PathBuf>) -> Self {
        self.with(|shared| shared.workspace = Some(directory.into()))
    }

    /// Sets how many calls may run at once. Others wait. Over HTTP they are refused after 1 second, since they may be
    /// waiting for another client's calls.
    pub fn concurrency(self, calls: usize) -> Self {
        self.with(|shared| shared.runs = Arc::new(Semaphore::new(calls.clamp(1, Semaphore::MAX_PERMITS))))
    }

    /// Sets how long calls continue after the last connection of their client has ended, so that it may
    /// reconnect; 10 seconds by default. Only applies to sessions over HTTP. Without a session, a call ends
    /// with its connection.
    pub fn reconnect_time(self, time: Duration) -> Self {
        self.with(|shared| shared.reconnect_time = time)
    }

    /// Sets the memory for the messages and answers of all requests over HTTP; 256 MiB by default. Requests beyond it
    /// are refused. Routes for HTTP can share the same budget.
    pub fn budget(self, budget: skills_serve::Budget) -> Self {
        self.with(|shared| shared.budget = budget)
    }

    pub(crate) fn with(mut self, change: impl FnOnce(&mut Shared)) -> Self {
        change(Arc::make_mut(&mut self.shared));
        self
    }

    pub(crate) fn config(&self) -> ServerConfig {
        let mut capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_prompts()
            .enable_resources()
            .enable_skills_with_directory_read()
            .build();
        if self.shared.reporting.is_some() {
            let yes = Some(true);
            capabilities.tools.get_or_insert_default().list_changed = yes;
            capabilities.prompts.get_or_insert_default().list_changed = yes;
            let resources = capabilities.resources.get_or_insert_default();
            (resources.list_changed, resources.subscribe) = (yes, yes);
        }
        let config = ServerConfig::new(capabilities).with_server_info(self.shared.identified());
        match &self.shared.instructions {
            Some(text) => config.with_instructions(text),
            None => config,
        }
    }

    /// Returns a future that completes when the client of a request has disconnected.
    pub(crate) fn gone(
        &self,
        context: &RequestContext<RoleServer>,
    ) -> impl Future<Output = ()> + Send + 'static {
        let closed = self.closed.clone();
        let left = self.left(context);
        let ended = async move {
            let Some(mut closed) = closed else { return std::future::pending().await };
            // Without a sender, the transport is gone.
            drop(closed.wait_for(|closed| *closed).await.map(drop));
            tokio::time::sleep(CALL_GRACE).await;
        };
        async move {
            tokio::select! {
                () = ended => {}
                () = left => {}
            }
        }
    }

    /// Returns the session of a message, if its client has to listen for notifications.
    pub(crate) fn place(&self, extensions: &Extensions) -> Option<Arc<SessionConnections>> {
        #[cfg(feature = "http")]
        return self.presence.as_ref()?.session(extensions);
        #[cfg(not(feature = "http"))]
        {
            let _ = extensions;
            None // standard input and output have one session, which ends with them
        }
    }

    /// Returns a future that completes when the session of a request has no connection left.
    fn left(&self, context: &RequestContext<RoleServer>) -> impl Future<Output = ()> + Send + 'static {
        let session = self.place(&context.extensions);
        let reconnect_time = self.shared.reconnect_time;
        async move {
            match session {
                Some(session) => session.gone(reconnect_time).await,
                None => std::future::pending().await,
            }
        }
    }
}

impl std::fmt::Debug for Server {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Shared { identity, workspace, .. } = &*self.shared;
        formatter
            .debug_struct("Server")
            .field("name", &identity.name)
            .field("version", &identity.version)
            .field("workspace", workspace)
            .finish_non_exhaustive()
    }
}
