//! The skill of a tool before it is written.

use std::path::Path;

use serde_json::{Value, json};
use skills_call::mcp::ToolDefinition;
use skills_commands::failure::CommandError;
use skills_core::level::Level;
use skills_core::name::{Spelling, device, fault};
use skills_core::options::Options;
use skills_core::print::cargo;
use skills_schema::json::Node;
use skills_schema::json::make::{object, string};
use skills_text::{cut, visible};

use super::pinned;
use crate::report::{NewFile, check_texts};

/// A skill that can be written.
pub(super) struct PinDraft {
    /// The name of the function and of its directory.
    pub(super) name: String,
    /// The directory as the user writes it.
    pub(super) label: String,
    pub(super) definition: ToolDefinition,
    pub(super) files: Vec<NewFile>,
    /// What `skills check` warns of.
    pub(super) warnings: Vec<String>,
}

impl PinDraft {
    /// Creates the skill for a tool. Returns `None` if the directory already pins the same tool.
    ///
    /// # Errors
    /// The reason why the tool cannot be pinned.
    pub(super) fn new(
        tool: &Value,
        server: &str,
        prefix: &str,
        to: &Path,
        root: &Path,
    ) -> Result<Option<Self>, CommandError> {
        Self::unnamed(tool, server, prefix, to, root).map_err(|why| {
            let shown = tool.get("name").and_then(Value::as_str).unwrap_or("a tool");
            format!("the tool `{}` is not pinned: {why}", visible(&cut(shown, 100))).into()
        })
    }

    /// Does the same, with an error that does not name the tool.
    fn unnamed(
        tool: &Value,
        server: &str,
        prefix: &str,
        to: &Path,
        root: &Path,
    ) -> Result<Option<Self>, CommandError> {
        let definition = ToolDefinition::from_json(tool).ok_or("its definition has no name or no schemas")?;
        if let Some(fault) = definition.fault() {
            return Err(fault.into());
        }
        let name = format!("{prefix}{}", snake(&definition.name));
        if let Some(fault) = fault(&name, Spelling::Function) {
            return Err(fault.into());
        }
        if let Some(device) = device(&name) {
            let why = format!("`{name}` cannot be a directory on Windows, where `{device}` is a device");
            return Err(format!("{why}; choose another name with `--prefix`").into());
        }
        let label = to.join(&name).display().to_string();
        if let Some(there) = pinned::read_pinned(&root.join(&name)) {
            let is_same = there.server == server && there.tool == definition.name;
            return match is_same && there.digest == definition.digest() {
                true => Ok(None),
                false if is_same => {
                    let next = "`skills pin --update` updates it";
                    Err(format!("{label} pins an earlier version of the tool; {next}").into())
                }
                false => Err(format!("{label} exists; choose another name with `--prefix`").into()),
            };
        }
        if root.join(&name).exists() {
            return Err(format!("{label} exists; choose another name with `--prefix`").into());
        }
        let files = vec![
            NewFile::new("SKILL.md", document(&definition, server)),
            NewFile::new("skill.json", manifest(&name, &definition, server, to)),
        ];
        let loaded = check_texts(&label, &name, &files, &Options::default());
        let (mut errors, mut warnings) = (Vec::new(), Vec::new());
        for found in &loaded.report.diagnostics {
            let lines = if found.level == Level::Error { &mut errors } else { &mut warnings };
            lines.push(cargo::line(found, loaded.catalog.sources()));
        }
        if !errors.is_empty() {
            return Err(format!("it has errors\n{}", errors.join("\n")).into());
        }
        Ok(Some(Self { name, label, definition, files, warnings }))
    }

    /// Returns the skill for the JSON output.
    pub(super) fn entry(&self, server: &str) -> Value {
        json!({
            "name": self.name, "directory": self.label, "server": server, "tool": self.definition.name,
            "state": "new", "changes": [],
        })
    }
}

/// Returns a name in snake case: `getTinyImage` is `get_tiny_image`, `resolve-library-id` is `resolve_library_id`.
fn snake(name: &str) -> String {
    let mut out = String::new();
    let mut before = '_';
    for c in name.chars() {
        let is_word = c.is_ascii_uppercase() && (before.is_ascii_lowercase() || before.is_ascii_digit());
        if is_word || (!c.is_ascii_alphanumeric() && !out.ends_with('_')) {
            out.push('_');
        }
        if c.is_ascii_alphanumeric() {
            out.push(c.to_ascii_lowercase());
        }
        before = c;
    }
    out.trim_matches('_').to_owned()
}

/// Converts a schema, which is valid JSON, to a tree that keeps the order of its keys.
pub(super) fn node(value: &Value) -> Node {
    skills_schema::json::parse(&value.to_string()).unwrap_or_else(|_| object([]))
}

/// Returns the text of `skill.json`.
fn manifest(name: &str, definition: &ToolDefinition, server: &str, to: &Path) -> String {
    let category =
        to.file_name().and_then(|name| name.to_str()).filter(|name| *name != "skills").unwrap_or("mcp");
    let members = [
        ("name", string(name)),
        ("description", string(definition.description.as_str())),
        ("category", string(category)),
        ("mode", string("mcp")),
        ("mcp", pin(definition, server)),
        ("input", node(&definition.input)),
        ("output", node(&definition.output)),
    ];
    format!("{}\n", object(members).indented(0))
}

/// Returns the key `mcp` of a `skill.json`.
pub(super) fn pin(definition: &ToolDefinition, server: &str) -> Node {
    let mut pin = object([
        ("server", string(server)),
        ("tool", string(definition.name.as_str())),
        ("digest", string(definition.digest())),
    ]);
    for (key, value) in definition.hints() {
        pin.set(key, node(&value));
    }
    pin
}

/// Returns the text of `SKILL.md`, for people who review the skill.
fn document(definition: &ToolDefinition, server: &str) -> String {
    format!(
        "The tool `{}` of the MCP server `{server}`.\n\n\
         A call of this skill calls the tool. If the server changes its description, its schemas or its hints, the call fails\n\
         until `skills pin --update` accepts the change. The server says of the tool, without a guarantee: {}.\n",
        definition.name,
        effect(definition)
    )
}

/// Returns what the server says about the effects of a tool.
pub(super) fn effect(definition: &ToolDefinition) -> &'static str {
    let hints = &definition.annotations;
    let is_read_only = hints.get("readOnlyHint").and_then(Value::as_bool).unwrap_or(false);
    let is_destructive = hints.get("destructiveHint").and_then(Value::as_bool).unwrap_or(true);
    match (is_read_only, is_destructive) {
        (true, _) => "it changes nothing",
        (false, false) => "it only adds",
        (false, true) => "it may delete or overwrite",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // SPEC 1.4, 6.18
    #[test]
    fn names_of_devices_are_refused() {
        let draft = |tool: &str, prefix: &str| {
            let schema = json!({"type": "object"});
            let tool =
                json!({"name": tool, "description": "Acts.", "inputSchema": schema, "outputSchema": schema});
            PinDraft::new(&tool, "a server", prefix, Path::new("skills"), Path::new("/nowhere"))
        };
        for tool in ["con", "CON", "Nul", "aux.", "-prn-", "com1", "COM0", "LPT9"] {
            let why = draft(tool, "").err().map(|why| why.to_string()).unwrap_or_default();
            assert!(why.contains("cannot be a directory on Windows"), "{tool}: {why}");
            assert!(draft(tool, "x_").is_ok(), "{tool}");
        }
        assert!(draft("console", "").is_ok());
        assert!(draft("n", "nul").is_ok_and(|draft| draft.is_some_and(|draft| draft.name == "nuln")));
        assert!(draft("l", "nu").is_err());
    }

    // SPEC 6.18
    #[test]
    fn names_of_tools_are_converted_to_snake_case() {
        for (tool, name) in [
            ("getTinyImage", "get_tiny_image"),
            ("resolve-library-id", "resolve_library_id"),
            ("API.Users/list", "api_users_list"),
            ("read_file", "read_file"),
            ("--x--", "x"),
        ] {
            assert_eq!(snake(tool), name);
        }
    }
}
