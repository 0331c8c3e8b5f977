//! Writes a `SKILL.md` that every client can read, for a skill that has none or has one that clients read
//! differently.

use std::borrow::Cow;

use skills_registry::Skill;
use skills_schema::json::make::{member, object, string};
use skills_schema::json::{self, Kind, Node};

#[cfg(feature = "call")]
use crate::call::Library;

mod yaml;

/// The key below `metadata` with the name of the function.
const FUNCTION: &str = "function";
/// The key below `metadata` with the requested permissions.
#[cfg(feature = "call")]
const PERMISSIONS: &str = "permissions";

/// Returns the `SKILL.md` for an agent's directory if the skill's own one is not suitable. It has the
/// standard name, the description, the other keys of the skill's frontmatter, and the skill's body or else
/// its prompt.
///
/// With `standard`, a skill whose frontmatter is missing, has no name or is not plain YAML gets a new one
/// with the keys of the standard.
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

/// Converts `metadata` to a map, as the standard requires.
#[cfg(feature = "install")]
fn mapped(mut frontmatter: Node) -> Node {
    if let Some(map) = frontmatter.get("metadata").map(map_of) {
        frontmatter.set("metadata", map);
    }
    frontmatter
}

/// A `SKILL.md` for clients that compare its frontmatter with a separate description of it, or that only know
/// the standard. The description and the text always agree.
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
    /// Finds a skill by its own name, or else by its published name. Internal skills are not found.
    pub fn named(library: &'a dyn Library, name: &str) -> Option<Skill<'a>> {
        let known = |name: &str| library.skill(name).filter(|skill| !skill.is_internal());
        known(name).or_else(|| known(&skills_registry::twin(name))).or_else(|| {
            let is_it = |skill: &Skill<'_>| skill.published_name().as_deref() == Some(name);
            library.skills().into_iter().filter(|skill| !skill.is_internal()).find(is_it)
        })
    }

    /// Prepares a skill of a library for publishing. Returns `None` if it has no `SKILL.md`, no description,
    /// or no name that is valid in the standard. Of two skills whose names differ only in `_`, one is
    /// published.
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

    /// Returns the name in the standard: `code-review` for `code_review`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the frontmatter as JSON. Any YAML parser reads the same values from [`bytes`](Self::bytes).
    pub fn frontmatter(&self) -> String {
        self.frontmatter.to_string()
    }

    /// Returns the text: the file of the skill if its frontmatter is suitable, or else a new one.
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

/// Returns `true` if any YAML parser reads this frontmatter from the `SKILL.md` of a skill.
fn is_as_written(skill: Skill<'_>, frontmatter: &Node) -> bool {
    skill.has_plain_frontmatter() && frontmatter.to_string() == own(skill).to_string()
}

fn own(skill: Skill<'_>) -> Node {
    json::parse(skill.frontmatter()).unwrap_or_else(|_| object([]))
}

/// Returns the frontmatter of a skill with the given name, with a description from `skill.json` if needed,
/// and with additional texts in `metadata`.
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

/// Returns metadata with one additional text. Permissions that the skill itself declares there are kept.
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

/// Returns metadata as a map, parsing it if it is written as JSON text.
fn map_of(metadata: &Node) -> Node {
    metadata.as_str().and_then(json::object_in).unwrap_or_else(|| metadata.clone())
}

/// Removes hidden characters, so that the text is safe for models.
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
