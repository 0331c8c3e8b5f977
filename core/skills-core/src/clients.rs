//! The clients that a configuration and the command can name. `skills-clients` knows how each treats skills.

/// A program that reads skills.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Client {
    /// Its name on the command line.
    pub id: &'static str,
    /// Its display name.
    pub name: &'static str,
}

/// The clients, in the order of their names.
pub const CLIENTS: &[Client] = &[
    Client { id: "claude-code", name: "Claude Code" },
    Client { id: "codex", name: "Codex" },
    Client { id: "copilot", name: "GitHub Copilot" },
    Client { id: "cursor", name: "Cursor" },
    Client { id: "gemini-cli", name: "Gemini CLI" },
    Client { id: "goose", name: "Goose" },
    Client { id: "openclaw", name: "OpenClaw" },
    Client { id: "opencode", name: "OpenCode" },
];

/// Finds a client by its name on the command line.
///
/// # Errors
/// Returns a message with the known clients if no client has the name.
pub fn named(id: &str) -> Result<Client, String> {
    let found = CLIENTS.iter().find(|client| client.id == id).copied();
    let ids = || CLIENTS.iter().map(|client| client.id);
    // `install` has shorter names for two of them.
    let longer = || ids().find(|known| known.strip_prefix(id).is_some_and(|rest| rest.starts_with('-')));
    found.ok_or_else(|| match skills_text::nearest(id, ids()).or_else(longer) {
        Some(near) => format!("unknown client `{id}`; did you mean `{near}`?"),
        None => {
            let known: Vec<&str> = ids().collect();
            format!("unknown client `{id}`; the known clients are {} and `all`", known.join(", "))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::named;

    #[test]
    fn a_misspelt_client_is_named_with_its_nearest() {
        assert_eq!(named("codex").map(|client| client.name), Ok("Codex"));
        assert_eq!(named("codx").unwrap_err(), "unknown client `codx`; did you mean `codex`?");
        assert_eq!(named("claude").unwrap_err(), "unknown client `claude`; did you mean `claude-code`?");
        assert_eq!(named("emacs").unwrap_err().matches('`').count(), 4);
    }
}
