//! The checked result: what a [`Catalog`] holds is true, and nothing after it can fail.
//!
//! `check` is its only maker; `skills-build` turns it into Rust, `lower` into the tables of a registry.

use std::ops::Range;

pub use skills_registry::{Declared, Mode, Permissions, Way};

use skills_registry::sort;
use skills_schema::{Document, Tables};
use skills_template::Tree;
use skills_template::pipeline::Pipeline;

use crate::options::FormatPolicy;
use crate::read::File;
use crate::span::SourceMap;

/// All skills of a directory that are free of errors, sorted by name.
#[derive(Debug, Default)]
pub struct Catalog {
    sources: SourceMap,
    skills: Vec<Skill>,
}

impl Catalog {
    pub(crate) fn new(sources: SourceMap, mut skills: Vec<Skill>) -> Self {
        sort(&mut skills, &|a, b| a.name.cmp(&b.name));
        Self { sources, skills }
    }

    /// Returns the texts that the files of the skills lie in.
    pub fn sources(&self) -> &SourceMap {
        &self.sources
    }

    /// Returns the skills, sorted by name.
    pub fn skills(&self) -> &[Skill] {
        &self.skills
    }

    /// Takes the skills out, sorted by name, and lets go of the texts.
    pub fn into_skills(self) -> Vec<Skill> {
        self.skills
    }

    /// Returns the body of a skill: its text behind the frontmatter; empty without a `SKILL.md`.
    pub fn body<'a>(&'a self, skill: &'a Skill) -> &'a str {
        let Some(range) = skill.body.clone() else { return "" };
        let text = skill.file("SKILL.md").map(|file| file.bytes(&self.sources)).unwrap_or_default();
        text.get(range).and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or_default()
    }
}

/// One checked skill.
#[derive(Debug)]
pub struct Skill {
    /// The name, as the skill spells it (SPEC 2.6, 3.1).
    pub name: String,
    /// The name as a Rust module: unique in the catalog, never a keyword.
    pub ident: String,
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
    /// The program to run, as the skill spells it; only when the file is there (SPEC 4.2).
    pub exec: Option<String>,
    /// The file that `exec` names, as a path below the skill.
    pub program: Option<String>,
    /// The JSON Schema file of the program's input, as a path below the skill (SPEC 4.3).
    pub schema: Option<String>,
    /// That schema, read; none when the file was not.
    pub schema_document: Option<Document>,
    /// Its tables, ready to check inputs under the policy for formats that the skill was checked with.
    pub schema_tables: Option<Tables>,
    /// What `format` means in its schemas (SPEC 6.1).
    pub formats: FormatPolicy,
    /// The time limit in milliseconds, when one is given (SPEC 7.1).
    pub timeout: Option<u64>,
    /// Programs and `cap:` entries the skill needs (SPEC 2.9).
    pub requires: Vec<String>,
    /// MCP servers the skill brings, in file order (SPEC 2.10).
    pub mcp_servers: Vec<McpServer>,
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
    /// The typed half, when there is a `skill.json`.
    pub signature: Option<Signature>,
    /// Every file of the directory that is bundled, sorted by path; `SKILL.md` and `skill.json` are among them.
    pub files: Vec<File>,
}

impl Skill {
    /// Finds a file by its path below the skill.
    pub fn file(&self, path: &str) -> Option<&File> {
        self.files.binary_search_by(|file| file.path.as_str().cmp(path)).ok().map(|at| &self.files[at])
    }

    /// Tells whether the skill needs a capability, which only a host can grant (SPEC 2.9).
    pub fn is_gated(&self) -> bool {
        self.requires.iter().any(|entry| entry.starts_with("cap:"))
    }

    /// Tells whether a catalog of prompts offers the skill: it has a `SKILL.md` and a model may see it (SPEC 8.1).
    pub fn is_offered(&self) -> bool {
        self.body.is_some() && self.model_invocable
    }
}

/// An MCP server that a skill brings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct McpServer {
    /// The name of the server.
    pub name: String,
    /// The program.
    pub command: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// Its environment, in file order.
    pub env: Vec<(String, String)>,
}

/// What `skill.json` declares: the skill as a function.
#[derive(Clone, Debug)]
pub struct Signature {
    /// How it runs.
    pub mode: Mode,
    /// The JSON Schema of the input, read with the files it refers to.
    pub input: Document,
    /// That schema, under the policy for formats that the skill was checked with, ready to check inputs (SPEC 6.4).
    pub input_tables: Tables,
    /// The JSON Schema of the output, read with the files it refers to.
    pub output: Document,
    /// That schema, ready to check outputs (SPEC 6.4).
    pub output_tables: Tables,
    /// The skills it calls, in file order.
    pub calls: Vec<String>,
    /// How often a failed attempt is repeated.
    pub retry: u32,
    /// The prompt of an `llm` skill.
    pub prompt: Option<Prompt>,
    /// That prompt, parsed.
    pub prompt_tree: Option<Tree>,
    /// The steps of a `composite` skill, as JSON; none when the host runs it.
    pub pipeline: Option<String>,
    /// The output mapping of the pipeline, as JSON.
    pub output_mapping: Option<String>,
    /// The skills that each run of the pipeline calls, whatever its input is (SPEC 6.2).
    pub certain_calls: Vec<String>,
    /// Steps and mapping, parsed, with the edges between the steps (SPEC 5.6).
    pub plan: Option<Pipeline>,
}

/// The text an `llm` skill sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prompt {
    /// All of `prompt.md`.
    File,
    /// The body of `SKILL.md`.
    Body,
}
