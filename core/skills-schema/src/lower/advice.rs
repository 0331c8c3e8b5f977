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

/// The maximum number of schemas for the same value, and of alternatives, that are compared with each other.
const MAX_CONJUNCTS: usize = 32;
const MAX_BRANCHES: usize = 64;

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
            self.refused_properties(schema);
        }
    }

    /// Warns about required properties that another schema for the same value refuses, because it is closed.
    fn refused_properties(&mut self, schema: Part<'_>) {
        if !["allOf", "oneOf", "anyOf"].iter().any(|key| schema.has(key)) {
            return;
        }
        let mut own = Vec::new();
        conjuncts(schema, &mut own);
        let branches = own.iter().flat_map(|part| ["oneOf", "anyOf"].map(|key| part.items_of(key)));
        let branches: Vec<Part<'_>> = branches.flatten().take(MAX_BRANCHES).collect();
        self.refused_in(&own, &own);
        for branch in branches {
            let mut inner = Vec::new();
            conjuncts(branch, &mut inner);
            self.refused_in(&own, &inner);
            // The common properties are refused only where the alternative decides, so its place is named.
            self.refused_in(&inner, &own);
        }
    }

    /// Compares the closed objects of one list of schemas with the required properties of another.
    fn refused_in(&mut self, closed: &[Part<'_>], requiring: &[Part<'_>]) {
        for closed in closed.iter().filter(|part| is_closed(**part)) {
            let properties = closed.members_of("properties");
            for part in requiring.iter().filter(|part| *part != closed) {
                for item in part.rule("required").map(Part::items).unwrap_or_default() {
                    let Some(name) = item.as_str() else { continue };
                    if properties.iter().any(|property| property.key == name) {
                        continue;
                    }
                    let span = item.span();
                    if self.problems.iter().any(|found| found.span == span && found.document == part.source())
                    {
                        continue;
                    }
                    let near = skills_text::nearest(name, properties.iter().map(|property| property.key));
                    let suggestion = near.map(str::to_owned);
                    self.problem(
                        *part,
                        &span,
                        ProblemKind::PropertyRefused { name: name.to_owned(), suggestion },
                    );
                }
            }
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
        } else if let Some(values) = schema.rule("enum").filter(|values| lacks_type(schema, *values)) {
            self.problem(schema, &values.span(), ProblemKind::EnumType);
        }
        for (low, high, equal_too) in pairs {
            let (Some(least), Some(place)) = (schema.rule(low), schema.rule(high)) else { continue };
            let (Value::Number(least), Value::Number(most)) = (least.value(), place.value()) else {
                continue;
            };
            let (least, most) = (Decimal::parse(least), Decimal::parse(most));
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
            let Some(name) = item.as_str() else { continue };
            if declared.is_some_and(|declared| declared.has(name)) {
                continue;
            }
            self.suggested += 1;
            let known = properties.iter().take(if self.suggested > MAX_CORRECTED { 0 } else { usize::MAX });
            let near = skills_text::nearest(name, known.map(|p| p.key)).map(str::to_owned);
            let problem = ProblemKind::RequiredUnknown { name: name.to_owned(), suggestion: near };
            self.problem(schema, &item.span(), problem);
        }
    }
}

/// Collects the schemas that apply to the same value as a schema, with itself.
fn conjuncts<'d>(schema: Part<'d>, found: &mut Vec<Part<'d>>) {
    if found.len() >= MAX_CONJUNCTS || found.contains(&schema) || !schema.is_object() {
        return;
    }
    found.push(schema);
    if schema.has("$ref")
        && let Some(target) = schema.reference()
    {
        conjuncts(target, found);
    }
    if !schema.is_alone() {
        for part in schema.items_of("allOf") {
            conjuncts(part, found);
        }
    }
}

/// Returns `true` if a schema refuses every property that it does not name.
fn is_closed(schema: Part<'_>) -> bool {
    let refuses = schema.get("additionalProperties").is_some_and(|value| value.is_bool(false));
    refuses && !schema.is_alone() && !schema.has("patternProperties")
}

/// Returns `true` if no value of a list has a type that the schema accepts.
fn lacks_type(schema: Part<'_>, values: Part<'_>) -> bool {
    let types = schema.types();
    if types.is_empty() || !values.is_array() {
        return false;
    }
    !values.items().iter().any(|value| match value.value() {
        Value::Null => types.contains(&"null"),
        Value::Bool(_) => types.contains(&"boolean"),
        Value::Number(_) => types.contains(&"integer") || types.contains(&"number"),
        Value::String(_) => types.contains(&"string"),
        Value::Array(_) => types.contains(&"array"),
        Value::Object(_) => types.contains(&"object"),
    })
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
