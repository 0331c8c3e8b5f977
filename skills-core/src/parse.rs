//! A [`SourceTree`] becomes [`Parsed`]: every file of a known form is a spanned tree, nothing is judged yet.
//!
//! AFTER THIS POINT: no text is scanned for its syntax again; what could not be parsed was reported.

use crate::diagnostic::Report;
use crate::frontmatter;
use crate::read::{Content, SkillDir, SourceTree};
use crate::span::{FileId, SourceMap, Span};
use crate::tree::{Node, json};

/// A directory of skills, parsed.
#[derive(Debug, Default)]
pub struct Parsed {
    /// All texts.
    pub sources: SourceMap,
    /// The skills, in the order of the tree.
    pub skills: Vec<ParsedSkill>,
}

/// One skill directory, parsed.
#[derive(Debug)]
pub struct ParsedSkill {
    /// The directory.
    pub dir: SkillDir,
    /// `SKILL.md`, when there is one that could be split.
    pub document: Option<Document>,
    /// `skill.json`, when there is one that could be parsed.
    pub manifest: Option<Manifest>,
    /// `prompt.md`, when there is one.
    pub prompt: Option<FileId>,
}

/// A `SKILL.md`, split and parsed.
#[derive(Debug)]
pub struct Document {
    /// The file.
    pub file: FileId,
    /// Its frontmatter, when there is one.
    pub frontmatter: Option<Frontmatter>,
    /// Whether the body begins with what was meant as a frontmatter, which was reported.
    pub misplaced: bool,
    /// The body: behind the closing line, without leading blank lines (SPEC 2.8).
    pub body: Span,
}

/// The frontmatter of a `SKILL.md`.
#[derive(Debug)]
pub struct Frontmatter {
    /// Its language.
    pub dialect: Dialect,
    /// The text between the two marker lines.
    pub block: Span,
    /// Its tree, always a map; empty when it could not be parsed (which was reported).
    pub tree: Node,
    /// Whether the tree is all that the text says: false when a fault left fields out, so none is missed.
    pub sound: bool,
}

/// The language of a frontmatter (SPEC 2.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// YAML 1.2.
    Yaml,
    /// TOML.
    Toml,
}

/// A `skill.json`, parsed.
#[derive(Debug)]
pub struct Manifest {
    /// The file.
    pub file: FileId,
    /// Its tree.
    pub tree: Node,
}

/// Parses every file of a known form; what is wrong goes to the report (SPEC 2.1 to 2.4, 2.8).
///
/// ```
/// use skills_core::{diagnostic::Report, parse::parse, read::SourceTree};
///
/// let mut report = Report::default();
/// assert!(parse(SourceTree::default(), &mut report).skills.is_empty());
/// assert!(report.diagnostics.is_empty());
/// ```
pub fn parse(tree: SourceTree, report: &mut Report) -> Parsed {
    let SourceTree { mut sources, skills } = tree;
    let skills = skills
        .into_iter()
        .enumerate()
        .map(|(at, mut dir)| {
            let text = dir.text("SKILL.md");
            let document = text.map(|file| frontmatter::split(file, &sources, report));
            take_up_schema(at, &mut dir, document.as_ref(), &mut sources);
            let manifest = dir
                .text("skill.json")
                .and_then(|file| json::parse(sources.file(file), report).map(|tree| Manifest { file, tree }));
            let prompt = dir.text("prompt.md");
            ParsedSkill { dir, document, manifest, prompt }
        })
        .collect();
    Parsed { sources, skills }
}

/// Gives the schema file of a skill a place among the texts, so that what is wrong in it has a line (SPEC 4.3).
fn take_up_schema(at: usize, dir: &mut SkillDir, document: Option<&Document>, sources: &mut SourceMap) {
    let frontmatter = document.and_then(|document| document.frontmatter.as_ref());
    let schema = frontmatter.and_then(|frontmatter| frontmatter.tree.get("schema")).and_then(Node::as_scalar);
    let Some(schema) = schema else { return };
    let path = schema.text.trim().trim_start_matches("./");
    let Some(file) = dir.files.iter_mut().find(|file| file.path == path) else { return };
    let Content::Bytes(bytes) = &mut file.content else { return };
    match String::from_utf8(std::mem::take(bytes)) {
        Ok(text) => {
            let path =
                if dir.path.is_empty() { file.path.clone() } else { format!("{}/{}", dir.path, file.path) };
            file.content = Content::Text(sources.add(path, text, Some(at)));
        }
        Err(error) => *bytes = error.into_bytes(),
    }
}
