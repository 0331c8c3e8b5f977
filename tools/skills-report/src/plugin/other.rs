//! The manifests of Codex, Cursor and Gemini CLI, as far as their documentation fixes them.
//!
//! - Codex: <https://developers.openai.com/codex/plugins/build>
//! - Cursor: <https://cursor.com/docs/plugins/building>
//! - Gemini CLI: <https://geminicli.com/docs/extensions/reference>

use skills_core::rule::plugins as rules;
use skills_core::span::Span;
use skills_core::tree::{MapEntry, Node};

use super::Work;
use super::place;

/// A client with a manifest of its own.
pub(super) struct PluginClient {
    /// The name of the client.
    title: &'static str,
    /// The path of the manifest in the plugin.
    pub(super) file: &'static str,
    /// Required fields, which are texts.
    required: &'static [&'static str],
    /// Whether a name may have dots.
    has_dots: bool,
    /// Fields that name a path in the plugin, or a list of such paths.
    paths: &'static [&'static str],
    /// Fields that may also hold the contents of the file that they name.
    inline: &'static [&'static str],
}

pub(super) const CODEX: PluginClient = PluginClient {
    title: "Codex",
    file: ".codex-plugin/plugin.json",
    required: &["name"],
    has_dots: false,
    paths: &["skills", "apps", "mcpServers", "hooks"],
    inline: &["mcpServers", "hooks"],
};

pub(super) const CURSOR: PluginClient = PluginClient {
    title: "Cursor",
    file: ".cursor-plugin/plugin.json",
    required: &["name"],
    has_dots: true,
    paths: &["skills", "rules", "agents", "commands", "hooks", "mcpServers"],
    inline: &["hooks", "mcpServers"],
};

pub(super) const GEMINI: PluginClient = PluginClient {
    title: "Gemini CLI",
    file: "gemini-extension.json",
    required: &["name", "version"],
    has_dots: false,
    paths: &["contextFileName"],
    inline: &[],
};

/// The parts of a manifest that decide what is loaded.
#[derive(Default)]
pub(super) struct ClientManifest {
    pub(super) accepted: bool,
    pub(super) name: Option<String>,
    /// The directory of the skills, if it is not `skills`.
    pub(super) skills: Option<String>,
}

/// Checks the manifest of a client, if there is one.
pub(super) fn read(work: &mut Work<'_>, client: &PluginClient) -> ClientManifest {
    let before = work.report.diagnostics.len();
    let node = match place::read(work.root, client.file) {
        None => None,
        Some(Ok(text)) => work.json(client.file, text).1,
        Some(Err(reason)) => {
            let span = work.path(client.file);
            let title = format!("`{}` cannot be read: {reason}", client.file);
            fault(work, client, span, &title, "create a JSON file at this path");
            None
        }
    };
    let Some(node) = node else { return ClientManifest::default() };
    let Some(entries) = node.as_map() else {
        fault(work, client, node.span, "the file must be an object", "write `{ \"name\": … }`");
        return ClientManifest::default();
    };
    for required in client.required.iter().filter(|key| node.get(key).is_none()) {
        let title = format!("the plugin has no `{required}`");
        fault(work, client, node.span.head(), &title, &format!("add `\"{required}\": \"…\"`"));
    }
    entries.iter().for_each(|entry| field(work, client, entry));
    let text = |key: &str| node.get(key).and_then(Node::as_string).map(str::to_owned);
    let skills = text("skills").filter(|_| client.paths.contains(&"skills"));
    let skills = skills.map(|path| path.trim_start_matches("./").trim_end_matches('/').to_owned());
    let accepted = work.report.diagnostics.len() == before;
    ClientManifest { accepted, name: text("name"), skills: skills.filter(|_| accepted) }
}

fn field(work: &mut Work<'_>, client: &PluginClient, MapEntry { key, value, .. }: &MapEntry) {
    let key = key.as_str();
    if key == "name" {
        let is_good = value.as_string().is_some_and(|name| is_name(name, client.has_dots));
        if !is_good {
            let title = "the name of the plugin is not in kebab case";
            fault(work, client, value.span, title, "write a name in kebab case, such as `my-plugin`");
        }
    } else if ["version", "description"].contains(&key) && value.as_string().is_none() {
        fault(work, client, value.span, &format!("`{key}` must be a string"), "put it in double quotes");
    } else if client.paths.contains(&key) {
        let items = value.as_list().unwrap_or(std::slice::from_ref(value));
        for item in items.iter().filter(|item| !(client.inline.contains(&key) && item.as_map().is_some())) {
            path(work, client, key, item);
        }
    }
}

fn path(work: &mut Work<'_>, client: &PluginClient, key: &str, item: &Node) {
    let Some(text) = item.as_string() else {
        let title = format!("`{key}` must be a path or a list of paths");
        return fault(work, client, item.span, &title, "write a path in the plugin");
    };
    // A pattern need not match a file.
    let found = place::fault(work.root, text).filter(|_| !text.contains('*') || skills_text::leads_up(text));
    if let Some(what) = found {
        fault(work, client, item.span, &format!("`{key}`: {what}"), "write a path in the plugin");
    }
}

/// Returns `true` if a name is in kebab case, in which some clients allow dots.
fn is_name(name: &str, has_dots: bool) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let ends = [name.bytes().next(), name.bytes().last()];
    ends.into_iter().all(|byte| byte.is_some_and(is_plain))
        && name.bytes().all(|byte| is_plain(byte) || byte == b'-' || (has_dots && byte == b'.'))
}

fn fault(work: &mut Work<'_>, client: &PluginClient, span: Span, title: &str, help: &str) {
    let label = format!("{} rejects it", client.title);
    rules::PLUGIN_CLIENT.report_at(span, title).label(label).help(help).add_to(&mut work.report);
}
