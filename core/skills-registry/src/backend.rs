//! How a skill runs when it is called. `check` decides it, the tables store it, and all later stages read it.

/// The kind of code that runs a callable skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Backend {
    /// A function of the host only.
    Host,
    /// Its program. A function of the host takes precedence.
    Program,
    /// A language model.
    Model,
    /// Its pipeline.
    Pipeline,
    /// A tool of an MCP server. A function of the host takes precedence.
    Mcp,
}

impl Backend {
    const ALL: [Self; 5] = [Self::Host, Self::Program, Self::Model, Self::Pipeline, Self::Mcp];

    /// Returns the name: `host`, `program`, `model`, `pipeline` or `mcp`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Host => "host",
            Self::Program => "program",
            Self::Model => "model",
            Self::Pipeline => "pipeline",
            Self::Mcp => "mcp",
        }
    }

    /// Returns the number stored in a row, from 1.
    pub(crate) fn bits(self) -> u32 {
        self as u32 + 1
    }

    pub(crate) fn from_bits(bits: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|backend| backend.bits() == bits)
    }
}
