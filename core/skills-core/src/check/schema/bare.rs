//! Reports a schema that consists only of properties, `{ "text": "string" }`, with the corrected schema.

use skills_schema::Part;
use skills_schema::lower::{Problem, ProblemKind};

use super::advice;
use crate::rule::schemas as rules;
use crate::{Change, Diagnostic, Fix, Span};

/// Keywords that occur in schemas of properties, but rarely in data of other programs.
const TELLING: [&str; 6] = ["type", "enum", "$ref", "properties", "anyOf", "oneOf"];

/// Reports that the members of a schema without keywords are properties, if all of them are named types or schemas.
/// `problems` are all problems found in the schema and in the schemas it refers to.
pub(super) fn properties(root: Part<'_>, place: Span, problems: &[Problem]) -> Option<Diagnostic> {
    let is_plain =
        |kind: &ProblemKind| matches!(kind, ProblemKind::UnknownKeyword { suggestion: None, note: None, .. });
    let first = problems
        .first()
        .filter(|_| problems.iter().all(|problem| problem.document == 0 && is_plain(&problem.kind)))?;
    if root.has("type") {
        return None;
    }
    let start = root.span().start;
    let at = |from: usize, to: usize| place.part(from.saturating_sub(start), to.saturating_sub(start));
    let mut changes = vec![Change::replace(place.head(), "{ \"type\": \"object\", \"properties\": ")];
    let mut written = Vec::new();
    for member in root.members() {
        let key = root.source_text().get(member.key_span)?;
        let value = match advice::schema(member.value.text()) {
            Some(typed) => {
                let span = member.value.span();
                changes.push(Change::replace(at(span.start, span.end), typed.as_str()));
                typed
            }
            None if TELLING.iter().any(|key| member.value.has(key)) => member.value.to_node().to_string(),
            None => return None,
        };
        written.push(format!("{key}: {value}"));
    }
    changes.push(Change::replace(Span { start: place.end, ..place }, " }"));
    let key = root.source_text().get(first.span.clone())?;
    let found = rules::SCHEMA_UNKNOWN_KEYWORD
        .at(
            at(first.span.start, first.span.end),
            format!("unknown keyword `{}` in a JSON Schema", key.trim_matches('"')),
        )
        .label("has no effect: declare properties below `properties`")
        .help(format!(
            "write it as: {{ \"type\": \"object\", \"properties\": {{ {} }} }}",
            written.join(", ")
        ))
        .fix(Fix::of(changes));
    Some(found)
}
