//! A `SKILL.md` as `frontmatter` makes it of a text, and every later stage reads it.

use std::borrow::Cow;
use std::sync::Arc;

use crate::glance::Glance;
use crate::span::{FileId, Span};
use crate::tree::{Node, json};

/// A `SKILL.md`, split and parsed.
#[derive(Debug)]
pub struct Document {
    /// The file.
    pub file: FileId,
    /// Its frontmatter, when there is one.
    pub frontmatter: Option<Frontmatter>,
    /// Whether the body begins with what was meant as a frontmatter, which was reported.
    pub misplaced: bool,
    /// Whether the text was decoded twice somewhere, which was reported (SPEC 2.15).
    pub garbled: bool,
    /// The body: behind the closing line, without leading blank lines (SPEC 2.8).
    pub body: Span,
    /// What one look at the whole file told.
    pub(crate) glance: Glance,
}

/// The frontmatter of a `SKILL.md`.
#[derive(Debug)]
pub struct Frontmatter {
    /// Its language.
    pub dialect: Dialect,
    /// The text between the two marker lines.
    pub block: Span,
    /// Its tree, always a map; empty when it could not be parsed (which was reported).
    pub tree: Arc<Node>,
    /// Whether the tree is all that the text says: false when a fault left fields out, so none is missed.
    pub sound: bool,
    /// Whether every reader of YAML finds the tree in the text: it opens with a bare `---` on the first line, and no fault
    /// was read over.
    pub plain: bool,
}

impl Frontmatter {
    /// What `metadata` holds: a map also where it is JSON text (SPEC 2.5). In the tree it stands as written.
    pub fn metadata(&self) -> Option<Cow<'_, Node>> {
        self.tree.get("metadata").map(json::unwrapped)
    }
}

/// The language of a frontmatter (SPEC 2.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// YAML 1.2.
    Yaml,
    /// TOML.
    Toml,
}
