//! Writes a `SKILL.md` that every client can read, for a skill that has no `SKILL.md` or one that clients
//! read differently.

use std::borrow::Cow;

use skills_text::json::make::{member, object, string};
use skills_text::json::{self, Kind, Node};
use skills_text::{plain_braces, push_yaml_key, push_yaml_quoted};

use crate::Skill;

/// The key below `metadata` that holds the name of the function.
pub const FUNCTION: &str = "function";

/// Returns `true` if every YAML reader finds this frontmatter in the `SKILL.md` of a skill.
pub fn is_as_written(skill: Skill<'_>, frontmatter: &Node) -> bool {
    skill.has_plain_frontmatter() && frontmatter.one_line() == own_frontmatter(skill).one_line()
}

fn own_frontmatter(skill: Skill<'_>) -> Node {
    json::parse(skill.frontmatter()).unwrap_or_else(|_| object([]))
}

/// Returns the frontmatter of a skill with another name, the effective description, and additional texts in
/// `metadata`.
pub fn frontmatter(skill: Skill<'_>, name: &str, more: &[(&str, &str)]) -> Node {
    let mut frontmatter = own_frontmatter(skill);
    match &mut frontmatter.kind {
        Kind::Object(members) if !members.iter().any(|member| member.key == "name") => {
            members.insert(0, member("name", string(name)));
        }
        _ => frontmatter.set("name", string(name)),
    }
    let description = frontmatter.get("description").and_then(Node::as_str).unwrap_or_default();
    if description.trim().is_empty() {
        frontmatter.set("description", string(skill.description()));
    }
    for (key, text) in more {
        let metadata = add_text(frontmatter.get("metadata"), key, text);
        frontmatter.set("metadata", metadata);
    }
    frontmatter
}

/// Returns metadata with one additional text. Permissions that the skill itself declares there are kept.
fn add_text(own: Option<&Node>, key: &str, text: &str) -> Node {
    let map = own.map(map_of);
    if let (Some(own), Some(map)) = (own, &map)
        && key != FUNCTION
        && map.get(key).is_some()
    {
        return own.clone();
    }
    let mut map = map.filter(|map| matches!(map.kind, Kind::Object(_))).unwrap_or_else(|| object([]));
    map.remove(key);
    map.set(key, string(text));
    map
}

/// Parses metadata that is JSON text.
fn map_of(metadata: &Node) -> Node {
    metadata.as_str().and_then(json::object_in).unwrap_or_else(|| metadata.clone())
}

pub fn write(frontmatter: &Node, body: &str) -> String {
    let mut text = String::from("---");
    for member in frontmatter.members() {
        text.push('\n');
        push_yaml_key(&mut text, &member.key);
        text.push_str(": ");
        push_yaml(&mut text, &member.value);
    }
    text.push_str("\n---\n");
    let body = body.trim_end();
    if !body.is_empty() {
        text.push('\n');
        text.push_str(body);
        text.push('\n');
    }
    text
}

/// If the skill needs another document in an agent's directory, writes it: the standard name, the description and
/// the other keys of its own frontmatter, then the body or else the prompt.
///
/// With `standard`, a frontmatter that is missing, lacks the name or is not plain YAML is replaced with a standard
/// one.
pub fn document(skill: Skill<'_>, standard: bool) -> Option<String> {
    let name = skill.standard_name();
    let renamed = name != skill.name();
    let more = [(FUNCTION, skill.name())];
    let frontmatter = frontmatter(skill, &name, if renamed { &more } else { &[] });
    let is_needed = match (skill.has_document(), skill.mode()) {
        (true, _) => renamed || (standard && !is_as_written(skill, &frontmatter)),
        (false, mode) => mode.is_some(),
    };
    if !is_needed {
        return None;
    }
    let body = match skill.has_document() {
        true => Cow::Borrowed(skill.body()),
        false => plain_braces(skill.prompt().unwrap_or_default()),
    };
    Some(write(&mapped(frontmatter), &body))
}

/// Writes a document with the frontmatter of a skill and another body. The frontmatter is the one that an agent would
/// find in the installed skill, so it always has a name and a description.
pub fn with_body(skill: Skill<'_>, body: &str) -> String {
    let own = skill.file("SKILL.md").and_then(|file| file.text());
    let head = own.and_then(|text| text.strip_suffix(skill.body()));
    let name = skill.standard_name();
    let renamed = name != skill.name();
    let more = [(FUNCTION, skill.name())];
    let frontmatter = frontmatter(skill, &name, if renamed { &more } else { &[] });
    match head {
        Some(head) if !renamed && is_as_written(skill, &frontmatter) => {
            format!("{}\n\n{}\n", head.trim_end(), body.trim_end())
        }
        _ => write(&mapped(frontmatter), body),
    }
}

/// Writes `metadata` as a map, as the standard requires.
fn mapped(mut frontmatter: Node) -> Node {
    if let Some(map) = frontmatter.get("metadata").map(map_of) {
        frontmatter.set("metadata", map);
    }
    frontmatter
}

/// Writes a JSON value as YAML in the flow style with quoted texts, which YAML 1.1 and 1.2 parsers read alike.
fn push_yaml(text: &mut String, node: &Node) {
    match &node.kind {
        Kind::String(content) => push_yaml_quoted(text, content),
        Kind::Array(items) => {
            text.push('[');
            for (at, item) in items.iter().enumerate() {
                text.push_str(if at > 0 { ", " } else { "" });
                push_yaml(text, item);
            }
            text.push(']');
        }
        Kind::Object(members) => {
            text.push('{');
            for (at, member) in members.iter().enumerate() {
                text.push_str(if at > 0 { ", " } else { "" });
                push_yaml_quoted(text, &member.key);
                text.push_str(": ");
                push_yaml(text, &member.value);
            }
            text.push('}');
        }
        _ => text.push_str(&node.one_line()),
    }
}
