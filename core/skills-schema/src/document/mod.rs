//! A schema file with all references resolved: the input for tables, Rust types, tool definitions and
//! templates.
//!
//! After this stage, every schema, its draft and the target of every reference are known. Every part has a
//! number, and later stages do not look at URIs, anchors or pointers.

mod arena;
mod fit;
mod index;
pub(crate) mod keyword;
mod part;
mod reference;

pub(crate) use arena::Lead;
pub use arena::Value;
pub use part::{Part, PartMember};

pub(crate) use fit::{count, fits, found};

use crate::draft::Draft;
use crate::json;
use crate::problem::{ProblemKind, SchemaProblem};
use arena::ArenaEntry;
use index::{Anchor, Resource};
use std::collections::HashMap;

use skills_text::Places;
use std::ops::Range;

/// Whether `format` is asserted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Formats {
    /// Asserted in draft-07, an annotation in later drafts (unless their meta-schema asserts it).
    #[default]
    AsDraft,
    /// Always asserted.
    Assert,
    /// Never asserted.
    Ignore,
}

/// Options for reading a schema.
#[derive(Debug, Clone, Copy, Default)]
pub struct DocumentOptions<'o> {
    /// Whether `format` is asserted; by default as the draft specifies.
    pub formats: Formats,
    /// The URI of the schema itself; by default none.
    pub uri: &'o str,
}

/// A schema and the documents it refers to, with all references resolved.
///
/// ```
/// use skills_schema::Document;
/// use skills_schema::lower::DocumentOptions;
///
/// let text = r##"{"properties": {"a": {"$ref": "#/definitions/n"}}, "definitions": {"n": {"type": "integer"}}}"##;
/// let document = Document::read(text, &DocumentOptions::default());
/// let a = document.root().get("properties").unwrap().get("a").unwrap();
/// assert_eq!(a.reference().unwrap().text(), r#"{"type": "integer"}"#);
/// ```
#[derive(Debug, Clone)]
pub struct Document {
    /// The schema itself, the documents that were found, and the meta-schemas they refer to.
    sources: Vec<Source>,
    /// Every value of every source. The values inside a value follow it directly.
    pub(crate) entries: Vec<ArenaEntry>,
    pub(crate) resources: Vec<Resource>,
    by_uri: Places,
    /// Anchors by resource and name.
    pub(crate) anchors: HashMap<(u32, String), Anchor>,
    /// Whether a reference depends on the dynamic scope.
    pub(crate) is_dynamic: bool,
    formats: Formats,
    /// The number of sources from the caller.
    given: usize,
    /// Whether the schema's text could be read as JSON.
    pub(crate) is_read: bool,
    /// The JSON errors in the texts.
    pub(crate) faults: Vec<SchemaProblem>,
    /// The defaults that their own schemas refuse. `None` before the schema is lowered, or if it has errors.
    pub(crate) unfit: Option<Vec<u32>>,
}

/// A text with its URI.
#[derive(Debug, Clone)]
struct Source {
    /// The URI; empty for the schema itself unless the caller gave one.
    uri: String,
    text: String,
    root: u32,
}

impl Document {
    /// Reads a schema. Never fails: a text that is not JSON is treated as the schema `true`, and lowering
    /// reports the errors.
    pub fn read(text: &str, options: &DocumentOptions<'_>) -> Self {
        Self::gather(text, options, &mut |_| None)
    }

    /// Reads a schema and its references. `find` is called with the URI of each unknown document that a
    /// reference or `$schema` names, until none is left.
    pub fn gather(
        text: &str,
        options: &DocumentOptions<'_>,
        find: &mut dyn FnMut(&str) -> Option<String>,
    ) -> Self {
        let mut document = Self {
            sources: Vec::new(),
            entries: Vec::new(),
            resources: Vec::new(),
            by_uri: Places::default(),
            anchors: HashMap::new(),
            is_dynamic: false,
            formats: options.formats,
            given: 0,
            is_read: false,
            faults: Vec::new(),
            unfit: None,
        };
        document.is_read = document.source(options.uri, text);
        let mut asked = Places::default();
        loop {
            document.settle();
            let mut missing: Vec<String> = document.missing().into_iter().map(str::to_owned).collect();
            let drafts = document.resources.iter().filter_map(|resource| resource.unknown.as_ref());
            missing.extend(drafts.map(|(uri, _)| uri.clone()));
            missing.retain(|uri| asked.insert(uri.clone(), 0).is_none());
            let found: Vec<(&String, String)> =
                missing.iter().filter_map(|uri| Some((uri, find(uri)?))).collect();
            for (uri, text) in &found {
                document.source(uri, text);
            }
            if found.is_empty() {
                break;
            }
        }
        document.given = document.sources.len();
        if document.mentions_meta_schemas() {
            for (uri, text) in crate::draft::BUILTIN {
                document.source(uri, text);
            }
            document.settle();
        }
        document
    }

    /// Finds schemas and resolves references in the known texts.
    fn settle(&mut self) {
        skills_text::work::count(self.entries.len());
        self.resources.clear();
        self.by_uri = Places::default();
        self.anchors.clear();
        self.is_dynamic = false;
        self.index();
        self.resolve();
    }

    /// Adds a text. Returns `true` if it could be read.
    fn source(&mut self, uri: &str, text: &str) -> bool {
        let number = self.sources.len();
        let parsed = json::read(text);
        self.faults.extend(parsed.faults.iter().map(|fault| SchemaProblem {
            kind: ProblemKind::Json(fault.kind),
            span: fault.start..fault.end,
            document: number,
        }));
        let is_read = parsed.root.is_some();
        let root = parsed.root.unwrap_or(json::Node { span: 0..0, kind: json::Kind::Bool(true) });
        let root = self.take(root, number);
        self.sources.push(Source {
            uri: crate::uri::fragment(uri).0.to_owned(),
            text: text.to_owned(),
            root,
        });
        is_read
    }

    /// Returns the schema itself.
    pub fn root(&self) -> Part<'_> {
        self.part(0)
    }

    /// Returns the draft of the schema.
    pub fn draft(&self) -> Draft {
        self.root().draft()
    }

    /// Returns the text of the schema, as given.
    pub fn text(&self) -> &str {
        self.source_text(0)
    }

    /// Returns the roots of all given texts, starting with the schema itself.
    pub fn roots(&self) -> impl Iterator<Item = Part<'_>> {
        self.sources.iter().take(self.given).map(|source| self.part(source.root))
    }

    /// Returns the URIs of unknown documents that references lead to, without duplicates.
    pub fn missing(&self) -> Vec<&str> {
        let (mut found, mut seen): (Vec<&str>, Places) = (Vec::new(), Places::default());
        for entry in self.entries.iter().filter(|entry| entry.is_schema) {
            for (_, lead) in self.leads_of(entry) {
                if let Lead::Remote(uri) = lead
                    && seen.insert(uri.to_string(), 0).is_none()
                {
                    found.push(uri);
                }
            }
        }
        found
    }

    /// Returns `true` if a copy of the schema, with the targets of its references, still needs the URI of the
    /// document. This is so if a reference leads to an unknown document, or is dynamic and therefore not
    /// copied.
    pub fn needs_uri(&self) -> bool {
        let mut schemas = (0..).zip(&self.entries).filter(|(_, entry)| entry.is_schema);
        !self.missing().is_empty()
            || schemas.any(|(number, _)| {
                let reference = self.part(number).get("$dynamicRef").and_then(Part::as_str);
                reference.is_some_and(|uri| !uri.starts_with('#'))
            })
    }

    /// Returns `true` if a default fits its own schema. Returns `false` for all defaults if the schema is not
    /// lowered or has errors.
    pub fn is_fit(&self, default: Part<'_>) -> bool {
        self.unfit.as_ref().is_some_and(|unfit| !unfit.contains(&default.number()))
    }

    /// Returns the part with a [number](Part::number), if there is one.
    pub fn numbered(&self, number: u32) -> Option<Part<'_>> {
        ((number as usize) < self.entries.len()).then(|| self.part(number))
    }

    pub(crate) fn part(&self, at: u32) -> Part<'_> {
        Part::new(self, at)
    }

    pub(crate) fn entry(&self, at: u32) -> &ArenaEntry {
        &self.entries[at as usize]
    }

    pub(crate) fn resource(&self, number: u32) -> &Resource {
        &self.resources[number as usize]
    }

    /// Returns `false` if the text with this [number](Part::source) is a meta-schema of this crate.
    pub fn is_given(&self, source: usize) -> bool {
        source < self.given
    }

    fn source_text(&self, source: usize) -> &str {
        self.sources.get(source).map_or("", |source| source.text.as_str())
    }

    fn source_uri(&self, source: usize) -> &str {
        self.sources.get(source).map_or("", |source| source.uri.as_str())
    }

    fn slice(&self, source: usize, span: Range<usize>) -> &str {
        self.source_text(source).get(span).unwrap_or_default()
    }

    /// Returns `true` if `format` is asserted in a resource.
    pub(crate) fn asserts_formats(&self, resource: &Resource) -> bool {
        match self.formats {
            Formats::AsDraft => resource.draft == Draft::Draft7 || resource.assert_format,
            Formats::Assert => true,
            Formats::Ignore => false,
        }
    }
}
