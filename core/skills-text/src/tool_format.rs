//! The APIs that skills can be tools of. `skills-schema` creates the definitions, and the tables of a bundle store them.

/// An API that accepts tool definitions. The tables store the texts in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolFormat {
    /// OpenAI Chat Completions: `{"type":"function","function":{name,description,parameters}}`.
    OpenAi,
    /// OpenAI Responses: `{"type":"function",name,description,parameters,strict}`.
    OpenAiResponses,
    /// Anthropic Messages: `{name,description,input_schema}`.
    Anthropic,
    /// Model Context Protocol: `{name,description,inputSchema,outputSchema}`.
    Mcp,
    /// Gemini function declarations, in Gemini's subset of OpenAPI: `{name,description,parameters}`.
    Gemini,
}

crate::__named!(ToolFormat, "model API", {
    OpenAi = "openai",
    OpenAiResponses = "openai-responses",
    Anthropic = "anthropic",
    Mcp = "mcp",
    Gemini = "gemini",
});
