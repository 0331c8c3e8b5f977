//! The skill of a tool before it is written.

use std::path::Path;

use serde_json::{Value, json};
use skills_call::mcp::ToolDefinition;
use skills_core::level::Level;
use skills_core::name::{Spelling, device, fault};
use skills_core::print::cargo;
use skills_schema::json::Node;
use skills_schema::json::make::{object, string};
use skills_text::{cut, visible};

use super::pinned;
use crate::memory::{Text, check_texts};

/// A skill that can be written.
pub(super) struct Draft {
    /// The name of the function and of its directory.
    pub(super) name: String,
    /// The directory as the user writes it.
    pub(super) label: String,
    pub(super) definition: ToolDefinition,
    pub(super) files: Vec<Text>,
    /// What `skills check` warns of.
    pub(super) warnings: Vec<String>,
}

impl Draft {
    /// Creates the skill for a tool. Returns `None` if the directory already pins the same tool.
    ///
    /// # Errors
    /// The reason why the tool cannot be pinned.
    pub(super) fn of(
        tool: &Value,
        server: &str,
        prefix: &str,
        to: &Path,
        root: &Path,
    ) -> Result<Option<Self>, String> {
        let shown = tool.get("name").and_then(Value::as_str).map_or("a tool", |name| name);
        let shown = visible(&cut(shown, 100));
        let refused = |why: String| format!("the tool `{shown}` is not pinned: {why}");
        let definition = ToolDefinition::from_json(tool)
            .ok_or_else(|| refused("its definition has no name or no schemas".to_owned()))?;
        if let Some(fault) = definition.fault() {
            return Err(refused(fault));
        }
        let name = format!("{prefix}{}", snake(&definition.name));
        if let Some(fault) = fault(&name, Spelling::Function) {
            return Err(refused(fault));
        }
        if let Some(device) = device(&name) {
            let why = format!("`{name}` cannot be a directory on Windows, where `{device}` is a device");
            return Err(refused(format!("{why}; choose another name with `--prefix`")));
        }
        let label = to.join(&name).display().to_string();
        if let Some(there) = pinned::at(&root.join(&name)) {
            let is_same = there.server == server && there.tool == definition.name;
            return match is_same && there.digest == definition.digest() {
                true => Ok(None),
                false if is_same => Err(refused(format!(
                    "{label} pins an earlier version of the tool; `skills pin --update` updates it"
                ))),
                false => Err(refused(format!("{label} exists; choose another name with `--prefix`"))),
            };
        }
        if root.join(&name).exists() {
            return Err(refused(format!("{label} exists; choose another name with `--prefix`")));
        }
        let files = vec![
            Text::new("SKILL.md", document(&definition, server)),
            Text::new("skill.json", manifest(&name, &definition, server, to)),
        ];
        let loaded = check_texts(&label, &name, &files, Default::default());
        let line = |level: Level| {
            let found = loaded.report.diagnostics.iter().filter(move |found| found.level == level);
            found.map(|found| cargo::line(found, loaded.catalog.sources()))
        };
        if loaded.report.errors() > 0 {
            let errors: Vec<String> = line(Level::Error).collect();
            return Err(refused(format!("it has errors\n{}", errors.join("\n"))));
        }
        let warnings = line(Level::Warning).collect();
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
    let hint = |key: &str, default: bool| {
        definition.annotations.get(key).and_then(Value::as_bool).unwrap_or(default)
    };
    match (hint("readOnlyHint", false), hint("destructiveHint", true)) {
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
            Draft::of(&tool, "a server", prefix, Path::new("skills"), Path::new("/nowhere"))
        };
        for tool in ["con", "CON", "Nul", "aux.", "-prn-", "com1", "COM0", "LPT9"] {
            let why = draft(tool, "").err().unwrap_or_default();
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
