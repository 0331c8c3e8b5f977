//! The tools of a chat: `load_skill`, and every skill that can be called (SPEC 11.3).

use serde_json::Value;
use skills_runtime::call::{CallOptions, Runner};
use skills_runtime::model::{ToolCall, ToolDefinition};
use tokio::sync::mpsc::Sender;

use super::frame::Frame;
use crate::api::Shared;

/// The tool that every chat has.
const LOAD: &str = "load_skill";

/// Tells whether a client cannot know a tool from its own code: all but `load_skill`.
pub(super) fn is_dynamic(name: &str) -> bool {
    name != LOAD
}
