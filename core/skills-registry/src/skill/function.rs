//! The parts of a skill that is a function: its mode, schemas, prompt, pipeline and tool definitions.

use skills_text::unmarked;

use super::Skill;
use crate::backend::Backend;
use crate::facts::PinnedTool;
use crate::layout::{NONE, flag, header, skill, tool};
use crate::list::Texts;
use crate::mode::Mode;
use crate::tables::utf8;
use skills_text::ToolFormat;

impl<'a> Skill<'a> {
    /// Returns the mode of the skill as a function, or `None` without a `skill.json`.
    pub fn mode(self) -> Option<Mode> {
        Mode::from_bits(self.flags() >> flag::MODE_SHIFT)
    }

    /// Returns what runs the skill when it is called. `None` if the skill is not a function: it has neither a
    /// `skill.json` nor a program with a `schema`.
    pub fn backend(self) -> Option<Backend> {
        Backend::from_bits(self.flags() >> flag::BACKEND_SHIFT & 0b111)
    }

    /// Returns `true` if the manifest says that a call has no effects besides its output: `"pure": true`.
    /// A pipeline may run such a skill at the same time as other steps.
    pub fn is_pure(self) -> bool {
        self.flags() & flag::PURE != 0
    }

    /// Returns the JSON Schema of the input, as written in `skill.json`.
    pub fn input_schema(self) -> Option<&'a str> {
        self.optional(skill::INPUT)
    }

    /// Returns the file with the JSON Schema of the input, and its text: `skill.json`, or for a program the
    /// file that [`schema`](Self::schema) names. A byte order mark is removed.
    pub fn input_document(self) -> Option<(&'a str, &'a str)> {
        match self.input_schema() {
            Some(input) => Some(("skill.json", input)),
            None => {
                let path = self.schema().filter(|_| self.tier() == 3)?;
                Some((path, unmarked(self.file(path)?.text()?)))
            }
        }
    }

    /// Returns the compiled checker of the program's input: its numbers, each as four little-endian bytes,
    /// and its text. `None` if the input is not checked.
    pub fn checker(self) -> Option<(&'a [u8], &'a str)> {
        let at = self.field(skill::CHECKER);
        (self.tables.word(at) != NONE).then(|| (self.tables.text_bytes(at), self.text(skill::CHECKER + 2)))
    }

    /// Returns the JSON Schema of the output, as written in `skill.json`.
    pub fn output_schema(self) -> Option<&'a str> {
        self.optional(skill::OUTPUT)
    }

    /// Returns the skills that this one calls, in file order.
    pub fn calls(self) -> Texts<'a> {
        self.texts(skill::CALLS)
    }

    /// Returns the skills that every run of the pipeline calls, regardless of its input.
    pub fn certain_calls(self) -> Texts<'a> {
        self.texts(skill::CERTAIN_CALLS)
    }

    /// Returns how many times a failed attempt is repeated.
    pub fn retry(self) -> u32 {
        self.tables.word(self.field(skill::RETRY))
    }

    /// Returns the text that an `llm` skill sends: `prompt.md`, or else the body of `SKILL.md`.
    pub fn prompt(self) -> Option<&'a str> {
        (self.flags() & flag::PROMPT != 0).then(|| utf8(self.tables.content(self.field(skill::PROMPT))))
    }

    /// Returns the steps of a `composite` skill as JSON, or `None` if the host runs it.
    pub fn pipeline(self) -> Option<&'a str> {
        self.optional(skill::PIPELINE)
    }

    /// Returns the tool of an MCP server that an `mcp` skill calls.
    pub fn pinned_tool(self) -> Option<PinnedTool<&'a str>> {
        let mut texts = self.texts(skill::MCP);
        Some(PinnedTool { server: texts.next()?, tool: texts.next()?, digest: texts.next()? })
    }

    /// Returns the output mapping of the pipeline as JSON.
    pub fn output_mapping(self) -> Option<&'a str> {
        self.optional(skill::OUTPUT_MAPPING)
    }

    /// Returns the tool definition of the skill for an API, as JSON.
    ///
    /// Returns `None` for a skill that is not a function (it has no `skill.json` and no typed `exec`), that is hidden from
    /// models, or whose name or input the API would reject. A skill on disk is a tool only when it can run without a host.
    pub fn tool(self, format: ToolFormat) -> Option<&'a str> {
        let row = self.tables.word(self.field(skill::TOOL)).checked_sub(1)?;
        let at = self.tables.word(header::AT_TOOLS).checked_add(row.checked_mul(tool::WIDTH)?)?;
        self.tables.optional_text(at.checked_add(format as u32 * 2)?)
    }
}
