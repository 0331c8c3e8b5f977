//! A function becomes a `SKILL.md` that every agent reads: it lacks one, or its name is none of the standard's (SPEC 9.1, 9.7).

use std::borrow::Cow;
use std::fmt::Write;

use skills_registry::{Skill, plain_braces};
use skills_schema::json::make::{object, string};
use skills_schema::json::{self, Kind, Node};

/// The key below `metadata` that holds the name of the function.
const FUNCTION: &str = "function";

/// Writes the document, when the skill needs another than it has: the name by the standard, the description, and what else
/// its own frontmatter says; then its own body, else the prompt.
///
/// With `standard`, a skill whose frontmatter is TOML, is missing or lacks the name gets one that the standard has.
pub(super) fn document(skill: Skill<'_>, standard: bool) -> Option<String> {
    let name = skill.standard_name();
    let frontmatter = json::parse(skill.frontmatter()).unwrap_or_else(|_| object([]));
    let is_needed = match (skill.has_document(), skill.mode()) {
        (true, _) => {
            let text = skill.file("SKILL.md").and_then(|file| file.text()).unwrap_or_default();
            let is_standard = is_yaml(text) && frontmatter.get("name").is_some_and(|name| !is_blank(name));
            name != skill.name() || (standard && !is_standard)
        }
        (false, mode) => mode.is_some(),
    };
    if !is_needed {
        return None;
    }
    let mut text = String::from("---\nname: ");
    quote(&mut text, &name);
    let mut described = false;
    for member in frontmatter.members() {
        match member.key.replace('_', "-").as_str() {
            "name" | "metadata" => continue,
            "description" => described = true,
            _ => {}
        }
        text.push('\n');
        key(&mut text, &member.key);
        text.push_str(": ");
        value(&mut text, &member.value);
    }
    if !described {
        text.push_str("\ndescription: ");
        quote(&mut text, skill.description());
    }
    if name != skill.name() || frontmatter.get("metadata").is_some() {
        text.push_str("\nmetadata: ");
        value(&mut text, &metadata(&frontmatter, (name != skill.name()).then(|| skill.name())));
    }
    text.push_str("\n---\n");
    let body = if skill.has_document() { Cow::Borrowed(skill.body()) } else { prompt(skill) };
    let body = body.trim_end();
    if !body.is_empty() {
        text.push('\n');
        text.push_str(body);
        text.push('\n');
    }
    Some(text)
}

/// Tells whether a text begins with a frontmatter of YAML (SPEC 2.2): a plain `---`, then no `key =` and no `[table]`.
fn is_yaml(text: &str) -> bool {
    let mut lines = text.trim_start_matches('\u{feff}').lines();
    if lines.next().map(str::trim_end) != Some("---") {
        return false;
    }
    let first =
        lines.map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#')).unwrap_or_default();
    let key = first.split([':', '=']).next().unwrap_or_default();
    !first.starts_with('[') && first.get(key.len()..).is_some_and(|rest| rest.starts_with(':'))
}

fn is_blank(node: &Node) -> bool {
    node.as_str().is_none_or(|text| text.trim().is_empty())
}

fn prompt(skill: Skill<'_>) -> Cow<'_, str> {
    plain_braces(skill.prompt().unwrap_or_default())
}

/// Returns what the skill has as metadata, with the name of the function.
fn metadata(frontmatter: &Node, function: Option<&str>) -> Node {
    let own = frontmatter.get("metadata");
    let parsed = own.and_then(Node::as_str).and_then(|text| json::parse(text).ok());
    let own = parsed.as_ref().or(own);
    let others = own.map(Node::members).unwrap_or_default().iter().filter(|member| member.key != FUNCTION);
    let mut members: Vec<(&str, Node)> =
        others.map(|member| (member.key.as_str(), member.value.clone())).collect();
    members.extend(function.map(|name| (FUNCTION, string(name))));
    object(members)
}

/// Writes a value in the flow style of YAML.
fn value(text: &mut String, node: &Node) {
    match &node.kind {
        Kind::String(content) => quote(text, content),
        Kind::Array(items) => {
            text.push('[');
            for (at, item) in items.iter().enumerate() {
                text.push_str(if at > 0 { ", " } else { "" });
                value(text, item);
            }
            text.push(']');
        }
        Kind::Object(members) => {
            text.push('{');
            for (at, member) in members.iter().enumerate() {
                text.push_str(if at > 0 { ", " } else { "" });
                quote(text, &member.key);
                text.push_str(": ");
                value(text, &member.value);
            }
            text.push('}');
        }
        _ => text.push_str(&node.to_string()),
    }
}

fn key(text: &mut String, key: &str) {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    if key.starts_with(|c: char| c.is_ascii_alphabetic()) && key.chars().all(is_plain) {
        text.push_str(key);
    } else {
        quote(text, key);
    }
}

/// Writes a text in double quotes of YAML 1.2: one line, whatever the text is.
fn quote(text: &mut String, value: &str) {
    text.push('"');
    for character in value.chars() {
        match character {
            '"' | '\\' => text.extend(['\\', character]),
            '\n' => text.push_str("\\n"),
            '\t' => text.push_str("\\t"),
            // Controls, line breaks of older YAML, the byte order mark, and what YAML calls not printable.
            '\0'..='\u{1f}'
            | '\u{7f}'..='\u{9f}'
            | '\u{2028}'
            | '\u{2029}'
            | '\u{feff}'
            | '\u{fffe}'
            | '\u{ffff}' => {
                let _: std::fmt::Result = write!(text, "\\u{:04x}", u32::from(character));
            }
            _ => text.push(character),
        }
    }
    text.push('"');
}
