//! Questions to a schema: its types, its constants, where its references lead.

use skills_schema::json::{Kind as Json, Node};
use skills_schema::lower::{self, Draft, Lowered, Problem, ProblemKind};
use skills_schema::{Format, validate_str};

use crate::options::FormatPolicy;
use crate::percent;

/// A whole schema document, to resolve references in.
pub(super) struct Document<'s> {
    pub(super) root: &'s Node,
    /// The draft it is written in.
    pub(super) draft: Draft,
    formats: FormatPolicy,
    text: &'s str,
    lowered: Lowered,
    /// The defaults that do not fit their own schemas, by the first byte; nothing when that cannot be told.
    unfit: Option<Vec<usize>>,
}

impl<'s> Document<'s> {
    /// Reads what the document as a whole says.
    pub(super) fn new(root: &'s Node, text: &'s str, formats: FormatPolicy) -> Self {
        let lowered = lower::lower(text, &options(formats));
        let mismatch = |problem: &&Problem| matches!(problem.kind, ProblemKind::DefaultMismatch { .. });
        let unfit = lowered.problems.iter().filter(mismatch).map(|problem| problem.span.start).collect();
        let unfit = (!lowered.has_errors()).then_some(unfit);
        Self { root, draft: lowered.draft, formats, text, lowered, unfit }
    }

    /// Tells whether the default of a schema fits it.
    pub(super) fn fits(&self, default: &Node, schema: &Node) -> bool {
        match &self.unfit {
            Some(unfit) => !unfit.contains(&default.span.start),
            // The document leads to files that are not at hand: the schema is judged alone.
            None => {
                let lowered = lower::lower(self.text(schema), &options(self.formats));
                !lowered.has_errors() && validate_str(&lowered.tables, self.text(default)).is_ok()
            }
        }
    }

    /// Returns the format that a string must have, when its texts have a type; none where it only describes.
    pub(super) fn format(&self, schema: &Node) -> Option<Format> {
        self.lowered.asserted(schema.get("format")?.as_str()?)
    }

    /// Returns the text of a value in the document.
    pub(super) fn text(&self, node: &Node) -> &'s str {
        self.text.get(node.span.clone()).unwrap_or_default()
    }

    /// Returns where a schema leads that says nothing but `$ref`.
    ///
    /// In draft-07 what stands beside a reference is ignored, later it counts: only annotations are safe.
    pub(super) fn plain_reference(&self, schema: &Node) -> Option<&'s Node> {
        let plain = |key: &str| ANNOTATIONS.contains(&key) || key == "$ref";
        if !schema.members().iter().all(|member| plain(&member.key)) {
            return None;
        }
        self.resolve(schema.get("$ref")?.as_str()?)
    }

    /// Follows a local reference: `#`, a JSON pointer behind `#`, or an anchor.
    ///
    /// Nothing for a reference that leads elsewhere, or in a document with embedded resources, whose bases differ.
    pub(super) fn resolve(&self, reference: &str) -> Option<&'s Node> {
        let fragment = reference.strip_prefix('#')?;
        if fragment.is_empty() {
            return Some(self.root);
        }
        let Some(pointer) = fragment.strip_prefix('/') else { return anchor(self.root, fragment) };
        let mut node = self.root;
        for part in pointer.split('/') {
            let part = decode(part);
            node = match &node.kind {
                Json::Object(_) => node.get(&part)?,
                Json::Array(items) => items.get(part.parse::<usize>().ok()?)?,
                _ => return None,
            };
            if node.get("$id").is_some() {
                return None;
            }
        }
        Some(node)
    }
}

fn options(formats: FormatPolicy) -> lower::Options<'static> {
    lower::Options { formats: formats.into(), ..lower::Options::default() }
}

/// Keywords that change no verdict.
const ANNOTATIONS: &[&str] =
    &["title", "description", "default", "$comment", "$defs", "definitions", "$schema", "examples"];

fn anchor<'s>(node: &'s Node, name: &str) -> Option<&'s Node> {
    if node.get("$anchor").and_then(Node::as_str) == Some(name) {
        return Some(node);
    }
    // What stands in these is no schema.
    let members = node
        .members()
        .iter()
        .filter(|member| !matches!(member.key.as_str(), "const" | "default" | "enum" | "examples"));
    let inside = members.map(|member| &member.value).chain(node.items());
    inside.filter(|node| node.get("$id").is_none()).find_map(|node| anchor(node, name))
}

/// Reads one part of a JSON pointer in a reference.
fn decode(part: &str) -> String {
    percent::decode(part).replace("~1", "/").replace("~0", "~")
}

/// Returns the names in `type`; none when it is absent.
pub(super) fn types(node: &Node) -> Vec<&str> {
    match node.get("type") {
        None => Vec::new(),
        Some(node) => match node.as_str() {
            Some(name) => vec![name],
            None => node.items().iter().filter_map(Node::as_str).collect(),
        },
    }
}

/// Returns what title and description say, in that order.
pub(super) fn doc(node: &Node) -> String {
    let text = |key| node.get(key).and_then(Node::as_str).map(str::trim).filter(|text| !text.is_empty());
    match (text("title"), text("description")) {
        (Some(title), Some(description)) if title != description => format!("{title}\n\n{description}"),
        (title, description) => title.or(description).unwrap_or_default().to_owned(),
    }
}

/// Returns the list of a keyword, when there is one with an element.
pub(super) fn list<'s>(node: &'s Node, key: &str) -> Option<&'s [Node]> {
    node.get(key).map(Node::items).filter(|items| !items.is_empty())
}

/// Returns the values that `const` or `enum` allows.
pub(super) fn constants(node: &Node) -> Option<Vec<&Node>> {
    if let Some(value) = node.get("const") {
        return Some(vec![value]);
    }
    list(node, "enum").map(|items| items.iter().collect())
}

/// Returns a whole number of `i64`, however it is written.
pub(super) fn whole(node: &Node) -> Option<i64> {
    let Json::Number(text) = &node.kind else { return None };
    let exact = || {
        let (whole, fraction) = text.split_once('.')?;
        fraction.bytes().all(|byte| byte == b'0').then(|| whole.parse().ok())?
    };
    text.parse().ok().or_else(exact)
}
