//! The language server of skills: `skills lsp` on standard input and output (SPEC 17.10 to 17.14).
//!
//! ```text
//! messages -> Server -> Workspace (texts over the disk, judged by skills-core) -> answers
//! ```
//!
//! Nothing here has a rule of its own: diagnostics, edits and trees are those of `skills-core`.

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

/// Serves one client on standard input and output until it says goodbye.
///
/// # Errors
/// The client does not follow the protocol, or its stream breaks.
pub fn stdio() -> Result<(), Box<dyn Error + Send + Sync>> {
    let (connection, threads) = Connection::stdio();
    let served = serve(connection);
    threads.join()?;
    served
}

/// Serves one client on a connection until it says goodbye.
///
/// # Errors
/// As [`stdio`].
pub fn serve(connection: Connection) -> Result<(), Box<dyn Error + Send + Sync>> {
    let options = connection.initialize(server::capabilities())?;
    server::Server::new(&connection, &options).run()
}
