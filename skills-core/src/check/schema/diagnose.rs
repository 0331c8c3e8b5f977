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
        ProblemKind::NotSchema { found } => rules::SCHEMA_INVALID
            .at(span, format!("a JSON Schema must be an object or a boolean, found {found}"))
            .label("not a schema")
            .help(advice::schema(place.found())),
        ProblemKind::UnknownType { name, suggestion } => rules::SCHEMA_INVALID
            .at(span, kind.to_string())
            .label("no JSON Schema type")
            .help(advice::type_name(name, *suggestion)),
        ProblemKind::UnknownDraft { .. } => rules::SCHEMA_DIALECT
            .at(span, "unknown JSON Schema dialect")
            .label("draft-07, 2019-09 and 2020-12 are supported")
            .help(advice::dialects()),
        ProblemKind::UnresolvedRef { reference } => {
            let help = reference::unresolved(reference, place.root);
            rules::SCHEMA_REF.at(span, kind.to_string()).label("nothing is there").help(help)
        }
        ProblemKind::RemoteRef { reference, uri } => return reference::remote(reference, uri, place, span),
        ProblemKind::RefLoop { .. } => rules::SCHEMA_REF
            .at(span, kind.to_string())
            .label("leads back here before it reaches a schema")
            .help("let one schema of the circle say what it is: \"type\": \"object\""),
        ProblemKind::InvalidPattern { pattern, reason, at } => {
            let at = advice::escaped(place.found(), *at);
            let start = place.range.start + at.start;
            rules::SCHEMA_PATTERN
                .at(
                    (place.at)(start..place.range.start + at.end),
                    format!("`{pattern}` is no ECMA-262 pattern"),
                )
                .label(reason.clone())
                .help(advice::pattern(pattern, reason))
        }
        ProblemKind::WrongKind { keyword, expected, found } => rules::SCHEMA_KEYWORD
            .at(span, format!("`{keyword}` must be {expected}, found {found}"))
            .label(format!("expected {expected}"))
            .help(advice::value(keyword, found, place.found())),
        _ => lint(kind, place)?,
    };
    Some(diagnostic)
}

/// Makes the diagnostic of what is allowed but hardly meant.
fn lint(kind: &ProblemKind, place: &Place<'_>) -> Option<Diagnostic> {
    let span = place.span();
    let diagnostic = match kind {
        ProblemKind::ContradictoryBounds { low, high } => rules::SCHEMA_BOUNDS
            .at(span, kind.to_string())
            .label(format!("no value is left above `{low}`"))
            .help(format!("write a `{high}` above `{low}`, or delete one of the two")),
        ProblemKind::DefaultMismatch { violations } => rules::SCHEMA_DEFAULT
            .at(span, "`default` does not fit its own schema")
            .label(violations.first().map_or_else(String::new, |first| match first.pointer.as_str() {
                "" => format!("expected {}, found {}", first.expected, first.found),
                pointer => format!("{pointer}: expected {}, found {}", first.expected, first.found),
            }))
            .help(advice::default(place.found(), violations)),
        ProblemKind::RequiredUnknown { name, suggestion } => rules::SCHEMA_REQUIRED
            .at(span, format!("`required` names `{name}`, which is no property"))
            .label("no such property")
            .help(match suggestion {
                Some(near) => format!("did you mean \"{near}\"?"),
                None => format!("add `{name}` to `properties`, or delete it here"),
            }),
        // A key that begins with `x-` says by itself that it is meant for another program.
        ProblemKind::UnknownKeyword { name, .. } if name.starts_with("x-") => return None,
        ProblemKind::UnknownKeyword { name, suggestion, note } => rules::SCHEMA_UNKNOWN_KEYWORD
            .at(span, format!("unknown keyword `{name}` in a JSON Schema"))
            .label("checks nothing")
            .help(match (suggestion, note) {
                (Some(near), _) => format!("did you mean `{near}`?"),
                (None, Some(note)) => note.clone(),
                (None, None) => advice::keyword(name),
            }),
        ProblemKind::IgnoredBesideRef { keyword } => {
            rules::SCHEMA_REF_SIBLING.at(span, kind.to_string()).label("not checked").help(format!(
                "move the reference below `allOf`: \"allOf\": [{{ \"$ref\": … }}], \"{keyword}\": …\n\
                 or set \"$schema\": \"https://json-schema.org/draft/2020-12/schema\""
            ))
        }
        // A kind that a later version of the leaf adds is shown as the leaf words it.
        other => rules::SCHEMA_INVALID.at(span, other.to_string()).help("mend or delete this part"),
    };
    Some(diagnostic)
}
