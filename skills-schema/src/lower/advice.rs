//! Checks what a schema's keywords are given, and warns of what is allowed but hardly meant.

use super::documents::address;
use super::keyword::{self, Takes};
use super::scalars::BOUNDS;
use super::{Default, Draft, Lowering, Problem, ProblemKind};
use crate::json::number::Decimal;
use crate::json::{Kind, Node};
use crate::run;
use crate::tables::Tables;

/// The value of a counting keyword; what is beyond 32 bits counts as no limit.
pub(super) fn count(value: &Node) -> Option<u32> {
    let Kind::Number(text) = &value.kind else { return None };
    let value = Decimal::parse(text);
    let zero = Decimal::parse("0");
    (value.is_integer() && value >= zero)
        .then(|| value.to_i64().and_then(|n| u32::try_from(n).ok()).unwrap_or(u32::MAX))
}

fn strings(value: &Node) -> bool {
    matches!(&value.kind, Kind::Array(items) if items.iter().all(|item| item.as_str().is_some()))
        && repeated(value).is_none()
}

/// The first string of an array that stands there a second time.
fn repeated(value: &Node) -> Option<&str> {
    let mut seen = std::collections::HashSet::new();
    value.items().iter().filter_map(Node::as_str).find(|text| !seen.insert(*text))
}

fn schema(value: &Node) -> bool {
    matches!(value.kind, Kind::Object(_) | Kind::Bool(_))
}

/// Whether the value is of the kind that the keyword takes. Schemas inside it are checked when they are written.
pub(super) fn fits(takes: Takes, value: &Node) -> bool {
    let object = matches!(value.kind, Kind::Object(_));
    match takes {
        Takes::Any => true,
        Takes::Schema => schema(value),
        Takes::Schemas => !value.items().is_empty(),
        Takes::Map | Takes::Object => object,
        Takes::Items => schema(value) || !value.items().is_empty(),
        Takes::Dependencies => {
            object && value.members().iter().all(|m| schema(&m.value) || strings(&m.value))
        }
        Takes::Count => count(value).is_some(),
        Takes::Number => matches!(value.kind, Kind::Number(_)),
        Takes::Positive => {
            matches!(&value.kind, Kind::Number(text) if Decimal::parse(text) > Decimal::parse("0"))
        }
        Takes::Text => value.as_str().is_some(),
        Takes::Flag => matches!(value.kind, Kind::Bool(_)),
        Takes::Strings => strings(value),
        Takes::StringsMap => object && value.members().iter().all(|m| strings(&m.value)),
        Takes::Types => value.as_str().is_some() || (strings(value) && !value.items().is_empty()),
        Takes::Array => matches!(value.kind, Kind::Array(_)),
    }
}

/// What stands there, in words: a short number or string is quoted.
fn found(value: &Node) -> String {
    match &value.kind {
        Kind::Number(text) if text.len() < 24 => text.clone(),
        Kind::Bool(yes) => yes.to_string(),
        Kind::Array(items) if items.is_empty() => "an empty array".to_owned(),
        Kind::Array(_) => match repeated(value) {
            Some(text) => format!("an array with `{text}` twice"),
            None => value.article().to_owned(),
        },
        _ => value.article().to_owned(),
    }
}

/// Keywords whose schemas judge the same object, and may declare its properties.
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

impl<'d> Lowering<'d> {
    /// Reports keywords that are unknown, take something else, or contradict each other.
    pub(super) fn advise(&mut self, schema: &'d Node, resource: usize) {
        let draft = self.index.resources[resource].draft;
        let alone = draft == Draft::Draft7 && schema.get("$ref").is_some();
        for member in schema.members() {
            let (key, value) = (&member.key, &member.value);
            match keyword::takes(key, draft) {
                None => {
                    let problem = unknown(key, schema, draft);
                    self.problem(resource, &member.key_span, problem);
                }
                Some(_) if alone && key != "$ref" && !keyword::is_annotation(key) => {
                    let problem = ProblemKind::IgnoredBesideRef { keyword: key.clone() };
                    self.problem(resource, &member.key_span, problem);
                }
                Some(takes) if !fits(takes, value) => {
                    let (keyword, expected) = (key.clone(), takes.expected());
                    let problem = ProblemKind::WrongKind { keyword, expected, found: found(value) };
                    self.problem(resource, &value.span, problem);
                }
                // In draft-07 such an `$id` names a place; later drafts have `$anchor` for that.
                Some(_) if key == "$id" && draft != Draft::Draft7 && has_fragment(value) => {
                    let (keyword, expected) = (key.clone(), "a URI without a fragment");
                    let found = "one with a fragment".to_owned();
                    let problem = ProblemKind::WrongKind { keyword, expected, found };
                    self.problem(resource, &value.span, problem);
                }
                Some(_) => {}
            }
        }
        if !alone {
            self.bounds(schema, resource);
            self.required(schema, resource);
        }
    }

    fn bounds(&mut self, schema: &'d Node, resource: usize) {
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
        for (low, high, equal_too) in pairs {
            let number = |this: &Self, name| {
                let value = this.rule(schema, name, resource)?;
                if let Kind::Number(text) = &value.kind { Some((Decimal::parse(text), value)) } else { None }
            };
            let (Some((least, _)), Some((most, place))) = (number(self, low), number(self, high)) else {
                continue;
            };
            if least > most || (equal_too && least == most) {
                self.problem(resource, &place.span, ProblemKind::ContradictoryBounds { low, high });
            }
        }
    }

    /// Warns of a required property that is not declared, where it cannot be declared elsewhere.
    fn required(&mut self, schema: &'d Node, resource: usize) {
        let additional = schema.get("additionalProperties").map(|value| &value.kind);
        let closed = additional == Some(&Kind::Bool(false));
        let spread = IN_PLACE.iter().any(|name| schema.get(name).is_some())
            || self.branches.contains(&address(schema));
        let open = additional.is_some() || schema.get("properties").is_none() || spread;
        if schema.get("patternProperties").is_some() || (open && !closed) {
            return;
        }
        let properties = schema.get("properties").map_or(&[][..], Node::members);
        let required = self.rule(schema, "required", resource).map_or(&[][..], Node::items);
        for item in required {
            let Some(name) = item.as_str().filter(|name| !properties.iter().any(|p| p.key == *name)) else {
                continue;
            };
            let near =
                skills_registry::nearest(name, properties.iter().map(|p| p.key.as_str())).map(str::to_owned);
            let problem = ProblemKind::RequiredUnknown { name: name.to_owned(), suggestion: near };
            self.problem(resource, &item.span, problem);
        }
    }
}

fn unknown(key: &str, schema: &Node, draft: Draft) -> ProblemKind {
    let (mut suggestion, mut note) = (keyword::near(key, draft), None);
    if key == "nullable" {
        suggestion = None;
        let name = schema.get("type").and_then(Node::as_str).unwrap_or("string");
        note = Some(format!("JSON Schema spells this `\"type\": [\"{name}\", \"null\"]`"));
    } else if let Some(other) = keyword::draft_of(key) {
        suggestion = None;
        note = Some(if other > draft {
            format!("`{key}` came with {other}; this schema is {draft}: set \"$schema\": \"{}\"", other.uri())
        } else {
            format!("`{key}` is of {other}, {draft} has it no more")
        });
    }
    ProblemKind::UnknownKeyword { name: key.to_owned(), suggestion, note }
}

/// Reports every `default` that its own schema refuses.
pub(super) fn defaults(tables: &Tables, defaults: &[Default], texts: &[&str]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for default in defaults {
        let Some(text) = texts.get(default.document).and_then(|text| text.get(default.span.clone())) else {
            continue;
        };
        if let Err(crate::Invalid::Violations(violations)) = run::check_text(tables, Some(default.node), text)
        {
            // A limit is the engine's, not the default's.
            if violations.iter().any(|violation| violation.rule == "limit") {
                continue;
            }
            let kind = ProblemKind::DefaultMismatch { violations };
            problems.push(Problem { kind, span: default.span.clone(), document: default.document });
        }
    }
    problems
}

/// Whether a URI has a fragment that says something.
fn has_fragment(uri: &Node) -> bool {
    uri.as_str().is_some_and(|uri| uri.split_once('#').is_some_and(|(_, fragment)| !fragment.is_empty()))
}
