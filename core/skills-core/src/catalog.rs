//! The checked result. Everything in a [`Catalog`] is valid, so the stages after it fail only if it has more than 4 GiB.
//!
//! Only `check` creates it. `lower` compiles its skills for the tables of a registry, and `skills-build` generates Rust
//! from it.

use std::ops::Deref;
use std::path::{Path, PathBuf};

pub use skills_registry::{Backend, Declared, Facts, FunctionFacts, Mode, Permissions, ServerFacts};

use skills_schema::{Document, Tables};
use skills_template::Tree;
use skills_template::pipeline::Pipeline;
use skills_text::sort;

use crate::read::{Content, File};
use crate::span::SourceMap;

/// All skills of a directory that have no errors, sorted by name.
#[derive(Debug, Default)]
pub struct Catalog {
    sources: SourceMap,
    skills: Vec<CatalogSkill>,
}

/// The text that a program replaces with its version in each `SKILL.md` that it bundles.
pub const PROGRAM_VERSION: &str = "{{program.version}}";

impl Catalog {
    pub(crate) fn new(sources: SourceMap, mut skills: Vec<CatalogSkill>) -> Self {
        sort(&mut skills, &|a, b| a.name.cmp(&b.name));
        Self { sources, skills }
    }

    /// Returns the source texts of the skills.
    pub fn sources(&self) -> &SourceMap {
        &self.sources
    }

    /// Returns the skills, sorted by name.
    pub fn skills(&self) -> &[CatalogSkill] {
        &self.skills
    }

    /// Finds a skill by its name.
    pub(crate) fn find(&self, name: &str) -> Option<&CatalogSkill> {
        let at = self.skills.binary_search_by(|skill| skill.name.as_str().cmp(name)).ok()?;
        self.skills.get(at)
    }

    /// Changes the facts of all skills, which must keep the order of their names. Drops a skill for which
    /// `change` returns `false`.
    pub fn change(&mut self, mut change: impl FnMut(&mut Facts) -> bool) {
        self.skills.retain_mut(|skill| change(&mut skill.facts));
    }

    /// Replaces [`PROGRAM_VERSION`] in each `SKILL.md` with the version of the program that bundles the skills, in the
    /// frontmatter and the body. The body of an `llm` skill that is its prompt is a template, and stays as it is.
    pub fn fill_program_version(&mut self, version: &str) {
        for skill in &mut self.skills {
            skill.fill_program_version(&self.sources, version);
        }
    }

    /// Returns the source texts, and drops the skills.
    pub fn into_sources(self) -> SourceMap {
        self.sources
    }

    /// Returns the skills, sorted by name, and drops the source texts.
    pub fn into_skills(self) -> Vec<CatalogSkill> {
        self.skills
    }

    /// Returns the body of a skill: its text after the frontmatter, or an empty text without a `SKILL.md`.
    pub fn body<'a>(&'a self, skill: &'a CatalogSkill) -> &'a str {
        let Some(range) = skill.body.clone() else { return "" };
        let text = skill.file("SKILL.md").map(|file| file.bytes(&self.sources)).unwrap_or_default();
        text.get(range).and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or_default()
    }
}

/// One checked skill: its facts, and the trees and tables of its schemas, prompt and pipeline.
#[derive(Debug)]
pub struct CatalogSkill {
    /// The facts that the registry tables hold; the skill dereferences to them.
    pub facts: Facts,
    /// The name of its Rust module: unique in the catalog, never a keyword.
    pub ident: String,
    /// The parsed schema of the program's input; absent if the file was not read.
    pub schema_document: Option<Document>,
    /// The tables of that schema, compiled under the format policy that the skill was checked with.
    pub schema_tables: Option<Tables>,
    /// The typed part, if there is a `skill.json`.
    pub signature: Option<Signature>,
    /// Whether the skill is the file `DIR.md`, which counts as its `SKILL.md`, instead of a directory.
    pub is_flat: bool,
    /// Whether the bundled `SKILL.md` differs from the file on disk, because it has the version of the program.
    pub has_program_version: bool,
    /// Every bundled file of the directory, sorted by path, including `SKILL.md` and `skill.json`.
    pub files: Vec<File>,
}

impl Deref for CatalogSkill {
    type Target = Facts;

    fn deref(&self) -> &Facts {
        &self.facts
    }
}

impl CatalogSkill {
    /// Returns the path of a file on disk, from its path below the skill and the root of the skills.
    pub fn disk_path(&self, root: &Path, file: &str) -> PathBuf {
        match self.is_flat {
            true => root.join(format!("{}.md", self.dir)),
            false => root.join(&self.dir).join(file),
        }
    }

    fn fill_program_version(&mut self, sources: &SourceMap, version: &str) {
        let Some(at) = self.files.iter().position(|file| file.path == "SKILL.md") else { return };
        let Some(file) = self.files.get_mut(at) else { return };
        let Ok(text) = std::str::from_utf8(file.bytes(sources)) else { return };
        if !text.contains(PROGRAM_VERSION) {
            return;
        }
        let facts = &mut self.facts;
        let mut prompt = facts.function.as_mut().and_then(|function| function.prompt.as_mut());
        prompt = prompt.filter(|(path, _)| *path == "SKILL.md");
        let body = facts.body.clone().unwrap_or(text.len()..text.len());
        let (Some(head), Some(tail)) = (text.get(..body.start), text.get(body.start..)) else { return };
        let head = head.replace(PROGRAM_VERSION, version);
        let tail = if prompt.is_some() { tail.to_owned() } else { tail.replace(PROGRAM_VERSION, version) };
        if let Some((_, range)) = prompt {
            *range = range.start - body.start + head.len()..range.end - body.start + head.len();
        }
        facts.body = facts.body.as_ref().map(|_| head.len()..head.len() + tail.len());
        file.content = Content::Bytes((head + &tail).into_bytes());
        self.has_program_version = true;
        let texts = [&mut facts.description, &mut facts.version, &mut facts.frontmatter];
        let texts = texts.into_iter().chain(&mut facts.category).chain(&mut facts.tags);
        let values = facts.own.iter_mut().map(|(_, value)| value);
        for value in texts.chain(facts.declared.prose()).chain(values) {
            *value = value.replace(PROGRAM_VERSION, version);
        }
    }

    /// Finds a file by its path below the skill.
    pub fn file(&self, path: &str) -> Option<&File> {
        File::find(&self.files, path)
    }
}

/// The parsed schemas of a skill with a `skill.json`, and its parsed prompt and pipeline.
#[derive(Clone, Debug)]
pub struct Signature {
    /// The JSON Schema of the input, with the files it refers to.
    pub input: Document,
    /// The tables of that schema, compiled under the format policy that the skill was checked with.
    pub input_tables: Tables,
    /// The JSON Schema of the output, with the files it refers to.
    pub output: Document,
    /// The tables that validate outputs.
    pub output_tables: Tables,
    /// The prompt of an `llm` skill, parsed.
    pub prompt_tree: Option<Tree>,
    /// The parsed steps and mapping of a pipeline, with the edges between the steps.
    pub plan: Option<Pipeline>,
}
