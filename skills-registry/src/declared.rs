//! The keys of a frontmatter that a program reads as they are written: their struct, their columns and what a handle
//! answers. Another key is a line in each of these, and a line where `check` reads it (`fields.rs` in `skills-core`).

use std::borrow::Cow;

use crate::layout::skill;
use crate::list::Texts;
use crate::parts::TooLarge;
use crate::skill::Skill;
use crate::write::Writer;

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
    /// When the skill is to be used, which clients add to the description (SPEC 8.8).
    pub when_to_use: Option<String>,
    /// The name that people are shown.
    pub display_name: Option<String>,
    /// The model that the skill asks for; nothing here acts on it (SPEC 8.11).
    pub model: Option<String>,
    /// How hard the model is to think; nothing here acts on it (SPEC 8.11).
    pub effort: Option<String>,
    /// Where a client runs the skill, such as `fork`; nothing here acts on it (SPEC 8.11).
    pub context: Option<String>,
    /// The kind of sub-agent that runs it; nothing here acts on it (SPEC 8.11).
    pub agent: Option<String>,
    /// The shell for commands in the body; nothing here runs any (SPEC 8.5, 8.11).
    pub shell: Option<String>,
    /// Globs of the files for which a client offers the skill; nothing here acts on them (SPEC 8.11).
    pub paths: Vec<String>,
    /// The tools that the skill may not use, each whole; the host is to see to it (SPEC 8.11). `*` where the key could not be read (SPEC 8.12).
    pub disallowed_tools: Vec<String>,
}

const EXEC: u32 = skill::DECLARED;
const TRIGGER: u32 = EXEC + 2;
const HOMEPAGE: u32 = TRIGGER + 2;
const ARGUMENT_HINT: u32 = HOMEPAGE + 2;
const ALLOWED_TOOLS: u32 = ARGUMENT_HINT + 2;
const ARGUMENTS: u32 = ALLOWED_TOOLS + 2;
const WHEN_TO_USE: u32 = ARGUMENTS + 2;
const DISPLAY_NAME: u32 = WHEN_TO_USE + 2;
const MODEL: u32 = DISPLAY_NAME + 2;
const EFFORT: u32 = MODEL + 2;
const CONTEXT: u32 = EFFORT + 2;
const AGENT: u32 = CONTEXT + 2;
const SHELL: u32 = AGENT + 2;
const PATHS: u32 = SHELL + 2;
const DISALLOWED_TOOLS: u32 = PATHS + 2;

/// Columns: each is two words of the row of a skill, behind all others.
pub(crate) const COLUMNS: u32 = 15;

impl Declared {
    /// Returns the columns, each with its place in the row.
    pub(crate) fn columns<'a>(
        &'a self,
        writer: &mut Writer<'a>,
    ) -> Result<[(u32, [u32; 2]); COLUMNS as usize], TooLarge> {
        Ok([
            (EXEC, writer.optional(self.exec.as_deref())?),
            (TRIGGER, writer.optional(self.trigger.as_deref())?),
            (HOMEPAGE, writer.optional(self.homepage.as_deref())?),
            (ARGUMENT_HINT, writer.optional(self.argument_hint.as_deref())?),
            (ALLOWED_TOOLS, writer.list(&self.allowed_tools)?),
            (ARGUMENTS, writer.list(&self.arguments)?),
            (WHEN_TO_USE, writer.optional(self.when_to_use.as_deref())?),
            (DISPLAY_NAME, writer.optional(self.display_name.as_deref())?),
            (MODEL, writer.optional(self.model.as_deref())?),
            (EFFORT, writer.optional(self.effort.as_deref())?),
            (CONTEXT, writer.optional(self.context.as_deref())?),
            (AGENT, writer.optional(self.agent.as_deref())?),
            (SHELL, writer.optional(self.shell.as_deref())?),
            (PATHS, writer.list(&self.paths)?),
            (DISALLOWED_TOOLS, writer.list(&self.disallowed_tools)?),
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

    /// Returns the name that people are shown.
    pub fn display_name(self) -> Option<&'a str> {
        self.optional(DISPLAY_NAME)
    }

    /// Returns the model that the skill asks for; nothing here acts on it (SPEC 8.11).
    pub fn model(self) -> Option<&'a str> {
        self.optional(MODEL)
    }

    /// Returns how hard the model is to think; nothing here acts on it (SPEC 8.11).
    pub fn effort(self) -> Option<&'a str> {
        self.optional(EFFORT)
    }

    /// Returns where a client runs the skill, such as `fork`; nothing here acts on it (SPEC 8.11).
    pub fn context(self) -> Option<&'a str> {
        self.optional(CONTEXT)
    }

    /// Returns the kind of sub-agent that runs it; nothing here acts on it (SPEC 8.11).
    pub fn agent(self) -> Option<&'a str> {
        self.optional(AGENT)
    }

    /// Returns the shell for commands in the body; nothing here runs any (SPEC 8.5, 8.11).
    pub fn shell(self) -> Option<&'a str> {
        self.optional(SHELL)
    }

    /// Returns globs of the files for which a client offers the skill; nothing here acts on them (SPEC 8.11).
    pub fn paths(self) -> Texts<'a> {
        self.texts(PATHS)
    }

    /// Returns the tools that the skill may not use, each whole; the host is to see to it (SPEC 8.11). `*` where the key could not be read (SPEC 8.12).
    pub fn disallowed_tools(self) -> Texts<'a> {
        self.texts(DISALLOWED_TOOLS)
    }

    /// Returns when the skill is to be used, as the key `when_to_use` says it.
    pub fn when_to_use(self) -> Option<&'a str> {
        self.optional(WHEN_TO_USE)
    }

    /// Returns what a model is told of the skill before it loads it: the description, and behind a blank what
    /// `when_to_use` says (SPEC 8.8).
    pub fn offer(self) -> Cow<'a, str> {
        offer(self.description(), self.when_to_use())
    }

    /// Returns the keys that the skill gives and that nothing here acts on, in the order of SPEC 8.11: a host that does
    /// not either runs the skill otherwise than its author meant.
    pub fn inert_keys(self) -> impl Iterator<Item = &'static str> {
        let texts = [
            ("model", self.model()),
            ("effort", self.effort()),
            ("context", self.context()),
            ("agent", self.agent()),
            ("shell", self.shell()),
        ];
        let lists = [("paths", self.paths()), ("disallowed-tools", self.disallowed_tools())];
        let texts = texts.into_iter().filter_map(|(key, value)| value.map(|_| key));
        texts.chain(lists.into_iter().filter_map(|(key, mut items)| items.next().map(|_| key)))
    }
}

/// Puts the two parts of what a model is told together (SPEC 8.8).
pub(crate) fn offer<'a>(description: &'a str, when: Option<&str>) -> Cow<'a, str> {
    match when.map(str::trim).filter(|when| !when.is_empty()) {
        Some(when) if description.trim().is_empty() => Cow::Owned(when.to_owned()),
        Some(when) => Cow::Owned(format!("{} {when}", description.trim_end())),
        None => Cow::Borrowed(description),
    }
}
