//! The address of a server: a command line, or a URL with the names of the variables that hold its secrets.

use std::path::PathBuf;

use reqwest::Url;

use crate::error::Error;

/// The address of an MCP server. It holds the names of environment variables, never their values.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ServerAddress {
    /// A program that speaks the protocol over its standard streams.
    Command {
        /// The program: a path, or a name that is looked up in `PATH`.
        program: String,
        /// Its arguments.
        arguments: Vec<String>,
        /// The variables that it gets in addition to `PATH`, `HOME`, `LANG`, `TZ` and `TMPDIR`.
        environment: Vec<String>,
        /// Its working directory. The default is the working directory of this process.
        directory: Option<PathBuf>,
    },
    /// A server over streamable HTTP.
    Http {
        /// The URL, with `http` or `https`.
        url: String,
        /// The variable with the bearer token.
        token: Option<String>,
        /// More headers, each with the variable that has its value.
        headers: Vec<(String, String)>,
    },
}

impl ServerAddress {
    /// Creates the address of a program.
    pub fn command(program: impl Into<String>, arguments: Vec<String>) -> Self {
        Self::Command { program: program.into(), arguments, environment: Vec::new(), directory: None }
    }

    /// Parses a URL, or a command line with the quotes of a shell.
    ///
    /// # Errors
    /// [`Error::Address`] if the text is neither.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let text = text.trim();
        if text.starts_with("http://") || text.starts_with("https://") {
            let address = Self::Http { url: text.to_owned(), token: None, headers: Vec::new() };
            address.url()?;
            return Ok(address);
        }
        let mut words = skills_text::split_words(text)
            .ok_or_else(|| Error::Address(format!("a quote is not closed: {text}")))?
            .into_iter();
        let program = words.next().ok_or_else(|| Error::Address("it is empty".to_owned()))?;
        Ok(Self::command(program, words.collect()))
    }

    /// Returns the text that identifies the server: its URL, or its command line.
    pub fn identity(&self) -> String {
        match self {
            Self::Http { url, .. } => url.clone(),
            Self::Command { program, arguments, .. } => {
                let words = std::iter::once(program).chain(arguments);
                words.map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
            }
        }
    }

    /// Checks and returns the URL, or `None` for a command.
    pub(crate) fn url(&self) -> Result<Option<Url>, Error> {
        let Self::Http { url, token, headers } = self else { return Ok(None) };
        let parsed = Url::parse(url).map_err(|error| Error::Address(format!("{url}: {error}")))?;
        if !parsed.username().is_empty() || parsed.password().is_some() {
            return Err(Error::Address("a URL with a password; name a variable instead".to_owned()));
        }
        let has_secrets = token.is_some() || !headers.is_empty();
        if parsed.scheme() != "https" && has_secrets && !is_local(&parsed) {
            return Err(Error::Address(format!("{url}: a token is sent over https only")));
        }
        Ok(Some(parsed))
    }
}

/// Returns `true` if a URL leads to this machine.
pub(crate) fn is_local(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

fn quoted(word: &str) -> String {
    if !word.is_empty() && !word.contains(|c: char| c.is_whitespace() || matches!(c, '\'' | '"' | '\\')) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::ServerAddress;

    // SPEC 22.1
    #[test]
    fn an_address_is_a_url_or_a_command_line() {
        let command = ServerAddress::parse("npx -y 'my server' it\\'s").expect("a command");
        assert_eq!(ServerAddress::parse(&command.identity()), Ok(command.clone()));
        let ServerAddress::Command { program, arguments, .. } = command else { panic!("a command") };
        assert_eq!((program.as_str(), arguments.join("|").as_str()), ("npx", "-y|my server|it's"));
        assert!(ServerAddress::parse("https://example.com/mcp").is_ok());
        for wrong in ["", "  ", "'open", "https://", "http://user:word@example.com/"] {
            assert!(ServerAddress::parse(wrong).is_err(), "{wrong}");
        }
    }

    // SPEC 22.1: a secret is sent to another machine only over TLS
    #[test]
    fn a_token_is_sent_over_https_only() {
        let with = |url: &str| {
            let token = Some("TOKEN".to_owned());
            ServerAddress::Http { url: url.to_owned(), token, headers: Vec::new() }.url()
        };
        for fine in ["https://example.com/", "http://127.0.0.1:1/", "http://localhost/", "http://[::1]:2/"] {
            assert!(with(fine).is_ok(), "{fine}");
        }
        for wrong in ["http://example.com/", "http://127.0.0.1.example.com/", "http://localhost.example.com/"]
        {
            assert!(with(wrong).is_err(), "{wrong}");
        }
    }
}
