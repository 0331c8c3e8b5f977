//! One skill of a registry.

use std::borrow::Cow;

use crate::braces::plain_braces;
use crate::frontmatter::unmarked;
use crate::layout::tool;
use crate::layout::{NONE, file, flag, header, skill};
use crate::list::{McpServers, Rows, Texts};
use crate::mode::Mode;
use crate::resource::{Resource, Resources, is_resource};
use crate::standard::{hyphenated, is_standard_name, standard_name};
use crate::tables::{Tables, utf8};
use crate::tool::ToolFormat;
use crate::way::Way;

/// A skill of a [`Registry`](crate::Registry). A cheap handle: copy it.
///
/// All it returns lies in the registry, so `'a` is `'static` for a skill that is part of the program.
#[derive(Clone, Copy)]
pub struct Skill<'a> {
    tables: &'a Tables,
    row: u32,
}

impl<'a> Skill<'a> {
    pub(crate) const fn new(tables: &'a Tables, row: u32) -> Self {
        Self { tables, row }
    }

    /// Returns the name, as the skill spells it.
    pub fn name(self) -> &'a str {
        utf8(name(self.tables, self.row))
    }

    /// Returns the name by the open standard, which has no `_`: of `code_review` it is `code-review` (SPEC 9.7).
    ///
    /// It is what the directory and the `SKILL.md` of a function are called where other agents read them.
    pub fn standard_name(self) -> Cow<'a, str> {
        standard_name(self.name(), self.mode().is_some())
    }

    /// Returns the name under which the skill is published to clients that know the standard alone: without `_`, whether it
    /// is a function or not (SPEC 11.18). Nothing when that is still none of the standard's.
    pub fn published_name(self) -> Option<Cow<'a, str>> {
        Some(hyphenated(self.name())).filter(|name| is_standard_name(name))
    }

    /// Returns what the skill is for, on as many lines as its author wrote.
    pub fn description(self) -> &'a str {
        self.text(skill::DESCRIPTION)
    }

    /// Returns the text of `SKILL.md` behind its frontmatter, without leading blank lines (SPEC 2.8).
    ///
    /// Empty when the skill has no `SKILL.md`.
    pub fn body(self) -> &'a str {
        utf8(self.tables.content(self.field(skill::BODY)))
    }

    /// Returns the version; `0.1.0` unless the skill gives one (SPEC 2.9), `1.0.0` with a `skill.json` (SPEC 3.1).
    pub fn version(self) -> &'a str {
        self.text(skill::VERSION)
    }

    /// Returns the tier (SPEC 4.1): 0 prose, 1 scripts, 2 a program to run, 3 a program with a typed input.
    pub fn tier(self) -> u8 {
        (self.flags() & flag::TIER).to_le_bytes()[0]
    }

    /// Returns the directory below the root of the bundle, with `/`; empty when the root itself is the skill.
    pub fn dir(self) -> &'a str {
        self.text(skill::DIR)
    }

    /// Returns where `SKILL.md` is: `skill://NAME/SKILL.md` in a bundle, its path for a skill on disk (SPEC 8.1).
    pub fn location(self) -> &'a str {
        self.text(skill::LOCATION)
    }

    /// Tells whether a catalog of prompts offers the skill: it has a `SKILL.md` and a model may see it (SPEC 8.1). Whether
    /// a capability that it needs is granted, the host says.
    pub fn is_offered(self) -> bool {
        self.has_document() && self.is_model_invocable()
    }

    /// Tells whether the skill is part of a program only, so that its files are on no disk.
    pub fn is_bundled(self) -> bool {
        self.location().starts_with("skill://")
    }

    /// Returns the body as a reader is shown it: where it is a prompt (SPEC 3.4), without the doubling of braces (SPEC 5.8).
    pub fn shown_body(self) -> Cow<'a, str> {
        let body = self.body();
        if self.prompt() == Some(body) { plain_braces(body) } else { Cow::Borrowed(body) }
    }

    /// Returns what paths in the body are relative to: `skill://NAME` in a bundle, the directory of a skill on disk
    /// (SPEC 8.2, 11.1).
    pub fn base(self) -> &'a str {
        let location = self.location();
        match location.rfind(['/', std::path::MAIN_SEPARATOR]) {
            Some(0) => location.get(..1).unwrap_or_default(),
            at => at.and_then(|at| location.get(..at)).unwrap_or_default(),
        }
    }

    /// Returns the whole frontmatter as one JSON object, keys and order as written; `{}` when there is none.
    pub fn frontmatter(self) -> &'a str {
        self.text(skill::FRONTMATTER)
    }

    /// Tells whether every reader of YAML finds that in `SKILL.md`: the text begins with `---`, and nothing had to be read
    /// over (SPEC 11.18).
    pub fn has_plain_frontmatter(self) -> bool {
        self.flags() & flag::PLAIN != 0
    }

    /// Returns the program to run, as the skill spells it; only when the file is there (SPEC 4.2).
    pub fn exec(self) -> Option<&'a str> {
        self.optional(skill::EXEC)
    }

    /// Returns the file that `exec` names, as a path below the skill.
    pub fn program(self) -> Option<&'a str> {
        self.optional(skill::PROGRAM)
    }

    /// Returns the JSON Schema file of the program's input, as a path below the skill (SPEC 4.3).
    pub fn schema(self) -> Option<&'a str> {
        self.optional(skill::SCHEMA)
    }

    /// Tells whether `format` is asserted in the schemas of the skill, as the options say that it was judged by; nothing
    /// when the draft of each schema says so (SPEC 6.1).
    pub fn asserts_formats(self) -> Option<bool> {
        match self.flags() & (flag::FORMATS_ASSERTED | flag::FORMATS_IGNORED) {
            0 => None,
            bits => Some(bits == flag::FORMATS_ASSERTED),
        }
    }

    /// Returns the time limit in milliseconds, when the skill gives one (SPEC 7.1).
    pub fn timeout_ms(self) -> Option<u64> {
        let word = |at| u64::from(self.tables.word(self.field(skill::TIMEOUT + at)));
        (self.flags() & flag::TIMEOUT != 0).then(|| word(0) | word(1) << 32)
    }

    /// Returns what the frontmatter gives as the limit, where that is none and no other holds: a run is refused (SPEC 7.1).
    pub fn invalid_timeout(self) -> Option<&'a str> {
        (self.flags() & flag::TIMEOUT_INVALID != 0).then(|| self.optional(skill::TIMEOUT)).flatten()
    }

    /// Returns the programs and `cap:` entries the skill needs (SPEC 2.9).
    pub fn requires(self) -> Texts<'a> {
        self.texts(skill::REQUIRES)
    }

    /// Returns the MCP servers the skill brings, in file order (SPEC 2.10).
    pub fn mcp_servers(self) -> McpServers<'a> {
        McpServers::new(self.tables, self.field(skill::SERVERS))
    }

    /// Returns the labels of the skill.
    pub fn tags(self) -> Texts<'a> {
        self.texts(skill::TAGS)
    }

    /// Returns the category of the skill.
    pub fn category(self) -> Option<&'a str> {
        self.optional(skill::CATEGORY)
    }

    /// Returns how the skill runs as a function; nothing without a `skill.json`.
    pub fn mode(self) -> Option<Mode> {
        Mode::from_bits(self.flags() >> flag::MODE_SHIFT)
    }

    /// Returns what runs the skill when it is called; nothing for one that is no function: it has neither a `skill.json`,
    /// nor a program with a `schema` (SPEC 6.2, 6.3).
    pub fn way(self) -> Option<Way> {
        Way::from_bits(self.flags() >> flag::WAY_SHIFT & 0b111)
    }

    /// Returns the JSON Schema of the input, as written in `skill.json`.
    pub fn input_schema(self) -> Option<&'a str> {
        self.optional(skill::INPUT)
    }

    /// Returns the JSON Schema of what the skill takes, behind the file it stands in: `skill.json`, else the one that
    /// [`schema`](Self::schema) names, for a program (SPEC 3.1, 4.3). A byte order mark is not part of it.
    pub fn input_document(self) -> Option<(&'a str, &'a str)> {
        match self.input_schema() {
            Some(input) => Some(("skill.json", input)),
            None => {
                let path = self.schema().filter(|_| self.tier() == 3)?;
                Some((path, unmarked(self.file(path)?.text()?)))
            }
        }
    }

    /// Returns the tables that check the input of the skill's program, as they were made when the skill was checked:
    /// their numbers, each four bytes from the lowest on, and their text. Nothing where no input is checked (SPEC 4.3).
    pub fn checker(self) -> Option<(&'a [u8], &'a str)> {
        let at = self.field(skill::CHECKER);
        (self.tables.word(at) != NONE).then(|| (self.tables.text_bytes(at), self.text(skill::CHECKER + 2)))
    }

    /// Returns the JSON Schema of the output, as written in `skill.json`.
    pub fn output_schema(self) -> Option<&'a str> {
        self.optional(skill::OUTPUT)
    }

    /// Returns the skills that this one calls, in file order (SPEC 3.6).
    pub fn calls(self) -> Texts<'a> {
        self.texts(skill::CALLS)
    }

    /// Returns the skills that each run of the pipeline calls, whatever its input is (SPEC 6.2).
    pub fn certain_calls(self) -> Texts<'a> {
        self.texts(skill::CERTAIN_CALLS)
    }

    /// Returns how often a failed attempt is repeated.
    pub fn retry(self) -> u32 {
        self.tables.word(self.field(skill::RETRY))
    }

    /// Returns the text that an `llm` skill sends: `prompt.md`, else the body of `SKILL.md` (SPEC 3.4).
    pub fn prompt(self) -> Option<&'a str> {
        (self.flags() & flag::PROMPT != 0).then(|| utf8(self.tables.content(self.field(skill::PROMPT))))
    }

    /// Returns the steps of a `composite` skill as JSON; nothing when the host runs it.
    pub fn pipeline(self) -> Option<&'a str> {
        self.optional(skill::PIPELINE)
    }

    /// Returns the output mapping of the pipeline as JSON.
    pub fn output_mapping(self) -> Option<&'a str> {
        self.optional(skill::OUTPUT_MAPPING)
    }

    /// Returns the definition of the tool that the skill is for an interface, as JSON (SPEC 6.3).
    ///
    /// Nothing for a skill that is no function (it has no `skill.json` and no typed `exec`), that is kept from models, or
    /// whose name or input the interface would refuse. A skill on disk is a tool only when it can run without a host.
    pub fn tool(self, format: ToolFormat) -> Option<&'a str> {
        let row = self.tables.word(self.field(skill::TOOL)).checked_sub(1)?;
        let at = self.tables.word(header::AT_TOOLS).checked_add(row.checked_mul(tool::WIDTH)?)?;
        self.tables.optional_text(at.checked_add(format.place() * 2)?)
    }

    /// Tells whether a model may be shown the skill (SPEC 6.3).
    pub fn is_model_invocable(self) -> bool {
        self.flags() & flag::MODEL_INVOCABLE != 0
    }

    /// Tells whether the skill is for the program alone: with the tag `internal`, or `internal` below `metadata`
    /// (SPEC 6.3, 8.12).
    pub fn is_internal(self) -> bool {
        self.flags() & flag::INTERNAL != 0
    }

    /// Tells whether a user may call the skill by its name: not with `user-invocable: false`, nor when it is internal.
    pub fn is_user_invocable(self) -> bool {
        self.flags() & flag::USER_INVOCABLE != 0
    }

    /// Tells whether the skill has a `SKILL.md`.
    pub fn has_document(self) -> bool {
        self.flags() & flag::DOCUMENT != 0
    }

    /// Tells whether a needed capability of the host is refused (SPEC 2.9).
    ///
    /// `grants` is asked about `x` for every `cap:x` that the skill requires. A gated skill is to be treated like an
    /// unknown one.
    pub fn is_gated(self, grants: &dyn Fn(&str) -> bool) -> bool {
        self.requires().any(|entry| entry.strip_prefix("cap:").is_some_and(|capability| !grants(capability)))
    }

    /// Tells whether every program that the skill requires is found in `path`, a list like `PATH` (SPEC 2.9).
    pub fn is_available(self, path: &std::ffi::OsStr) -> bool {
        self.missing_programs(path).next().is_none()
    }

    /// Returns the programs that the skill requires and that are not found in `path`, a list like `PATH`, in file order
    /// (SPEC 2.9).
    pub fn missing_programs<'p>(
        self,
        path: &'p std::ffi::OsStr,
    ) -> impl Iterator<Item = &'a str> + use<'a, 'p> {
        self.requires().filter(move |entry| crate::available::is_missing(entry, path))
    }

    /// Returns everything in the skill's directory but `SKILL.md` and `skill.json`, sorted by path (SPEC 1.3).
    pub fn resources(self) -> Resources<'a> {
        self.list_files(false)
    }

    /// Finds a resource by its path below the skill.
    pub fn resource(self, path: &str) -> Option<Resource<'a>> {
        self.file(path).filter(|found| is_resource(found.path()))
    }

    /// Returns every file of the skill, sorted by path; `SKILL.md` and `skill.json` are among them.
    pub fn files(self) -> Resources<'a> {
        self.list_files(true)
    }

    /// Finds any file by its path below the skill.
    pub fn file(self, path: &str) -> Option<Resource<'a>> {
        self.files().find(path)
    }

    fn list_files(self, all: bool) -> Resources<'a> {
        Resources::new(Rows::new(self.tables, self.field(skill::FILES), header::AT_FILES, file::WIDTH), all)
    }

    pub(crate) fn flags(self) -> u32 {
        self.tables.word(self.field(skill::FLAGS))
    }

    fn text(self, field: u32) -> &'a str {
        self.tables.text(self.field(field))
    }

    /// Tells whether both are one skill: the same row of the same tables, and not only of one name.
    pub fn is(self, other: Skill<'_>) -> bool {
        std::ptr::eq(self.tables, other.tables) && self.row == other.row
    }

    pub(crate) fn tables(self) -> &'a Tables {
        self.tables
    }

    pub(crate) fn row(self) -> u32 {
        self.row
    }

    pub(crate) fn optional(self, field: u32) -> Option<&'a str> {
        self.tables.optional_text(self.field(field))
    }

    pub(crate) fn texts(self, field: u32) -> Texts<'a> {
        Texts::new(self.tables, self.field(field))
    }

    fn field(self, field: u32) -> u32 {
        let row = self.row.saturating_mul(skill::WIDTH);
        self.tables.word(header::AT_SKILLS).saturating_add(row).saturating_add(field)
    }
}

impl std::fmt::Debug for Skill<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_tuple("Skill").field(&self.name()).finish()
    }
}

/// Returns the bytes of the name of a row: enough to compare, without a look at what they spell.
pub(crate) fn name(tables: &Tables, row: u32) -> &[u8] {
    let at = row.saturating_mul(crate::layout::name::WIDTH);
    tables.text_bytes(tables.word(header::AT_NAMES).saturating_add(at))
}
