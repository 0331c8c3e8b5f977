//! The pinned tools below a directory.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde_json::Value;
use skills_call::mcp::ToolDefinition;
use skills_commands::arguments::expand_path;
use skills_commands::terminal;
use skills_core::load;
use skills_core::options::Options;

use crate::source::expect_there;

/// The largest `skill.json` that is read.
const LIMIT: u64 = 10 << 20;

/// A pinned tool, as described in its `skill.json`.
pub(super) struct Pinned {
    /// The directory as the user writes it.
    pub(super) label: String,
    pub(super) file: PathBuf,
    /// The text of `skill.json`.
    pub(super) text: String,
    pub(super) name: String,
    pub(super) server: String,
    pub(super) tool: String,
    pub(super) digest: String,
    /// The definition that the skill has now.
    pub(super) own: ToolDefinition,
}

impl Pinned {
    /// Returns `true` if the description or a schema was edited after the tool was pinned.
    pub(super) fn is_edited(&self) -> bool {
        self.own.digest() != self.digest
    }
}

/// Reads the pinned tool of a directory. Returns `None` if the directory has none.
pub(super) fn read_pinned(directory: &Path) -> Option<Pinned> {
    let file = directory.join("skill.json");
    let text = String::from_utf8(skills_files::read(&file, LIMIT).ok()?).ok()?;
    let value: Value = serde_json::from_str(skills_text::unmarked(&text)).ok()?;
    let texts = ["/name", "/description", "/mcp/server", "/mcp/tool", "/mcp/digest"]
        .map(|pointer| Some(value.pointer(pointer)?.as_str()?.to_owned()));
    let [Some(name), Some(description), Some(server), Some(tool), Some(digest)] = texts else { return None };
    let (input, output) = (value.get("input")?.clone(), value.get("output")?.clone());
    let own = ToolDefinition::new(&tool, Some(&description), input, Some(output));
    let own = own.with_hints(value.get("mcp").unwrap_or(&Value::Null));
    Some(Pinned { label: directory.display().to_string(), file, text, name, server, tool, digest, own })
}

/// Reads all pinned tools below a directory.
pub(super) fn read(directory: &Path) -> Result<Vec<Pinned>, ExitCode> {
    expect_there(directory)?;
    let root = expand_path(directory);
    let loaded = load(&root, &directory.to_string_lossy(), &Options::default());
    if loaded.report.errors() > 0 {
        terminal::warning(format_args!(
            "some skills have errors; run `skills check {}`",
            directory.display()
        ));
    }
    let skills = loaded.catalog.skills().iter();
    let pinned =
        skills.filter(|skill| skill.function.as_ref().is_some_and(|function| function.mcp.is_some()));
    Ok(pinned
        .filter_map(|skill| {
            let label = directory.join(&skill.dir).display().to_string();
            Some(Pinned { label, ..read_pinned(&root.join(&skill.dir))? })
        })
        .collect())
}
