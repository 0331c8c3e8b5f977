//! The limits and options of a connection.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use skills_exec::Budget;

use crate::handler::Input;

/// The limits for a server.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// How long it may take to begin a session; 30 seconds by default.
    pub connect: Duration,
    /// How long the answer to a request may take; 60 seconds by default. Calls of tools have
    /// another limit.
    pub request: Duration,
    /// The maximum size of a message in bytes; 24 MiB by default: a file of 16 MiB in Base64, with its frame.
    pub message: usize,
    /// How much a server may send for one operation of the client, such as a list, a call or a read, with its
    /// standard error, its notifications, its own requests, and answers that nobody waits for. By default, 64 MiB,
    /// 10,000 messages, a million values of JSON, and 5 minutes for a list. A call has its own time.
    pub budget: Budget,
    /// The maximum number of pages of a list; 100 by default.
    pub pages: usize,
    /// The maximum number of items in a list; 10,000 by default.
    pub items: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(30),
            request: Duration::from_secs(60),
            message: 24 << 20,
            budget: Budget {
                bytes: 64 << 20,
                messages: 10_000,
                items: 1_000_000,
                time: Duration::from_secs(5 * 60),
            },
            pages: 100,
            items: 10_000,
        }
    }
}

/// The options of a connection.
#[derive(Clone, Default)]
#[non_exhaustive]
pub struct Options {
    /// The limits for the server.
    pub limits: Limits,
    /// Answers the server's requests for sampling and elicitation. Without it, they are refused.
    pub input: Option<Arc<dyn Input>>,
    /// The logins of this user for servers that ask for OAuth. Without logins, the client sends only the token
    /// that the address names, if any.
    #[cfg(feature = "oauth")]
    pub logins: Option<crate::oauth::Logins>,
}

impl Options {
    /// Sets the limits.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets the handler that answers the server's requests for sampling and elicitation.
    #[must_use]
    pub fn input(mut self, input: impl Input + 'static) -> Self {
        self.input = Some(Arc::new(input));
        self
    }

    /// Sets the logins of this user.
    #[cfg(feature = "oauth")]
    #[must_use]
    pub fn logins(mut self, logins: crate::oauth::Logins) -> Self {
        self.logins = Some(logins);
        self
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options").field("limits", &self.limits).finish_non_exhaustive()
    }
}
