//! What the server serves, and within which limits.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{Extensions, Implementation, ServerCapabilities, ServerConfig};
use rmcp::service::RequestContext;
use skills_runtime::call::{Failure, Runner};
use tokio::sync::{Semaphore, watch};

use crate::changes::notifier::Notifier;
use crate::changes::session::{Place, Session};
use crate::end::End;
use crate::shared::{Shared, Told};
#[cfg(feature = "http")]
use crate::wire::presence::Presence;

/// How long calls go on when the one client of a pair of streams has closed its side: it may have asked all it wants
/// to, and read on. Clients that are about to end the process wait for about two seconds.
const LINGERING: Duration = Duration::from_secs(1);

/// The skills of a program as an MCP server.
///
/// ```no_run
/// # async fn serve(runner: skills_runtime::call::Runner) -> std::io::Result<()> {
/// skills_mcp::stdio(skills_mcp::Server::new(runner)).await
/// # }
/// ```
#[must_use]
#[derive(Clone)]
pub struct Server {
    pub(crate) shared: Arc<Shared>,
    pub(crate) session: Arc<Session>,
    /// Turns true when the one client of a pair of streams has closed its side.
    pub(crate) closed: Option<watch::Receiver<bool>>,
    #[cfg(feature = "http")]
    pub(crate) presence: Option<Presence>,
}

impl Server {
    /// Serves the skills of a runner; 64 calls go on at once and others wait, over HTTP for 1 second.
    pub fn new<B: 'static>(runner: Runner<B>) -> Self {
        Self::live(move || Ok(runner.clone()))
    }

    /// Serves the skills that `source` has at the time of each request: skills on disk that are read again. A
    /// [`Notifier`](crate::Notifier) lets clients know when they have changed.
    pub fn live<B: 'static>(source: impl Fn() -> Result<Runner<B>, Failure> + Send + Sync + 'static) -> Self {
        let shared = Shared {
            source: Arc::new(move || source().map(Runner::untyped)),
            identity: Implementation::new("skills", env!("CARGO_PKG_VERSION")),
            instructions: None,
            told: None,
            workspace: None,
            runs: Arc::new(Semaphore::new(64)),
            end: End::default(),
            #[cfg(feature = "http")]
            patience: Duration::from_secs(10),
        };
        Self {
            shared: Arc::new(shared),
            session: Arc::default(),
            closed: None,
            #[cfg(feature = "http")]
            presence: None,
        }
    }

    /// Tells clients when the skills change, by what the [`Notifier`] is told. Without one the lists are declared not to
    /// change, and files cannot be subscribed to.
    pub fn notifier(self, notifier: &Notifier) -> Self {
        self.with(|shared| shared.told = Some(Told::new(notifier)))
    }

    /// Ends the server when this future does (SPEC 11.7): new requests are refused, clients that only listen are let go,
    /// and calls under way have the time of [`grace`](Self::grace). It holds for [`stdio`](crate::stdio),
    /// [`serve`](crate::serve) and, over HTTP, for [`routes`](Self::routes) in any server that ends by the same signal.
    ///
    /// A thread of tokio may still wait for standard input: a program ends its runtime by `shutdown_background`, or itself.
    pub fn until(self, signal: impl Future<Output = ()> + Send + 'static) -> Self {
        self.with(|shared| shared.end.set(signal))
    }

    /// Says how long calls under way may go on once the server ends, 5 seconds by default; those that take longer are
    /// dropped with all they run, and with [`Duration::ZERO`] every one at once.
    pub fn grace(self, time: Duration) -> Self {
        self.with(|shared| shared.end.grace = time)
    }

    /// Says what clients call the server; by default `skills`, and the version of this crate.
    pub fn identity(self, name: impl Into<String>, version: impl Into<String>) -> Self {
        self.with(|shared| shared.identity = Implementation::new(name, version))
    }

    /// Tells clients how to use the server.
    pub fn instructions(self, text: impl Into<String>) -> Self {
        self.with(|shared| shared.instructions = Some(text.into()))
    }

    /// Runs programs in this directory.
    pub fn workspace(self, directory: impl Into<PathBuf>) -> Self {
        self.with(|shared| shared.workspace = Some(directory.into()))
    }

    /// Lets so many calls run at once. Others wait; over HTTP they are refused after 1 second, since it may be another
    /// client that keeps them waiting.
    pub fn concurrency(self, calls: usize) -> Self {
        self.with(|shared| shared.runs = Arc::new(Semaphore::new(calls.clamp(1, Semaphore::MAX_PERMITS))))
    }

    /// Lets calls of a client go on for so long after its last connection has ended, so that it may come back; 10
    /// seconds by default. Over HTTP only, and only in sessions: without one a call ends with its connection.
    #[cfg(feature = "http")]
    pub fn patience(self, time: Duration) -> Self {
        self.with(|shared| shared.patience = time)
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
        if self.shared.told.is_some() {
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

    /// Returns a future that is done when nobody is left to tell the result of a request.
    pub(crate) fn gone(
        &self,
        context: &RequestContext<RoleServer>,
    ) -> impl Future<Output = ()> + Send + 'static {
        let closed = self.closed.clone();
        let left = self.left(context);
        let ended = async move {
            let Some(mut closed) = closed else { return std::future::pending().await };
            // Without a sender there is no transport.
            drop(closed.wait_for(|closed| *closed).await.map(drop));
            tokio::time::sleep(LINGERING).await;
        };
        async move {
            tokio::select! {
                () = ended => {}
                () = left => {}
            }
        }
    }

    /// Returns where the client of a message can be told something, if that is not so at any time.
    #[cfg(feature = "http")]
    pub(crate) fn place(&self, extensions: &Extensions) -> Option<Place> {
        self.presence.as_ref()?.session(extensions)
    }

    /// Returns nothing: there are only streams.
    #[cfg(not(feature = "http"))]
    #[expect(clippy::unused_self, reason = "as with sessions")]
    pub(crate) fn place(&self, _: &Extensions) -> Option<Place> {
        None
    }

    /// Returns a future that is done when the session of a request has no connection any more.
    #[cfg(feature = "http")]
    fn left(&self, context: &RequestContext<RoleServer>) -> impl Future<Output = ()> + Send + 'static {
        let session = self.place(&context.extensions);
        let patience = self.shared.patience;
        async move {
            match session {
                Some(session) => session.gone(patience).await,
                None => std::future::pending().await,
            }
        }
    }

    /// Returns a future that is never done: there are no sessions.
    #[cfg(not(feature = "http"))]
    fn left(&self, _: &RequestContext<RoleServer>) -> impl Future<Output = ()> + Send + 'static {
        std::future::pending()
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
