//! The language server for skills: `skills lsp` on standard input and output.
//!
//! ```text
//! messages -> Server -> Workspace (texts over the disk, checked by skills-core) -> answers
//! ```
//!
//! The server has no rules itself: diagnostics, edits and trees come from `skills-core`.

mod action;
mod complete;
mod cursor;
mod definition;
mod draft;
mod fold;
mod format;
mod hover;
mod index;
mod place;
mod publish;
mod rename;
mod root;
mod schema;
mod server;
mod symbols;
mod workspace;

use std::error::Error;

use lsp_server::Connection;

pub use root::Root;

/// Serves one client on standard input and output until the client exits.
///
/// # Errors
/// Fails if the client does not follow the protocol, or if its stream breaks.
pub fn stdio() -> Result<(), Box<dyn Error + Send + Sync>> {
    let (connection, threads) = Connection::stdio();
    let served = serve(connection);
    threads.join()?;
    served
}

/// Serves one client on a connection until the client exits.
///
/// # Errors
/// As for [`stdio`].
pub fn serve(connection: Connection) -> Result<(), Box<dyn Error + Send + Sync>> {
    let options = connection.initialize(server::capabilities())?;
    server::Server::new(&connection, &options).run()
}
