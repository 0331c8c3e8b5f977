//! The handle of a skill in a registry.

use std::borrow::Cow;
use std::fmt;

use crate::backend::{Backend, Mode};
use crate::facts::{FACTS, FUNCTION, Facts, PinnedTool};
use crate::metadata::Metadata;
use crate::names::{hyphenated, is_standard_name, standard_name};
use crate::permissions::Permissions;
use crate::resource::{Resource, Resources, is_resource};
use crate::rows::{Cell, Column, FileRow, HEADER, Row, Rows, SKILL, SkillRow, TextPlace, Texts};
use crate::servers::McpServers;
use crate::tables::{Tables, utf8};
use skills_text::{ToolFormat, plain_braces, unmarked};

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
    #[doc(hidden)]
    pub fn published_name(self) -> Option<Cow<'a, str>> {
        Some(hyphenated(self.name())).filter(|name| is_standard_name(name))
    }

    /// Returns the description, with the author's line breaks.
    pub fn description(self) -> &'a str {
        self.fact(FACTS.description)
    }

    /// Returns the text that describes the skill to a model before it loads it: the description, a space, and
    /// `when_to_use`.
    pub fn offer(self) -> Cow<'a, str> {
        offer(self.description(), self.when_to_use())
    }

    /// Returns the text of `SKILL.md` after its frontmatter, without leading empty lines.
    ///
    /// Empty when the skill has no `SKILL.md`.
    pub fn body(self) -> &'a str {
        self.row().get(SKILL.body).map_or("", |place| utf8(self.tables.content(place)))
    }

    /// Returns the version. The default is `0.1.0`, or `1.0.0` with a `skill.json`.
    pub fn version(self) -> &'a str {
        self.fact(FACTS.version)
    }

    /// Returns the tier: 0 prose, 1 scripts, 2 a program to run, 3 a program with a typed input.
    pub fn tier(self) -> u8 {
        self.fact(FACTS.tier)
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
        self.fact(FACTS.dir)
    }

    /// Returns the path of this skill below another one, if its directory lies in the directory of `outer`.
    #[doc(hidden)]
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
        self.row().get(SKILL.location).unwrap_or_default()
    }

    /// Returns `true` if a prompt catalog offers the skill: it has a `SKILL.md`, and models may see it.
    /// Required capabilities are not considered.
    pub fn is_offered(self) -> bool {
        self.has_document() && self.is_model_invocable()
    }

    /// Returns `true` if the skill is compiled into a program or is on a server, so that its files are not on
    /// disk.
    pub fn is_bundled(self) -> bool {
        !self.row().get(SKILL.is_on_disk)
    }

    /// Returns `true` if the skill is on a server, such as an MCP server. Its files are read when they are
    /// first used.
    pub fn is_remote(self) -> bool {
        self.row().get(SKILL.is_remote)
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
        self.fact(FACTS.frontmatter)
    }

    /// Returns `true` if every YAML parser reads the same values from `SKILL.md`: the text begins with `---`,
    /// and the check found no mistake that it had to tolerate.
    pub(crate) fn has_plain_frontmatter(self) -> bool {
        self.fact(FACTS.plain_frontmatter)
    }

    /// Returns the program to run, as the skill spells it. `None` if the file does not exist.
    pub fn exec(self) -> Option<&'a str> {
        self.fact(FACTS.exec)
    }

    /// Returns the path of the file that `exec` names, relative to the skill.
    pub fn program(self) -> Option<&'a str> {
        self.fact(FACTS.program)
    }

    /// Returns the path of the program's input schema (JSON Schema), relative to the skill.
    pub fn schema(self) -> Option<&'a str> {
        self.fact(FACTS.schema)
    }

    /// Returns the time limit in milliseconds, or `None` if the skill does not set a valid one.
    pub fn timeout_ms(self) -> Option<u64> {
        self.fact(FACTS.timeout_ms)
    }

    /// Returns the time limit in the frontmatter if it is invalid and is the only limit. Runs of the
    /// skill are then refused.
    #[doc(hidden)]
    pub fn invalid_timeout(self) -> Option<&'a str> {
        self.fact(FACTS.invalid_timeout)
    }

    /// Returns the permissions that the skill requests, or `None` if it does not declare any.
    pub fn permissions(self) -> Option<Permissions> {
        self.fact(FACTS.permissions)
    }

    /// Returns the programs and `cap:` entries that the skill requires, as written: a program may have a minimum
    /// version (`acme >= 0.4`).
    pub fn requires(self) -> Texts<'a> {
        self.fact(FACTS.requires)
    }

    /// Returns the MCP servers that the skill declares, in file order.
    pub fn mcp_servers(self) -> McpServers<'a> {
        self.fact(FACTS.mcp_servers)
    }

    /// Returns the labels of the skill.
    pub fn tags(self) -> Texts<'a> {
        self.fact(FACTS.tags)
    }

    /// Returns the category of the skill.
    pub fn category(self) -> Option<&'a str> {
        self.fact(FACTS.category)
    }

    /// Returns the source of a skill that was added from another project, as the `skills.lock` of this project
    /// names it. `None` for the project's own skills. This is not a proof of the source; only a signature is.
    pub fn source(self) -> Option<Source<'a>> {
        let name = self.fact(FACTS.source)?;
        Some(Source { name, revision: self.fact(FACTS.revision) })
    }

    /// Finds the value of a key that belongs to the program, below `metadata` or else in the frontmatter itself.
    /// The keys of nested maps are joined with a dot: `activation.keywords`. Keys that this library knows have
    /// their own methods.
    pub fn metadata(self, key: &str) -> Option<Metadata<'a>> {
        Metadata::find(self.fact(FACTS.own), key)
    }

    /// Returns the keys that [`metadata`](Self::metadata) finds, each once, in the order of the file.
    pub fn metadata_keys(self) -> impl Iterator<Item = &'a str> {
        let mut last = None;
        self.fact(FACTS.own).map(|(key, _)| key).filter(move |key| last.replace(*key) != Some(*key))
    }

    /// Returns `true` if models may see the skill.
    pub fn is_model_invocable(self) -> bool {
        self.fact(FACTS.model_invocable)
    }

    /// Returns `true` if the skill is for the program only: with the tag `internal`, or `internal` below
    /// `metadata`.
    pub fn is_internal(self) -> bool {
        self.fact(FACTS.internal)
    }

    /// Returns `true` if a user may call the skill by its name. Returns `false` with `user-invocable: false`,
    /// and for internal skills.
    pub fn is_user_invocable(self) -> bool {
        self.fact(FACTS.user_invocable)
    }

    /// Returns `true` if the skill has a `SKILL.md`.
    pub fn has_document(self) -> bool {
        self.row().get(SKILL.body).is_some()
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

    /// Returns the mode of the skill as a function, or `None` without a `skill.json`.
    pub fn mode(self) -> Option<Mode> {
        self.fact(FACTS.function).get(FUNCTION.mode)
    }

    /// Returns what runs the skill when it is called. `None` if the skill is not a function: it has neither a
    /// `skill.json` nor a program with a `schema`.
    pub fn backend(self) -> Option<Backend> {
        self.fact(FACTS.backend)
    }

    /// Returns `true` if the manifest says that a call has no effects besides its output: `"pure": true`.
    /// A pipeline may run such a skill at the same time as other steps.
    pub fn is_pure(self) -> bool {
        self.fact(FACTS.function).get(FUNCTION.pure)
    }

    /// Returns the JSON Schema of the input, as written in `skill.json`.
    pub fn input_schema(self) -> Option<&'a str> {
        self.row().get(SKILL.input_schema)
    }

    /// Returns the file with the JSON Schema of the input, and its text: `skill.json`, or for a program the
    /// file that [`schema`](Self::schema) names. A byte order mark is removed.
    #[doc(hidden)]
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
    #[doc(hidden)]
    pub fn checker(self) -> Option<(&'a [u8], &'a str)> {
        let text = self.row().get(SKILL.checker_text)?;
        Some((self.tables.text_bytes(SKILL.checker_numbers.position(self.row().position())), text))
    }

    /// Returns the JSON Schema of the output, as written in `skill.json`.
    pub fn output_schema(self) -> Option<&'a str> {
        self.row().get(SKILL.output_schema)
    }

    /// Returns the skills that this one calls, in file order.
    pub fn calls(self) -> Texts<'a> {
        self.fact(FACTS.function).get(FUNCTION.calls)
    }

    /// Returns the skills that every run of the pipeline calls, regardless of its input.
    pub fn certain_calls(self) -> Texts<'a> {
        self.fact(FACTS.function).get(FUNCTION.certain_calls)
    }

    /// Returns how many times a failed attempt is repeated.
    pub fn retry(self) -> u32 {
        self.fact(FACTS.function).get(FUNCTION.retry)
    }

    /// Returns the text that an `llm` skill sends: `prompt.md`, or else the body of `SKILL.md`.
    pub fn prompt(self) -> Option<&'a str> {
        self.row().get(SKILL.prompt).map(|place| utf8(self.tables.content(place)))
    }

    /// Returns the steps of a `composite` skill as JSON, or `None` if the host runs it.
    pub fn pipeline(self) -> Option<&'a str> {
        self.fact(FACTS.function).get(FUNCTION.pipeline)
    }

    /// Returns the tool of an MCP server that an `mcp` skill calls.
    pub fn pinned_tool(self) -> Option<PinnedTool<&'a str>> {
        self.fact(FACTS.function).get(FUNCTION.mcp)
    }

    /// Returns the output mapping of the pipeline as JSON.
    pub fn output_mapping(self) -> Option<&'a str> {
        self.fact(FACTS.function).get(FUNCTION.output_mapping)
    }

    /// Returns the tool definition of the skill for an API, as JSON.
    ///
    /// Returns `None` for a skill that is not a function (it has no `skill.json` and no typed `exec`), that is hidden from
    /// models, or whose name or input the API would reject. A skill on disk is a tool only when it can run without a host.
    pub fn tool(self, format: ToolFormat) -> Option<&'a str> {
        let places = self.row().get(SKILL.tools);
        self.tables.optional_text(places.saturating_add(format as u32 * TextPlace::WIDTH))
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
        Some(self.row().get(SKILL.digest)).filter(|digest| **digest != [0; 32])
    }

    /// Returns the digest as 64 lower-case hexadecimal digits.
    pub fn digest_hex(self) -> Option<String> {
        self.digest().map(|digest| skills_text::hex(digest))
    }

    fn list_files(self, all: bool) -> Resources<'a> {
        Resources::new(Rows::new::<FileRow>(self.tables, HEADER.files, self.row().get(SKILL.files)), all)
    }

    /// Returns `true` if both handles refer to the same row of the same tables. Two skills with the same name
    /// may differ.
    pub fn is(self, other: Skill<'_>) -> bool {
        std::ptr::eq(self.tables, other.tables) && self.row == other.row
    }

    pub(crate) fn tables(self) -> &'a Tables {
        self.tables
    }

    pub(crate) fn number(self) -> u32 {
        self.row
    }

    fn row(self) -> Row<'a> {
        let width = SkillRow::WIDTH + Facts::WIDTH;
        let first = Row::header(self.tables).get(HEADER.skills);
        Row::new(self.tables, first.saturating_add(self.row.saturating_mul(width)))
    }

    /// Returns the value of a column of the facts.
    pub(crate) fn fact<T: Cell>(self, column: Column<T>) -> T::Value<'a> {
        Row::new(self.tables, self.row().position().saturating_add(SkillRow::WIDTH)).get(column)
    }
}

impl fmt::Debug for Skill<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Skill").field(&self.name()).finish()
    }
}

/// Returns the bytes of the name of a row, without checking that they are UTF-8.
pub(crate) fn name(tables: &Tables, row: u32) -> &[u8] {
    let at = row.saturating_mul(TextPlace::WIDTH);
    tables.text_bytes(Row::header(tables).get(HEADER.names).saturating_add(at))
}

/// Joins the two parts of the description for a model.
pub(crate) fn offer<'a>(description: &'a str, when: Option<&str>) -> Cow<'a, str> {
    match when.map(str::trim).filter(|when| !when.is_empty()) {
        Some(when) if description.trim().is_empty() => Cow::Owned(when.to_owned()),
        Some(when) => Cow::Owned(format!("{} {when}", description.trim_end())),
        None => Cow::Borrowed(description),
    }
}

/// The source of a skill that was added from another project.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source<'a> {
    /// The source, such as `acme/skills@v1` or `crate:NAME`.
    pub name: &'a str,
    /// The commit, or the version of the package. `None` for a directory.
    pub revision: Option<&'a str>,
}

impl fmt::Display for Source<'_> {
    /// Writes the source, and the revision in parentheses.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name)?;
        match self.revision {
            Some(revision) => write!(formatter, " ({revision})"),
            None => Ok(()),
        }
    }
}

/// Verifies the files of a skill, as the tables hold them, for example against a signature.
pub trait SkillVerifier: fmt::Debug + Send + Sync {
    /// Checks a skill.
    ///
    /// # Errors
    /// The reason why it is refused, as a clause.
    fn verify(&self, skill: Skill<'_>) -> Result<(), String>;
}
