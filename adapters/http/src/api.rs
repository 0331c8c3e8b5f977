//! The options for the routes: the skills to serve, and the limits.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::routing::{get, post};
use axum::{Router, middleware};
use skills_call::{Failure, Runner};
use tokio::sync::Semaphore;

use crate::shared::Shared;
use crate::{call, chat, exec, files, graph, list, openapi, ui, well_known};
use skills_serve::Budget;
use skills_serve::answer::Problem;
use skills_serve::body::BodyLimits;
use skills_serve::held;

/// The skills to serve over HTTP.
///
/// ```
/// # use skills_call::Runner;
/// # fn serve<Bundle>(runner: Runner<Bundle>) {
/// let api = skills_http::Api::new(runner).enable_exec();
/// let app: axum::Router = axum::Router::new().nest("/agent", api.routes()).merge(api.chat());
/// # let _ = app; }
/// ```
#[must_use]
#[derive(Clone)]
pub struct Api {
    pub(crate) shared: Arc<Shared>,
}

impl Api {
    /// Serves the skills of a runner. Its model, if it has one, answers chats.
    ///
    /// By default, clients cannot run skills, a request body has at most 1 MiB and must arrive within 15 seconds,
    /// all requests together use at most 256 MiB of memory, at most 64 skills run at once, and at most 256 more
    /// wait for up to 1 second.
    pub fn new<B>(runner: Runner<B>) -> Self {
        // Clients call skills by name, without the program's types.
        let runner = runner.untyped();
        Self::live(move || Ok(runner.clone()))
    }

    /// Serves the skills that `source` returns for each request, such as skills on disk that are reloaded.
    pub fn live(source: impl Fn() -> Result<Runner, Failure> + Send + Sync + 'static) -> Self {
        let shared = Shared {
            source: Arc::new(source),
            is_exec_enabled: false,
            body: BodyLimits {
                bytes: 1 << 20,
                time: Duration::from_secs(15),
                budget: Budget::new(256 << 20),
            },
            workspace: None,
            instructions: None,
            chat_calls: true,
            runs: Arc::new(Semaphore::new(64)),
            waiting: Arc::new(Semaphore::new(256)),
            queue_time: Duration::from_secs(1),
            last: Arc::default(),
            digests: Arc::default(),
            approvals: Arc::default(),
        };
        Self { shared: Arc::new(shared) }
    }

    /// Lets clients run programs of skills and call functions.
    pub fn enable_exec(self) -> Self {
        self.with(|shared| shared.is_exec_enabled = true)
    }

    /// Sets the maximum size of a request body in bytes.
    pub fn body_limit(self, bytes: usize) -> Self {
        self.with(|shared| shared.body.bytes = bytes)
    }

    /// Sets the memory for the bodies and answers of all requests in flight; 256 MiB by default. Requests beyond it
    /// are answered with 503, and a body that does not fit into it with 413.
    pub fn budget(self, budget: Budget) -> Self {
        self.with(|shared| shared.body.budget = budget)
    }

    /// Sets the maximum time for receiving a request body.
    pub fn body_time(self, time: Duration) -> Self {
        self.with(|shared| shared.body.time = time)
    }

    /// Sets how many programs and functions may run at once; 64 by default. Others wait.
    pub fn concurrency(self, runs: usize) -> Self {
        self.with(|shared| shared.runs = Arc::new(Semaphore::new(runs.clamp(1, Semaphore::MAX_PERMITS))))
    }

    /// Sets how many programs and functions may wait; 256 by default. Further ones are answered with 503.
    pub fn queue(self, waiting: usize) -> Self {
        self.with(|shared| shared.waiting = Arc::new(Semaphore::new(waiting.min(Semaphore::MAX_PERMITS))))
    }

    /// Sets how long programs and functions may wait until they run; 1 second by default. Then they are answered with
    /// 503.
    pub fn queue_time(self, time: Duration) -> Self {
        self.with(|shared| shared.queue_time = time)
    }

    /// Runs programs in this directory.
    pub fn workspace(self, directory: impl Into<PathBuf>) -> Self {
        self.with(|shared| shared.workspace = Some(directory.into()))
    }

    /// Sets instructions for the beginning of every chat. The catalog of skills follows them.
    pub fn instructions(self, text: impl Into<String>) -> Self {
        self.with(|shared| shared.instructions = Some(text.into()))
    }

    /// Lets the model of a chat read skills, but not call them.
    pub fn read_only_chat(self) -> Self {
        self.with(|shared| shared.chat_calls = false)
    }

    /// Returns the routes below `/v1`, and the routes of the index below `/.well-known`. They have no access
    /// control; [`Server`](crate::Server) adds a guard.
    ///
    /// Unknown paths are left to the router that these routes are merged into, whose state can have any type.
    pub fn routes<S: Clone + Send + Sync + 'static>(&self) -> Router<S> {
        Router::new()
            .route("/v1/skills", get(list::all))
            .route("/v1/skills/{name}", get(list::show_skill))
            .route("/v1/skills/{name}/graph", get(graph::draw_skill))
            .route("/v1/graph", get(graph::all))
            .route("/v1/about", get(ui::about))
            .route("/v1/skills/{name}/files/{*path}", get(files::file))
            .route("/v1/skills/{name}/check", post(call::check))
            .route("/v1/skills/{name}/exec", post(exec::exec))
            .route("/v1/skills/{name}/call", post(call::call))
            .route(openapi::PATH, get(openapi::document))
            .route(well_known::INDEX, get(well_known::index))
            .route(well_known::DOCUMENT, get(well_known::document))
            .route(well_known::ARCHIVE, get(well_known::archive))
            .route_layer(middleware::from_fn_with_state(self.shared.body.budget.clone(), held::charge))
            .method_not_allowed_fallback(wrong_method)
            .with_state(Arc::clone(&self.shared))
    }

    /// Returns the chat route, `/api/ai/chat`. It has no authentication; that is the task of the router it is
    /// merged into.
    pub fn chat<S: Clone + Send + Sync + 'static>(&self) -> Router<S> {
        Router::new()
            .route("/api/ai/chat", post(chat::chat))
            .route_layer(middleware::from_fn_with_state(self.shared.body.budget.clone(), held::charge))
            .method_not_allowed_fallback(wrong_method)
            .with_state(Arc::clone(&self.shared))
    }

    fn with(mut self, change: impl FnOnce(&mut Shared)) -> Self {
        change(Arc::make_mut(&mut self.shared));
        self
    }
}

impl std::fmt::Debug for Api {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Shared { is_exec_enabled, body, workspace, .. } = &*self.shared;
        formatter
            .debug_struct("Api")
            .field("is_exec_enabled", is_exec_enabled)
            .field("body_limit", &body.bytes)
            .field("workspace", workspace)
            .finish_non_exhaustive()
    }
}

async fn wrong_method() -> Problem {
    Problem::wrong_method()
}
