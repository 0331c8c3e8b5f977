//! Help texts for parts of a schema that must change.

use skills_schema::Violation;
use skills_schema::lower::Draft;
use skills_text::is_digits;

const TYPES: [&str; 7] = ["string", "number", "integer", "boolean", "array", "object", "null"];

/// Returns the text to write for a value that is the name of a type.
pub(super) fn schema(found: &str) -> Option<String> {
    let name = TYPES.iter().find(|name| found.trim_matches('"') == **name)?;
    Some(format!("{{ \"type\": \"{name}\" }}"))
}

/// Returns the supported dialect that follows an unsupported one.
pub(super) fn dialect_near(uri: &str) -> &'static str {
    let number = uri.split("draft").nth(1).unwrap_or_default().trim_start_matches(['-', '/', '0', 'v']);
    if uri.contains("2019") {
        return Draft::Draft2019.uri();
    }
    if number.starts_with(|c: char| ('3'..='7').contains(&c)) {
        Draft::Draft7.uri()
    } else {
        Draft::Draft2020.uri()
    }
}

pub(super) fn unknown_type() -> String {
    format!("write one of {}", TYPES.map(|name| format!("\"{name}\"")).join(", "))
}

pub(super) fn unknown_dialect() -> String {
    let uris =
        [Draft::Draft7, Draft::Draft2019, Draft::Draft2020].map(|draft| format!("\"{}\"", draft.uri()));
    format!("write one of:\n{}", uris.join("\n"))
}

pub(super) fn wrong_value(keyword: &str, found: &str, written: &str) -> String {
    if keyword == "required" && matches!(found, "true" | "false") {
        return "move `required` to the enclosing object, as a list of properties: \"required\": [\"NAME\"]"
            .to_owned();
    }
    if let ("exclusiveMinimum" | "exclusiveMaximum", "true" | "false") = (keyword, found) {
        let other = if keyword == "exclusiveMinimum" { "minimum" } else { "maximum" };
        return format!("write the bound itself instead of `{other}`: \"{keyword}\": 0");
    }
    if let ("$id", Some(place)) = (keyword, written.strip_prefix("\"#")) {
        return format!("write it as: \"$anchor\": \"{place}");
    }
    let example = match keyword {
        "type" => "\"string\"",
        "properties" | "patternProperties" | "definitions" | "$defs" | "dependentSchemas" => {
            "{ \"NAME\": { \"type\": \"string\" } }"
        }
        "allOf" | "anyOf" | "oneOf" | "prefixItems" => "[{ \"type\": \"string\" }]",
        "dependencies" | "dependentRequired" => "{ \"NAME\": [\"OTHER\"] }",
        "enum" => "[\"one\", \"two\"]",
        "required" => "[\"NAME\"]",
        "pattern" => "\"^[a-z]+$\"",
        "format" => "\"date-time\"",
        "$ref" => "\"#/definitions/NAME\"",
        "$schema" => "\"http://json-schema.org/draft-07/schema#\"",
        "$id" | "$anchor" | "$dynamicAnchor" | "$dynamicRef" | "$recursiveRef" => "\"NAME\"",
        "uniqueItems" | "$recursiveAnchor" => "true",
        "$vocabulary" => "{}",
        key if key.starts_with("min")
            || key.starts_with("max")
            || key.starts_with("exclusive")
            || key == "multipleOf" =>
        {
            // A number in quotes only needs to lose them.
            let inner = written.trim_matches('"');
            let is_number = inner.len() + 2 == written.len() && !inner.is_empty() && is_digits(inner);
            return format!("write it as: \"{keyword}\": {}", if is_number { inner } else { "1" });
        }
        _ => "{ \"type\": \"string\" }",
    };
    format!("write it as: \"{keyword}\": {example}")
}

pub(super) fn invalid_pattern(pattern: &str, reason: &str) -> String {
    let help = if pattern.contains("(?i)") || pattern.contains("(?m)") || pattern.contains("(?s)") {
        "write both cases, as in `[Aa]`: ECMA-262 has no inline flags"
    } else if pattern.contains("(?P<") {
        "write the named group as `(?<name>…)`"
    } else if pattern.contains("\\A") || pattern.contains("\\Z") || pattern.contains("\\z") {
        "write `^` and `$` for the start and the end of the text"
    } else if pattern.contains("[[:") || pattern.contains("\\h") {
        "list the characters, as in `[0-9A-Fa-f]`: ECMA-262 has no such class"
    } else if reason == "unknown escape" {
        "delete the backslash: this character needs no escape"
    } else if reason.contains("must be escaped") || reason.contains("unmatched") {
        "put a backslash before it, written as `\\\\` in JSON"
    } else if reason.contains("never closed") {
        "close it, or put a backslash before it, written as `\\\\` in JSON"
    } else {
        "write a JavaScript pattern that is valid with the flag `u`"
    };
    help.to_owned()
}

pub(super) fn refused_default(written: &str, violations: &[Violation]) -> String {
    let root = violations.iter().find(|violation| violation.pointer.is_empty());
    if written == "null" {
        let kind = root.filter(|violation| violation.rule == "type").map(|violation| &violation.expected);
        let kind = kind.map(|text| text.trim_start_matches("an ").trim_start_matches("a "));
        let kind = kind.filter(|kind| TYPES.contains(kind)).unwrap_or("string");
        return format!(
            "delete it: a property without a default may be absent\nor allow null: \"type\": [\"{kind}\", \"null\"]"
        );
    }
    match root {
        Some(violation) => format!("write a default that is {}", violation.expected),
        None => "write a default that the schema accepts".to_owned(),
    }
}

pub(super) fn unknown_keyword(name: &str) -> String {
    match name {
        "optional" => "delete it: a property is optional unless `required` of the object names it".to_owned(),
        "example" => "write it as: \"examples\": [ … ]".to_owned(),
        "values" | "options" | "choices" => "write it as: \"enum\": [ … ]".to_owned(),
        _ => format!("delete it: keywords of other programs begin with `x-`, as in `x-{name}`"),
    }
}
