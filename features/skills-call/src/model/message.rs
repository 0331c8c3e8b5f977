//! The messages of a conversation, and their parts.

use serde_json::Value;

use super::ToolCall;

/// A message of a conversation, with a role and parts.
///
/// ```
/// use skills_call::model::{Message, Part, Role};
///
/// let message = Message::user("What is this?");
/// assert_eq!((message.role, message.text()), (Role::User, "What is this?".to_owned()));
/// assert_eq!(message.parts, [Part::Text("What is this?".to_owned())]);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Message {
    /// The role of the speaker.
    pub role: Role,
    /// The parts, in order.
    pub parts: Vec<Part>,
}

/// The role of a speaker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// The program: instructions.
    System,
    /// The user.
    User,
    /// The model.
    Assistant,
    /// The tools that the model called.
    Tool,
}

skills_text::__named!(Role, "role", {
    System = "system",
    User = "user",
    Assistant = "assistant",
    Tool = "tool",
});

/// A part of a message. An adapter sends the parts that its provider supports, and its documentation lists
/// the parts that it leaves out.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    /// Text.
    Text(String),
    /// A tool call of the model.
    ToolCall(ToolCall),
    /// The result of a tool.
    ToolResult(ToolResult),
    /// An image, a sound, a document.
    Media(Media),
    /// A part in the provider's own format, such as signed reasoning that has to be sent back.
    Other(Value),
}

/// The result of a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[must_use]
pub struct ToolResult {
    /// The [`ToolCall::id`] of its call.
    pub call_id: String,
    /// The name of the tool.
    pub name: String,
    /// The content.
    pub content: String,
    /// Whether the tool failed.
    pub is_error: bool,
}

impl ToolResult {
    /// Creates the result of a tool that did not fail.
    ///
    /// ```
    /// let result = skills_call::model::ToolResult::new("1", "sum", "no such tool").with_error(true);
    /// assert!(result.is_error);
    /// ```
    pub fn new(call_id: impl Into<String>, name: impl Into<String>, content: impl Into<String>) -> Self {
        Self { call_id: call_id.into(), name: name.into(), content: content.into(), is_error: false }
    }

    /// Sets whether the tool failed.
    pub fn with_error(self, is_error: bool) -> Self {
        Self { is_error, ..self }
    }
}

/// An image, a sound, a document or other content that is not text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Media {
    /// The media type, such as `image/png`.
    pub media_type: String,
    /// The name of the file; may be empty.
    pub name: String,
    /// The location of the content.
    pub source: MediaSource,
}

impl Media {
    /// Creates media without a name.
    pub fn new(media_type: impl Into<String>, source: MediaSource) -> Self {
        Self { media_type: media_type.into(), name: String::new(), source }
    }
}

/// The location of a [`Media`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MediaSource {
    /// Inline, in base64.
    Base64(String),
    /// At a URL that the provider reads.
    Url(String),
}

impl Message {
    /// Creates a message from parts.
    pub fn new(role: Role, parts: Vec<Part>) -> Self {
        Self { role, parts }
    }

    /// Creates instructions.
    pub fn system(text: impl Into<String>) -> Self {
        Self::new(Role::System, vec![Part::Text(text.into())])
    }

    /// Creates a message of the user.
    pub fn user(text: impl Into<String>) -> Self {
        Self::new(Role::User, vec![Part::Text(text.into())])
    }

    /// Creates a message of the model with its tool calls. An empty text is left out.
    pub fn assistant(text: impl Into<String>, tool_calls: Vec<ToolCall>) -> Self {
        let text = Some(text.into()).filter(|text: &String| !text.is_empty()).map(Part::Text);
        Self::new(
            Role::Assistant,
            text.into_iter().chain(tool_calls.into_iter().map(Part::ToolCall)).collect(),
        )
    }

    /// Creates a message with the result of a tool.
    pub fn tool(result: ToolResult) -> Self {
        Self::new(Role::Tool, vec![Part::ToolResult(result)])
    }

    /// Returns the text of all its parts.
    pub fn text(&self) -> String {
        let texts = self.parts.iter().filter_map(|part| match part {
            Part::Text(text) => Some(text.as_str()),
            _ => None,
        });
        texts.collect()
    }

    /// Returns its tool calls.
    pub fn tool_calls(&self) -> impl Iterator<Item = &ToolCall> {
        self.parts.iter().filter_map(|part| match part {
            Part::ToolCall(call) => Some(call),
            _ => None,
        })
    }

    /// Returns its tool results.
    pub fn tool_results(&self) -> impl Iterator<Item = &ToolResult> {
        self.parts.iter().filter_map(|part| match part {
            Part::ToolResult(result) => Some(result),
            _ => None,
        })
    }
}
