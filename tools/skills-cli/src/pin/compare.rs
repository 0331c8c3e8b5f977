//! Compares pinned tools with the definitions of their servers, and accepts changes.

use std::fmt;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use skills_call::mcp::{DefinitionChange, ToolDefinition};
use skills_commands::failure::CommandError;
use skills_mcp_client::{Approved, Connection};
use skills_schema::json::make::string;
use skills_text::visible;

use super::draft::{effect, node, pin};
use super::pinned::Pinned;
use crate::servers::{self, NamedServer};

/// The largest `SKILL.md` that is read.
const MAX_DOCUMENT: u64 = 10 << 20;

/// A pinned tool, and how the definition of its server differs.
pub(super) struct Compared {
    pinned: Pinned,
    pub(super) state: PinState,
}

pub(super) enum PinState {
    /// The server's definition equals the pinned one.
    Current,
    /// The server defines it in another way.
    Changed { now: Box<ToolDefinition>, changes: Vec<DefinitionChange> },
    /// The server's definition differs, and the skill was edited, so the skill is not overwritten.
    Edited { changes: Vec<DefinitionChange> },
    /// The new definition is refused.
    Refused(String),
    /// The server has no such tool.
    Missing,
    /// The server is not used, because the user has not approved it.
    NotApproved(String),
    /// The server gave no answer.
    Unreachable(String),
}

/// The tools of a server as JSON, or the state of all pinned tools of it.
type Answer = Result<Vec<Value>, Unavailable>;

/// The reason why a server has no answer.
#[derive(Clone)]
enum Unavailable {
    NotApproved(String),
    Unreachable(String),
}

/// Compares all tools. Requests the list of each server only once. `typed` is the server that the user typed for this
/// command; any other must be approved.
pub(super) async fn all(typed: Option<&NamedServer>, pinned: Vec<Pinned>) -> Vec<Compared> {
    let mut answers: Vec<(NamedServer, Answer)> = Vec::new();
    let mut compared = Vec::new();
    for pinned in pinned {
        let state = match answer(&mut answers, typed, &pinned).await {
            Ok(tools) => state(&pinned, &tools),
            Err(Unavailable::NotApproved(why)) => PinState::NotApproved(why),
            Err(Unavailable::Unreachable(why)) => PinState::Unreachable(why),
        };
        compared.push(Compared { pinned, state });
    }
    compared
}

async fn answer(
    answers: &mut Vec<(NamedServer, Answer)>,
    typed: Option<&NamedServer>,
    pinned: &Pinned,
) -> Answer {
    let server = match typed.filter(|typed| typed.is_typed()) {
        Some(typed) => typed.clone(),
        None => {
            let directory = pinned.file.parent().unwrap_or(Path::new("."));
            NamedServer::of_skill(&pinned.server, directory)
                .map_err(|error| Unavailable::NotApproved(error.to_string()))?
        }
    };
    // The decision compares every file of the repository, so it is made once for each server.
    if let Some((_, answer)) = answers.iter().find(|(other, _)| *other == server) {
        return answer.clone();
    }
    let answer = match server.decide() {
        Ok(approved) => tools(approved).await.map_err(|error| Unavailable::Unreachable(error.to_string())),
        Err(error) => Err(Unavailable::NotApproved(error.to_string())),
    };
    answers.push((server, answer.clone()));
    answer
}

/// Requests the tools of a server, and closes the connection.
pub(super) async fn tools(server: Approved) -> Result<Vec<Value>, CommandError> {
    let connection = Connection::new(server, servers::options());
    let tools = connection.tools().await;
    connection.close().await;
    let tools = tools.map_err(CommandError::new)?;
    tools.iter().map(|tool| serde_json::to_value(tool).map_err(CommandError::new)).collect()
}

fn state(pinned: &Pinned, tools: &[Value]) -> PinState {
    let named = tools.iter().find(|tool| tool.get("name").and_then(Value::as_str) == Some(&pinned.tool));
    let Some(now) = named.and_then(ToolDefinition::from_json) else { return PinState::Missing };
    if now.digest() == pinned.digest {
        return PinState::Current;
    }
    let changes = pinned.own.changes(&now);
    match now.fault() {
        Some(fault) => PinState::Refused(fault),
        None if pinned.is_edited() => PinState::Edited { changes },
        None => PinState::Changed { now: Box::new(now), changes },
    }
}

impl Compared {
    /// Returns the files that [`accept`](Self::accept) writes.
    pub(super) fn files(&self) -> [PathBuf; 2] {
        [self.pinned.file.clone(), self.pinned.file.with_file_name("SKILL.md")]
    }

    /// Writes the new definition into the `skill.json`. Its other keys stay as they are.
    pub(super) fn accept(&self) -> Result<(), CommandError> {
        let PinState::Changed { now, .. } = &self.state else { return Ok(()) };
        let Pinned { file, text, .. } = &self.pinned;
        let mut manifest = skills_schema::json::parse(skills_text::unmarked(text))
            .map_err(|error| CommandError::unwritable(file, error))?;
        manifest.set("description", string(now.description.as_str()));
        manifest.set("input", node(&now.input));
        manifest.set("output", node(&now.output));
        manifest.set("mcp", pin(now, &self.pinned.server));
        // Another program may have edited it since it was compared.
        if !skills_files::read(file, MAX_DOCUMENT).is_ok_and(|bytes| bytes == text.as_bytes()) {
            return Err(CommandError::unwritable(file, "it was edited meanwhile"));
        }
        self.update_document(now)?;
        let text = format!("{}\n", manifest.indented(0));
        skills_files::replace(file, text.as_bytes(), None)
            .map_err(|error| CommandError::unwritable(file, error))
    }

    /// Replaces what `SKILL.md` says about the effects of the tool. Other text in it stays as it is.
    fn update_document(&self, now: &ToolDefinition) -> Result<(), CommandError> {
        let (old, new) = (effect(&self.pinned.own), effect(now));
        let file = self.pinned.file.with_file_name("SKILL.md");
        let text = match skills_files::read(&file, MAX_DOCUMENT) {
            Ok(bytes) => {
                String::from_utf8(bytes).map_err(|_| CommandError::unwritable(&file, "it is not UTF-8"))?
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(CommandError::unwritable(&file, error)),
        };
        if old == new || !text.contains(old) {
            return Ok(());
        }
        skills_files::replace(&file, text.replace(old, new).as_bytes(), None)
            .map_err(|error| CommandError::unwritable(&file, error))
    }

    /// Returns the comparison for the JSON output.
    pub(super) fn entry(&self) -> Value {
        let Pinned { name, label, server, tool, .. } = &self.pinned;
        let (state, reason) = self.state.words();
        let changes = match &self.state {
            PinState::Changed { changes, .. } | PinState::Edited { changes } => changes.as_slice(),
            _ => &[],
        };
        let changes =
            changes.iter().map(|change| json!({"place": change.place, "old": change.old, "new": change.new}));
        let mut entry = json!({
            "name": name, "directory": label, "server": server, "tool": tool, "state": state,
            "changes": changes.collect::<Value>(),
        });
        if let Some(reason) = reason {
            entry["reason"] = reason.into();
        }
        entry
    }
}

impl PinState {
    fn words(&self) -> (&'static str, Option<&str>) {
        match self {
            Self::Current => ("current", None),
            Self::Changed { .. } => ("changed", None),
            Self::Edited { .. } => ("edited", Some("the skill was edited too, so it is not overwritten")),
            Self::Refused(why) => ("refused", Some(why)),
            Self::Missing => ("missing", Some("the server has no such tool")),
            Self::NotApproved(why) => ("not approved", Some(why)),
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
        if let PinState::Changed { changes, .. } | PinState::Edited { changes } = &self.state {
            for change in changes {
                change.to_string().lines().try_for_each(|line| writeln!(f, "  {line}"))?;
            }
        }
        Ok(())
    }
}
