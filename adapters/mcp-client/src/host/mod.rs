//! Offers the skills of MCP servers as layers: a host of the Skills extension (SEP-2640).
//!
//! ```text
//! McpHost -> McpSkills (one server) -> entry (checked) -> skills_load::RemoteSkills -> Layer
//!                                   -> files (verified, cached)
//! ```
//!
//! All connections run on one thread, so that the callers need no async runtime.

mod cache;
mod entry;
mod skills;

use std::io;
use std::sync::{Arc, mpsc};

use tokio::runtime::{Builder, Runtime};

pub use cache::Cache;
pub use skills::McpSkills;

use crate::{Approved, Connection, Error, Options};

/// Connects to MCP servers for their skills. Clones share the thread of the connections.
#[derive(Clone, Debug)]
pub struct McpHost {
    thread: Arc<Thread>,
    cache: Cache,
}

#[derive(Debug)]
pub(crate) struct Thread(Option<Runtime>);

impl Drop for Thread {
    fn drop(&mut self) {
        // A blocking wait would be an error in an asynchronous program.
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

impl Thread {
    /// Runs a future on the thread and waits for its result.
    pub(crate) fn wait<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, Error>> + Send + 'static,
    ) -> Result<T, Error> {
        let (sender, receiver) = mpsc::channel();
        match &self.0 {
            Some(runtime) => drop(runtime.spawn(async move { sender.send(work.await) })),
            None => drop(sender),
        }
        receiver.recv().map_err(|_| Error::Closed("the thread of the connections has ended".to_owned()))?
    }

    /// Starts a future on the thread.
    pub(crate) fn start(&self, work: impl Future<Output = ()> + Send + 'static) {
        if let Some(runtime) = &self.0 {
            runtime.spawn(work);
        }
    }
}

impl McpHost {
    /// Starts the thread of the connections, with the cache of this user.
    ///
    /// # Errors
    /// If the system starts no thread.
    pub fn new() -> io::Result<Self> {
        let mut builder = Builder::new_multi_thread();
        let runtime = builder.worker_threads(1).thread_name("skills-mcp").enable_all().build()?;
        Ok(Self { thread: Arc::new(Thread(Some(runtime))), cache: Cache::of_user() })
    }

    /// Sets the directory of cached files.
    #[must_use]
    pub fn cache(mut self, cache: Cache) -> Self {
        self.cache = cache;
        self
    }

    /// Creates the source of a server's skills, for [`LayersBuilder::mcp`](skills_load::LayersBuilder::mcp), and begins to
    /// connect. `label` is the name of the server in the names of its skills: lowercase letters, digits and single
    /// hyphens.
    ///
    /// # Errors
    /// [`Error::Address`] if the label is invalid.
    pub fn skills(&self, label: &str, server: Approved, options: Options) -> Result<McpSkills, Error> {
        if !skills_registry::is_standard_name(label) || label.len() > 32 {
            return Err(Error::Address(format!("`{label}` cannot be the name of a server")));
        }
        let connection = Connection::new(server, options);
        let first = connection.clone();
        // Several servers connect at once; the answer is requested when the layers are loaded.
        self.thread.start(async move { drop(first.info().await) });
        Ok(McpSkills::new(label, connection, Arc::clone(&self.thread), self.cache.clone()))
    }
}
