//! Reads `mcp.json`: the servers of a plugin, each checked by itself (Agent Plugins 1.0, sections 7.2.1 and
//! 7.2.2).

use skills_core::diagnostic::Diagnostic;
use skills_core::rule::plugins as rules;
use skills_core::tree::Node;
use skills_text::sort;

use super::place::{self, PluginPath};
use super::server::{self, PluginServer};
use super::{MCP_SCHEMA, Work, skills};

const FILE: &str = "mcp.json";

/// Reads the servers, sorted by name. A fault of the whole file drops all servers. A fault of an entry drops
/// only that server.
pub(super) fn read(work: &mut Work<'_>) -> Vec<PluginServer> {
    let path = match place::find(work.root, FILE) {
        PluginPath::Missing => return Vec::new(),
        PluginPath::Inside(path, metadata) if metadata.is_file() => path,
        PluginPath::Inside(..) => return skills::component(work, FILE, "is not a file"),
        PluginPath::Outside => return skills::component(work, FILE, "leads out of the plugin"),
    };
    let text = match place::text(work.root, &path) {
        Ok(text) => text,
        Err(reason) => return skills::component(work, FILE, &format!("cannot be read: {reason}")),
    };
    let (head, node) = work.json(FILE, text);
    let Some(node) = node else {
        work.skipped = true;
        return Vec::new();
    };
    let faults = faults(&node, head);
    if !faults.is_empty() {
        work.skipped = true;
        work.report.diagnostics.extend(faults);
        return Vec::new();
    }
    let mut servers = Vec::new();
    for entry in node.get("mcpServers").and_then(Node::as_map).unwrap_or_default() {
        match server::read(entry, work.root, &mut work.report) {
            Some(server) => servers.push(server),
            None => work.skipped = true,
        }
    }
    sort(&mut servers, &|a, b| a.name.cmp(&b.name));
    servers
}

/// Returns the faults of the file as a whole.
fn faults(node: &Node, head: skills_core::span::Span) -> Vec<Diagnostic> {
    let fault = |span, title: String, help: &str| {
        rules::PLUGIN_MCP.report_at(span, title).label("clients start no server of this plugin").help(help)
    };
    let Some(entries) = node.as_map() else {
        let title = format!("`mcp.json` must be an object, found {}", node.describe_json());
        return vec![fault(node.span, title, "write `{ \"$schema\": …, \"mcpServers\": { … } }`")];
    };
    let mut faults = Vec::new();
    for entry in entries {
        let value = &entry.value;
        match entry.key.as_str() {
            "$schema" if value.as_string() == Some(MCP_SCHEMA) => {}
            "$schema" => {
                let version = value.as_string().and_then(|text| super::manifest::version(text, "mcp"));
                let title = match version {
                    Some(version) => format!("`mcp.json` has version {version}, but `plugin.json` has 1.0.0"),
                    None => "`$schema` does not identify a version of Agent Plugins".to_owned(),
                };
                faults.push(fault(value.span, title, &format!("write `{MCP_SCHEMA}`")));
            }
            "mcpServers" if value.as_map().is_some() => {}
            "mcpServers" => {
                let title = format!("`mcpServers` must be an object, found {}", value.describe_json());
                let help = "write an object from the name of each server to its settings";
                faults.push(fault(value.span, title, help));
            }
            other => {
                let help = "delete it: `mcp.json` has only `$schema` and `mcpServers`";
                faults.push(fault(entry.key_span, format!("unknown field `{other}`"), help));
            }
        }
    }
    for (required, form) in [("$schema", MCP_SCHEMA), ("mcpServers", "{}")] {
        if node.entry(required).is_none() {
            let help = format!("add the field `{required}`: {form}");
            faults.push(fault(head, format!("`{required}` is missing"), &help));
        }
    }
    faults
}
