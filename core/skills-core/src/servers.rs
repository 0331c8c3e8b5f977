//! The MCP servers in a `skills.toml`: `[mcp.NAME]` with a URL or a command.

use crate::config::{strings, wrong};
use crate::report::Report;
use crate::rule::config as rules;
use crate::tree::{MapEntry, Node};

/// An MCP server of a project.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProjectServer {
    /// Its name.
    pub name: String,
    /// Its URL. Empty for a command.
    pub url: String,
    /// The program that serves over its standard streams, and its arguments. Empty for a URL.
    pub command: Vec<String>,
    /// The environment variable with the bearer token for the URL.
    pub token: Option<String>,
    /// More headers for the URL, each with the variable that has its value.
    pub headers: Vec<(String, String)>,
    /// The environment variables that the program gets in addition to the default ones.
    pub env: Vec<String>,
}

const FORM: &str = "[mcp.docs]\nurl = \"https://docs.example/mcp\"";

/// Reads the table `mcp`. Invalid servers are reported and left out.
pub(crate) fn read(entry: &MapEntry, report: &mut Report) -> Vec<ProjectServer> {
    let Some(servers) = entry.value.as_map() else {
        report.push(wrong(&entry.value, "a table of servers", FORM));
        return Vec::new();
    };
    servers.iter().filter_map(|server| read_server(server, report)).collect()
}

fn read_server(entry: &MapEntry, report: &mut Report) -> Option<ProjectServer> {
    let Some(keys) = entry.value.as_map() else {
        report.push(wrong(&entry.value, "a table with `url` or `command`", FORM));
        return None;
    };
    let mut server = ProjectServer { name: entry.key.clone(), ..ProjectServer::default() };
    let text = |node: &Node, report: &mut Report| match node.as_string() {
        Some(text) => text.to_owned(),
        None => {
            report.push(wrong(node, "a string", FORM));
            String::new()
        }
    };
    let texts = |entry: &MapEntry, report: &mut Report| -> Vec<String> {
        strings(entry, report).into_iter().map(|(text, _)| text).collect()
    };
    for key in keys {
        match key.key.as_str() {
            "url" => server.url = text(&key.value, report),
            "command" => server.command = texts(key, report),
            "token" => server.token = Some(text(&key.value, report)),
            "env" => server.env = texts(key, report),
            "headers" => {
                let headers = key.value.as_map().unwrap_or_default().iter();
                server.headers =
                    headers.map(|header| (header.key.clone(), text(&header.value, report))).collect();
            }
            other => report.push(
                rules::CONFIG_INVALID
                    .report_at(key.key_span, format!("unknown key `{other}` of an MCP server"))
                    .label("no such option")
                    .help("use `url` with `token` and `headers`, or `command` with `env`"),
            ),
        }
    }
    if server.url.is_empty() == server.command.is_empty() {
        report.push(wrong(&entry.value, "either `url` or `command`", FORM));
        return None;
    }
    Some(server)
}
