//! Compares pinned tools with the definitions of their servers, and accepts changes.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::{Value, json};
use skills_call::mcp::{Change, ToolDefinition};
use skills_schema::json::make::string;
use skills_text::visible;

use super::draft::node;
use super::pinned::Pinned;
use crate::tool_servers::Servers;

/// A pinned tool, and how the definition of its server differs.
pub(super) struct Compared {
    pinned: Pinned,
    pub(super) state: State,
}

pub(super) enum State {
    /// The server's definition equals the pinned one.
    Current,
    /// The server defines it in another way.
    Changed { now: Box<ToolDefinition>, changes: Vec<Change> },
    /// The server's definition differs, and the skill was edited, so the skill is not overwritten.
    Edited { changes: Vec<Change> },
    /// The new definition is refused.
    Refused(String),
    /// The server has no such tool.
    Missing,
    /// The server gave no answer.
    Unreachable(String),
}

/// Compares all tools. Requests the list of each server only once.
pub(super) async fn all(servers: &Servers, pinned: Vec<Pinned>) -> Vec<Compared> {
    let mut answers: BTreeMap<String, Result<Vec<Value>, String>> = BTreeMap::new();
    for pinned in &pinned {
        if !answers.contains_key(&pinned.server) {
            let tools = servers.tools(&pinned.server).await.map_err(|error| error.to_string());
            answers.insert(pinned.server.clone(), tools);
        }
    }
    servers.close().await;
    let compared = pinned.into_iter().map(|pinned| {
        let state = match answers.get(&pinned.server) {
            Some(Ok(tools)) => state(&pinned, tools),
            Some(Err(why)) => State::Unreachable(why.clone()),
            None => State::Missing,
        };
        Compared { pinned, state }
    });
    compared.collect()
}

fn state(pinned: &Pinned, tools: &[Value]) -> State {
    let is_it = |tool: &&Value| tool.get("name").and_then(Value::as_str) == Some(&pinned.tool);
    let Some(now) = tools.iter().find(is_it).and_then(ToolDefinition::of) else { return State::Missing };
    if now.digest() == pinned.digest {
        return State::Current;
    }
    let changes = pinned.own.changes(&now);
    match now.fault() {
        Some(fault) => State::Refused(fault),
        None if pinned.is_edited() => State::Edited { changes },
        None => State::Changed { now: Box::new(now), changes },
    }
}

impl Compared {
    /// Writes the new definition into the `skill.json`. Its other keys stay as they are.
    pub(super) fn accept(&self) -> Result<(), String> {
        let State::Changed { now, .. } = &self.state else { return Ok(()) };
        let Pinned { file, text, .. } = &self.pinned;
        let failed = |why: String| format!("{} cannot be written: {why}", file.display());
        let unread = |error: skills_schema::json::Error| failed(error.to_string());
        let mut manifest = skills_schema::json::parse(skills_text::unmarked(text)).map_err(unread)?;
        manifest.set("description", string(now.description.as_str()));
        manifest.set("input", node(&now.input));
        manifest.set("output", node(&now.output));
        let mut pin = manifest.get("mcp").cloned().ok_or_else(|| failed("it has no `mcp`".to_owned()))?;
        pin.set("digest", string(now.digest()));
        manifest.set("mcp", pin);
        // Another program may have edited it since it was compared.
        if skills_files::read(file, u64::MAX).is_ok_and(|bytes| bytes != text.as_bytes()) {
            return Err(failed("it was edited meanwhile".to_owned()));
        }
        let text = format!("{}\n", manifest.indented(0));
        skills_files::replace(file, text.as_bytes(), None).map_err(|error| failed(error.to_string()))
    }

    /// Returns the comparison for the JSON output.
    pub(super) fn entry(&self) -> Value {
        let Pinned { name, label, server, tool, .. } = &self.pinned;
        let (state, reason) = self.state.words();
        let changes = match &self.state {
            State::Changed { changes, .. } | State::Edited { changes } => changes.as_slice(),
            _ => &[],
        };
        let change = |change: &Change| json!({"place": change.place, "old": change.old, "new": change.new});
        let mut entry = json!({
            "name": name, "directory": label, "server": server, "tool": tool, "state": state,
            "changes": changes.iter().map(change).collect::<Value>(),
        });
        if let Some(reason) = reason {
            entry["reason"] = reason.into();
        }
        entry
    }
}

impl State {
    fn words(&self) -> (&'static str, Option<&str>) {
        match self {
            Self::Current => ("current", None),
            Self::Changed { .. } => ("changed", None),
            Self::Edited { .. } => ("edited", Some("the skill was edited too, so it is not overwritten")),
            Self::Refused(why) => ("refused", Some(why)),
            Self::Missing => ("missing", Some("the server has no such tool")),
            Self::Unreachable(why) => ("unreachable", Some(why)),
        }
    }
}

impl fmt::Display for Compared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (word, reason) = self.state.words();
        write!(f, "{}: {word}", self.pinned.label)?;
        if let Some(reason) = reason {
            write!(f, ": {}", visible(reason))?;
        }
        f.write_str("\n")?;
        if let State::Changed { changes, .. } | State::Edited { changes } = &self.state {
            for change in changes {
                change.to_string().lines().try_for_each(|line| writeln!(f, "  {line}"))?;
            }
        }
        Ok(())
    }
}
