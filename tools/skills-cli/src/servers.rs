//! `--mcp SERVER`: the skills of MCP servers, as layers below all others, and the decision whether a server may be used.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use clap::Args;
use skills_commands::failure::CommandError;
use skills_core::config::{self, ProjectServer as Configured};
use skills_core::read::SETTINGS_FILE;
use skills_load::trust::TrustStore;
use skills_load::{LayersBuilder, RemoteSkills};
use skills_mcp_client::host::{McpHost, McpSkills};
use skills_mcp_client::{Approved, Error, Logins, ProjectServer};
use skills_mcp_client::{Options, ServerAddress};
use skills_text::shell_word;

/// MCP servers whose skills are read.
#[derive(Debug, Args)]
pub(crate) struct SkillServers {
    /// Read the skills of an MCP server, and without DIR only these (repeatable): a URL, a command line in one argument, or
    /// a server of skills.toml. NAME=SERVER sets the name before its skills: NAME__SKILL
    #[arg(long = "mcp", value_name = "SERVER", value_parser = NamedServer::parse)]
    mcp: Vec<NamedServer>,
    #[arg(skip)]
    opened: OnceLock<Result<Vec<Arc<McpSkills>>, CommandError>>,
}

/// A server that an argument or a skill names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NamedServer {
    label: String,
    address: ServerAddress,
    /// The name and the project, if a file of a project names the address. `None` if the user typed it.
    named_by: Option<(String, PathBuf)>,
}

impl NamedServer {
    /// Parses `SERVER` or `NAME=SERVER`.
    fn parse(text: &str) -> Result<Self, CommandError> {
        let (label, rest) = match text.split_once('=') {
            Some((label, rest)) if is_label(label) => (Some(label.to_owned()), rest),
            _ => (None, text),
        };
        let found = match Self::of_config(rest)? {
            Some(found) => found,
            None => Self::typed(rest)?,
        };
        let label = label.or_else(|| Some(found.label.clone()).filter(|label| is_label(label)));
        let label = label.ok_or("give the server a name: `--mcp NAME=SERVER`")?;
        Ok(Self { label, ..found })
    }

    /// Returns the server that an argument of `pin` names, which needs no label.
    pub(crate) fn of_argument(text: &str) -> Result<Self, CommandError> {
        match Self::of_config(text)? {
            Some(found) => Ok(found),
            None if is_name(text) => Err(unknown(text)),
            None => Self::typed(text),
        }
    }

    fn typed(text: &str) -> Result<Self, CommandError> {
        let address = ServerAddress::parse(text).map_err(CommandError::new)?;
        Ok(Self { label: label_of(&address), address, named_by: None })
    }

    /// Finds a server by its name in the `skills.toml` of the current directory.
    fn of_config(name: &str) -> Result<Option<Self>, CommandError> {
        if !is_name(name) {
            return Ok(None);
        }
        let config = config::find(Path::new("."), None);
        let project = config.path.as_deref().and_then(Path::parent).map(Path::to_owned).unwrap_or_default();
        let Some(found) = config.servers.into_iter().find(|found| found.name == name) else {
            return Ok(None);
        };
        let (label, name) = (found.name.clone(), found.name.clone());
        Ok(Some(Self { label, address: address(found)?, named_by: Some((name, project)) }))
    }

    /// Returns the server that the `skill.json` of a skill names.
    pub(crate) fn of_skill(text: &str, directory: &Path) -> Result<Self, CommandError> {
        if let Some(found) = Self::of_config(text)? {
            return Ok(found);
        }
        if is_name(text) {
            return Err(unknown(text));
        }
        let project = project_of(directory)?;
        let found = Self::typed(text)?;
        Ok(Self { named_by: Some((found.identity(), project)), ..found })
    }

    /// Returns the text by which a `skill.json` names the server: its name in `skills.toml`, a URL, or a command line.
    pub(crate) fn text(&self) -> String {
        match &self.named_by {
            Some((name, _)) => name.clone(),
            None => self.identity(),
        }
    }

    /// Returns the address as it is stored with an approval of a skill.
    fn identity(&self) -> String {
        self.address.identity()
    }

    pub(crate) fn is_typed(&self) -> bool {
        self.named_by.is_none()
    }

    /// Returns the server as a project names it. A server that the user typed belongs to the project of the directory.
    pub(crate) fn of_project(&self, directory: &Path) -> Result<ProjectServer, CommandError> {
        let (name, project) = match &self.named_by {
            Some((name, project)) => (name.clone(), project.clone()),
            None => (self.identity(), project_of(directory)?),
        };
        ProjectServer::new(name, self.address.clone(), &project).map_err(CommandError::new)
    }

    /// Decides whether the server may be used: the user typed its address for this command, or has approved what the
    /// project names. A single word may be a name in a `skills.toml` that has a fault, so it counts as a name. Every
    /// command asks here.
    pub(crate) fn decide(&self) -> Result<Approved, Error> {
        match &self.named_by {
            None if !is_name(&self.identity()) => Ok(Approved::typed(self.address.clone())),
            _ => self.decide_stored(Path::new(".")),
        }
    }

    /// Decides by the trust file alone.
    fn decide_stored(&self, directory: &Path) -> Result<Approved, Error> {
        let server = self.of_project(directory).map_err(|error| Error::Address(error.to_string()))?;
        Approved::stored(&server, &TrustStore::of_user()).map_err(|error| match error {
            Error::NotApproved(why) => {
                let here = fs::canonicalize(".").ok();
                let place = match here.is_some_and(|here| here.starts_with(server.project())) {
                    true => String::new(),
                    false => format!(" in {}", server.project().display()),
                };
                let word = shell_word(&self.text()).into_owned();
                Error::NotApproved(format!("{why}\nif you want that, run `skills trust --mcp {word}`{place}"))
            }
            other => other,
        })
    }
}

fn is_label(label: &str) -> bool {
    skills_registry::is_standard_name(label) && label.len() <= 32
}

/// Returns `true` if a text is the name of a server, and neither a URL nor a command line.
fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
}

fn unknown(name: &str) -> CommandError {
    let next = "name it in skills.toml, or write the path of its program";
    format!("no server with the name `{name}` is known; {next}").into()
}

/// Returns the project of a directory: the nearest directory with a `skills.toml` or a repository, or else the current
/// directory if it is above, or else the directory itself.
fn project_of(directory: &Path) -> Result<PathBuf, CommandError> {
    let real = fs::canonicalize(directory).map_err(|error| CommandError::unreadable(directory, error))?;
    for above in real.ancestors() {
        if above.join(SETTINGS_FILE).is_file() || above.join(".git").exists() {
            return Ok(above.to_owned());
        }
    }
    let here = fs::canonicalize(".").unwrap_or_default();
    Ok(if real.starts_with(&here) { here } else { real })
}

impl SkillServers {
    pub(crate) fn is_empty(&self) -> bool {
        self.mcp.is_empty()
    }

    /// Returns the skills of each server, if each may be used. The connections are shared by all calls.
    pub(crate) fn open(&self) -> Result<&[Arc<McpSkills>], CommandError> {
        self.open_by(NamedServer::decide)
    }

    fn open_by(
        &self,
        decide: impl Fn(&NamedServer) -> Result<Approved, Error>,
    ) -> Result<&[Arc<McpSkills>], CommandError> {
        let opened = self.opened.get_or_init(|| {
            let approved = self.mcp.iter().map(|server| Ok((server, decide(server)?)));
            let approved = approved.collect::<Result<Vec<_>, Error>>().map_err(CommandError::new)?;
            let host = McpHost::new().map_err(CommandError::new)?;
            let mut all = Vec::new();
            for (server, approved) in approved {
                let skills = host.skills(&server.label, approved, options()).map_err(CommandError::new)?;
                all.push(Arc::new(skills));
            }
            Ok(all)
        });
        opened.as_deref().map_err(Clone::clone)
    }

    /// Adds the servers as layers, if each may be used; [`check`](Self::check) reports the others.
    pub(crate) fn add(&self, builder: LayersBuilder) -> LayersBuilder {
        let open = self.open().unwrap_or_default();
        open.iter().fold(builder, |builder, server| builder.mcp(Arc::clone(server)))
    }

    /// Returns the name and the address of each server, as they are stored with the approval of a skill.
    pub(crate) fn identities(&self) -> impl Iterator<Item = (&str, String)> {
        self.mcp.iter().map(|server| (server.label.as_str(), server.identity()))
    }

    /// Returns an error if a server may not be used.
    pub(crate) fn check(&self) -> Result<(), CommandError> {
        self.open().map(drop)
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
    TrustStore::of_user().path().map(|path| Logins::in_directory(path.with_file_name("mcp-logins")))
}

/// Returns the address of a server in `skills.toml`.
fn address(found: Configured) -> Result<ServerAddress, CommandError> {
    let mut address = match found.command.split_first() {
        Some((program, arguments)) => ServerAddress::command(program, arguments.to_vec()),
        None => ServerAddress::parse(&found.url).map_err(CommandError::new)?,
    };
    match &mut address {
        ServerAddress::Http { token, headers, .. } => (*token, *headers) = (found.token, found.headers),
        ServerAddress::Command { environment, .. } => *environment = found.env,
        _ => {}
    }
    Ok(address)
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

/// The MCP servers of skills of mode `mcp`, for the commands that call skills.
pub(crate) mod tool_servers {
    use std::path::Path;

    use skills_call::Runner;
    use skills_call::mcp::ToolServer;
    use skills_mcp_client::{Approved, Error, Servers};

    use super::NamedServer;

    /// Gives a runner the servers that its skills name, each as soon as the user has approved it.
    pub(crate) fn connect(runner: Runner) -> Runner {
        runner.mcp(Servers::new(super::options()).approve_with(decide))
    }

    fn decide(server: ToolServer<'_>) -> Result<Approved, Error> {
        let directory = server.directory.unwrap_or(Path::new("."));
        NamedServer::of_skill(server.text, directory)
            .map_err(|error| Error::Address(error.to_string()))?
            .decide()
    }
}

/// The approval of skills of a server.
pub(crate) mod approval {
    use std::path::{Path, PathBuf};
    use std::process::ExitCode;

    use skills_commands::call::interrupt;
    use skills_commands::failure::{self, CommandError};
    use skills_commands::terminal;
    use skills_load::trust::{TrustStore, TrustStoreError};
    use skills_mcp_client::ServerUse;
    use skills_mcp_client::host::Cache;
    use skills_report::fix::diff_texts;
    use skills_sign::Difference;

    use super::{RemoteSkills, SkillServers};
    use crate::trust::Candidate;

    /// Finds out what each server would do, before anything is started or sent.
    pub(crate) fn uses<'s>(
        servers: &'s SkillServers,
        trust: &TrustStore,
    ) -> Result<Vec<(&'s str, ServerUse)>, CommandError> {
        let mut uses = Vec::new();
        for server in &servers.mcp {
            let found = server.of_project(Path::new("."))?.examine(trust);
            uses.push((server.label.as_str(), found.map_err(CommandError::new)?));
        }
        Ok(uses)
    }

    /// Lists the skills of the servers, which the user has approved, whose current files are not approved.
    pub(crate) fn candidates(
        servers: &SkillServers,
        trust: &TrustStore,
    ) -> Result<Vec<Candidate>, CommandError> {
        let mut all = Vec::new();
        for source in servers.open_by(|server| server.decide_stored(Path::new(".")))? {
            let (server, list) = (source.server(), source.list());
            if let Some(reason) = list.offline {
                return Err(format!("{}: {reason}", source.label()).into());
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
    pub(crate) fn login(servers: &SkillServers) -> Result<(), ExitCode> {
        let Some(logins) = super::logins() else {
            return Err(failure::error("there is no home directory for the login"));
        };
        for server in &servers.mcp {
            let approved = server.decide_stored(Path::new(".")).map_err(failure::error)?;
            let login = logins.login(&approved, |url| {
                terminal::note(format_args!("open this address to log in to `{}`:\n{url}", server.label));
            });
            let done = interrupt::run(login)?;
            done.map_err(|signal| signal.code())?.map_err(failure::error)?;
        }
        Ok(())
    }

    /// Withdraws the approvals of the servers. Returns the names of the servers that had an approval.
    pub(crate) fn withdraw(
        servers: &SkillServers,
        trust: &mut TrustStore,
    ) -> Result<Vec<PathBuf>, CommandError> {
        let mut gone = Vec::new();
        for server in &servers.mcp {
            match server.of_project(Path::new("."))?.revoke(trust) {
                Ok(()) => gone.push(PathBuf::from(&server.label)),
                Err(TrustStoreError::NotTrusted(_)) => {}
                Err(error) => return Err(CommandError::new(error)),
            }
        }
        Ok(gone)
    }

    /// Removes the cached files of the servers, and the logins.
    pub(crate) fn forget(servers: &SkillServers) -> Result<(), CommandError> {
        for server in &servers.mcp {
            let removed = Cache::of_user().remove(&server.address.identity());
            let removed = removed.and_then(|()| match super::logins() {
                Some(logins) => logins.remove(&server.address),
                None => Ok(()),
            });
            removed.map_err(|error| format!("files of the server cannot be removed: {error}"))?;
        }
        Ok(())
    }

    /// How many lines of the changed texts of a skill are shown.
    const SHOWN: usize = 1000;

    /// Returns the differences between the approved texts of a skill and its current texts, as a unified
    /// diff.
    pub(crate) fn texts(servers: &SkillServers, trust: &TrustStore, candidate: &Candidate) -> String {
        let Candidate { server, skill, .. } = candidate;
        let open = servers.open().unwrap_or_default();
        let source = open.iter().find(|source| source.server() == *server);
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
    use super::{NamedServer, label_of};

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
            assert_eq!(NamedServer::parse(text).expect("a server").label, label, "{text}");
        }
        assert!(NamedServer::parse("http://").is_err() && NamedServer::parse("'").is_err());
        assert_eq!(label_of(&skills_mcp_client::ServerAddress::command("…", Vec::new())), "");
    }
}
