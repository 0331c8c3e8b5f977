//! Creates a `SKILL.md` for an installed skill if the agent could not read the skill's own.

use std::borrow::Cow;

use skills_registry::Skill;
use skills_registry::document::{FUNCTION, frontmatter, is_as_written, map_of, write};
use skills_text::json::Node;

/// If the skill needs another document in an agent's directory, writes it: the standard name, the description and
/// the other keys of its own frontmatter, then the body or else the prompt.
///
/// With `standard`, a frontmatter that is missing, lacks the name or is not plain YAML is replaced with a standard
/// one.
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
            skills_text::plain_braces(skill.prompt().unwrap_or_default())
        }
    };
    is_needed.then(|| write(&mapped(frontmatter), &body()))
}

/// Writes `metadata` as a map, as the standard requires.
fn mapped(mut frontmatter: Node) -> Node {
    if let Some(map) = frontmatter.get("metadata").map(map_of) {
        frontmatter.set("metadata", map);
    }
    frontmatter
}
