//! The checked result: what a [`Catalog`] holds is true, and nothing after it can fail.
//!
//! `check` is its only maker; `skills-build` turns it into Rust, `lower` into the tables of a registry.

use std::ops::Deref;

pub use skills_registry::{Declared, Facts, Function, Mode, Permissions, Server, Way};

use skills_registry::sort;
use skills_schema::{Document, Tables};
use skills_template::Tree;
use skills_template::pipeline::Pipeline;

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

/// One checked skill: what is known of it, and the trees and tables of its schemas, prompt and pipeline.
#[derive(Debug)]
pub struct Skill {
    /// What the tables hold of it; read through the skill itself.
    pub facts: Facts,
    /// The name as a Rust module: unique in the catalog, never a keyword.
    pub ident: String,
    /// The schema of the program's input, read; none when the file was not.
    pub schema_document: Option<Document>,
    /// Its tables, ready to check inputs under the policy for formats that the skill was checked with.
    pub schema_tables: Option<Tables>,
    /// The typed half, when there is a `skill.json`.
    pub signature: Option<Signature>,
    /// Every file of the directory that is bundled, sorted by path; `SKILL.md` and `skill.json` are among them.
    pub files: Vec<File>,
}

impl Deref for Skill {
    type Target = Facts;

    fn deref(&self) -> &Facts {
        &self.facts
    }
}

impl Skill {
    /// Finds a file by its path below the skill.
    pub fn file(&self, path: &str) -> Option<&File> {
        self.files.binary_search_by(|file| file.path.as_str().cmp(path)).ok().map(|at| &self.files[at])
    }
}

/// The schemas of a skill with a `skill.json`, and what it does with them, read.
#[derive(Clone, Debug)]
pub struct Signature {
    /// The JSON Schema of the input, read with the files it refers to.
    pub input: Document,
    /// That schema, under the policy for formats that the skill was checked with, ready to check inputs (SPEC 6.4).
    pub input_tables: Tables,
    /// The JSON Schema of the output, read with the files it refers to.
    pub output: Document,
    /// That schema, ready to check outputs (SPEC 6.4).
    pub output_tables: Tables,
    /// The prompt of an `llm` skill, parsed.
    pub prompt_tree: Option<Tree>,
    /// Steps and mapping of a pipeline, parsed, with the edges between the steps (SPEC 5.6).
    pub plan: Option<Pipeline>,
}
