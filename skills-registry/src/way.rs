//! How a skill runs when it is called: `check` decides it, the tables keep it, and everybody after asks the handle.

/// What runs a skill that can be called (SPEC 3.4, 4.1, 6.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Way {
    /// A function of the host, and nothing else.
    Host,
    /// Its program; a function of the host goes before it.
    Program,
    /// A language model.
    Model,
    /// Its pipeline.
    Pipeline,
}

impl Way {
    const ALL: [Self; 4] = [Self::Host, Self::Program, Self::Model, Self::Pipeline];

    /// Returns the word for it: `host`, `program`, `model` or `pipeline`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Host => "host",
            Self::Program => "program",
            Self::Model => "model",
            Self::Pipeline => "pipeline",
        }
    }

    /// Returns the number of a row, from 1.
    pub(crate) fn bits(self) -> u32 {
        self as u32 + 1
    }

    pub(crate) fn from_bits(bits: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|way| way.bits() == bits)
    }
}
