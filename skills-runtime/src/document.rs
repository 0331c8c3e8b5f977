//! A skill becomes the `SKILL.md` that every client reads: it lacks one, or has one that others read differently
//! (SPEC 9.1, 9.7, 11.18).

use std::borrow::Cow;

use skills_registry::Skill;
use skills_schema::json::make::{member, object, string};
use skills_schema::json::{self, Kind, Node};

#[cfg(feature = "call")]
use crate::call::Library;

mod yaml;

/// The key below `metadata` that holds the name of the function.
const FUNCTION: &str = "function";
/// The key below `metadata` that holds what the skill asks for (SPEC 13.1).
#[cfg(feature = "call")]
const PERMISSIONS: &str = "permissions";

/// Writes the document for an agent's directory, when the skill needs another than it has: the name by the standard, the
/// description, and what else its own frontmatter says; then its own body, else the prompt.
///
/// With `standard`, a skill whose frontmatter is missing, lacks the name or is not plain YAML gets one that the standard has.
#[cfg(feature = "install")]
pub(crate) fn document(skill: Skill<'_>, standard: bool) -> Option<String> {
    let name = skill.standard_name();
    let renamed = name != skill.name();
    let more = [(FUNCTION, skill.name())];
    let frontmatter = frontmatter(skill, &name, if renamed { &more } else { &[] });
    let is_needed = match (skill.has_document(), skill.mode()) {
        (true, _) => renamed || (standard && !is_as_written(skill, &frontmatter)),
        (false, mode) => mode.is_some(),
    };
    let body = || {
        if skill.has_document() {
            Cow::Borrowed(skill.body())
        } else {
            skills_registry::plain_braces(skill.prompt().unwrap_or_default())
        }
    };
    is_needed.then(|| write(&mapped(frontmatter), &body()))
}

/// Writes `metadata` as the map that the standard has.
#[cfg(feature = "install")]
fn mapped(mut frontmatter: Node) -> Node {
    if let Some(map) = frontmatter.get("metadata").map(map_of) {
        frontmatter.set("metadata", map);
    }
    frontmatter
}

/// A `SKILL.md` as clients are shown it that compare its frontmatter with what they were told of it, or know the standard
/// alone (SPEC 11.18). What is said of it and what stands in it are one value.
#[cfg(feature = "call")]
#[derive(Clone, Debug)]
pub struct Published<'a> {
    skill: Skill<'a>,
    name: Cow<'a, str>,
    frontmatter: Node,
    rewritten: Option<(String, [u8; 32])>,
}

#[cfg(feature = "call")]
impl<'a> Published<'a> {
    /// Finds the skill that a name means: its own, else that under which it is published. Internal skills are unknown.
    pub fn named(library: &'a dyn Library, name: &str) -> Option<Skill<'a>> {
        let known = |name: &str| library.skill(name).filter(|skill| !skill.is_internal());
        known(name).or_else(|| known(&skills_registry::twin(name))).or_else(|| {
            let is_it = |skill: &Skill<'_>| skill.published_name().as_deref() == Some(name);
            library.skills().into_iter().filter(|skill| !skill.is_internal()).find(is_it)
        })
    }

    /// Shows a skill of a library. Nothing for one that has no `SKILL.md`, no description, or a name that no standard has;
    /// nor for one whose name means another: of two that differ in `_` alone, one is published.
    pub fn of(library: &'a dyn Library, skill: Skill<'a>) -> Option<Self> {
        let name = skill.published_name()?;
        Self::named(library, &name).filter(|found| found.name() == skill.name())?;
        let is_described = !skill.description().trim().is_empty();
        let file = skill.file("SKILL.md").filter(|_| skill.has_document() && is_described)?;
        let asked = skill.permissions().map(|asked| asked.to_json());
        let function = (name != skill.name() && skill.mode().is_some()).then_some((FUNCTION, skill.name()));
        let asked = asked.as_ref().map(|asked| (PERMISSIONS, asked.as_str()));
        let more: Vec<(&str, &str)> = function.into_iter().chain(asked).collect();
        let mut frontmatter = frontmatter(skill, &name, &more);
        clean(&mut frontmatter);
        let rewritten = (!is_as_written(skill, &frontmatter) || file.text().is_none()).then(|| {
            let text = write(&frontmatter, &skills_registry::clean(skill.body()));
            let digest = hmac_sha256::Hash::hash(text.as_bytes());
            (text, digest)
        });
        Some(Self { skill, name, frontmatter, rewritten })
    }

    /// Returns the name, one of the standard's: `code-review` of `code_review`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the frontmatter as JSON: what every reader of YAML finds in [`bytes`](Self::bytes).
    pub fn frontmatter(&self) -> String {
        self.frontmatter.to_string()
    }

    /// Returns the text: the file of the skill, where its frontmatter says what it should, else one written anew.
    pub fn bytes(&self) -> &[u8] {
        match &self.rewritten {
            Some((text, _)) => text.as_bytes(),
            None => self.skill.file("SKILL.md").map_or(b"", skills_registry::Resource::bytes),
        }
    }

    /// Returns the SHA-256 digest of the text.
    pub fn sha256(&self) -> [u8; 32] {
        match &self.rewritten {
            Some((_, digest)) => *digest,
            None => self.skill.file("SKILL.md").map_or([0; 32], |file| *file.sha256()),
        }
    }
}

/// Tells whether every reader of YAML finds this in the `SKILL.md` of a skill.
fn is_as_written(skill: Skill<'_>, frontmatter: &Node) -> bool {
    skill.has_plain_frontmatter() && frontmatter.to_string() == own(skill).to_string()
}

fn own(skill: Skill<'_>) -> Node {
    json::parse(skill.frontmatter()).unwrap_or_else(|_| object([]))
}

/// Returns what the frontmatter of a skill says, under a name, with the description that the skill has elsewhere, and more
/// texts in `metadata`.
fn frontmatter(skill: Skill<'_>, name: &str, more: &[(&str, &str)]) -> Node {
    let mut frontmatter = own(skill);
    match &mut frontmatter.kind {
        Kind::Object(members) if !members.iter().any(|member| member.key == "name") => {
            members.insert(0, member("name", string(name)));
        }
        _ => frontmatter.set("name", string(name)),
    }
    let said = frontmatter.get("description").and_then(Node::as_str).unwrap_or_default();
    if said.trim().is_empty() {
        frontmatter.set("description", string(skill.description()));
    }
    for (key, text) in more {
        let metadata = with(frontmatter.get("metadata"), key, text);
        frontmatter.set("metadata", metadata);
    }
    frontmatter
}

/// Returns metadata with one text more. What a skill says itself of permissions stays.
fn with(own: Option<&Node>, key: &str, text: &str) -> Node {
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

/// Returns metadata that are JSON text as what the text says (SPEC 2.5).
fn map_of(metadata: &Node) -> Node {
    metadata.as_str().and_then(json::object_in).unwrap_or_else(|| metadata.clone())
}

/// Cleans what a model may be shown (SPEC 12.8).
#[cfg(feature = "call")]
fn clean(node: &mut Node) {
    let clean_text = |text: &mut String| *text = skills_registry::clean(text).into_owned();
    match &mut node.kind {
        Kind::String(text) => clean_text(text),
        Kind::Array(items) => items.iter_mut().for_each(clean),
        Kind::Object(members) => members.iter_mut().for_each(|member| {
            clean_text(&mut member.key);
            clean(&mut member.value);
        }),
        _ => {}
    }
}

fn write(frontmatter: &Node, body: &str) -> String {
    let mut text = String::from("---");
    for member in frontmatter.members() {
        text.push('\n');
        skills_registry::push_yaml_key(&mut text, &member.key);
        text.push_str(": ");
        yaml::value(&mut text, &member.value);
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
