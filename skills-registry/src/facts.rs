//! What is known of a checked skill: `check` in `skills-core` finds it out, and the tables hold it.

use std::borrow::Cow;
use std::ops::Range;

use crate::declared::Declared;
use crate::mode::Mode;
use crate::permissions::Permissions;
use crate::resource::Resource;
use crate::tool::ToolFormat;
use crate::way::Way;

/// All that is known of a skill but the texts of its files and schemas.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// The name, as the skill spells it (SPEC 2.6, 3.1).
    pub name: String,
    /// The directory below the root, with `/`; empty when the root is the skill.
    pub dir: String,
    /// What the skill is for, on as many lines as the author wrote.
    pub description: String,
    /// The version (SPEC 2.9, 3.1).
    pub version: String,
    /// The tier, 0 to 3 (SPEC 4.1).
    pub tier: u8,
    /// Where the body lies in `SKILL.md`, in bytes; none without that file.
    pub body: Option<Range<usize>>,
    /// The whole frontmatter as one JSON object, keys and order as written; `{}` when there is none.
    pub frontmatter: String,
    /// Whether every reader of YAML finds that in `SKILL.md`: no TOML, no fault that was read over (SPEC 11.18).
    pub plain_frontmatter: bool,
    /// The program to run, as the skill spells it; only when the file is there (SPEC 4.2).
    pub exec: Option<String>,
    /// The file that `exec` names, as a path below the skill.
    pub program: Option<String>,
    /// The JSON Schema file of the program's input, as a path below the skill (SPEC 4.3).
    pub schema: Option<String>,
    /// Whether `format` is asserted in its schemas; none: as their drafts say (SPEC 6.1).
    pub asserts_formats: Option<bool>,
    /// The time limit in milliseconds, when one is given (SPEC 7.1).
    pub timeout_ms: Option<u64>,
    /// What the frontmatter gives as the limit and none is, where no other holds: a run is refused (SPEC 7.1).
    pub invalid_timeout: Option<String>,
    /// Programs and `cap:` entries the skill needs (SPEC 2.9).
    pub requires: Vec<String>,
    /// MCP servers the skill brings, in file order (SPEC 2.10).
    pub mcp_servers: Vec<Server>,
    /// What the frontmatter declares, as a program reads it.
    pub declared: Declared,
    /// What it asks to be allowed, by `skill.json` or the frontmatter; none when neither says (SPEC 13.1).
    pub permissions: Option<Permissions>,
    /// Labels, of `skill.json` or the frontmatter.
    pub tags: Vec<String>,
    /// The category, of `skill.json` or the frontmatter.
    pub category: Option<String>,
    /// Whether a model may be shown the skill: false with `disable-model-invocation` or the tag `internal` (SPEC 6.3).
    pub model_invocable: bool,
    /// Whether a user may call the skill by its name: false with `user-invocable: false` or the tag `internal`.
    pub user_invocable: bool,
    /// Whether the skill is for the program alone: with the tag `internal`, or `internal` below `metadata` (SPEC 8.12).
    pub internal: bool,
    /// What runs the skill when it is called; none for one that is no function (SPEC 6.2, 6.3).
    pub way: Option<Way>,
    /// What `skill.json` declares; none without one.
    pub function: Option<Function>,
}

impl Facts {
    /// Tells whether the skill needs a capability, which only a host can grant (SPEC 2.9).
    pub fn is_gated(&self) -> bool {
        self.requires.iter().any(|entry| entry.starts_with("cap:"))
    }

    /// Tells whether a catalog of prompts offers the skill: it has a `SKILL.md` and a model may see it (SPEC 8.1).
    pub fn is_offered(&self) -> bool {
        self.body.is_some() && self.model_invocable
    }
}

/// What `skill.json` declares of the skill as a function, but its schemas.
#[derive(Clone, Debug)]
pub struct Function {
    /// How it runs.
    pub mode: Mode,
    /// The skills it calls, in file order.
    pub calls: Vec<String>,
    /// How often a failed attempt is repeated.
    pub retry: u32,
    /// The file whose text an `llm` skill sends, and which bytes of it (SPEC 3.4).
    pub prompt: Option<(&'static str, Range<usize>)>,
    /// The steps of a `composite` skill, as JSON; none when the host runs it.
    pub pipeline: Option<String>,
    /// The output mapping of the pipeline, as JSON.
    pub output_mapping: Option<String>,
    /// The skills that each run of the pipeline calls, whatever its input is (SPEC 6.2).
    pub certain_calls: Vec<String>,
}

impl Function {
    /// A function that calls nobody and is tried once.
    pub fn new(mode: Mode) -> Self {
        Self {
            mode,
            calls: Vec::new(),
            retry: 0,
            prompt: None,
            pipeline: None,
            output_mapping: None,
            certain_calls: Vec::new(),
        }
    }
}

/// An MCP server that a skill brings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Server {
    /// The name of the server.
    pub name: String,
    /// The program.
    pub command: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// Its environment, in file order.
    pub env: Vec<(String, String)>,
}

/// A skill on its way into the tables: what is known of it, and the texts, which lie elsewhere.
#[derive(Clone, Debug, Default)]
pub struct Material<'a> {
    /// What is known of it.
    pub facts: Cow<'a, Facts>,
    /// Where `SKILL.md` is; `skill://NAME/SKILL.md` when nothing is said.
    pub location: Option<String>,
    /// The JSON Schemas of input and output, as written in `skill.json`; only looked at for a function.
    pub schemas: [&'a str; 2],
    /// The tables that check the input of its program, as numbers and text; none where nothing is checked (SPEC 4.3).
    pub checker: Option<(&'a [u32], &'a str)>,
    /// Its definitions as a tool, in the order of [`ToolFormat::ALL`]; none where the interface would refuse it.
    pub tools: [Option<String>; ToolFormat::ALL.len()],
    /// Every file, sorted by path.
    pub files: Vec<FileMaterial<'a>>,
}

impl From<Facts> for Material<'_> {
    /// A skill without files, schemas and tools.
    fn from(facts: Facts) -> Self {
        Self { facts: Cow::Owned(facts), ..Self::default() }
    }
}

impl Material<'_> {
    /// Returns where `SKILL.md` is: its own word, else its place in the bundle (SPEC 8.1).
    pub(crate) fn location(&self) -> String {
        self.location.clone().unwrap_or_else(|| format!("skill://{}/SKILL.md", self.facts.name))
    }

    pub(crate) fn is_tool(&self) -> bool {
        self.tools.iter().any(Option::is_some)
    }
}

/// One file of a skill, in memory: on its way into the tables, or out of them to the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileMaterial<'a> {
    /// Path below the skill, with `/`.
    pub path: &'a str,
    /// The contents.
    pub bytes: &'a [u8],
    /// Whether it may be executed.
    pub executable: bool,
    /// The SHA-256 digest of the bytes.
    pub sha256: [u8; 32],
}

impl<'a> From<Resource<'a>> for FileMaterial<'a> {
    fn from(file: Resource<'a>) -> Self {
        Self {
            path: file.path(),
            bytes: file.bytes(),
            executable: file.is_executable(),
            sha256: *file.sha256(),
        }
    }
}
