//! Packs skills as a plugin in the format Agent Plugins 1.0: a manifest, the skills, and the server that
//! calls them.

mod pack;

pub use pack::{Pack, ServedBy};

use std::io;
use std::path::Path;
use std::process::ExitCode;

use skills_files::Root;
use skills_registry::plugin_name_fault;
use skills_schema::json::Node;
use skills_schema::json::make::{array, object, string};

use crate::failure::{self, CommandError};
use crate::steps::FileStep;

const SCHEMA: &str = "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json";
const MCP_SCHEMA: &str = "https://agent-plugins.org/schemas/1.0.0/mcp.schema.json";

/// The fields of the plugin manifest.
#[derive(Debug)]
pub struct PluginManifest<'a> {
    pub name: &'a str,
    pub version: &'a str,
    pub description: Option<&'a str>,
}

impl PluginManifest<'_> {
    /// Returns the text of `plugin.json`.
    pub fn text(&self) -> String {
        let mut members = vec![("$schema", string(SCHEMA))];
        members.extend(self.members());
        file(&object(members))
    }

    /// Returns the text of `.claude-plugin/plugin.json`, which also tells Claude where the server is.
    pub fn claude_text(&self, server: Option<&ServedBy>) -> String {
        let mut members = self.members();
        members.extend(server.map(|server| ("mcpServers", object([(self.name, server.claude_entry())]))));
        file(&object(members))
    }

    /// Returns the text of `mcp.json`.
    pub fn servers_text(&self, server: &ServedBy) -> String {
        let servers = object([(self.name, server.entry())]);
        file(&object([("$schema", string(MCP_SCHEMA)), ("mcpServers", servers)]))
    }

    fn members(&self) -> Vec<(&'static str, Node)> {
        let mut members = vec![("name", string(self.name)), ("version", string(self.version))];
        members.extend(self.description.map(|text| ("description", string(text))));
        members
    }
}

impl ServedBy {
    fn entry(&self) -> Node {
        let args = array(self.args.iter().map(|word| string(word.as_str())));
        object([("type", string("stdio")), ("command", string(self.command.as_str())), ("args", args)])
    }

    fn claude_entry(&self) -> Node {
        let command = match self.command.strip_prefix("./") {
            Some(path) => format!("${{CLAUDE_PLUGIN_ROOT}}/{path}"),
            None => self.command.clone(),
        };
        let args = self.args.iter().map(|word| word.replace("${PLUGIN_ROOT}", "${CLAUDE_PLUGIN_ROOT}"));
        object([("command", string(command)), ("args", array(args.map(string)))])
    }
}

fn file(node: &Node) -> String {
    format!("{}\n", node.indented(0))
}

/// Rejects an invalid plugin name, as `skills plugin check` does, and suggests a valid one.
pub fn check_name(name: &str) -> Result<(), CommandError> {
    let Some(fault) = plugin_name_fault(name) else { return Ok(()) };
    let near = plugin_name(name).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    Err(format!("`{name}` is not a valid plugin name: it {fault}{near}").into())
}

/// Converts any name to a plugin name (Agent Plugins 1.0, section 5.5). A valid name stays unchanged. Returns
/// `None` if no character of the name is allowed.
pub fn plugin_name(name: &str) -> Option<String> {
    if plugin_name_fault(name).is_none() {
        return Some(name.to_owned());
    }
    let mut out = String::new();
    for c in name.chars().flat_map(char::to_lowercase) {
        let c = if c.is_ascii_alphanumeric() || c == '.' { c } else { '-' };
        if !(matches!(c, '-' | '.') && (out.is_empty() || out.ends_with(['-', '.']))) {
            out.push(c);
        }
    }
    out.truncate(64);
    let name = out.trim_end_matches(['-', '.']);
    (!name.is_empty()).then(|| name.to_owned())
}

/// Prints that a plugin cannot be written.
pub fn unwritten(root: &Path, problem: &io::Error) -> ExitCode {
    failure::error(format!("{} cannot be written: {problem}", root.display()))
}

/// Writes a file of a plugin and records it. Keeps an existing file with other contents unless it may be
/// replaced.
pub fn write(
    root: &Root,
    path: &str,
    text: &str,
    replaces: bool,
    done: &mut Vec<FileStep>,
) -> io::Result<()> {
    let path = Path::new(path);
    let (dir, name) = root.create_parent(path)?;
    let is_same = dir.read(&name, text.len() as u64).is_ok_and(|found| found == text.as_bytes());
    let word = match dir.metadata(&name)? {
        Some(_) if is_same => return Ok(()),
        Some(_) if !replaces => "keep",
        Some(_) => "replace",
        None => "create",
    };
    done.push(FileStep::new(word, path.to_string_lossy()));
    if word == "keep" {
        return Ok(());
    }
    dir.replace(&name, text.as_bytes(), None)
}

#[cfg(test)]
mod tests {
    use super::{check_name, plugin_name};

    // SPEC 15.2, 15.10: names that the checker accepts are accepted, and only the others get a suggestion
    #[test]
    fn a_valid_name_is_used_unchanged() {
        for name in ["a.-b", "a-.b", "my-agent"] {
            assert!(check_name(name).is_ok(), "{name}");
        }
        let expected = "`a..b` is not a valid plugin name: it has two periods in a row; did you mean `a.b`?";
        assert_eq!(check_name("a..b").unwrap_err().to_string(), expected);
        assert_eq!(check_name("").unwrap_err().to_string(), "`` is not a valid plugin name: it is empty");
    }

    // SPEC 15.10
    #[test]
    fn any_name_is_converted_to_a_plugin_name() {
        for (name, expected) in [
            ("my_agent", "my-agent"),
            ("My Agent!", "my-agent"),
            ("a..b--c", "a.b-c"),
            ("-x-", "x"),
            ("a.-b", "a.-b"),
            ("a.-B", "a.b"),
        ] {
            assert_eq!(plugin_name(name).as_deref(), Some(expected), "{name}");
        }
        assert_eq!(plugin_name("技能"), None);
        assert_eq!(plugin_name(&"a-".repeat(100)).map(|name| name.len()), Some(63));
    }
}
