//! What is wrong, where, and what to type.

use crate::edit::{Change, Fix};
use crate::level::Level;
use crate::rule::Rule;
use crate::span::Span;

/// A second place that belongs to a problem.
#[derive(Clone, Debug)]
pub struct Related {
    /// The place.
    pub span: Span,
    /// What is there.
    pub label: String,
}

/// One problem.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// The rule that was broken.
    pub rule: &'static Rule,
    /// How much it matters; decided by [`Report::settle`](crate::report::Report::settle).
    pub level: Level,
    /// What is wrong.
    pub title: String,
    /// Where.
    pub span: Span,
    /// What is at that place.
    pub label: String,
    /// What to type; lines after the first continue it.
    pub help: String,
    /// Other places that belong to it.
    pub related: Vec<Related>,
    /// What mends it, where that is known.
    pub fix: Option<Fix>,
}

impl Rule {
    /// Says that the rule is broken at a place; the title is what is wrong. What to type must follow.
    pub fn at(&'static self, span: Span, title: impl Into<String>) -> Diagnostic {
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
    /// Says what is at the place itself.
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// Says what to type.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = help.into();
        self
    }

    /// Says what mends it.
    pub(crate) fn fix(mut self, fix: impl Into<Option<Fix>>) -> Self {
        self.fix = fix.into();
        self
    }

    /// Asks whether a word was meant, and carries the edit that types it in the place of this one.
    pub(crate) fn near(self, word: &str) -> Self {
        let change = Change::replace(self.span, word);
        self.help(format!("change it to `{word}`")).fix(change.looked_at())
    }

    /// Asks as [`near`](Self::near) does; the word is a key of JSON.
    pub(crate) fn near_key(self, word: &str) -> Self {
        let change = Change::string(self.span, word);
        self.help(format!("change it to `{word}`")).fix(change.looked_at())
    }

    /// Asks as [`near`](Self::near) does; the word is a string of JSON.
    pub(crate) fn near_string(self, word: &str) -> Self {
        let change = Change::string(self.span, word);
        self.help(format!("change it to \"{word}\"")).fix(change.looked_at())
    }

    /// Says what to type at the place, behind words that lead to it.
    pub(crate) fn write(self, lead: &str, text: &str) -> Self {
        let change = Change::replace(self.span, text);
        self.help(format!("{lead}{text}")).fix(change.looked_at())
    }

    /// Adds a second place.
    pub fn related(mut self, span: Span, label: impl Into<String>) -> Self {
        self.related.push(Related { span, label: label.into() });
        self
    }
}
