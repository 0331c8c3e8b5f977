//! What is said in a conversation: messages, and the parts that each is made of.

use serde_json::Value;

use super::ToolCall;

/// One message of a conversation: who speaks, and what it is made of.
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
    /// Who speaks.
    pub role: Role,
    /// What it is made of, in order.
    pub parts: Vec<Part>,
}

/// Who speaks.
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

/// A part of a message. An adapter passes on what its provider takes, and says in its docs what it leaves out.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    /// Text.
    Text(String),
    /// A tool that the model called.
    ToolCall(ToolCall),
    /// What a tool answered.
    ToolResult(ToolResult),
    /// An image, a sound, a document.
    Media(Media),
    /// A part in the provider's own words, such as a signed thought that has to be sent back.
    Other(Value),
}

/// What a tool answered.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[must_use]
pub struct ToolResult {
    /// The [`ToolCall::id`] that it answers.
    pub call_id: String,
    /// The name of the tool.
    pub name: String,
    /// The answer.
    pub content: String,
    /// Whether the tool failed.
    pub is_error: bool,
}

impl ToolResult {
    /// Makes the answer of a tool that did not fail.
    ///
    /// ```
    /// let result = skills_call::model::ToolResult::new("1", "sum", "no such tool").with_error(true);
    /// assert!(result.is_error);
    /// ```
    pub fn new(call_id: impl Into<String>, name: impl Into<String>, content: impl Into<String>) -> Self {
        Self { call_id: call_id.into(), name: name.into(), content: content.into(), is_error: false }
    }

    /// Says whether the tool failed.
    pub fn with_error(self, is_error: bool) -> Self {
        Self { is_error, ..self }
    }
}

/// An image, a sound, a document: anything that is no text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Media {
    /// What it is, as `image/png`.
    pub media_type: String,
    /// The name of the file; may be empty.
    pub name: String,
    /// Where it is.
    pub source: MediaSource,
}

impl Media {
    /// Makes one without a name.
    pub fn new(media_type: impl Into<String>, source: MediaSource) -> Self {
        Self { media_type: media_type.into(), name: String::new(), source }
    }
}

/// Where a [`Media`] is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MediaSource {
    /// Here, in base64.
    Base64(String),
    /// At an address that the provider reads.
    Url(String),
}

impl Message {
    /// Makes a message of parts.
    pub fn new(role: Role, parts: Vec<Part>) -> Self {
        Self { role, parts }
    }

    /// Makes instructions.
    pub fn system(text: impl Into<String>) -> Self {
        Self::new(Role::System, vec![Part::Text(text.into())])
    }

    /// Makes what the user says.
    pub fn user(text: impl Into<String>) -> Self {
        Self::new(Role::User, vec![Part::Text(text.into())])
    }

    /// Makes what the model said, and the tools that it called; an empty text is no part.
    pub fn assistant(text: impl Into<String>, tool_calls: Vec<ToolCall>) -> Self {
        let text = Some(text.into()).filter(|text: &String| !text.is_empty()).map(Part::Text);
        Self::new(
            Role::Assistant,
            text.into_iter().chain(tool_calls.into_iter().map(Part::ToolCall)).collect(),
        )
    }

    /// Makes what a tool answered.
    pub fn tool(result: ToolResult) -> Self {
        Self::new(Role::Tool, vec![Part::ToolResult(result)])
    }

    /// Returns its text: that of all its parts.
    pub fn text(&self) -> String {
        let texts = self.parts.iter().filter_map(|part| match part {
            Part::Text(text) => Some(text.as_str()),
            _ => None,
        });
        texts.collect()
    }

    /// Returns the calls of tools among its parts.
    pub fn tool_calls(&self) -> impl Iterator<Item = &ToolCall> {
        self.parts.iter().filter_map(|part| match part {
            Part::ToolCall(call) => Some(call),
            _ => None,
        })
    }

    /// Returns the answers of tools among its parts.
    pub fn tool_results(&self) -> impl Iterator<Item = &ToolResult> {
        self.parts.iter().filter_map(|part| match part {
            Part::ToolResult(result) => Some(result),
            _ => None,
        })
    }
}
