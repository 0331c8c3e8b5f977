//! The flat tree used by parser, disk and bundle: nodes, child lists and text in two arrays.

use crate::{
    Expr, Filter, TemplateSpan,
    error::narrow,
    expr::{Compare, Kind},
};
use std::borrow::Cow;

/// A template, prompt, condition or step input as one flat, index-based tree.
///
/// [`Expr`] lists the kinds of nodes. The tree of a bundled template is static data made of two literals,
/// which the generator gets from [`Tree::parts`]:
///
/// ```
/// use skills_template::{Tree, parse_template};
///
/// static BUNDLED: Tree = Tree::from_static(
///     &[5, 5, 0, 5, 4, 5, 5, 4, 10, 4, 9, 0, 2, 6, 2, 2, 1, 2, 0, 3],
///     "Dear inputname",
/// );
/// let parsed = parse_template("Dear {{input.name}}").into_result().unwrap();
/// assert_eq!(parsed.parts(), BUNDLED.parts());
/// ```
#[derive(Clone, Debug)]
pub struct Tree {
    // The number of nodes, then three words for each node, then the child lists. Children come before their
    // parents, so the last node is the root. The first word of a node is its kind and, from bit 8, its
    // variant. The other two are the offset and the length of a text or of a child list.
    words: Cow<'static, [u32]>,
    text: Cow<'static, str>,
    spans: Vec<TemplateSpan>,
}

impl Tree {
    /// Creates a tree from the result of [`Tree::parts`]. It has no spans.
    ///
    /// For any other words the tree is unspecified, but reading it never panics.
    pub const fn from_static(words: &'static [u32], text: &'static str) -> Self {
        Self { words: Cow::Borrowed(words), text: Cow::Borrowed(text), spans: Vec::new() }
    }

    /// Returns the words and the text of the tree, without the spans.
    pub fn parts(&self) -> (&[u32], &str) {
        (&self.words, &self.text)
    }

    /// Returns the root.
    pub fn root(&self) -> TemplateNode<'_> {
        TemplateNode { spans: &self.spans, ..TemplateNode::from_parts(&self.words, &self.text) }
    }

    /// Returns the number of nodes; [`TemplateNode::index`] is below it.
    pub fn len(&self) -> usize {
        node_count(&self.words) as usize
    }

    /// Returns `true` if there are no nodes, which never happens for a parsed tree.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

#[inline]
fn node_count(words: &[u32]) -> u32 {
    words.first().copied().unwrap_or(0)
}

/// A handle of a node. Copying it copies three references and a number.
#[derive(Clone, Copy)]
pub struct TemplateNode<'a> {
    words: &'a [u32],
    text: &'a str,
    spans: &'a [TemplateSpan],
    index: u32,
}

/// Methods for questions that the evaluator asks about nearly every node. They avoid the match of
/// [`TemplateNode::expr`].
impl<'a> TemplateNode<'a> {
    /// Returns the text of an [`Expr::Text`].
    #[inline]
    pub fn plain_text(self) -> Option<&'a str> {
        (self.kind() == Kind::Text).then(|| self.stored_text())
    }

    /// Returns the keys of an [`Expr::Path`].
    #[inline]
    pub fn path(self) -> Option<Nodes<'a>> {
        (self.kind() == Kind::Path).then(|| self.list())
    }

    /// Returns the length in bytes of the text of the whole tree.
    pub fn text_of_tree(self) -> usize {
        self.text.len()
    }
}

impl<'a> TemplateNode<'a> {
    /// Returns the root of a tree that is stored in the tables of a bundle.
    pub fn from_parts(words: &'a [u32], text: &'a str) -> Self {
        Self { words, text, spans: &[], index: node_count(words).saturating_sub(1) }
    }

    /// Returns the node's number in its tree, from 0. Children have smaller numbers than their parents.
    pub fn index(self) -> usize {
        self.index as usize
    }

    /// Returns the span of the node in the parsed text. `None` in a static tree.
    ///
    /// The span of an expression has neither braces nor parentheses, a string's span includes its quotes, and
    /// a block's span is everything from `{{#` to the last `}}`.
    pub fn span(self) -> Option<TemplateSpan> {
        self.spans.get(self.index as usize).copied()
    }

    /// Returns the kind of the node, with its data.
    pub fn expr(self) -> Expr<'a> {
        let [head, ..] = self.record();
        let variant = head >> 8;
        let list = self.list();
        match Kind::from_code(head & 0xff) {
            Kind::Null => Expr::Null,
            Kind::Bool => Expr::Bool(variant != 0),
            Kind::Number => Expr::Number(self.stored_text()),
            Kind::String => Expr::String(self.stored_text()),
            Kind::Key => Expr::Key(self.stored_text()),
            Kind::Text => Expr::Text(self.stored_text()),
            Kind::Concat => Expr::Concat(list),
            Kind::If => {
                Expr::If { condition: list.node_at(0), then: list.node_at(1), otherwise: list.get(2) }
            }
            Kind::Each => Expr::Each { list: list.node_at(0), body: list.node_at(1) },
            Kind::Path => Expr::Path(list),
            Kind::Fallback => Expr::Fallback(list),
            Kind::Filter => Expr::Filter {
                filter: Filter::from_code(variant),
                input: list.node_at(0),
                args: list.behind(1),
            },
            Kind::Field => Expr::Field(list),
            Kind::Or => Expr::Or(list),
            Kind::And => Expr::And(list),
            Kind::Not => Expr::Not(list.node_at(0)),
            Kind::Compare => Expr::Compare {
                compare: Compare::from_code(variant),
                left: list.node_at(0),
                right: list.node_at(1),
            },
            Kind::Array => Expr::Array(list),
            Kind::Object => Expr::Object(list),
        }
    }

    /// Returns the text of a text, key, string or number, or "" for any other node.
    #[inline]
    pub fn text(self) -> &'a str {
        if self.has_text() { self.stored_text() } else { "" }
    }

    #[inline]
    fn kind(self) -> Kind {
        Kind::from_code(self.record()[0] & 0xff)
    }

    #[inline]
    fn has_text(self) -> bool {
        matches!(self.kind(), Kind::Number | Kind::String | Kind::Key | Kind::Text)
    }

    /// Returns `true` if the node always yields text, unlike an expression, which keeps its JSON type.
    ///
    /// At the root of a template, `true` means that values are interpolated into text.
    pub fn is_text(self) -> bool {
        matches!(self.expr(), Expr::Text(_) | Expr::Concat(_) | Expr::If { .. } | Expr::Each { .. })
    }

    #[inline]
    fn record(self) -> [u32; 3] {
        let at = 1 + self.index as usize * 3;
        match self.words.get(at..at + 3) {
            Some(&[head, offset, length]) if self.index < node_count(self.words) => [head, offset, length],
            _ => [Kind::Null as u32, 0, 0],
        }
    }

    #[inline]
    fn stored_text(self) -> &'a str {
        let [_, offset, length] = self.record();
        let end = offset as usize + length as usize;
        self.text.get(offset as usize..end).unwrap_or("")
    }

    /// Returns all child nodes in text order, for walks that do not depend on the kind.
    pub fn children(self) -> Nodes<'a> {
        if self.has_text() {
            return Nodes { parent: self, list: &[] };
        }
        self.list()
    }

    #[inline]
    fn list(self) -> Nodes<'a> {
        let [_, offset, length] = self.record();
        let start = 1 + node_count(self.words) as usize * 3 + offset as usize;
        let list = self.words.get(start..start + length as usize).unwrap_or(&[]);
        Nodes { parent: self, list }
    }
}

impl std::fmt::Debug for TemplateNode<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.expr().fmt(f)
    }
}

/// A list of nodes: an iterator with copying and indexing.
#[derive(Clone, Copy)]
pub struct Nodes<'a> {
    parent: TemplateNode<'a>,
    list: &'a [u32],
}

impl<'a> Nodes<'a> {
    /// Returns a node by its index in the list.
    pub fn get(self, place: usize) -> Option<TemplateNode<'a>> {
        self.list.get(place).map(|index| self.node(*index))
    }

    /// Returns the number of nodes.
    pub fn len(self) -> usize {
        self.list.len()
    }

    /// Returns `true` if the list has no nodes.
    pub fn is_empty(self) -> bool {
        self.list.is_empty()
    }

    fn behind(self, count: usize) -> Self {
        Self { list: self.list.get(count..).unwrap_or(&[]), ..self }
    }

    fn node_at(self, place: usize) -> TemplateNode<'a> {
        self.node(self.list.get(place).copied().unwrap_or(u32::MAX))
    }

    /// Returns the node with this number. A child whose number is not smaller than its parent's reads as
    /// null, so that damaged words cannot form a cycle.
    #[inline]
    fn node(self, index: u32) -> TemplateNode<'a> {
        TemplateNode { index: if index < self.parent.index { index } else { u32::MAX }, ..self.parent }
    }
}

impl<'a> Iterator for Nodes<'a> {
    type Item = TemplateNode<'a>;

    #[inline]
    fn next(&mut self) -> Option<TemplateNode<'a>> {
        let (first, rest) = self.list.split_first()?;
        self.list = rest;
        Some(self.node(*first))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.list.len(), Some(self.list.len()))
    }
}

impl ExactSizeIterator for Nodes<'_> {}

impl std::fmt::Debug for Nodes<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(*self).finish()
    }
}

/// A node of a tree under construction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Id(u32);

/// A tree under construction, from its leaves to its root.
#[derive(Debug, Default)]
pub(crate) struct Growing {
    nodes: Vec<u32>,
    children: Vec<u32>,
    text: String,
    spans: Vec<TemplateSpan>,
    /// The number of levels below each node.
    heights: Vec<u8>,
    too_deep: Option<TemplateSpan>,
}

impl Growing {
    pub(crate) fn leaf(&mut self, kind: Kind, text: &str, span: TemplateSpan) -> Id {
        let offset = narrow(self.text.len());
        self.text.push_str(text);
        self.push(kind, 0, offset, narrow(text.len()), span)
    }

    pub(crate) fn word(&mut self, kind: Kind, variant: u32, span: TemplateSpan) -> Id {
        self.push(kind, variant, 0, 0, span)
    }

    pub(crate) fn parent(&mut self, kind: Kind, variant: u32, children: &[Id], span: TemplateSpan) -> Id {
        let offset = narrow(self.children.len());
        self.children.extend(children.iter().map(|id| id.0));
        let node = self.push(kind, variant, offset, narrow(children.len()), span);
        let below =
            children.iter().filter_map(|id| self.heights.get(id.0 as usize)).max().copied().unwrap_or(0);
        if let Some(height) = self.heights.last_mut() {
            *height = below.saturating_add(1);
            if usize::from(*height) > crate::MAX_DEPTH && self.too_deep.is_none() {
                self.too_deep = Some(span);
            }
        }
        node
    }

    /// Returns the first node with too many levels below it.
    pub(crate) fn too_deep(&self) -> Option<TemplateSpan> {
        self.too_deep
    }

    pub(crate) fn span(&self, id: Id) -> TemplateSpan {
        self.spans.get(id.0 as usize).copied().unwrap_or_default()
    }

    fn push(&mut self, kind: Kind, variant: u32, offset: u32, length: u32, span: TemplateSpan) -> Id {
        self.nodes.extend([kind as u32 | variant << 8, offset, length]);
        self.spans.push(span);
        self.heights.push(0);
        Id(narrow(self.spans.len() - 1))
    }

    /// Finishes the tree. The last created node is the root.
    pub(crate) fn finish(self) -> Tree {
        let mut words = Vec::with_capacity(1 + self.nodes.len() + self.children.len());
        words.push(narrow(self.spans.len()));
        words.extend(self.nodes);
        words.extend(self.children);
        Tree { words: Cow::Owned(words), text: Cow::Owned(self.text), spans: self.spans }
    }
}

/// A path that a tree reads.
#[derive(Clone, Copy, Debug)]
pub struct Reference<'a> {
    /// The [`Expr::Path`].
    pub path: TemplateNode<'a>,
    /// Whether an absent value has a replacement: the path is in a `||` or has a `default`.
    ///
    /// If a step uses the result of a skipped step without a fallback, it is skipped too.
    pub has_fallback: bool,
}

/// Lists the paths in a node, in text order.
///
/// ```
/// use skills_template::{parse_template, references};
///
/// let tree = parse_template("{{steps.a.x}} {{steps.b.y | size || 0}}").into_result().unwrap();
/// let found: Vec<bool> = references(tree.root()).iter().map(|found| found.has_fallback).collect();
/// assert_eq!(found, [false, true]);
/// ```
pub fn references(node: TemplateNode<'_>) -> Vec<Reference<'_>> {
    let mut found = Vec::new();
    collect(node, false, &mut found);
    found
}

fn collect<'a>(node: TemplateNode<'a>, has_fallback: bool, found: &mut Vec<Reference<'a>>) {
    let inside = match node.expr() {
        Expr::Path(_) => return found.push(Reference { path: node, has_fallback }),
        Expr::Fallback(_) | Expr::Filter { filter: Filter::Default, .. } => true,
        _ => has_fallback,
    };
    for child in node.children() {
        collect(child, inside, found);
    }
}

#[cfg(test)]
mod tests {
    use super::references;
    use crate::{TemplateNode, parse_condition, parse_prompt};

    // SPEC 5.6
    #[test]
    fn every_path_is_listed_once() {
        let text = "{{a.b | where: k: c.d | default: e}}{{#if f}}{{#each g}}{{item.h | map: i}}{{else_}}{{/each}}{{/if}}";
        let tree = parse_prompt(text).into_result().expect("it parses");
        let path_of = |reference: &super::Reference<'_>| {
            let keys: Vec<&str> = reference.path.children().map(TemplateNode::text).collect();
            format!("{}{}", keys.join("."), if reference.has_fallback { "?" } else { "" })
        };
        let found: Vec<String> = references(tree.root()).iter().map(path_of).collect();
        assert_eq!(found, ["a.b?", "c.d?", "e?", "f", "g", "item.h", "else_"]);
        let tree = parse_condition("a || !{{b}} == c").into_result().expect("it parses");
        assert!(references(tree.root()).iter().map(path_of).eq(["a", "b", "c"]));
    }
}
