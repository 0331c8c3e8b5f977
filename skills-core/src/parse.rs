//! A [`SourceTree`] becomes [`Parsed`]: every file of a known form is a spanned tree, nothing is judged yet.
//!
//! AFTER THIS POINT: no text is scanned for its syntax again; what could not be parsed was reported.

use crate::diagnostic::Report;
pub use crate::document::{Dialect, Document, Frontmatter};
use crate::frontmatter;
use crate::read::{Content, SkillDir, SourceTree};
use crate::span::{FileId, SourceMap};
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
    take_up(dir, schema.text.trim().trim_start_matches("./"), at, sources);
}

/// Gives a file of the skill with the number `at` a place among the texts and returns it; nothing when there is no
/// such file, when it was not read, or when it is not UTF-8.
pub(crate) fn take_up(dir: &mut SkillDir, path: &str, at: usize, sources: &mut SourceMap) -> Option<FileId> {
    let file = dir.files.iter_mut().find(|file| file.path == path)?;
    if let Content::Text(id) = file.content {
        return Some(id);
    }
    let Content::Bytes(bytes) = &mut file.content else { return None };
    match String::from_utf8(std::mem::take(bytes)) {
        Ok(text) => {
            let path =
                if dir.path.is_empty() { file.path.clone() } else { format!("{}/{}", dir.path, file.path) };
            let id = sources.add(path, text, Some(at));
            file.content = Content::Text(id);
            Some(id)
        }
        Err(error) => {
            *bytes = error.into_bytes();
            None
        }
    }
}
