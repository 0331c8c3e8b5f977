//! The keys of a frontmatter that a program reads as they are written: their struct, their columns and what a handle
//! answers. Another key is a line in each of these, and a line where `check` reads it (`fields.rs` in `skills-core`).

use crate::layout::skill;
use crate::list::Texts;
use crate::skill::Skill;
use crate::write::{TooLarge, Writer};

/// What a frontmatter declares; `check` fills it in, and the tables hold it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Declared {
    /// The program that the skill asks for, whether the file is there or not.
    pub exec: Option<String>,
    /// Keywords that call for the skill, as written (SPEC 8.4).
    pub trigger: Option<String>,
    /// Where more is to be read.
    pub homepage: Option<String>,
    /// What users are told to type behind the name.
    pub argument_hint: Option<String>,
    /// The tools the skill may use, each whole (SPEC 2.5).
    pub allowed_tools: Vec<String>,
    /// The names of the arguments, in order (SPEC 8.5).
    pub arguments: Vec<String>,
}

/// What a skill without a frontmatter declares.
static NOTHING: Declared = Declared {
    exec: None,
    trigger: None,
    homepage: None,
    argument_hint: None,
    allowed_tools: Vec::new(),
    arguments: Vec::new(),
};

const EXEC: u32 = skill::DECLARED;
const TRIGGER: u32 = EXEC + 2;
const HOMEPAGE: u32 = TRIGGER + 2;
const ARGUMENT_HINT: u32 = HOMEPAGE + 2;
const ALLOWED_TOOLS: u32 = ARGUMENT_HINT + 2;
const ARGUMENTS: u32 = ALLOWED_TOOLS + 2;

/// Columns: each is two words of the row of a skill, behind all others.
pub(crate) const COLUMNS: u32 = 6;

impl Declared {
    /// Returns the columns, each with its place in the row.
    pub(crate) fn columns<'a>(
        declared: Option<&'a Self>,
        writer: &mut Writer<'a>,
    ) -> Result<[(u32, [u32; 2]); COLUMNS as usize], TooLarge> {
        let declared = declared.unwrap_or(&NOTHING);
        Ok([
            (EXEC, writer.optional(declared.exec.as_deref())?),
            (TRIGGER, writer.optional(declared.trigger.as_deref())?),
            (HOMEPAGE, writer.optional(declared.homepage.as_deref())?),
            (ARGUMENT_HINT, writer.optional(declared.argument_hint.as_deref())?),
            (ALLOWED_TOOLS, writer.list(&declared.allowed_tools)?),
            (ARGUMENTS, writer.list(&declared.arguments)?),
        ])
    }
}

impl<'a> Skill<'a> {
    /// Returns the `exec` that the skill asks for, whether the file is there or not.
    pub fn declared_exec(self) -> Option<&'a str> {
        self.optional(EXEC)
    }

    /// Returns the keywords that call for the skill, as written (SPEC 8.4).
    pub fn trigger(self) -> Option<&'a str> {
        self.optional(TRIGGER)
    }

    /// Returns where more is to be read, as written.
    pub fn homepage(self) -> Option<&'a str> {
        self.optional(HOMEPAGE)
    }

    /// Returns what users are told to type behind the name of the skill, as written.
    pub fn argument_hint(self) -> Option<&'a str> {
        self.optional(ARGUMENT_HINT)
    }

    /// Returns the tools the skill may use, each whole (SPEC 2.5).
    pub fn allowed_tools(self) -> Texts<'a> {
        self.texts(ALLOWED_TOOLS)
    }

    /// Returns the names of the arguments the skill declares, in order: `$name` in its body is their value (SPEC 8.5).
    pub fn arguments(self) -> Texts<'a> {
        self.texts(ARGUMENTS)
    }
}
