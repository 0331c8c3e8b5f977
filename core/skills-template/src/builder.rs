//! Builds a tree from a JSON value with templates in it, piece by piece while the JSON is read.

use crate::{
    Lint, TemplateError, TemplateProblem, TemplateSpan, Tree,
    expr::Kind,
    parse::{ParseOutput, ParsedTemplate, token::number_length},
    tree::Id,
};

/// Builds one tree from a JSON value whose strings, at any depth, are templates: a step's `input`, or an
/// `outputMapping`.
///
/// Call the methods in the order of the JSON text. The spans of a template start at its `base` offset.
/// Callers can give every string its own range of offsets, and later find the string to which a span belongs.
///
/// ```
/// use skills_template::{TreeBuilder, Expr};
///
/// let mut builder = TreeBuilder::default();
/// builder.begin_object();
/// builder.key("query", 0);
/// builder.template("{{input.topic}}", 5);
/// builder.key("limit", 20);
/// builder.number("10", 25);
/// builder.end();
/// let tree = builder.finish().into_result().unwrap();
/// assert!(matches!(tree.root().expr(), Expr::Object(members) if members.len() == 4));
/// ```
#[derive(Debug, Default)]
pub struct TreeBuilder {
    out: ParseOutput,
    open: Vec<(Kind, Vec<Id>)>,
    root: Option<Id>,
}

impl TreeBuilder {
    /// Begins an object. Its members follow, each a key and a value, up to [`TreeBuilder::end`].
    pub fn begin_object(&mut self) {
        self.open.push((Kind::Object, Vec::new()));
    }

    /// Begins an array. Its elements follow, up to [`TreeBuilder::end`].
    pub fn begin_array(&mut self) {
        self.open.push((Kind::Array, Vec::new()));
    }

    /// Ends the innermost array or object.
    pub fn end(&mut self) {
        if let Some((kind, children)) = self.open.pop() {
            let first = children.first().map_or(TemplateSpan::default(), |first| self.out.tree.span(*first));
            let last = children.last().map_or(first, |last| self.out.tree.span(*last));
            let span = TemplateSpan { start: first.start, end: last.end.max(first.start) };
            let node = self.out.tree.parent(kind, 0, &children, span);
            self.add(node);
        }
    }

    /// Adds the key of the next member. Keys are not templates.
    pub fn key(&mut self, key: &str, base: u32) {
        let key = if self.out.takes(key, base) { key } else { "" };
        let node = self.out.tree.leaf(Kind::Key, key, TemplateSpan::new(0, key.len()).shift(base));
        self.add(node);
    }

    /// Adds a string, which is a template.
    pub fn template(&mut self, text: &str, base: u32) {
        let node = self.out.template(text, base);
        self.add(node);
    }

    /// Adds a number in JSON syntax. Anything else is an error of the tree.
    pub fn number(&mut self, text: &str, base: u32) {
        let span = TemplateSpan::new(0, text.len()).shift(base);
        let text = if self.out.takes(text, base) { text } else { "0" };
        if number_length(text) != Some(text.len()) {
            self.out.error(span, TemplateProblem::BadNumber { found: text.to_owned() });
        }
        let node = self.out.tree.leaf(Kind::Number, text, span);
        self.add(node);
    }

    /// Adds `true` or `false`.
    pub fn bool(&mut self, value: bool, base: u32) {
        let node = self.out.tree.word(Kind::Bool, u32::from(value), TemplateSpan::new(0, 0).shift(base));
        self.add(node);
    }

    /// Adds `null`.
    pub fn null(&mut self, base: u32) {
        let node = self.out.tree.word(Kind::Null, 0, TemplateSpan::new(0, 0).shift(base));
        self.add(node);
    }

    /// Returns the errors and lints of the templates so far, in the order they were added.
    pub fn problems(&self) -> (&[TemplateError], &[Lint]) {
        (&self.out.errors, &self.out.lints)
    }

    /// Finishes the tree, or returns all errors of all templates. Open arrays and objects are closed; without
    /// any value the tree is `null`.
    pub fn finish(mut self) -> ParsedTemplate {
        self.close();
        self.out.finish()
    }

    /// Finishes the tree with a placeholder for each template that has an error, so that a checker can look
    /// at the others. If there are errors, the tree must not be evaluated.
    pub fn finish_anyway(mut self) -> (Tree, Vec<TemplateError>) {
        self.close();
        self.out.finish_anyway()
    }

    fn close(&mut self) {
        while !self.open.is_empty() {
            self.end();
        }
        if self.root.is_none() {
            self.null(0);
        }
    }

    fn add(&mut self, node: Id) {
        match self.open.last_mut() {
            Some((_, children)) => children.push(node),
            None => self.root = Some(node),
        }
    }
}
