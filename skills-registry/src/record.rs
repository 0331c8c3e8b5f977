//! A skill on its way into the tables: `lower` in `skills-core` makes records of a checked catalog.

use std::ops::Range;

use crate::declared::Declared;
use crate::permissions::Permissions;
use crate::skill::Mode;
use crate::tool::ToolFormat;
use crate::way::Way;

/// All that the tables hold of one skill; the fields are those of [`Skill`](crate::Skill).
#[derive(Clone, Debug, Default)]
pub struct Record<'a> {
    /// The name, as the skill spells it.
    pub name: &'a str,
    /// The directory below the root.
    pub dir: &'a str,
    /// Where `SKILL.md` is; `skill://NAME/SKILL.md` when nothing is said.
    pub location: Option<String>,
    /// What the skill is for.
    pub description: &'a str,
    /// The version.
    pub version: &'a str,
    /// The tier, 0 to 3.
    pub tier: u8,
    /// Where the body lies in `SKILL.md`, in bytes; none without that file.
    pub body: Option<Range<usize>>,
    /// The frontmatter as JSON.
    pub frontmatter: &'a str,
    /// The program to run, as the skill spells it.
    pub exec: Option<&'a str>,
    /// The file it is.
    pub program: Option<&'a str>,
    /// The schema file of its input.
    pub schema: Option<&'a str>,
    /// Whether `format` is asserted in its schemas; none: as their drafts say.
    pub asserts_formats: Option<bool>,
    /// The time limit in milliseconds.
    pub timeout_ms: Option<u64>,
    /// Programs and `cap:` entries.
    pub requires: &'a [String],
    /// MCP servers, in file order.
    pub mcp_servers: Vec<McpRecord<'a>>,
    /// What its frontmatter declares; nothing without one.
    pub declared: Option<&'a Declared>,
    /// What it asks to be allowed; none when it does not say.
    pub permissions: Option<&'a Permissions>,
    /// Labels.
    pub tags: &'a [String],
    /// The category.
    pub category: Option<&'a str>,
    /// Whether a model may be shown the skill.
    pub model_invocable: bool,
    /// Whether a user may call the skill by its name.
    pub user_invocable: bool,
    /// Whether the skill is for the program alone, and no list shows it; the tag `internal` says so as well.
    pub internal: bool,
    /// What runs the skill when it is called; none when it cannot be.
    pub way: Option<Way>,
    /// What `skill.json` declares.
    pub signature: Option<SignatureRecord<'a>>,
    /// Its definitions as a tool, in the order of [`ToolFormat::ALL`]; none where the interface would refuse it.
    pub tools: [Option<String>; ToolFormat::ALL.len()],
    /// Every file, sorted by path.
    pub files: Vec<FileRecord<'a>>,
}

/// The skill as a function.
#[derive(Clone, Debug)]
pub struct SignatureRecord<'a> {
    /// How it runs.
    pub mode: Mode,
    /// The schema of the input.
    pub input: &'a str,
    /// The schema of the output.
    pub output: &'a str,
    /// The skills it calls.
    pub calls: &'a [String],
    /// How often a failed attempt is repeated.
    pub retry: u32,
    /// The file whose text is the prompt, and which bytes of it.
    pub prompt: Option<(&'a str, Range<usize>)>,
    /// The steps as JSON.
    pub pipeline: Option<&'a str>,
    /// The output mapping as JSON.
    pub output_mapping: Option<&'a str>,
    /// The skills that each run of the pipeline calls.
    pub certain_calls: &'a [String],
}

/// An MCP server.
#[derive(Clone, Debug)]
pub struct McpRecord<'a> {
    /// Its name.
    pub name: &'a str,
    /// The program.
    pub command: &'a str,
    /// Its arguments.
    pub args: &'a [String],
    /// Its environment.
    pub env: &'a [(String, String)],
}

/// One file.
#[derive(Clone, Copy, Debug)]
pub struct FileRecord<'a> {
    /// Path below the skill, with `/`.
    pub path: &'a str,
    /// The contents.
    pub bytes: &'a [u8],
    /// Whether it may be executed.
    pub executable: bool,
    /// The SHA-256 digest of the bytes.
    pub sha256: [u8; 32],
}
