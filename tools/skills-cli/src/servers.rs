//! `--mcp SERVER`: the skills of MCP servers, as layers below all others.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use clap::Args;
use skills_core::config;
use skills_core::servers::Server as Configured;
use skills_load::trust::TrustStore;
use skills_load::{Builder, RemoteSkills};
use skills_mcp_client::Logins;
use skills_mcp_host::{McpHost, McpSkills, Options, ServerAddress};

/// MCP servers whose skills are read.
#[derive(Debug, Args)]
pub(crate) struct Servers {
    /// Read the skills of an MCP server, and without DIR only these (repeatable): a URL, a command line in one argument, or
    /// a server of skills.toml. NAME=SERVER sets the name before its skills: NAME__SKILL
    #[arg(long = "mcp", value_name = "SERVER", value_parser = parse)]
    mcp: Vec<Server>,
    #[arg(skip)]
    opened: OnceLock<Vec<Arc<McpSkills>>>,
}

/// A server that an argument names.
#[derive(Clone, Debug)]
pub(crate) struct Server {
    label: String,
    address: ServerAddress,
    /// Whether the argument names a program in `skills.toml`, which may be the file of a cloned repository.
    is_foreign_program: bool,
}

impl Servers {
    pub(crate) fn is_empty(&self) -> bool {
        self.mcp.is_empty()
    }

    /// Returns the skills of each server. The connections are shared by all calls.
    pub(crate) fn open(&self) -> &[Arc<McpSkills>] {
        self.opened.get_or_init(|| {
            let host = McpHost::new();
            let open = |server: &Server| {
                let (host, address) = (host.as_ref().ok()?, server.address.clone());
                host.skills(&server.label, address, options()).ok().map(Arc::new)
            };
            self.mcp.iter().filter_map(open).collect()
        })
    }

    /// Adds the servers as layers.
    pub(crate) fn add(&self, builder: Builder) -> Builder {
        self.open().iter().fold(builder, |builder, server| builder.mcp(Arc::clone(server)))
    }

    /// Returns the name and the address of each server, as they are stored with an approval.
    pub(crate) fn identities(&self) -> impl Iterator<Item = (&str, String)> {
        self.mcp.iter().map(|server| (server.label.as_str(), server.address.identity()))
    }

    /// Refuses to start a program that only `skills.toml` names, unless the user has already approved a skill
    /// of this server.
    pub(crate) fn check(&self) -> Result<(), String> {
        let trust = TrustStore::of_user();
        for server in self.mcp.iter().filter(|server| server.is_foreign_program) {
            let identity = server.address.identity();
            if !trust.entries().any(|entry| entry.server() == Some(&identity)) {
                let label = &server.label;
                return Err(format!(
                    "skills.toml starts a program for `{label}`: {identity}; if you want that, run `skills trust --mcp {label}`"
                ));
            }
        }
        Ok(())
    }
}

/// Returns the options of each connection, which include the logins of this user.
pub(crate) fn options() -> Options {
    match logins() {
        Some(logins) => Options::default().logins(logins),
        None => Options::default(),
    }
}

/// Returns the logins of this user, which are kept beside the trust file.
fn logins() -> Option<Logins> {
    TrustStore::of_user().path().map(|path| Logins::at(path.with_file_name("mcp-logins")))
}

/// Parses `SERVER` or `NAME=SERVER`.
fn parse(text: &str) -> Result<Server, String> {
    let is_label = |label: &str| skills_registry::is_standard_name(label) && label.len() <= 32;
    let (label, rest) = match text.split_once('=') {
        Some((label, rest)) if is_label(label) => (Some(label.to_owned()), rest),
        _ => (None, text),
    };
    if is_label(rest)
        && let Some(found) =
            config::find(Path::new("."), None).servers.into_iter().find(|found| found.name == rest)
    {
        let is_foreign_program = found.url.is_empty();
        let label = label.unwrap_or_else(|| found.name.clone());
        return Ok(Server { label, address: address(found)?, is_foreign_program });
    }
    let address = ServerAddress::parse(rest).map_err(|error| error.to_string())?;
    let label = label.or_else(|| Some(label_of(&address)).filter(|label| is_label(label)));
    let label = label.ok_or("give the server a name: `--mcp NAME=SERVER`")?;
    Ok(Server { label, address, is_foreign_program: false })
}

/// Returns the address of a server in `skills.toml`.
fn address(found: Configured) -> Result<ServerAddress, String> {
    let mut address = match found.command.split_first() {
        Some((program, arguments)) => ServerAddress::command(program, arguments.to_vec()),
        None => ServerAddress::parse(&found.url).map_err(|error| error.to_string())?,
    };
    match &mut address {
        ServerAddress::Http { token, headers, .. } => (*token, *headers) = (found.token, found.headers),
        ServerAddress::Command { environment, .. } => *environment = found.env,
        _ => {}
    }
    Ok(address)
}

/// Returns the servers of `skills.toml` with their names. The file may belong to a cloned repository. So a program
/// that only this file names is left out until the user has approved a skill of it.
pub(crate) fn named() -> Vec<(String, ServerAddress)> {
    let trust = TrustStore::of_user();
    let is_approved = |identity: &str| trust.entries().any(|entry| entry.server() == Some(identity));
    let found = config::find(Path::new("."), None).servers.into_iter();
    let named =
        found.filter_map(|found| Some((found.name.clone(), !found.url.is_empty(), address(found).ok()?)));
    let usable = named.filter(|(_, is_url, address)| *is_url || is_approved(&address.identity()));
    usable.map(|(name, _, address)| (name, address)).collect()
}

/// Derives a name from the host of a URL or from the last path in a command line.
fn label_of(address: &ServerAddress) -> String {
    let text = match address {
        ServerAddress::Http { url, .. } => {
            let rest = url.split_once("://").map_or(url.as_str(), |(_, rest)| rest);
            rest.split(['/', '?', ':']).next().unwrap_or_default().to_owned()
        }
        ServerAddress::Command { program, arguments, .. } => {
            let is_launcher =
                matches!(program.as_str(), "npx" | "uvx" | "bunx" | "node" | "python" | "python3");
            let script = arguments.iter().find(|argument| !argument.starts_with('-')).filter(|_| is_launcher);
            let name = script.unwrap_or(program).rsplit(['/', '\\']).next().unwrap_or_default();
            name.split(['@', '.']).find(|part| !part.is_empty()).unwrap_or_default().to_owned()
        }
        _ => String::new(),
    };
    let plain: String =
        text.to_ascii_lowercase().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let words: Vec<&str> = plain.split('-').filter(|word| !word.is_empty()).collect();
    words.join("-").chars().take(32).collect::<String>().trim_matches('-').to_owned()
}

/// The approval of skills of a server.
pub(crate) mod approval {
    use std::process::ExitCode;

    use skills_commands::call::interrupt;
    use skills_commands::{failure, terminal};
    use skills_load::trust::TrustStore;
    use skills_mcp_host::Cache;
    use skills_report::fix::diff_texts;
    use skills_sign::Difference;

    use super::{RemoteSkills, Servers};
    use crate::trust::Candidate;

    /// Lists the skills of the servers whose current files are not approved.
    pub(crate) fn candidates(servers: &Servers, trust: &TrustStore) -> Result<Vec<Candidate>, String> {
        let mut all = Vec::new();
        for source in servers.open() {
            let (server, list) = (source.server(), source.list());
            if let Some(reason) = list.offline {
                return Err(format!("{}: {reason}", source.label()));
            }
            list.refused.iter().for_each(terminal::error);
            for skill in list.skills {
                let found = skill.contents();
                let change = match trust.approved(&server, &skill.uri) {
                    Some(approved) if *approved == found => None,
                    Some(approved) => Some(Difference::between(approved, &found).to_string()),
                    None => Some(String::new()),
                };
                let name = format!("{}__{}", source.label(), skill.name);
                all.push(Candidate { server: server.clone(), name, skill, change });
            }
        }
        Ok(all)
    }

    /// Logs in to each server with OAuth. The user opens an address in a browser.
    pub(crate) fn login(servers: &Servers) -> Result<(), ExitCode> {
        let no_home = || failure::error("there is no home directory for the login");
        let logins = super::logins().ok_or_else(no_home)?;
        for server in &servers.mcp {
            let show = |url: &str| {
                terminal::note(format_args!("open this address to log in to `{}`:\n{url}", server.label));
            };
            let done = interrupt::run(logins.login(&server.address, show))?;
            done.map_err(|signal| signal.code())?.map_err(failure::error)?;
        }
        Ok(())
    }

    /// Removes the cached files of the servers, and the logins.
    pub(crate) fn forget(servers: &Servers) -> Result<(), String> {
        let kept = |error: std::io::Error| format!("files of the server cannot be removed: {error}");
        for server in &servers.mcp {
            Cache::of_user().remove(&server.address.identity()).map_err(kept)?;
            super::logins().map_or(Ok(()), |logins| logins.remove(&server.address)).map_err(kept)?;
        }
        Ok(())
    }

    /// How many lines of the changed texts of a skill are shown.
    const SHOWN: usize = 1000;

    /// Returns the differences between the approved texts of a skill and its current texts, as a unified
    /// diff.
    pub(crate) fn texts(servers: &Servers, trust: &TrustStore, candidate: &Candidate) -> String {
        let Candidate { server, skill, .. } = candidate;
        let source = servers.open().iter().find(|source| source.server() == *server);
        let Some((source, approved)) = source.zip(trust.approved(server, &skill.uri)) else {
            return String::new();
        };
        let mut out = String::new();
        for file in skill.files.iter().filter(|file| approved.get(&file.path) != Some(&file.sha256)) {
            let path = &file.path;
            let old = approved.get(path).map(|digest| source.cached(&skill.uri, digest));
            if old == Some(None) {
                out.push_str(&format!("the text of {path} that was approved is not in the cache\n"));
            }
            match source.read(skill, file).map(String::from_utf8) {
                Ok(Ok(new)) => {
                    let diff = diff_texts(path, old.flatten().as_deref(), new.as_bytes());
                    out.push_str(&String::from_utf8_lossy(&diff));
                }
                Ok(Err(_)) => out.push_str(&format!("{path} is not a text\n")),
                Err(reason) => out.push_str(&format!("{path} cannot be read: {reason}\n")),
            }
        }
        let end = out.match_indices('\n').nth(SHOWN).map(|(at, _)| at + 1);
        if let Some(end) = end {
            let more = out.split_off(end).lines().count();
            out.push_str(&format!("{more} more lines\n"));
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::{label_of, parse};

    // SPEC 22.8
    #[test]
    fn a_server_has_a_name() {
        for (text, label) in [
            ("https://mcp.example.com:8080/x", "mcp-example-com"),
            ("npx -y @modelcontextprotocol/server-everything@1.2", "server-everything"),
            ("/usr/bin/My.Server --flag", "my"),
            ("docs=/usr/bin/x", "docs"),
            ("uvx mcp_server_git", "mcp-server-git"),
        ] {
            assert_eq!(parse(text).map(|server| server.label), Ok(label.to_owned()), "{text}");
        }
        assert!(parse("http://").is_err() && parse("'").is_err());
        assert_eq!(label_of(&skills_mcp_host::ServerAddress::command("…", Vec::new())), "");
    }
}
