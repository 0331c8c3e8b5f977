//! What a model is asked: messages, tools, and the schema of the answer.

use serde_json::Value;

/// One request to a model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Request {
    /// The conversation so far, oldest first.
    pub messages: Vec<Message>,
    /// The tools that the model may call.
    pub tools: Vec<ToolDefinition>,
    /// The JSON Schema that the answer should fit, where the provider can hold the model to one.
    pub response_schema: Option<ResponseSchema>,
    /// The longest answer in tokens; the provider's default when absent.
    pub max_tokens: Option<u32>,
    /// The randomness of the answer; the provider's default when absent.
    pub temperature: Option<f64>,
}

/// One message of a conversation.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// Instructions.
    System(String),
    /// What the user says.
    User(String),
    /// What the model said, and the tools that it called.
    Assistant {
        /// The text; may be empty.
        text: String,
        /// The calls, in order.
        tool_calls: Vec<ToolCall>,
    },
    /// What a tool answered.
    Tool {
        /// The [`ToolCall::id`] that it answers.
        call_id: String,
        /// The name of the tool.
        name: String,
        /// The answer.
        content: String,
        /// Whether the tool failed.
        is_error: bool,
    },
}

/// A call of a tool by a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolCall {
    /// What ties the answer to the call.
    pub id: String,
    /// The name of the tool.
    pub name: String,
    /// The arguments as JSON text, as the model wrote it: it may be no JSON at all.
    pub arguments: String,
}

/// A tool that a model may call.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolDefinition {
    /// The name.
    pub name: String,
    /// What it does and when to use it.
    pub description: String,
    /// The JSON Schema of its arguments.
    pub parameters: Value,
}

/// The schema that an answer should fit.
#[derive(Clone, Debug, PartialEq)]
pub struct ResponseSchema {
    /// A name for it: letters, digits, `_` and `-`.
    pub name: String,
    /// The JSON Schema.
    pub schema: Value,
}
