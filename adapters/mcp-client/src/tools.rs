//! The MCP servers of a program, whose tools the skills of mode `mcp` call.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::future::BoxFuture;
use serde_json::Value;
use skills_call::mcp::{ServerError, ToolCall, ToolDefinition, ToolProgress, ToolServer, ToolServers};
use tokio::time::Instant;

use crate::address::ServerAddress;
use crate::approved::Approved;
use crate::connection::{Call, Connection};
use crate::error::Error;
use crate::handler::CallProgress;
use crate::options::Options;

/// How long a list of tools is used if the server sets no time. This is also the upper bound of the server's
/// time.
const DEFAULT_TTL: Duration = Duration::from_secs(5 * 60);
const MAX_TTL: Duration = Duration::from_secs(60 * 60);

/// The upper bound for a call. The runner has its own time limit, after which it drops the call.
const CALL_TIMEOUT: Duration = Duration::from_secs(24 * 60 * 60);

/// The MCP servers for skills of mode `mcp`. Pass them to `Runner::mcp`.
///
/// These servers are used: those that the program names; those that a skill of the program names by a URL or a command
/// line; and those that any other skill names, if [`approve_with`](Self::approve_with) has an approval for them. Skills
/// that are read from disk may come from a repository, so without `approve_with` their own servers are refused.
///
/// Clones share the connections. A connection is opened by the first call and closed when the last clone is dropped.
#[derive(Clone, Default)]
pub struct Servers(Arc<Inner>);

/// Finds the approval of a server that a skill names.
type Approve = dyn Fn(ToolServer<'_>) -> Result<Approved, Error> + Send + Sync;

#[derive(Default)]
struct Inner {
    options: Options,
    named: BTreeMap<String, Connection>,
    approve: Option<Arc<Approve>>,
    servers: Mutex<Opened>,
}

#[derive(Default)]
struct Opened {
    /// The servers by the texts that name them and the directories of the skills.
    by_name: HashMap<(String, Option<PathBuf>), Arc<Server>>,
    all: Vec<(Approved, Arc<Server>)>,
}

/// A connection with the tools that the server has listed.
struct Server {
    connection: Connection,
    listed: tokio::sync::Mutex<Option<Listed>>,
}

impl Server {
    fn new(connection: Connection) -> Self {
        Self { connection, listed: tokio::sync::Mutex::default() }
    }
}

struct Listed {
    tools: HashMap<String, Arc<ToolDefinition>>,
    /// How often the list had changed before the request.
    changes: u64,
    until: Instant,
}

impl Servers {
    /// Creates servers with options for servers that only a skill names.
    pub fn new(options: Options) -> Self {
        Self(Arc::new(Inner { options, ..Inner::default() }))
    }

    /// Adds servers by the names that skills use.
    #[must_use]
    pub fn named(self, named: impl IntoIterator<Item = (String, Connection)>) -> Self {
        let mut all = self.0.named.clone();
        all.extend(named);
        let (options, approve) = (self.0.options.clone(), self.0.approve.clone());
        Self(Arc::new(Inner { options, named: all, approve, servers: Mutex::default() }))
    }

    /// Sets the function that finds the approval of a server that a skill outside of the program names, usually with
    /// [`Approved::stored`].
    #[must_use]
    pub fn approve_with(
        self,
        approve: impl Fn(ToolServer<'_>) -> Result<Approved, Error> + Send + Sync + 'static,
    ) -> Self {
        let (options, named) = (self.0.options.clone(), self.0.named.clone());
        Self(Arc::new(Inner { options, named, approve: Some(Arc::new(approve)), servers: Mutex::default() }))
    }

    /// Closes all connections, and gives programs time to exit.
    pub async fn close(&self) {
        let open = std::mem::take(&mut *self.0.servers.lock().unwrap_or_else(PoisonError::into_inner));
        for server in open.by_name.into_values() {
            server.connection.close().await;
        }
    }

    fn server(&self, server: ToolServer<'_>) -> Result<Arc<Server>, Error> {
        let mut servers = self.0.servers.lock().unwrap_or_else(PoisonError::into_inner);
        // A server that the program names is the same for all skills.
        let directory = server.directory.filter(|_| !self.0.named.contains_key(server.text));
        let key = (server.text.to_owned(), directory.map(Path::to_owned));
        if let Some(server) = servers.by_name.get(&key) {
            return Ok(Arc::clone(server));
        }
        let opened = match self.0.named.get(server.text) {
            Some(connection) => Arc::new(Server::new(connection.clone())),
            None => {
                let approved = self.approved(server)?;
                match servers.all.iter().find(|(other, _)| *other == approved) {
                    Some((_, opened)) => Arc::clone(opened),
                    None => {
                        let connection = Connection::new(approved.clone(), self.0.options.clone());
                        let opened = Arc::new(Server::new(connection));
                        servers.all.push((approved, Arc::clone(&opened)));
                        opened
                    }
                }
            }
        };
        servers.by_name.insert(key, Arc::clone(&opened));
        Ok(opened)
    }

    /// Decides whether a server that a skill names may be used.
    fn approved(&self, server: ToolServer<'_>) -> Result<Approved, Error> {
        let ToolServer { text, directory } = server;
        if directory.is_none() && !is_name(text) {
            return Ok(Approved::configured(ServerAddress::parse(text)?));
        }
        match &self.0.approve {
            Some(approve) => approve(server),
            None if is_name(text) => {
                Err(Error::Address(format!("no server with the name `{text}` is known")))
            }
            None => Err(Error::NotApproved(format!(
                "`{text}` is not approved: a skill outside of the program names it"
            ))),
        }
    }

    async fn define(&self, server: ToolServer<'_>, tool: &str) -> Result<Arc<ToolDefinition>, Error> {
        let held = self.server(server)?;
        // Concurrent calls wait for one list.
        let mut listed = held.listed.lock().await;
        let changes = || held.connection.changes().borrow().tools;
        let is_fresh = |listed: &Listed| listed.changes == changes() && Instant::now() < listed.until;
        if !listed.as_ref().is_some_and(is_fresh) {
            *listed = None;
            // A new session counts as a change, so the session must begin before the number of
            // changes is read.
            held.connection.info().await?;
            let changes = changes();
            let (tools, fresh) = held.connection.listed_tools().await?;
            let until = Instant::now() + fresh.unwrap_or(DEFAULT_TTL).min(MAX_TTL);
            let values =
                tools.iter().filter_map(|tool| ToolDefinition::from_json(&serde_json::to_value(tool).ok()?));
            let tools = values.map(|tool| (tool.name.clone(), Arc::new(tool))).collect();
            *listed = Some(Listed { tools, changes, until });
        }
        let found = listed.as_ref().and_then(|listed| listed.tools.get(tool)).cloned();
        found.ok_or_else(|| Error::Protocol(format!("it has no tool `{tool}`")))
    }
}

impl ToolServers for Servers {
    fn starts_program(&self, server: ToolServer<'_>) -> Result<bool, ServerError> {
        let server = self.server(server).map_err(failed)?;
        Ok(matches!(server.connection.server(), ServerAddress::Command { .. }))
    }

    fn definition<'a>(
        &'a self,
        server: ToolServer<'a>,
        tool: &'a str,
    ) -> BoxFuture<'a, Result<Arc<ToolDefinition>, ServerError>> {
        Box::pin(async move { self.define(server, tool).await.map_err(failed) })
    }

    fn call<'a>(&'a self, call: ToolCall<'a>) -> BoxFuture<'a, Result<Value, ServerError>> {
        Box::pin(async move {
            let ToolCall { server, tool, arguments, trace, on_progress, .. } = call;
            let server = self.server(server).map_err(failed)?;
            let show = |progress: CallProgress| {
                let CallProgress { progress, total, message } = progress;
                on_progress(ToolProgress { progress, total, message });
            };
            let mut options = Call::default().progress(&show);
            (options.idle, options.total) = (CALL_TIMEOUT, CALL_TIMEOUT);
            options.trace = trace;
            let result = server.connection.call(tool, arguments, &options).await.map_err(failed)?;
            serde_json::to_value(result).map_err(|error| ServerError::new(error.to_string()))
        })
    }
}

/// Returns `true` if a text is the name of a server, and neither a URL nor a command line.
pub(crate) fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
}

fn failed(error: Error) -> ServerError {
    let is_retryable = matches!(error, Error::Unreachable(_) | Error::Closed(_));
    ServerError { message: error.to_string(), is_retryable }
}

impl fmt::Debug for Servers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Servers").field("named", &self.0.named).finish_non_exhaustive()
    }
}
