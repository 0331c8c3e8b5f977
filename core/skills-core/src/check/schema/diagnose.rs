//! Converts each problem that lowering found to a diagnostic with a rule, a place and a help.

use std::ops::Range;

use skills_schema::json::{Node, read};
use skills_schema::lower::{ProblemKind, SchemaProblem};
use skills_schema::{Part, Violation};
use skills_text::{Places, is_digits};

use super::reference::SchemaPlace;
use super::{advice, reference};
use crate::rule::schemas as rules;
use crate::tree::{json, text::has_any};
use crate::{Change, Diagnostic, Fix, Span};

/// Keywords of OpenAPI, which pydantic, zod and generators of clients write as well.
const FOREIGN: [&str; 4] = ["discriminator", "xml", "externalDocs", "propertyOrdering"];

/// Returns `None` for problems that the JSON parser reports, or if the check was not possible.
pub(super) fn diagnose(kind: &ProblemKind, place: &SchemaPlace<'_>) -> Option<Diagnostic> {
    let span = place.span();
    let diagnostic = match kind {
        ProblemKind::Json(_) => return None,
        ProblemKind::NotSchema { found } => {
            let typed = advice::schema(place.found());
            let example = typed.as_deref().unwrap_or("{ \"type\": \"object\", \"properties\": {} }");
            rules::SCHEMA_INVALID
                .report_at(span, format!("a JSON Schema must be an object or a boolean, found {found}"))
                .label("not a schema")
                .help(format!("write it as: {example}"))
                .fix(typed.map(|text| Change::replace(span, text).unsafe_fix()))
        }
        ProblemKind::UnknownType { name, suggestion } => {
            let (help, change) = match (name.as_str(), suggestion) {
                ("date" | "datetime" | "date-time", _) => {
                    let format = if name == "date" { "date" } else { "date-time" };
                    let typed = format!("\"string\", \"format\": \"{format}\"");
                    (format!("write it as: \"type\": {typed}"), Some(Change::replace(span, typed)))
                }
                ("any", _) => ("delete it: without `type` every value is allowed".to_owned(), None),
                (_, Some(near)) => (format!("change it to \"{near}\""), Some(Change::string(span, near))),
                _ => (advice::unknown_type(), None),
            };
            let found = rules::SCHEMA_INVALID.report_at(span, kind.to_string()).label("no JSON Schema type");
            found.help(help).fix(change.map(Change::unsafe_fix))
        }
        ProblemKind::UnknownDraft { uri } => rules::SCHEMA_DIALECT
            .report_at(span, "unknown JSON Schema dialect")
            .label("draft-07, 2019-09 and 2020-12 are supported")
            .help(advice::unknown_dialect())
            .fix(Change::string(span, advice::dialect_near(uri)).unsafe_fix()),
        ProblemKind::UnresolvedRef { reference } => {
            let found = rules::SCHEMA_REF.report_at(span, kind.to_string()).label("not found");
            if !place.has_room {
                return Some(found);
            }
            reference::add_help(found, reference, place.root)
        }
        ProblemKind::RemoteRef { reference, uri } => return reference::remote(reference, uri, place, span),
        ProblemKind::RefLoop { .. } => rules::SCHEMA_REF
            .report_at(span, kind.to_string())
            .label("leads back here without reaching a schema")
            .help("add a type to one schema of the cycle: \"type\": \"object\""),
        ProblemKind::InvalidPattern { pattern, reason, at } => {
            let at = json::Literal::new(place.found()).bytes(*at);
            let start = place.range.start + at.start;
            let sign = (place.at)(start..place.range.start + at.end);
            rules::SCHEMA_PATTERN
                .report_at(sign, format!("`{pattern}` is not an ECMA-262 pattern"))
                .label(reason.clone())
                .help(advice::invalid_pattern(pattern, reason))
                .fix(fixed_pattern(pattern, reason, sign.head(), span))
        }
        ProblemKind::WrongKind { keyword, .. } if repeated(place.found()).is_some() => {
            let (first, twice) = repeated(place.found())?;
            let start = place.range.start;
            let again = (place.at)(start + twice.start..start + twice.end);
            let first = (place.at)(start + first.start..start + first.end);
            rules::SCHEMA_KEYWORD
                .report_at(again, format!("`{keyword}` contains {} twice", &place.found()[twice]))
                .label("the second time")
                .help("delete this one")
                .fix(Change::DeleteMember(again).unsafe_fix().repeats(first))
        }
        ProblemKind::WrongKind { keyword, expected, found } => rules::SCHEMA_KEYWORD
            .report_at(span, format!("`{keyword}` must be {expected}, found {found}"))
            .label(format!("expected {expected}"))
            .help(advice::wrong_value(keyword, found, place.found()))
            .fix(fixed_value(keyword, place.found(), span)),
        _ => lint(kind, place)?,
    };
    Some(diagnostic)
}

/// Returns the diagnostic for a part of a schema that is valid but probably a mistake.
fn lint(kind: &ProblemKind, place: &SchemaPlace<'_>) -> Option<Diagnostic> {
    let span = place.span();
    let diagnostic = match kind {
        ProblemKind::ContradictoryBounds { low, .. } => rules::SCHEMA_BOUNDS
            .report_at(span, kind.to_string())
            .label(format!("no value satisfies this bound and `{low}`"))
            .help("delete one of the two bounds"),
        ProblemKind::EmptyEnum => rules::SCHEMA_BOUNDS
            .report_at(span, kind.to_string())
            .label("no value is valid here")
            .help("list the allowed values, for example: \"enum\": [\"one\", \"two\"]"),
        ProblemKind::EnumType => rules::SCHEMA_BOUNDS
            .report_at(span, kind.to_string())
            .label("no value is valid here")
            .help("change `type` to that of the values, or the values to that type"),
        ProblemKind::PropertyRefused { name, suggestion } => {
            let found = rules::SCHEMA_BOUNDS
                .report_at(span, kind.to_string())
                .label("no value satisfies both schemas");
            match suggestion {
                Some(near) => found.near_string(near),
                None => found.help(format!(
                    "add `{name}` to the `properties` beside `additionalProperties`, or delete `additionalProperties`"
                )),
            }
        }
        // Many authors write `null` instead of omitting the default. Any other default that is ignored is lost.
        ProblemKind::DefaultMismatch { violations } => match place.found() {
            "null" => &rules::SCHEMA_DEFAULT,
            _ => &rules::SCHEMA_DEFAULT_LOST,
        }
        .report_at(span, "`default` does not fit its own schema")
        .label(violations.first().map_or_else(String::new, |first| match first.pointer.as_str() {
            "" => format!("expected {}, found {}", first.expected, first.found),
            pointer => format!("{pointer}: expected {}, found {}", first.expected, first.found),
        }))
        .help(advice::refused_default(place.found(), violations))
        .fix(fitting(place.found(), violations).map(|text| Change::replace(span, text).unsafe_fix())),
        ProblemKind::RequiredUnknown { name, suggestion } => {
            let found = rules::SCHEMA_REQUIRED
                .report_at(span, format!("`required` names `{name}`, which is not a declared property"))
                .label("no such property");
            match suggestion {
                Some(near) => found.near_string(near),
                None => found.help(format!("delete it here, unless `properties` should declare `{name}`")),
            }
        }
        // A key that begins with `x-` is meant for another program, and so are keywords of OpenAPI and pydantic.
        ProblemKind::UnknownKeyword { name, .. }
            if name.starts_with("x-") || FOREIGN.contains(&name.as_str()) =>
        {
            return None;
        }
        ProblemKind::UnknownKeyword { name, suggestion, note } => {
            let found = rules::SCHEMA_UNKNOWN_KEYWORD
                .report_at(span, format!("unknown keyword `{name}` in a JSON Schema"))
                .label("has no effect");
            match (suggestion, note, name.as_str()) {
                (Some(near), ..) => found.near_key(near),
                (None, Some(note), _) => found.help(note.clone()),
                (None, None, name) => {
                    let change = match name {
                        "values" | "options" | "choices" => Some(Change::string(span, "enum")),
                        "optional" | "example" => None,
                        _ => Some(Change::string(span, &format!("x-{name}"))),
                    };
                    found.help(advice::unknown_keyword(name)).fix(change.map(Change::unsafe_fix))
                }
            }
        }
        ProblemKind::IgnoredBesideRef { keyword } => {
            rules::SCHEMA_REF_SIBLING.report_at(span, kind.to_string()).label("ignored").help(format!(
                "move the reference below `allOf`: \"allOf\": [{{ \"$ref\": … }}], \"{keyword}\": …\n\
                 or set \"$schema\": \"https://json-schema.org/draft/2020-12/schema\""
            ))
        }
        // Problems of kinds that a later version of `skills-schema` adds are shown with their own texts.
        other => rules::SCHEMA_INVALID.report_at(span, other.to_string()).help("correct or delete this part"),
    };
    Some(diagnostic)
}

/// Returns both places of the first repeated string in an array of strings.
fn repeated(array: &str) -> Option<(Range<usize>, Range<usize>)> {
    let array = read(array).root?;
    let texts: Option<Vec<&str>> = array.items().iter().map(Node::as_str).collect();
    let mut seen = Places::default();
    let mut places = texts?.into_iter().enumerate();
    let (first, again) = places.find_map(|(at, text)| Some((seen.insert(text.to_owned(), at)?, at)))?;
    Some((array.items().get(first)?.span.clone(), array.items().get(again)?.span.clone()))
}

/// Converts a default to the type that its schema requires: `"2"` to `2`, and `2` to `"2"`.
fn fitting(written: &str, violations: &[Violation]) -> Option<String> {
    let [wrong] = violations else { return None };
    if !wrong.pointer.is_empty() || wrong.rule != "type" {
        return None;
    }
    let default = read(written).root?;
    let inner = default.as_str();
    match (wrong.expected.as_str(), inner) {
        ("an integer" | "a number", Some(text)) if is_digits(text.strip_prefix('-').unwrap_or(text)) => {
            Some(text.to_owned())
        }
        ("a boolean", Some(text @ ("true" | "false"))) => Some(text.to_owned()),
        ("a string", None) if written != "null" && !written.starts_with(['[', '{']) => {
            Some(format!("\"{written}\""))
        }
        _ => None,
    }
}

/// Returns a fix for a keyword value of the wrong kind, if the intended value is obvious.
fn fixed_value(keyword: &str, written: &str, span: Span) -> Option<Fix> {
    let inner = written.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    let is_number = inner.is_some_and(|text| !text.is_empty() && is_digits(text));
    let change = match (keyword, written, inner) {
        ("required", "true" | "false", _) => return None,
        ("required" | "enum", _, Some(_)) => Change::replace(span, format!("[{written}]")),
        ("uniqueItems", _, Some(flag @ ("true" | "false"))) => Change::replace(span, flag),
        (_, _, Some(number)) if is_number => Change::replace(span, number),
        _ => return None,
    };
    Some(change.unsafe_fix())
}

/// Returns a fix for a pattern of another regex engine; `at` is the character at fault, `whole` the string.
fn fixed_pattern(pattern: &str, reason: &str, at: Span, whole: Span) -> Option<Fix> {
    let change = if pattern.contains("(?P<") {
        Change::string(whole, &pattern.replace("(?P<", "(?<"))
    } else if has_any(pattern, &["\\A", "\\Z", "\\z"]) {
        Change::string(whole, &pattern.replace("\\A", "^").replace("\\Z", "$").replace("\\z", "$"))
    } else if let Some(closed) = closed_class(pattern, reason) {
        Change::string(whole, &closed)
    } else if has_any(reason, &["must be escaped", "unmatched", "never closed"]) {
        // JSON writes a backslash as two.
        Change::replace(at, "\\\\")
    } else {
        return None;
    };
    Some(change.unsafe_fix())
}

/// Closes an unclosed character class of a pattern, in front of a part that can only follow a class.
fn closed_class(pattern: &str, reason: &str) -> Option<String> {
    let (head, tail) = pattern.rsplit_once('[')?;
    if !reason.contains("never closed") || tail.contains(']') || head.ends_with('\\') {
        return None;
    }
    let signs = tail.strip_suffix('$').unwrap_or(tail);
    let signs = signs.strip_suffix(['+', '*', '?']).unwrap_or(signs);
    (!signs.is_empty()).then(|| format!("{head}[{signs}]{}", &tail[signs.len()..]))
}

/// Keywords that occur in schemas of properties, but rarely in data of other programs.
const TELLING: [&str; 6] = ["type", "enum", "$ref", "properties", "anyOf", "oneOf"];

/// Returns the place of a range in a text whose first byte has the offset `start`.
fn part_from(place: Span, start: usize, range: Range<usize>) -> Span {
    place.part(range.start.saturating_sub(start), range.end.saturating_sub(start))
}

/// Reports that the members of a schema without keywords are properties, if all of them are named types or schemas.
/// `problems` are all problems found in the schema and in the schemas it refers to.
pub(super) fn bare_properties(root: Part<'_>, place: Span, problems: &[SchemaProblem]) -> Option<Diagnostic> {
    let first = problems.first()?;
    let are_plain = problems.iter().all(|problem| {
        let is_plain =
            matches!(problem.kind, ProblemKind::UnknownKeyword { suggestion: None, note: None, .. });
        is_plain && problem.document == 0
    });
    if !are_plain || root.has("type") {
        return None;
    }
    let start = root.span().start;
    let mut changes = vec![Change::replace(place.head(), "{ \"type\": \"object\", \"properties\": ")];
    let mut written = Vec::new();
    for member in root.members() {
        let key = root.source_text().get(member.key_span)?;
        let value = match advice::schema(member.value.text()) {
            Some(typed) => {
                changes.push(Change::replace(part_from(place, start, member.value.span()), typed.as_str()));
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
        .report_at(
            part_from(place, start, first.span.clone()),
            format!("unknown keyword `{}` in a JSON Schema", key.trim_matches('"')),
        )
        .label("has no effect: declare properties below `properties`")
        .help(format!(
            "write it as: {{ \"type\": \"object\", \"properties\": {{ {} }} }}",
            written.join(", ")
        ))
        .fix(Fix::from_changes(changes));
    Some(found)
}
