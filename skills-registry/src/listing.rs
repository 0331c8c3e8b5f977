//! Skills become the JSON that lists show: the same on a terminal and over HTTP (SPEC 11.1, 11.2).

use std::fmt::Write;

use crate::skill::Skill;

/// One skill in a list, and whether a capability it needs is refused.
#[derive(Clone, Copy, Debug)]
pub struct Listed<'a> {
    /// The skill.
    pub skill: Skill<'a>,
    /// Whether it is gated; only complete lists hold such skills (SPEC 2.9).
    pub is_gated: bool,
}

/// Writes skills as a JSON array, indented by two blanks; `[]` when there are none (SPEC 11.1).
///
/// ```
/// assert_eq!(skills_registry::listing([]), "[]");
/// ```
pub fn listing<'a>(skills: impl IntoIterator<Item = Listed<'a>>) -> String {
    let mut out = String::new();
    for listed in skills {
        out.push_str(if out.is_empty() { "[\n" } else { ",\n" });
        object(&mut out, &members(listed), 1);
    }
    out.push_str(if out.is_empty() { "[]" } else { "\n]" });
    out
}

/// Writes all there is to know of one skill: its record, then frontmatter, body, resources, input and output (SPEC 11.2).
pub fn detail(listed: Listed<'_>) -> String {
    let skill = listed.skill;
    let mut members = members(listed);
    members.push(("frontmatter", Value::Raw(skill.frontmatter())));
    members.push(("body", Value::Text(skill.body())));
    let resource = |file: crate::Resource<'_>| {
        let mut text = String::from("{\"path\": ");
        string(&mut text, file.path());
        let _: std::fmt::Result = write!(
            text,
            ", \"bytes\": {}, \"executable\": {}, \"sha256\": \"{}\"}}",
            file.bytes().len(),
            file.is_executable(),
            file.sha256_hex()
        );
        text
    };
    members.push(("resources", Value::Objects(skill.resources().map(resource).collect())));
    members.push(("input", skill.input_schema().map_or(Value::Null, Value::Raw)));
    members.push(("output", skill.output_schema().map_or(Value::Null, Value::Raw)));
    let mut out = String::new();
    object(&mut out, &members, 0);
    out
}

enum Value<'a> {
    Null,
    Text(&'a str),
    Number(u8),
    True,
    Texts(Vec<&'a str>),
    Raw(&'a str),
    Objects(Vec<String>),
}

fn members(listed: Listed<'_>) -> Vec<(&'static str, Value<'_>)> {
    let skill = listed.skill;
    let from = |tier, text: Option<_>| text.filter(|_| skill.tier() >= tier).map_or(Value::Null, Value::Text);
    let mut members = vec![
        ("name", Value::Text(skill.name())),
        ("version", Value::Text(skill.version())),
        ("tier", Value::Number(skill.tier())),
        ("description", Value::Text(skill.description())),
        ("exec", from(2, skill.exec())),
        ("schema", from(3, skill.schema())),
        ("path", Value::Text(skill.base())),
        ("requires", Value::Texts(skill.requires().collect())),
    ];
    if listed.is_gated {
        members.push(("gated", Value::True));
    }
    if let Some(mode) = skill.mode() {
        members.push(("mode", Value::Text(mode.as_str())));
        members.push(("category", skill.category().map_or(Value::Null, Value::Text)));
        members.push(("tags", Value::Texts(skill.tags().collect())));
    }
    members
}

fn object(out: &mut String, members: &[(&str, Value<'_>)], depth: usize) {
    let outer = "  ".repeat(depth);
    let inner = "  ".repeat(depth + 1);
    let _: std::fmt::Result = write!(out, "{outer}{{");
    for (at, (key, value)) in members.iter().enumerate() {
        let _: std::fmt::Result = write!(out, "{}\n{inner}\"{key}\": ", if at > 0 { "," } else { "" });
        match value {
            Value::Null => out.push_str("null"),
            Value::True => out.push_str("true"),
            Value::Number(number) => drop(write!(out, "{number}")),
            Value::Text(text) => string(out, text),
            Value::Raw(json) => out.push_str(json),
            Value::Texts(texts) => array(out, texts.len(), &inner, |out, at| string(out, texts[at])),
            Value::Objects(objects) => {
                array(out, objects.len(), &inner, |out, at| out.push_str(&objects[at]));
            }
        }
    }
    let _: std::fmt::Result = write!(out, "\n{outer}}}");
}

fn array(out: &mut String, count: usize, indent: &str, item: impl Fn(&mut String, usize)) {
    out.push('[');
    for at in 0..count {
        let _: std::fmt::Result = write!(out, "{}\n{indent}  ", if at > 0 { "," } else { "" });
        item(out, at);
    }
    if count > 0 {
        let _: std::fmt::Result = write!(out, "\n{indent}");
    }
    out.push(']');
}

/// Appends a text as a JSON string, with its quotes.
fn string(out: &mut String, text: &str) {
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            character if character < ' ' || character == '\u{7f}' => {
                let _: std::fmt::Result = write!(out, "\\u{:04x}", u32::from(character));
            }
            character => out.push(character),
        }
    }
    out.push('"');
}
