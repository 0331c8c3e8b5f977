//! A problem with its place, its help and its fix.

use crate::edit::{Change, Fix};
use crate::level::Level;
use crate::rule::Rule;
use crate::span::Span;

/// A second place that belongs to a problem.
#[derive(Clone, Debug)]
pub struct Related {
    /// The place.
    pub span: Span,
    /// A description of the place.
    pub label: String,
}

/// One problem.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// The rule that was broken.
    pub rule: &'static Rule,
    /// Its level; [`Report::settle`](crate::report::Report::settle) sets it.
    pub level: Level,
    /// The title: what is wrong.
    pub title: String,
    /// The place.
    pub span: Span,
    /// The label of the place.
    pub label: String,
    /// The help: how to fix it; lines after the first continue it.
    pub help: String,
    /// Other places that belong to it.
    pub related: Vec<Related>,
    /// The fix, if there is one.
    pub fix: Option<Fix>,
}

impl Rule {
    /// Creates a diagnostic of this rule at a place, with a title. A help must be added.
    pub fn report_at(&'static self, span: Span, title: impl Into<String>) -> Diagnostic {
        Diagnostic {
            rule: self,
            level: self.bundle,
            title: title.into(),
            span,
            label: String::new(),
            help: String::new(),
            related: Vec::new(),
            fix: None,
        }
    }
}

impl Diagnostic {
    /// Moves the problem into another source map, in which its root is `below` the root. All places move by a distance.
    pub(crate) fn relocate(&mut self, distance: u32, below: &str) {
        self.span = self.span.moved(distance);
        for related in &mut self.related {
            related.span = related.span.moved(distance);
        }
        if let Some(fix) = &mut self.fix {
            fix.relocate(distance, below);
        }
    }

    /// Sets the label of the place.
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// Sets the help.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = help.into();
        self
    }

    /// Adds a fix that replaces a place with another text, and needs no review.
    pub fn replacing(self, span: Span, text: impl Into<String>) -> Self {
        self.fix(Change::replace(span, text).safe_fix())
    }

    pub(crate) fn fix(mut self, fix: impl Into<Option<Fix>>) -> Self {
        self.fix = fix.into();
        self
    }

    /// Suggests a similar word, with an edit that replaces this one.
    pub fn near(self, word: &str) -> Self {
        let change = Change::replace(self.span, word);
        self.help(format!("change it to `{word}`")).fix(change.unsafe_fix())
    }

    /// Suggests the new name of a key or word that was renamed, with an edit.
    pub fn rename(self, word: &str) -> Self {
        let change = Change::replace(self.span, word);
        self.help(format!("change it to `{word}`")).fix(change.safe_fix())
    }

    /// Suggests a similar key of JSON, as [`near`](Self::near) does.
    pub fn near_key(self, word: &str) -> Self {
        let change = Change::string(self.span, word);
        self.help(format!("change it to `{word}`")).fix(change.unsafe_fix())
    }

    /// Suggests a similar string of JSON, as [`near`](Self::near) does.
    pub fn near_string(self, word: &str) -> Self {
        let change = Change::string(self.span, word);
        self.help(format!("change it to \"{word}\"")).fix(change.unsafe_fix())
    }

    /// Suggests a text for the place. The help consists of `lead` and this text.
    pub(crate) fn write(self, lead: &str, text: &str) -> Self {
        let change = Change::replace(self.span, text);
        self.help(format!("{lead}{text}")).fix(change.unsafe_fix())
    }

    /// Adds a second place.
    pub fn related(mut self, span: Span, label: impl Into<String>) -> Self {
        self.related.push(Related { span, label: label.into() });
        self
    }
}
