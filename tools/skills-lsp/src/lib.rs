//! The language server of skills: `skills lsp` on standard input and output.
//!
//! ```text
//! messages -> Server -> Workspace (texts over the disk, checked by skills-core) -> answers
//! ```
//!
//! The server has no rules itself: diagnostics, edits and trees come from `skills-core`.

mod action;
mod capabilities;
mod client;
mod command;
mod complete;
mod convert;
mod cursor;
mod definition;
mod draft;
mod evals;
mod fold;
mod format;
mod highlight;
mod hint;
mod hover;
mod index;
mod pages;
mod property;
mod publish;
mod rename;
mod request;
mod root;
mod schema;
mod server;
mod settings;
mod signature;
mod symbols;
mod token;
mod transport;
mod workspace;

use std::error::Error;
use std::io;

use lsp_server::Connection;

pub use root::Root;

/// Serves one client on standard input and output until the client exits.
///
/// # Errors
/// The streams break, or the start of a message of the client cannot be found.
pub fn stdio() -> Result<(), Box<dyn Error + Send + Sync>> {
    let (connection, threads) = transport::connect(io::BufReader::new(io::stdin()), io::stdout());
    let served = serve(connection);
    // Do not wait for the reader: if the client no longer reads, it may also send nothing that would end the
    // reader.
    served.and_then(|()| Ok(threads.join()?))
}

/// Serves one client on a connection until the client exits.
///
/// # Errors
/// The stream to the client breaks, or the client exits without `shutdown`.
pub fn serve(connection: Connection) -> Result<(), Box<dyn Error + Send + Sync>> {
    match server::initialize(&connection)? {
        Some((options, client)) => server::LanguageServer::new(&connection, &options, client).run(),
        None => Ok(()),
    }
}
