//! Checks a JSON value with templates against a schema.

use skills_schema::Part;
use skills_schema::lower::Lowered;
use skills_text::Places;

use super::owner::Owner;
use crate::check::template::types::alternative::{Alternative, Member, accepts, alternatives};
use crate::check::template::types::fit::{Comparison, Misfit, expected};
use crate::check::template::types::{Kinds, Type};
use crate::tree::{MapEntry, Node};
use crate::{Diagnostic, SourceMap, Span};

/// A value in a step's `input` or in `outputMapping`.
pub(super) enum Written<'n, 's> {
    /// A scalar without templates.
    Scalar(&'n Node),
    /// A string with templates: the place of the expression, and the type of its result.
    Template(Span, Type<'s>),
    Object(&'n Node, Vec<(&'n MapEntry, Written<'n, 's>)>),
    Array(&'n Node, Vec<Written<'n, 's>>),
}

impl Written<'_, '_> {
    fn kinds(&self) -> Kinds {
        match self {
            Self::Scalar(node) | Self::Object(node, _) | Self::Array(node, _) => Kinds::of_node(node),
            Self::Template(_, given) => given.kinds(),
        }
    }

    fn is_literal(&self) -> bool {
        match self {
            Self::Scalar(_) => true,
            Self::Template(..) => false,
            Self::Object(_, members) => members.iter().all(|(_, member)| member.is_literal()),
            Self::Array(_, items) => items.iter().all(Self::is_literal),
        }
    }

    /// Returns the value as written; `None` for a template.
    fn node(&self) -> Option<&Node> {
        match self {
            Self::Scalar(node) | Self::Object(node, _) | Self::Array(node, _) => Some(node),
            Self::Template(..) => None,
        }
    }
}

/// The number of refused members that are compared with the accepted ones.
const MAX_COMPARED: usize = 200;

/// The number of undeclared members that are compared with the declared ones.
const GUESSES: usize = 200;

/// The number of characters of a key in the path of a finding.
const LONGEST_KEY: usize = 100;

/// Returns the problems of a value according to its schema. Values after the limit of comparisons are accepted.
pub(super) fn check(
    value: &Written<'_, '_>,
    wanted: &Lowered,
    owner: Owner<'_>,
    sources: &SourceMap,
    comparison: &mut Comparison,
) -> Vec<Diagnostic> {
    let mut checker = Checker { lowered: wanted, owner, sources, comparison, guesses: GUESSES };
    checker.value(value, wanted.document.root(), &At::Root)
}

/// The path to a part of a value. Only a finding formats it, and long keys are cut.
enum At<'a> {
    Root,
    Key(&'a At<'a>, &'a str),
    Place(&'a At<'a>, usize),
}

impl std::fmt::Display for At<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Root => Ok(()),
            Self::Key(above, key) => write!(formatter, "{above}.{}", skills_text::cut(key, LONGEST_KEY)),
            Self::Place(above, place) => write!(formatter, "{above}.{place}"),
        }
    }
}

struct Checker<'l> {
    lowered: &'l Lowered,
    owner: Owner<'l>,
    sources: &'l SourceMap,
    comparison: &'l mut Comparison,
    /// How many more undeclared members may be compared with the declared ones.
    guesses: usize,
}

impl Checker<'_> {
    fn value(&mut self, value: &Written<'_, '_>, wanted: Part<'_>, at: &At<'_>) -> Vec<Diagnostic> {
        if self.comparison.count(1).is_none() {
            return Vec::new();
        }
        let found = match value {
            Written::Scalar(_) => Vec::new(),
            Written::Template(span, given) => {
                let found = self.comparison.misfit(given, wanted);
                let found = found.iter();
                return found
                    .map(|found| self.owner.misfit(*span, &format!("{at}{}", found.at), found))
                    .collect();
            }
            Written::Object(..) | Written::Array(..) => self.structure(value, wanted, at),
        };
        // The tables check a literal as a whole, so that problems are not repeated for its parts.
        match value.node() {
            Some(node) if found.is_empty() && value.is_literal() => self.literal(node, wanted, at),
            _ => found,
        }
    }

    /// Validates a value without templates with the tables of its schema.
    fn literal(&self, node: &Node, wanted: Part<'_>, at: &At<'_>) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        for violation in self.lowered.violations(wanted, self.sources.text(node.span)) {
            let inside = node.at_pointer(&violation.pointer);
            let span = if inside.as_scalar().is_some() { inside.span } else { inside.span.head() };
            let at = format!("{at}{}", violation.pointer.replace('/', "."));
            found.push(self.owner.violation(span, &at, &violation));
        }
        found
    }

    /// Checks an object or array against the most similar alternative.
    fn structure(&mut self, value: &Written<'_, '_>, wanted: Part<'_>, at: &At<'_>) -> Vec<Diagnostic> {
        let Some(mut alternatives) = alternatives(wanted) else { return Vec::new() };
        let given = value.kinds();
        alternatives.retain(|alternative| alternative.kinds().meets(given));
        let mut nearest: Option<Vec<Diagnostic>> = None;
        for alternative in &alternatives {
            let found = self.alternative(value, alternative, at);
            if nearest.as_ref().is_none_or(|nearest| found.len() < nearest.len()) {
                nearest = Some(found);
            }
        }
        nearest.unwrap_or_else(|| {
            let (expected, given) = (expected(wanted), Some(given.describe()));
            let found = Misfit { at: String::new(), expected, given };
            let span = value.node().map(|node| node.span.head()).unwrap_or_default();
            vec![self.owner.misfit(span, &at.to_string(), &found)]
        })
    }

    fn alternative(
        &mut self,
        value: &Written<'_, '_>,
        wanted: &Alternative<'_>,
        at: &At<'_>,
    ) -> Vec<Diagnostic> {
        match value {
            Written::Object(node, members) => self.object(node, members, wanted, at),
            Written::Array(_, items) => {
                let mut found = Vec::new();
                for (place, item) in items.iter().enumerate() {
                    for schema in wanted.elements(Some(place)).unwrap_or_default() {
                        found.extend(self.value(item, schema, &At::Place(at, place)));
                    }
                }
                found
            }
            Written::Scalar(_) | Written::Template(..) => Vec::new(),
        }
    }

    fn object(
        &mut self,
        node: &Node,
        members: &[(&MapEntry, Written<'_, '_>)],
        wanted: &Alternative<'_>,
        at: &At<'_>,
    ) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        let (mut meant, mut present) = (Places::default(), Places::default());
        for (place, (entry, _)) in members.iter().enumerate() {
            present.insert(entry.key.clone(), place);
        }
        for (entry, member) in members {
            // Each alternative looks at all members.
            if self.comparison.count(1).is_none() {
                return Vec::new();
            }
            let at = At::Key(at, &entry.key);
            let near = self.intended_key(&present, &entry.key, wanted);
            if let Some(near) = near {
                meant.insert(near.to_owned(), 0);
            }
            let mut is_checked = false;
            for part in &wanted.parts {
                let accepted = accepts(*part, &entry.key);
                is_checked |= !matches!(accepted, Member::Anything);
                match accepted {
                    Member::Schema(schema) => found.extend(self.value(member, schema, &at)),
                    Member::Anything => {}
                    Member::Nothing(known) => {
                        // A report has no room for more.
                        let known = if found.len() < MAX_COMPARED { known.names() } else { Vec::new() };
                        let near = skills_text::nearest(&entry.key, known);
                        found.push(self.owner.refused(entry.key_span, &at.to_string(), near));
                    }
                }
            }
            if !is_checked && let Some(near) = near {
                found.push(self.owner.misspelt(entry.key_span, &at.to_string(), near));
            }
        }
        for name in wanted.required() {
            if self.comparison.count(1).is_none() {
                return Vec::new();
            }
            // A key that probably misspells this name was already reported.
            if present.get(name).is_none() && meant.get(name).is_none() {
                found.push(self.owner.missing(node.span.head(), &format!("{at}.{name}"), name));
            }
        }
        found
    }

    /// Returns the declared property that an undeclared key of an object probably misspells.
    fn intended_key<'s>(&mut self, present: &Places, key: &str, wanted: &Alternative<'s>) -> Option<&'s str> {
        if wanted.declares(key) {
            return None;
        }
        self.guesses = self.guesses.checked_sub(1)?;
        wanted.intended_key(key, &|name| present.get(name).is_some())
    }
}
