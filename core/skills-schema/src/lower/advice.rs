//! Checks the values of a schema's keywords, and warns about likely mistakes.

use super::scalars::BOUNDS;
use super::{Lowering, ProblemKind};
use crate::document::{Document, Part, Value, fits, found, keyword};
use crate::draft::Draft;
use crate::json::number::Decimal;
use crate::run;
use crate::tables::Tables;

/// Keywords whose schemas apply to the same object, and may declare its properties.
const IN_PLACE: &[&str] = &[
    "$ref",
    "$dynamicRef",
    "$recursiveRef",
    "allOf",
    "anyOf",
    "oneOf",
    "if",
    "dependencies",
    "dependentSchemas",
];

/// The maximum number of unknown names in a schema for which a correction is searched. A report does not list
/// more problems of one file.
const MAX_CORRECTED: usize = 100;

impl Lowering<'_> {
    /// Reports keywords that are unknown, have a value of the wrong kind, or contradict each other.
    pub(super) fn advise(&mut self, schema: Part<'_>) {
        let draft = schema.draft();
        let alone = schema.is_alone();
        for member in schema.members() {
            let (key, value) = (member.key, member.value);
            match keyword::takes(key, draft) {
                None => {
                    let problem = unknown(key, schema, draft);
                    self.problem(schema, &member.key_span, problem);
                }
                Some(_) if alone && key != "$ref" && !keyword::is_annotation(key) => {
                    let problem = ProblemKind::IgnoredBesideRef { keyword: key.to_owned() };
                    self.problem(schema, &member.key_span, problem);
                }
                Some(takes) if !fits(takes, value) => {
                    let (keyword, expected) = (key.to_owned(), takes.expected());
                    let problem = ProblemKind::WrongKind { keyword, expected, found: found(value) };
                    self.problem(schema, &value.span(), problem);
                }
                // In draft-07, an `$id` with a fragment names a location. Later drafts use `$anchor`.
                Some(_) if key == "$id" && draft != Draft::Draft7 && has_fragment(value) => {
                    let (keyword, expected) = (key.to_owned(), "a URI without a fragment");
                    let found = "one with a fragment".to_owned();
                    let problem = ProblemKind::WrongKind { keyword, expected, found };
                    self.problem(schema, &value.span(), problem);
                }
                Some(_) => {}
            }
        }
        if !alone {
            self.bounds(schema);
            self.required(schema);
        }
    }

    fn bounds(&mut self, schema: Part<'_>) {
        let [min, max, above, below, _] = BOUNDS;
        let pairs = [
            (min, max, false),
            (min, below, true),
            (above, max, true),
            (above, below, true),
            ("minLength", "maxLength", false),
            ("minItems", "maxItems", false),
            ("minProperties", "maxProperties", false),
            ("minContains", "maxContains", false),
        ];
        if let Some(values) = schema.rule("enum")
            && matches!(values.value(), Value::Array(_))
            && values.items().is_empty()
        {
            self.problem(schema, &values.span(), ProblemKind::EmptyEnum);
        }
        for (low, high, equal_too) in pairs {
            let number = |name| {
                let part = schema.rule(name)?;
                if let Value::Number(text) = part.value() { Some((Decimal::parse(text), part)) } else { None }
            };
            let (Some((least, _)), Some((most, place))) = (number(low), number(high)) else { continue };
            if least > most || (equal_too && least == most) {
                self.problem(schema, &place.span(), ProblemKind::ContradictoryBounds { low, high });
            }
        }
    }

    /// Warns about a required property that is not declared, if it cannot be declared elsewhere.
    fn required(&mut self, schema: Part<'_>) {
        let closed = schema.get("additionalProperties").is_some_and(|value| value.is_bool(false));
        let spread = IN_PLACE.iter().any(|name| schema.has(name)) || self.branches[schema.number() as usize];
        let open = schema.has("additionalProperties") || !schema.has("properties") || spread;
        if schema.has("patternProperties") || (open && !closed) {
            return;
        }
        let declared = schema.get("properties");
        let properties = schema.members_of("properties");
        for item in schema.rule("required").map(Part::items).unwrap_or_default() {
            let is_declared = |name: &str| declared.is_some_and(|declared| declared.has(name));
            let Some(name) = item.as_str().filter(|name| !is_declared(name)) else { continue };
            self.suggested += 1;
            let known = properties.iter().take(if self.suggested > MAX_CORRECTED { 0 } else { usize::MAX });
            let near = skills_text::nearest(name, known.map(|p| p.key)).map(str::to_owned);
            let problem = ProblemKind::RequiredUnknown { name: name.to_owned(), suggestion: near };
            self.problem(schema, &item.span(), problem);
        }
    }
}

fn unknown(key: &str, schema: Part<'_>, draft: Draft) -> ProblemKind {
    let (mut suggestion, mut note) = (keyword::near(key, draft), None);
    if key == "nullable" {
        suggestion = None;
        let name = schema.get("type").and_then(Part::as_str).unwrap_or("string");
        note = Some(format!("JSON Schema spells this `\"type\": [\"{name}\", \"null\"]`"));
    } else if let Some(other) = keyword::draft_of(key) {
        suggestion = None;
        note = Some(if other > draft {
            format!("`{key}` came with {other}; this schema is {draft}: set \"$schema\": \"{}\"", other.uri())
        } else {
            format!("`{key}` is a keyword of {other} that {draft} no longer has")
        });
    }
    ProblemKind::UnknownKeyword { name: key.to_owned(), suggestion, note }
}

/// Finds every `default` that its own schema refuses, with the broken rules. `defaults` contains their nodes.
pub(super) fn defaults(
    tables: &Tables,
    document: &Document,
    defaults: &[(u32, u32)],
) -> Vec<(u32, Vec<crate::Violation>)> {
    let mut found = Vec::new();
    for (default, node) in defaults {
        let part = document.part(*default);
        if !document.is_given(part.source()) {
            continue;
        }
        if let Err(crate::Invalid::Violations(violations)) = run::check_text(tables, Some(*node), part.text())
        {
            // Exceeding a limit of the engine is not an error of the default.
            if violations.iter().all(|violation| violation.rule != "limit") {
                found.push((*default, violations));
            }
        }
    }
    found
}

/// Returns `true` if a URI has a non-empty fragment.
fn has_fragment(uri: Part<'_>) -> bool {
    uri.as_str().is_some_and(|uri| uri.split_once('#').is_some_and(|(_, fragment)| !fragment.is_empty()))
}
