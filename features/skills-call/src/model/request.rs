//! What a model is asked: messages, tools, and the schema of the answer.

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
    /// The JSON Schema that the answer should fit, where the provider can hold the model to one.
    pub response_schema: Option<ResponseSchema>,
    /// The longest answer in tokens; the provider's default when absent.
    pub max_tokens: Option<u32>,
    /// The randomness of the answer; the provider's default when absent.
    pub temperature: Option<f64>,
}

impl Request {
    /// Makes a request without tools.
    pub fn new(messages: Vec<Message>) -> Self {
        Self { messages, ..Self::default() }
    }

    setters! {
        /// Offers tools.
        with_tools(tools: Vec<ToolDefinition>) => tools = tools;
        /// Sets the schema that the answer should fit.
        with_response_schema(schema: ResponseSchema) => response_schema = Some(schema);
        /// Sets the longest answer in tokens.
        with_max_tokens(tokens: u32) => max_tokens = Some(tokens);
        /// Sets the randomness of the answer.
        with_temperature(temperature: f64) => temperature = Some(temperature);
    }
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
