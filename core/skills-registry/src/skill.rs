//! The handle of a skill in a registry.

mod function;

use std::borrow::Cow;

use crate::layout::{file, flag, header, skill};
use crate::list::{McpServers, Rows, Texts};
use crate::mode::Mode;
use crate::resource::{Resource, Resources, is_resource};
use crate::source::Source;
use crate::standard::{hyphenated, is_standard_name, standard_name};
use crate::tables::{Tables, utf8};
use skills_text::plain_braces;

/// A skill of a [`Registry`](crate::Registry). A cheap handle: copy it.
///
/// Everything it returns borrows from the registry, so `'a` is `'static` for a skill compiled into the
/// program.
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

    /// Returns the bytes of the name. Comparing bytes is faster, because a name is checked to be UTF-8 each time
    /// it is read.
    #[doc(hidden)]
    pub fn name_bytes(self) -> &'a [u8] {
        name(self.tables, self.row)
    }

    /// Returns the name in the open standard, which does not allow `_`: `code-review` for `code_review`.
    ///
    /// Other agents expect this name for the directory and the `SKILL.md` of a function.
    pub fn standard_name(self) -> Cow<'a, str> {
        standard_name(self.name(), self.mode().is_some())
    }

    /// Returns the name, without `_`, for clients that only know the open standard. Returns `None` if the
    /// result is still not a valid name of the standard.
    pub fn published_name(self) -> Option<Cow<'a, str>> {
        Some(hyphenated(self.name())).filter(|name| is_standard_name(name))
    }

    /// Returns the description, with the author's line breaks.
    pub fn description(self) -> &'a str {
        self.text(skill::DESCRIPTION)
    }

    /// Returns the text of `SKILL.md` after its frontmatter, without leading empty lines.
    ///
    /// Empty when the skill has no `SKILL.md`.
    pub fn body(self) -> &'a str {
        utf8(self.tables.content(self.field(skill::BODY)))
    }

    /// Returns the version. The default is `0.1.0`, or `1.0.0` with a `skill.json`.
    pub fn version(self) -> &'a str {
        self.text(skill::VERSION)
    }

    /// Returns the tier: 0 prose, 1 scripts, 2 a program to run, 3 a program with a typed input.
    pub fn tier(self) -> u8 {
        (self.flags() & flag::TIER).to_le_bytes()[0]
    }

    /// Returns the kind for people: `text`, `script`, `function` with its mode, or `pipeline`. A script is a `SKILL.md` with
    /// a program.
    pub fn kind(self) -> &'static str {
        match (self.mode(), self.program()) {
            (Some(Mode::Composite), _) => "pipeline",
            (Some(Mode::Code), _) => "function (code)",
            (Some(Mode::Llm), _) => "function (llm)",
            (Some(Mode::Mcp), _) => "function (mcp)",
            (None, Some(_)) => "script",
            (None, None) => "text",
        }
    }

    /// Returns the directory below the root of the bundle, with `/`. Empty if the root itself is the skill.
    pub fn dir(self) -> &'a str {
        self.text(skill::DIR)
    }

    /// Returns the path of this skill below another one, if its directory lies in the directory of `outer`.
    pub fn path_below(self, outer: Skill<'_>) -> Option<&'a str> {
        let path = match outer.dir() {
            "" => self.dir(),
            dir => self.dir().strip_prefix(dir)?.strip_prefix('/')?,
        };
        let is_in_it = match self.is_bundled() {
            true => std::ptr::eq(self.tables, outer.tables),
            // Directories of two roots may have the same path below their root.
            false => std::path::Path::new(outer.base()).join(path) == std::path::Path::new(self.base()),
        };
        Some(path).filter(|path| !path.is_empty() && is_in_it)
    }

    /// Returns the location of `SKILL.md`: `skill://NAME/SKILL.md` in a bundle, or its path for a skill on
    /// disk.
    pub fn location(self) -> &'a str {
        self.text(skill::LOCATION)
    }

    /// Returns `true` if a prompt catalog offers the skill: it has a `SKILL.md`, and models may see it.
    /// Required capabilities are not considered.
    pub fn is_offered(self) -> bool {
        self.has_document() && self.is_model_invocable()
    }

    /// Returns `true` if the skill is compiled into a program or is on a server, so that its files are not on
    /// disk.
    pub fn is_bundled(self) -> bool {
        self.flags() & flag::ON_DISK == 0
    }

    /// Returns `true` if the skill is on a server, such as an MCP server. Its files are read when they are
    /// first used.
    pub fn is_remote(self) -> bool {
        self.flags() & flag::REMOTE != 0
    }

    /// Returns the body for a reader: in a prompt of an `llm` skill, doubled braces are unescaped.
    pub fn shown_body(self) -> Cow<'a, str> {
        let body = self.body();
        if self.prompt() == Some(body) { plain_braces(body) } else { Cow::Borrowed(body) }
    }

    /// Returns the base of relative paths in the body: `skill://NAME` in a bundle, or the directory of a
    /// skill on disk.
    pub fn base(self) -> &'a str {
        let location = self.location();
        match location.rfind(['/', std::path::MAIN_SEPARATOR]) {
            Some(0) => location.get(..1).unwrap_or_default(),
            at => at.and_then(|at| location.get(..at)).unwrap_or_default(),
        }
    }

    /// Returns the whole frontmatter as one JSON object, with keys and order as written. `{}` without a
    /// frontmatter.
    pub fn frontmatter(self) -> &'a str {
        self.text(skill::FRONTMATTER)
    }

    /// Returns `true` if every YAML parser reads the same values from `SKILL.md`: the text begins with `---`,
    /// and the check found no mistake that it had to tolerate.
    pub fn has_plain_frontmatter(self) -> bool {
        self.flags() & flag::PLAIN != 0
    }

    /// Returns the program to run, as the skill spells it. `None` if the file does not exist.
    pub fn exec(self) -> Option<&'a str> {
        self.optional(skill::EXEC)
    }

    /// Returns the path of the file that `exec` names, relative to the skill.
    pub fn program(self) -> Option<&'a str> {
        self.optional(skill::PROGRAM)
    }

    /// Returns the path of the program's input schema (JSON Schema), relative to the skill.
    pub fn schema(self) -> Option<&'a str> {
        self.optional(skill::SCHEMA)
    }

    /// Returns whether the skill's schemas assert `format`, as set in the options of its check. `None` means
    /// that the draft of each schema decides.
    pub fn asserts_formats(self) -> Option<bool> {
        match self.flags() & (flag::FORMATS_ASSERTED | flag::FORMATS_IGNORED) {
            0 => None,
            bits => Some(bits == flag::FORMATS_ASSERTED),
        }
    }

    /// Returns the time limit in milliseconds, or `None` if the skill does not set a valid one.
    pub fn timeout_ms(self) -> Option<u64> {
        let word = |at| u64::from(self.tables.word(self.field(skill::TIMEOUT + at)));
        (self.flags() & flag::TIMEOUT != 0).then(|| word(0) | word(1) << 32)
    }

    /// Returns the time limit in the frontmatter if it is invalid and is the only limit. Runs of the
    /// skill are then refused.
    pub fn invalid_timeout(self) -> Option<&'a str> {
        (self.flags() & flag::TIMEOUT_INVALID != 0).then(|| self.optional(skill::TIMEOUT)).flatten()
    }

    /// Returns the programs and `cap:` entries that the skill requires, as written: a program may have a minimum
    /// version (`acme >= 0.4`).
    pub fn requires(self) -> Texts<'a> {
        self.texts(skill::REQUIRES)
    }

    /// Returns the MCP servers that the skill declares, in file order.
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

    /// Returns the source of a skill that was added from another project, as the `skills.lock` of this project
    /// names it. `None` for the project's own skills. This is not a proof of the source; only a signature is.
    pub fn source(self) -> Option<Source<'a>> {
        let name = self.optional(skill::SOURCE)?;
        Some(Source { name, revision: self.optional(skill::REVISION) })
    }

    /// Returns `true` if models may see the skill.
    pub fn is_model_invocable(self) -> bool {
        self.flags() & flag::MODEL_INVOCABLE != 0
    }

    /// Returns `true` if the skill is for the program only: with the tag `internal`, or `internal` below
    /// `metadata`.
    pub fn is_internal(self) -> bool {
        self.flags() & flag::INTERNAL != 0
    }

    /// Returns `true` if a user may call the skill by its name. Returns `false` with `user-invocable: false`,
    /// and for internal skills.
    pub fn is_user_invocable(self) -> bool {
        self.flags() & flag::USER_INVOCABLE != 0
    }

    /// Returns `true` if the skill has a `SKILL.md`.
    pub fn has_document(self) -> bool {
        self.flags() & flag::DOCUMENT != 0
    }

    /// Returns `true` if the host refuses a capability that the skill requires.
    ///
    /// `grants` is called with `x` for every `cap:x` in `requires`. Treat a gated skill like an unknown one.
    pub fn is_gated(self, grants: &dyn Fn(&str) -> bool) -> bool {
        self.requires().any(|entry| entry.strip_prefix("cap:").is_some_and(|capability| !grants(capability)))
    }

    /// Returns `true` if every program that the skill requires is found in `path`, a list like `PATH`.
    pub fn is_available(self, path: &std::ffi::OsStr) -> bool {
        self.missing_programs(path).next().is_none()
    }

    /// Returns the required programs that are not found in `path`, a list like `PATH`, in file order.
    pub fn missing_programs<'p>(
        self,
        path: &'p std::ffi::OsStr,
    ) -> impl Iterator<Item = &'a str> + use<'a, 'p> {
        let missing = self.requires().filter(move |entry| crate::available::is_missing(entry, path));
        missing.map(|entry| crate::requirement(entry).0)
    }

    /// Returns every file in the skill's directory except `SKILL.md` and `skill.json`, sorted by path.
    pub fn resources(self) -> Resources<'a> {
        self.list_files(false)
    }

    /// Finds a resource by its path below the skill.
    pub fn resource(self, path: &str) -> Option<Resource<'a>> {
        self.file(path).filter(|found| is_resource(found.path()))
    }

    /// Returns every file of the skill, including `SKILL.md` and `skill.json`, sorted by path.
    pub fn files(self) -> Resources<'a> {
        self.list_files(true)
    }

    /// Finds any file by its path below the skill.
    pub fn file(self, path: &str) -> Option<Resource<'a>> {
        self.files().find(path)
    }

    /// Returns the digest of a skill that is compiled into a program, which is a constant. `None` for skills that
    /// are loaded at run time.
    ///
    /// It is the SHA-256 of the output of `sha256sum` in its directory for all its files, sorted by path.
    pub fn digest(self) -> Option<&'a [u8; 32]> {
        self.tables.words(self.field(skill::DIGEST)).filter(|digest| **digest != [0; 32])
    }

    /// Returns the digest as 64 lower-case hexadecimal digits.
    pub fn digest_hex(self) -> Option<String> {
        self.digest().map(|digest| skills_text::hex(digest))
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

    /// Returns `true` if both handles refer to the same row of the same tables. Two skills with the same name
    /// may differ.
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

/// Returns the bytes of the name of a row, without checking that they are UTF-8.
pub(crate) fn name(tables: &Tables, row: u32) -> &[u8] {
    let at = row.saturating_mul(crate::layout::name::WIDTH);
    tables.text_bytes(tables.word(header::AT_NAMES).saturating_add(at))
}
