//! How a function runs: its mode, as its author declares it, and the backend that actually runs it.

use crate::rows::{Cell, TableWriter, TooLarge};
use crate::tables::Tables;

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

skills_text::__named!(Mode, "mode", { Code = "code", Llm = "llm", Composite = "composite", Mcp = "mcp" });

/// The word is the number of the mode, from 1. 0 is absent.
impl Cell for Mode {
    const WIDTH: u32 = 1;
    type Value<'t> = Option<Self>;

    fn write(&self, _: &mut TableWriter, row: &mut Vec<u32>) -> Result<(), TooLarge> {
        row.push(*self as u32 + 1);
        Ok(())
    }

    fn read(tables: &Tables, at: u32) -> Option<Self> {
        let word = tables.word(at);
        Self::ALL.into_iter().find(|mode| *mode as u32 + 1 == word)
    }
}

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

skills_text::__named!(Backend, "backend", {
    Host = "host",
    Program = "program",
    Model = "model",
    Pipeline = "pipeline",
    Mcp = "mcp",
});

/// The word is the number of the backend, from 1. 0 is absent.
impl Cell for Option<Backend> {
    const WIDTH: u32 = 1;
    type Value<'t> = Self;

    fn write(&self, _: &mut TableWriter, row: &mut Vec<u32>) -> Result<(), TooLarge> {
        row.push(self.map_or(0, |backend| backend as u32 + 1));
        Ok(())
    }

    fn read(tables: &Tables, at: u32) -> Self {
        let word = tables.word(at);
        Backend::ALL.into_iter().find(|backend| *backend as u32 + 1 == word)
    }
}
