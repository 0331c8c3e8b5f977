//! The reasons why a request to a server fails.

use std::fmt;
use std::time::Duration;

use rmcp::ServiceError;
use skills_exec::Exhausted;
use skills_text::visible;

/// The reason why a connection or a request failed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The address of the server cannot be used.
    Address(String),
    /// A project names the server, and the user has not approved this use of it.
    NotApproved(String),
    /// The server cannot be reached, or did not begin a session.
    Unreachable(String),
    /// The connection ended before the answer. A call may have been executed.
    Closed(String),
    /// The server sent a message with more than this number of bytes, and was disconnected.
    TooLarge(usize),
    /// The server exceeded this limit of [`Limits::budget`](crate::Limits::budget), and was disconnected.
    Budget(Exhausted),
    /// The server did not answer in this time.
    Timeout(Duration),
    /// The server answered with an error.
    Server {
        /// The code of JSON-RPC.
        code: i32,
        /// The text of the server.
        message: String,
    },
    /// The server asked for sampling, elicitation or roots, which this host does not offer.
    InputRefused,
    /// The server broke the protocol.
    Protocol(String),
}

impl Error {
    /// Returns `true` if no session with the server exists. The server may be offline.
    pub fn is_offline(&self) -> bool {
        matches!(self, Self::Unreachable(_) | Self::Closed(_) | Self::Timeout(_))
    }

    pub(crate) fn from_service(error: ServiceError) -> Self {
        match error {
            ServiceError::McpError(error) => {
                Self::Server { code: error.code.0, message: error.message.into_owned() }
            }
            ServiceError::Timeout { timeout } => Self::Timeout(timeout),
            ServiceError::UnexpectedResponse => Self::Protocol("an answer of another kind".to_owned()),
            ServiceError::TransportSend(error) => Self::Closed(error.to_string()),
            ServiceError::TransportClosed => Self::Closed(String::new()),
            other => Self::Protocol(other.to_string()),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Address(why) => write!(f, "invalid address of an MCP server: {}", shown(why)),
            Self::NotApproved(why) => {
                let lines: Vec<_> = why.lines().map(visible).collect();
                write!(f, "the MCP server {}", lines.join("\n"))
            }
            Self::Unreachable(why) => write!(f, "the MCP server cannot be reached: {}", shown(why)),
            Self::Closed(why) if why.is_empty() => f.write_str("the MCP server closed the connection"),
            Self::Closed(why) => write!(f, "the connection to the MCP server ended: {}", shown(why)),
            Self::TooLarge(most) => write!(f, "the MCP server sent a message of more than {most} bytes"),
            Self::Budget(limit @ Exhausted::Time(_)) => write!(f, "the MCP server took {limit} for one list"),
            Self::Budget(limit) => write!(f, "the MCP server sent {limit} for one request of this client"),
            Self::Timeout(time) => write!(f, "the MCP server did not answer in {} s", time.as_secs_f32()),
            Self::Server { code, message } => {
                write!(f, "the MCP server answered with error {code}: {}", shown(message))
            }
            Self::InputRefused => f.write_str(
                "the MCP server asked for input of a model or a user, which this program does not offer",
            ),
            Self::Protocol(why) => write!(f, "the MCP server broke the protocol: {}", shown(why)),
        }
    }
}

impl std::error::Error for Error {}

/// Returns a text of a server without hidden characters, at most 500 characters long.
fn shown(text: &str) -> String {
    let mut shown: String = visible(text).chars().take(500).collect();
    if shown.len() < visible(text).len() {
        shown.push('…');
    }
    shown
}
