//! One problem that lowering found becomes one diagnostic: its rule, its place, what to type.

use std::ops::Range;

use skills_schema::Part;
use skills_schema::lower::ProblemKind;

use super::{advice, reference};
use crate::diagnostic::Diagnostic;
use crate::read::SkillDir;
use crate::rule::schemas as rules;
use crate::span::Span;

/// Where a problem is.
pub(super) struct Place<'p> {
    /// The root of the document: a schema, or a whole file.
    pub(super) root: Part<'p>,
    /// The bytes of the problem in it.
    pub(super) range: Range<usize>,
    /// Turns bytes of the text into a span.
    pub(super) at: &'p dyn Fn(Range<usize>) -> Span,
    /// The skill.
    pub(super) dir: &'p SkillDir,
}

impl Place<'_> {
    fn span(&self) -> Span {
        (self.at)(self.range.clone())
    }

    /// What stands there, as written.
    pub(super) fn found(&self) -> &str {
        self.root.source_text().get(self.range.clone()).unwrap_or_default()
    }
}

/// Makes the diagnostic; nothing for what the JSON parser reports itself, or for what could not be looked at.
pub(super) fn diagnose(kind: &ProblemKind, place: &Place<'_>) -> Option<Diagnostic> {
    let span = place.span();
    let diagnostic = match kind {
        ProblemKind::Json(_) => return None,
        ProblemKind::NotSchema { found } => Diagnostic::new(
            &rules::SCHEMA_INVALID,
            span,
            format!("a JSON Schema must be an object or a boolean, found {found}"),
            advice::schema(place.found()),
        )
        .label("not a schema"),
        ProblemKind::UnknownType { name, suggestion } => Diagnostic::new(
            &rules::SCHEMA_INVALID,
            span,
            kind.to_string(),
            advice::type_name(name, *suggestion),
        )
        .label("no JSON Schema type"),
        ProblemKind::UnknownDraft { .. } => {
            Diagnostic::new(&rules::SCHEMA_DIALECT, span, "unknown JSON Schema dialect", advice::dialects())
                .label("draft-07, 2019-09 and 2020-12 are supported")
        }
        ProblemKind::UnresolvedRef { reference } => {
            let help = reference::unresolved(reference, place.root);
            Diagnostic::new(&rules::SCHEMA_REF, span, kind.to_string(), help).label("nothing is there")
        }
        ProblemKind::RemoteRef { reference, uri } => return reference::remote(reference, uri, place, span),
        ProblemKind::RefLoop { .. } => Diagnostic::new(
            &rules::SCHEMA_REF,
            span,
            kind.to_string(),
            "let one schema of the circle say what it is: \"type\": \"object\"",
        )
        .label("leads back here before it reaches a schema"),
        ProblemKind::InvalidPattern { pattern, reason, at } => {
            let at = advice::escaped(place.found(), *at);
            let start = place.range.start + at.start;
            Diagnostic::new(
                &rules::SCHEMA_PATTERN,
                (place.at)(start..place.range.start + at.end),
                format!("`{pattern}` is no ECMA-262 pattern"),
                advice::pattern(pattern, reason),
            )
            .label(reason.clone())
        }
        ProblemKind::WrongKind { keyword, expected, found } => Diagnostic::new(
            &rules::SCHEMA_KEYWORD,
            span,
            format!("`{keyword}` must be {expected}, found {found}"),
            advice::value(keyword, found, place.found()),
        )
        .label(format!("expected {expected}")),
        _ => lint(kind, place)?,
    };
    Some(diagnostic)
}

/// Makes the diagnostic of what is allowed but hardly meant.
fn lint(kind: &ProblemKind, place: &Place<'_>) -> Option<Diagnostic> {
    let span = place.span();
    let diagnostic = match kind {
        ProblemKind::ContradictoryBounds { low, high } => Diagnostic::new(
            &rules::SCHEMA_BOUNDS,
            span,
            kind.to_string(),
            format!("write a `{high}` above `{low}`, or delete one of the two"),
        )
        .label(format!("no value is left above `{low}`")),
        ProblemKind::DefaultMismatch { violations } => Diagnostic::new(
            &rules::SCHEMA_DEFAULT,
            span,
            "`default` does not fit its own schema",
            advice::default(place.found(), violations),
        )
        .label(violations.first().map_or_else(String::new, |first| match first.pointer.as_str() {
            "" => format!("expected {}, found {}", first.expected, first.found),
            pointer => format!("{pointer}: expected {}, found {}", first.expected, first.found),
        })),
        ProblemKind::RequiredUnknown { name, suggestion } => Diagnostic::new(
            &rules::SCHEMA_REQUIRED,
            span,
            format!("`required` names `{name}`, which is no property"),
            match suggestion {
                Some(near) => format!("did you mean \"{near}\"?"),
                None => format!("add `{name}` to `properties`, or delete it here"),
            },
        )
        .label("no such property"),
        // A key that begins with `x-` says by itself that it is meant for another program.
        ProblemKind::UnknownKeyword { name, .. } if name.starts_with("x-") => return None,
        ProblemKind::UnknownKeyword { name, suggestion, note } => Diagnostic::new(
            &rules::SCHEMA_UNKNOWN_KEYWORD,
            span,
            format!("unknown keyword `{name}` in a JSON Schema"),
            match (suggestion, note) {
                (Some(near), _) => format!("did you mean `{near}`?"),
                (None, Some(note)) => note.clone(),
                (None, None) => advice::keyword(name),
            },
        )
        .label("checks nothing"),
        ProblemKind::IgnoredBesideRef { keyword } => Diagnostic::new(
            &rules::SCHEMA_REF_SIBLING,
            span,
            kind.to_string(),
            format!(
                "move the reference below `allOf`: \"allOf\": [{{ \"$ref\": … }}], \"{keyword}\": …\n\
                 or set \"$schema\": \"https://json-schema.org/draft/2020-12/schema\""
            ),
        )
        .label("not checked"),
        // A kind that a later version of the leaf adds is shown as the leaf words it.
        other => Diagnostic::new(&rules::SCHEMA_INVALID, span, other.to_string(), "mend or delete this part"),
    };
    Some(diagnostic)
}
