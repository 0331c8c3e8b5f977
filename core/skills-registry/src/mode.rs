//! The mode of a skill with a `skill.json`, as its author declares it. [`Backend`](crate::Backend) is how it actually
//! runs.

/// How a skill with a `skill.json` runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mode {
    /// By a function of the host, or by its `exec`.
    Code,
    /// By a language model.
    Llm,
    /// By its pipeline, or by a function of the host.
    Composite,
    /// By a tool of an MCP server.
    Mcp,
}

impl Mode {
    /// Every mode.
    pub const ALL: [Self; 4] = [Self::Code, Self::Llm, Self::Composite, Self::Mcp];

    /// Returns the value as written in `skill.json`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Code => "code",
            Self::Llm => "llm",
            Self::Composite => "composite",
            Self::Mcp => "mcp",
        }
    }

    pub(crate) fn bits(self) -> u32 {
        self as u32 + 1
    }

    pub(crate) fn from_bits(bits: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.bits() == bits & 0b111)
    }
}
