//! Requests to models: messages, tools, and the schema of the answer.

use serde_json::Value;

use super::Message;
use skills_runtime::__setters as setters;

/// One request to a model.
///
/// ```
/// use skills_call::model::{Message, Request};
///
/// let request = Request::new(vec![Message::user("Hello")]).with_max_tokens(200);
/// assert_eq!(request.max_tokens, Some(200));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
#[must_use]
pub struct Request {
    /// The conversation so far, oldest first.
    pub messages: Vec<Message>,
    /// The tools that the model may call.
    pub tools: Vec<ToolDefinition>,
    /// The JSON Schema that the answer should fit, if the provider can enforce one.
    pub response_schema: Option<ResponseSchema>,
    /// The maximum length of the answer in tokens; the provider's default if absent.
    pub max_tokens: Option<u32>,
    /// The sampling temperature; the provider's default if absent.
    pub temperature: Option<f64>,
}

impl Request {
    /// Creates a request without tools.
    pub fn new(messages: Vec<Message>) -> Self {
        Self { messages, ..Self::default() }
    }

    setters! {
        /// Sets the tools that the model may call.
        with_tools(tools: Vec<ToolDefinition>) => tools = tools;
        /// Sets the schema that the answer should fit.
        with_response_schema(schema: ResponseSchema) => response_schema = Some(schema);
        /// Sets the maximum length of the answer in tokens.
        with_max_tokens(tokens: u32) => max_tokens = Some(tokens);
        /// Sets the sampling temperature.
        with_temperature(temperature: f64) => temperature = Some(temperature);
    }
}

/// A tool call by a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolCall {
    /// The id that the result refers to.
    pub id: String,
    /// The name of the tool.
    pub name: String,
    /// The arguments as the model wrote them: usually JSON text, but possibly invalid.
    pub arguments: String,
}

/// A tool that a model may call.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolDefinition {
    /// The name.
    pub name: String,
    /// The description: what it does and when to use it.
    pub description: String,
    /// The JSON Schema of its arguments.
    pub parameters: Value,
}

/// The schema that an answer should fit.
#[derive(Clone, Debug, PartialEq)]
pub struct ResponseSchema {
    /// The name of the schema: letters, digits, `_` and `-`.
    pub name: String,
    /// The JSON Schema.
    pub schema: Value,
}
