//! The form of a skill for clients outside the program: its published name and its `SKILL.md`.

use std::borrow::Cow;

use skills_registry::Skill;
use skills_registry::document::{FUNCTION, frontmatter, is_as_written, write};
use skills_schema::json::{Kind, Node};

use crate::Layers;

/// The key below `metadata` that holds the permissions that the skill asks for.
const PERMISSIONS: &str = "permissions";

/// A `SKILL.md` for clients that compare its frontmatter with its listing, or that know only the Agent Skills
/// standard. The listing and the frontmatter come from the same value.
#[derive(Clone, Debug)]
pub struct Published<'a> {
    name: Cow<'a, str>,
    frontmatter: Node,
    bytes: Cow<'a, [u8]>,
    sha256: [u8; 32],
}

impl<'a> Published<'a> {
    /// Finds a skill by its own name or else by its published name. Internal skills are not found.
    pub fn named(layers: &'a Layers, name: &str) -> Option<Skill<'a>> {
        find_public(name, layers).or_else(|| find_public(&skills_registry::ident_key(name), layers)).or_else(
            || {
                layers
                    .iter()
                    .filter(|skill| !skill.is_internal())
                    .find(|skill| skill.published_name().as_deref() == Some(name))
            },
        )
    }

    /// Publishes a skill of some layers. Returns `None` if the skill has no `SKILL.md`, no description, or a
    /// name that cannot be converted to the standard. If the names of two skills differ only in `_`, only one
    /// of them is published.
    pub fn new(layers: &'a Layers, skill: Skill<'a>) -> Option<Self> {
        let name = skill.published_name()?;
        Self::named(layers, &name).filter(|found| found.name() == skill.name())?;
        let is_described = !skill.description().trim().is_empty();
        let file = skill.file("SKILL.md").filter(|_| skill.has_document() && is_described)?;
        let asked = skill.permissions().map(|asked| asked.to_json());
        let function = (name != skill.name() && skill.mode().is_some()).then_some((FUNCTION, skill.name()));
        let asked = asked.as_ref().map(|asked| (PERMISSIONS, asked.as_str()));
        let more: Vec<(&str, &str)> = function.into_iter().chain(asked).collect();
        let mut frontmatter = frontmatter(skill, &name, &more);
        clean(&mut frontmatter);
        if is_as_written(skill, &frontmatter) && file.text().is_some() {
            return Some(Self {
                name,
                frontmatter,
                bytes: Cow::Borrowed(file.bytes()),
                sha256: *file.sha256(),
            });
        }
        let bytes = write(&frontmatter, &skills_text::clean(skill.body())).into_bytes();
        let sha256 = hmac_sha256::Hash::hash(&bytes);
        Some(Self { name, frontmatter, bytes: Cow::Owned(bytes), sha256 })
    }

    /// Returns the published name, in the form of the standard: `code-review` for `code_review`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the frontmatter as JSON, as any YAML parser reads it from [`bytes`](Self::bytes).
    pub fn frontmatter(&self) -> String {
        self.frontmatter.to_string()
    }

    /// Returns the text: the file of the skill if its frontmatter is already correct, otherwise a new one.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the SHA-256 digest of the text.
    pub fn sha256(&self) -> [u8; 32] {
        self.sha256
    }
}

fn find_public<'l>(name: &str, layers: &'l Layers) -> Option<Skill<'l>> {
    layers.get(name).filter(|skill| !skill.is_internal())
}

/// Removes text that must not be shown to a model.
fn clean(node: &mut Node) {
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

fn clean_text(text: &mut String) {
    *text = skills_text::clean(text).into_owned()
}
