//! The facts about a checked skill: `check` in `skills-core` computes them. Each is a column of the tables,
//! except those in brackets, which the writer uses for other columns.

use std::borrow::Cow;
use std::ops::Range;

use skills_text::{ToolFormat, unmarked};

use crate::backend::{Backend, Mode};
use crate::declared::Declared;
use crate::permissions::Permissions;
use crate::resource::{Resource, skill_uri};
use crate::rows::{Cell, Row, RowRange, TableWriter, TooLarge, row};
use crate::servers::ServerFacts;
use crate::tables::{Tables, utf8};

row! {
    /// All facts about a skill except the contents of its files and schemas.
    #[derive(Clone, Debug, Default)]
    pub struct Facts, FACTS: FactColumns {
        [
            /// The name, as the skill spells it.
            name: String,
            /// The byte range of the body in `SKILL.md`. `None` without that file.
            body: Option<Range<usize>>,
        ]
        /// The directory below the root, with `/`. Empty if the root is the skill.
        dir: String,
        /// The description, with the author's line breaks.
        description: String,
        /// The version.
        version: String,
        /// The tier, 0 to 3.
        tier: u8,
        /// The whole frontmatter as one JSON object, with keys and order as written. `{}` without a frontmatter.
        frontmatter: String,
        /// Whether every YAML parser reads the same values from `SKILL.md`: the frontmatter is not TOML, and the
        /// check found no mistake that it had to tolerate.
        plain_frontmatter: bool,
        /// The program to run, as the skill spells it. `None` if the file does not exist.
        exec: Option<String>,
        /// The file that `exec` names, as a path below the skill.
        program: Option<String>,
        /// The JSON Schema file of the program's input, as a path below the skill.
        schema: Option<String>,
        /// The time limit in milliseconds, if one is given.
        timeout_ms: Option<u64>,
        /// An invalid time limit in the frontmatter, if no other limit applies. Runs of the skill are then
        /// refused.
        invalid_timeout: Option<String>,
        /// Programs and `cap:` entries that the skill requires.
        requires: Vec<String>,
        /// MCP servers that the skill declares, in file order.
        mcp_servers: Vec<ServerFacts>,
        /// The frontmatter keys that are kept as written.
        declared: Declared,
        /// The keys of other programs, each as its path joined by dots, with its value. Each item of a list is a
        /// separate entry.
        own: Vec<(String, String)>,
        /// The permissions requested by `skill.json` or the frontmatter. `None` if neither requests any.
        permissions: Option<Permissions>,
        /// Labels from `skill.json` or the frontmatter.
        tags: Vec<String>,
        /// The category from `skill.json` or the frontmatter.
        category: Option<String>,
        /// The source of a skill of another project, as `skills.lock` names it.
        source: Option<String>,
        /// The commit of that source, or the version of the package.
        revision: Option<String>,
        /// Whether models may see the skill: false with `disable-model-invocation` or the tag `internal`.
        model_invocable: bool,
        /// Whether a user may call the skill by its name: false with `user-invocable: false` or the tag
        /// `internal`.
        user_invocable: bool,
        /// Whether the skill is for the program only: with the tag `internal`, or `internal` below `metadata`.
        internal: bool,
        /// The kind of code that runs the skill when it is called. `None` if it is not a function.
        backend: Option<Backend>,
        /// The declarations of `skill.json`. `None` without one.
        function: Option<FunctionFacts>,
    }
}

impl Facts {
    /// Returns `true` if the skill requires a capability, which only a host can grant.
    pub fn is_gated(&self) -> bool {
        self.requires.iter().any(|entry| entry.starts_with("cap:"))
    }

    /// Returns `true` if a prompt catalog offers the skill: it has a `SKILL.md` and models may see it.
    pub fn is_offered(&self) -> bool {
        self.body.is_some() && self.model_invocable
    }
}

row! {
    /// The declarations of `skill.json` about the skill as a function, without its schemas.
    #[derive(Clone, Debug)]
    pub struct FunctionFacts, FUNCTION: FunctionColumns {
        [
            /// The file whose text an `llm` skill sends, and the byte range in it.
            prompt: Option<(&'static str, Range<usize>)>,
        ]
        /// How the skill runs.
        mode: Mode,
        /// The skills it calls, in file order.
        calls: Vec<String>,
        /// How many times a failed attempt is repeated.
        retry: u32,
        /// Whether the manifest says that a call has no effects besides its output.
        pure: bool,
        /// The steps of a `composite` skill, as JSON. `None` if the host runs it.
        pipeline: Option<String>,
        /// The output mapping of the pipeline, as JSON.
        output_mapping: Option<String>,
        /// The skills that every run of the pipeline calls, regardless of its input.
        certain_calls: Vec<String>,
        /// The tool that an `mcp` skill calls.
        mcp: Option<PinnedTool>,
    }
}

impl FunctionFacts {
    /// Creates a function without calls that is tried once.
    pub fn new(mode: Mode) -> Self {
        Self {
            mode,
            calls: Vec::new(),
            retry: 0,
            pure: false,
            prompt: None,
            pipeline: None,
            output_mapping: None,
            certain_calls: Vec::new(),
            mcp: None,
        }
    }
}

/// A handle gets the row of the function, which is absent if it has no mode.
impl Cell for Option<FunctionFacts> {
    const WIDTH: u32 = FunctionFacts::WIDTH;
    type Value<'t> = Row<'t>;

    fn write(&self, writer: &mut TableWriter, row: &mut Vec<u32>) -> Result<(), TooLarge> {
        match self {
            Some(function) => function.write(writer, row),
            None => {
                FunctionFacts::write_absent(row);
                Ok(())
            }
        }
    }

    fn read(tables: &Tables, at: u32) -> Row<'_> {
        FunctionFacts::read(tables, at)
    }
}

/// The tool of an MCP server that an `mcp` skill calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PinnedTool<T = String> {
    /// The server: a URL, a command line, or the name of a server that the host knows.
    pub server: T,
    /// The name of the tool at the server.
    pub tool: T,
    /// The digest of the definition of the tool when it was pinned: `sha256:` and hexadecimal digits.
    pub digest: T,
}

/// The three texts are a list, which is empty without a tool.
impl Cell for Option<PinnedTool> {
    const WIDTH: u32 = RowRange::WIDTH;
    type Value<'t> = Option<PinnedTool<&'t str>>;

    fn write(&self, writer: &mut TableWriter, row: &mut Vec<u32>) -> Result<(), TooLarge> {
        let texts = self.iter().flat_map(|pinned| [&pinned.server, &pinned.tool, &pinned.digest]);
        row.extend(writer.list(texts)?.0);
        Ok(())
    }

    fn read(tables: &Tables, at: u32) -> Option<PinnedTool<&str>> {
        let mut texts = Vec::<String>::read(tables, at);
        Some(PinnedTool { server: texts.next()?, tool: texts.next()?, digest: texts.next()? })
    }
}

/// A compiled skill, as the tables store it: its facts, and all that was made from its files and schemas.
#[derive(Clone, Debug, Default)]
pub struct CompiledSkill<'a> {
    /// The facts about the skill.
    pub facts: Cow<'a, Facts>,
    /// The location of `SKILL.md`. The default is `skill://NAME/SKILL.md`.
    pub location: Option<String>,
    /// Whether the skill is on a server, such as an MCP server.
    pub is_remote: bool,
    /// The JSON Schemas of input and output, as written in `skill.json`. Only used for a function.
    pub schemas: [&'a str; 2],
    /// The compiled tables that check the input of its program, as numbers and text. `None` if the input is
    /// not checked.
    pub checker: Option<(&'a [u32], &'a str)>,
    /// Its tool definitions, in the order of [`ToolFormat::ALL`]. `None` where the API would refuse it.
    pub tools: [Option<String>; ToolFormat::ALL.len()],
    /// Every file, sorted by path.
    pub files: Vec<CompiledFile<'a>>,
    /// The digest of the skill; see [`Skill::digest`](crate::Skill::digest). Zero if it was not computed.
    pub digest: [u8; 32],
}

impl From<Facts> for CompiledSkill<'_> {
    /// Creates a skill without files, schemas and tools.
    fn from(facts: Facts) -> Self {
        Self { facts: Cow::Owned(facts), ..Self::default() }
    }
}

impl CompiledSkill<'_> {
    /// Returns the location of `SKILL.md`: the location that is set, or the default in the bundle.
    pub(crate) fn location(&self) -> String {
        self.location.clone().unwrap_or_else(|| skill_uri(&self.facts.name, "SKILL.md"))
    }

    /// Returns the JSON Schema of the input: of `skill.json`, or the file that a program names. Empty without one.
    pub(crate) fn input(&self) -> &str {
        if self.facts.function.is_some() {
            return self.schemas[0];
        }
        let path = self.facts.schema.as_deref().filter(|_| self.facts.tier == 3);
        let file = path.and_then(|path| self.files.iter().find(|file| file.path == path));
        file.map_or("", |file| unmarked(utf8(file.bytes)))
    }
}

/// A file of a skill in memory, on its way from the disk to the tables or back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CompiledFile<'a> {
    /// The path below the skill, with `/`.
    pub path: &'a str,
    /// The contents.
    pub bytes: &'a [u8],
    /// Whether the file is executable.
    pub executable: bool,
    /// The SHA-256 digest of the bytes.
    pub sha256: [u8; 32],
}

impl<'a> From<Resource<'a>> for CompiledFile<'a> {
    fn from(file: Resource<'a>) -> Self {
        Self {
            path: file.path(),
            bytes: file.bytes(),
            executable: file.is_executable(),
            sha256: *file.sha256(),
        }
    }
}
