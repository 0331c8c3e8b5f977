//! The interfaces that skills are defined for as tools; `skills-schema` makes the definitions, the tables hold them.

/// An interface that takes definitions of tools (SPEC 6.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolFormat {
    /// Chat completions of OpenAI: `{"type":"function","function":{name,description,parameters}}`.
    OpenAi,
    /// Responses of OpenAI: `{"type":"function",name,description,parameters,strict}`.
    OpenAiResponses,
    /// Messages of Anthropic: `{name,description,input_schema}`.
    Anthropic,
    /// Model Context Protocol: `{name,description,inputSchema,outputSchema}`.
    Mcp,
    /// Function declarations of Gemini, in its subset of OpenAPI: `{name,description,parameters}`.
    Gemini,
}

impl ToolFormat {
    /// All formats.
    pub const ALL: [Self; 5] =
        [Self::OpenAi, Self::OpenAiResponses, Self::Anthropic, Self::Mcp, Self::Gemini];

    /// The place of its texts in the tables.
    pub(crate) fn place(self) -> u32 {
        self as u32
    }
}
