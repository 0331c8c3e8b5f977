//! A parsed `SKILL.md`: the output of `frontmatter` and the input of every later stage.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use super::text_scan::TextScan;
use crate::markdown::Markdown;
use crate::span::{FileId, SourceMap, Span};
use crate::tree::{Node, json};

/// A `SKILL.md`, split and parsed.
#[derive(Debug)]
pub struct SkillDocument {
    /// The file.
    pub file: FileId,
    /// Its frontmatter, if there is one.
    pub frontmatter: Option<Frontmatter>,
    /// Whether the body begins with lines that were probably meant as a frontmatter. This was already
    /// reported.
    pub misplaced: bool,
    /// Whether part of the text was decoded twice. This was already reported.
    pub garbled: bool,
    /// The body: the text after the closing line, without leading empty lines.
    pub body: Span,
    /// The result of the single scan of the whole file.
    pub(crate) text_scan: TextScan,
    /// The structure of the body, read when it is first needed.
    pub(crate) markdown: OnceLock<Markdown>,
}

impl SkillDocument {
    /// Returns the structure of the body. Its places are offsets in the text of [`body`](Self::body).
    pub fn markdown(&self, sources: &SourceMap) -> &Markdown {
        self.markdown.get_or_init(|| Markdown::parse(sources.text(self.body)))
    }
}

/// The frontmatter of a `SKILL.md`.
#[derive(Debug)]
pub struct Frontmatter {
    /// Its language.
    pub dialect: Dialect,
    /// The text between the two marker lines.
    pub block: Span,
    /// Its tree, always a map; empty if it could not be parsed (which was reported).
    pub tree: Arc<Node>,
    /// Whether the tree is complete. If `false`, a fault removed fields, so missing fields are not reported.
    pub sound: bool,
    /// Whether every YAML parser reads the same tree. This requires a bare `---` on the first line and a
    /// frontmatter without any fault.
    pub plain: bool,
}

impl Frontmatter {
    /// Returns `metadata` as a map, also if it is JSON text. The tree keeps it as written.
    pub fn metadata(&self) -> Option<Cow<'_, Node>> {
        self.tree.get("metadata").map(json::unwrapped)
    }
}

/// The language of a frontmatter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// YAML 1.2.
    Yaml,
    /// TOML.
    Toml,
}
