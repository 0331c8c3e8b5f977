//! Converts one entry of `mcp.json` to a [`PluginServer`], or skips it (Agent Plugins 1.0, section 7.2.1). Headers are
//! checked by RFC 9110, section 5.

use std::path::{Path, PathBuf};

use skills_core::read::may_execute;
use skills_core::report::Report;
use skills_core::rule::plugins as rules;
use skills_core::span::Span;
use skills_core::tree::{MapEntry, Node};
use skills_text::{is_secret_header, is_secret_name, path_below};

use super::place::resolve;
use super::url;

/// A server of a plugin as its entry describes it, before expansion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PluginServer {
    /// The name.
    pub name: String,
    /// Its transport.
    pub transport: Transport,
}

/// The transport of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Transport {
    /// A program that the client starts, with MCP on its standard input and output; see
    /// [`launch`](super::launch).
    Stdio {
        /// A bare name, or a path that begins with `./`.
        command: String,
        /// Its arguments.
        args: Vec<String>,
        /// Its environment, in file order.
        env: Vec<(String, String)>,
        /// Its working directory; the root of the plugin by default.
        cwd: Option<String>,
    },
    /// Streamable HTTP.
    StreamableHttp {
        /// The address.
        url: String,
        /// Headers of each request, in file order.
        headers: Vec<(String, String)>,
    },
    /// HTTP with server-sent events, the older transport of MCP.
    Sse {
        /// The address.
        url: String,
        /// Headers of each request, in file order.
        headers: Vec<(String, String)>,
    },
}

const STDIO: [&str; 5] = ["type", "command", "args", "env", "cwd"];
const REMOTE: [&str; 3] = ["type", "url", "headers"];

/// Variables that the client sets itself (9.2).
pub(super) const RESERVED: [&str; 2] = ["PLUGIN_ROOT", "PLUGIN_DATA"];

/// A server while it is read.
struct ServerDraft<'a> {
    name: &'a str,
    node: &'a Node,
    root: &'a Path,
    report: &'a mut Report,
    sound: bool,
}

/// Reads an entry; `None`, with a report, if a client skips it.
pub(super) fn read(entry: &MapEntry, root: &Path, report: &mut Report) -> Option<PluginServer> {
    let mut server = ServerDraft { name: &entry.key, node: &entry.value, root, report, sound: true };
    let transport = server.transport(entry.key_span)?;
    server.sound.then(|| PluginServer { name: entry.key.clone(), transport })
}

impl ServerDraft<'_> {
    fn fault(&mut self, span: Span, title: &str, help: &str) {
        self.sound = false;
        rules::PLUGIN_SERVER
            .report_at(span, format!("server `{}`: {title}", self.name))
            .label("clients skip this server")
            .help(help)
            .add_to(self.report);
    }

    fn transport(&mut self, key: Span) -> Option<Transport> {
        let node = self.node;
        if node.as_map().is_none() {
            self.fault(node.span, "must be an object", "write `{ \"type\": \"stdio\", \"command\": … }`");
            return None;
        }
        let Some(kind) = node.get("type") else {
            self.fault(key, "`type` is missing", "add `\"type\"`: `stdio`, `streamable-http` or `sse`");
            return None;
        };
        match kind.as_string() {
            Some("stdio") => self.stdio(key),
            Some("streamable-http") => {
                self.remote(key).map(|(url, headers)| Transport::StreamableHttp { url, headers })
            }
            Some("sse") => self.remote(key).map(|(url, headers)| Transport::Sse { url, headers }),
            other => {
                let help = match other {
                    Some("http" | "streamableHttp" | "streamable_http") => "change it to `streamable-http`",
                    _ => "write `stdio`, `streamable-http` or `sse`",
                };
                self.fault(kind.span, "unknown `type`", help);
                None
            }
        }
    }

    fn closed(&mut self, fields: &[&str]) {
        for field in self.node.as_map().unwrap_or_default() {
            if !fields.contains(&field.key.as_str()) {
                let title = format!("unknown field `{}`", field.key);
                self.fault(field.key_span, &title, &format!("use one of the fields {}", fields.join(", ")));
            }
        }
    }

    fn required(&mut self, field: &str, key: Span) -> Option<(String, Span)> {
        match self.node.get(field).map(|value| (value, value.as_string())) {
            Some((value, Some(text))) => Some((text.to_owned(), value.span)),
            Some((value, None)) => {
                let title = format!("`{field}` must be a string");
                self.fault(value.span, &title, "write a string in double quotes");
                None
            }
            None => {
                self.fault(key, &format!("`{field}` is missing"), &format!("add the field `{field}`"));
                None
            }
        }
    }

    fn stdio(&mut self, key: Span) -> Option<Transport> {
        self.closed(&STDIO);
        let args = self.args();
        let env = self.texts("env");
        for (name, _, span) in &env {
            if RESERVED.contains(&name.as_str()) {
                let title = format!("`{name}` is set by the client");
                self.fault(*span, &title, "delete it: every server receives it");
            }
            if is_secret_name(name) {
                self.secret(name, *span, "env");
            }
        }
        let cwd = self.node.get("cwd");
        match cwd.map(|cwd| (cwd.as_string(), cwd.span)) {
            None => {}
            Some((Some(text), span)) => self.cwd(text, span),
            Some((None, span)) => {
                self.fault(span, "`cwd` must be a string", "write a path that begins with `./`");
            }
        }
        let cwd = cwd.and_then(Node::as_string).map(str::to_owned);
        let (command, span) = self.required("command", key)?;
        self.command(&command, span);
        let env = env.into_iter().map(|(name, value, _)| (name, value)).collect();
        Some(Transport::Stdio { command, args, env, cwd })
    }

    fn args(&mut self) -> Vec<String> {
        let Some(value) = self.node.get("args") else { return Vec::new() };
        let texts = value.as_list().map(|items| items.iter().map(Node::as_string).collect::<Vec<_>>());
        match texts {
            Some(texts) if texts.iter().all(Option::is_some) => {
                texts.into_iter().flatten().map(str::to_owned).collect()
            }
            _ => {
                self.fault(value.span, "`args` must be a list of strings", "write `[\"--one\", \"two\"]`");
                Vec::new()
            }
        }
    }

    fn texts(&mut self, field: &str) -> Vec<(String, String, Span)> {
        let Some(value) = self.node.get(field) else { return Vec::new() };
        let Some(entries) = value.as_map() else {
            let title = format!("`{field}` must be an object of strings");
            self.fault(value.span, &title, "write `{ \"NAME\": \"value\" }`");
            return Vec::new();
        };
        let mut texts = Vec::new();
        for entry in entries {
            match entry.value.as_string() {
                Some(text) => texts.push((entry.key.clone(), text.to_owned(), entry.key_span)),
                None => {
                    let title = format!("`{field}.{}` must be a string", entry.key);
                    self.fault(entry.value.span, &title, "put it in double quotes");
                }
            }
        }
        texts
    }

    fn command(&mut self, command: &str, span: Span) {
        let is_line =
            ("`command` is a command line, not one token", "move everything after the program to `args`");
        let is_relative = command.starts_with("./");
        let path = resolve(self.root, command);
        if command.is_empty() || command.contains('\0') {
            self.fault(span, "`command` is empty or has a NUL", "name the program to start");
        } else if is_relative && !path.starts_with(self.root) {
            self.fault(span, "`command` leads out of the plugin", "copy the program into the plugin");
        } else if is_relative && !path.is_file() && command.contains(char::is_whitespace) {
            self.fault(span, is_line.0, is_line.1);
        } else if is_relative {
            self.can_start(&path, span);
        } else if command.contains("${") {
            self.fault(
                span,
                "variables are not expanded in `command`",
                "write a path in the plugin that begins with `./`",
            );
        } else if command.contains(['/', '\\']) || command == "." || command == ".." {
            let help = "write a bare name such as `npx`, or a path in the plugin that begins with `./`";
            self.fault(span, "`command` is neither a bare name nor a path that begins with `./`", help);
        } else if command.contains(|c: char| c.is_whitespace() || ";|&<>$`\"'(){}*?".contains(c)) {
            self.fault(span, is_line.0, is_line.1);
        }
    }

    fn can_start(&mut self, path: &Path, span: Span) {
        let what = if !path.is_file() {
            "is not in the plugin"
        } else if std::fs::metadata(path).is_ok_and(|found| may_execute(&found) == Some(false)) {
            "lacks the executable bit"
        } else {
            return;
        };
        rules::PLUGIN_COMMAND
            .report_at(span, format!("server `{}`: its program {what}", self.name))
            .label("the server cannot start")
            .help("add the program to the plugin, with its executable bit")
            .add_to(self.report);
    }

    /// Checks `cwd`. The data directory belongs to the client, so a path below it is checked only by its
    /// text.
    fn cwd(&mut self, cwd: &str, span: Span) {
        let data = PathBuf::from("/plugin-data");
        let value = expand(cwd, &self.root.to_string_lossy(), &data.to_string_lossy());
        let fits = if cwd.starts_with("./") {
            resolve(self.root, value.trim_start_matches("./").trim_start_matches('/')).starts_with(self.root)
        } else if path_below(cwd, "${PLUGIN_ROOT}").is_some() {
            resolve(self.root, &value).starts_with(self.root)
        } else if path_below(cwd, "${PLUGIN_DATA}").is_some() {
            lexical(&value).starts_with(&data)
        } else {
            let help = "write a path that begins with `./`, `${PLUGIN_ROOT}/` or `${PLUGIN_DATA}/`";
            return self.fault(span, "`cwd` does not begin with a known directory", help);
        };
        if !fits || cwd.contains('\0') {
            self.fault(span, "`cwd` leads out of its directory", "name a directory below that directory");
        }
    }

    fn remote(&mut self, key: Span) -> Option<(String, Vec<(String, String)>)> {
        self.closed(&REMOTE);
        let headers = self.texts("headers");
        let mut seen: Vec<String> = Vec::new();
        for (name, value, span) in &headers {
            if let Some(fault) = header_fault(name, value) {
                self.fault(*span, &format!("header `{name}` {fault}"), "write a valid HTTP header");
            }
            let folded = name.to_ascii_lowercase();
            if seen.contains(&folded) {
                let title = format!("header `{name}` is given twice");
                self.fault(*span, &title, "keep one of them: letter case does not matter in header names");
            }
            seen.push(folded);
            if is_secret_header(name) {
                self.secret(name, *span, "headers");
            }
        }
        let (url, span) = self.required("url", key)?;
        if let Some(fault) = url::fault(&url) {
            let help = "write an address such as `https://example.com/mcp`";
            self.fault(span, &format!("`url` {fault}"), help);
        }
        Some((url, headers.into_iter().map(|(name, value, _)| (name, value)).collect()))
    }

    /// Warns of an apparent credential: everyone who has the package can read it (7.2.1, 9.2).
    fn secret(&mut self, name: &str, span: Span, field: &str) {
        rules::PLUGIN_SECRET
            .report_at(span, format!("server `{}`: `{name}` seems to contain a secret", self.name))
            .label("everyone who has the plugin can read it")
            .help(format!("remove it from `{field}`: the user gives it to the client or to the server"))
            .add_to(self.report);
    }
}

fn lexical(path: &str) -> PathBuf {
    let mut at = PathBuf::new();
    for part in Path::new(path).components() {
        match part {
            std::path::Component::ParentDir => {
                at.pop();
            }
            other => at.push(other),
        }
    }
    at
}

/// Returns the fault of a header; `None` if it is valid in HTTP.
fn header_fault(name: &str, value: &str) -> Option<&'static str> {
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    if name.is_empty() || !name.bytes().all(is_token) {
        return Some("has a name that is not valid in HTTP");
    }
    if value.chars().any(|c| c.is_control() && c != '\t') {
        return Some("has a control character in its value");
    }
    if value.starts_with([' ', '\t']) || value.ends_with([' ', '\t']) {
        return Some("has a value that begins or ends with spaces");
    }
    None
}

/// Replaces `${PLUGIN_ROOT}` and `${PLUGIN_DATA}` once; the inserted text is not expanded again, and nothing
/// else is expanded.
pub fn expand(value: &str, root: &str, data: &str) -> String {
    let mut out = String::with_capacity(value.len());
    let mut rest = value;
    while let Some(at) = rest.find("${PLUGIN_") {
        let (before, found) = rest.split_at(at);
        out.push_str(before);
        let known = [("${PLUGIN_ROOT}", root), ("${PLUGIN_DATA}", data)];
        let (length, put) = known
            .into_iter()
            .find(|(name, _)| found.starts_with(name))
            .map_or((2, "${"), |(name, value)| (name.len(), value));
        out.push_str(put);
        rest = found.get(length..).unwrap_or_default();
    }
    out.push_str(rest);
    out
}
