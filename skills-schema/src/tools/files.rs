//! Reads a schema of a skill in a registry, whose files it may refer to.

use crate::document::{Document, Options};

/// What paths below the skill are called inside references; it names no place outside of tables and definitions.
const BASE: &str = "skill:/";

/// Reads a schema that stands in a file of a skill, with the files of the skill that it refers to.
///
/// `path` is that of the file; the schema may be a part of it.
#[must_use]
pub fn schema_of(skill: skills_registry::Skill<'_>, path: &str, text: &str) -> Document {
    let uri = format!("{BASE}{path}?schema");
    Document::gather(text, &Options { uri: &uri, ..Options::default() }, &mut |uri| {
        let text = skill.file(uri.strip_prefix(BASE)?)?.text()?;
        Some(skills_registry::unmarked(text).to_owned())
    })
}
