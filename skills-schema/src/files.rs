//! The files of a skill, as its schemas refer to them (SPEC 3.2): by paths, which a reference may write with `%`.

use std::borrow::Cow;

use skills_registry::{Skill, percent_decoded_text, unmarked};

use crate::document::{Document, Options};

/// What paths below the skill are called inside references; it names no place outside of tables and definitions.
const BASE: &str = "skill:/";

/// Returns what a path below the skill is called inside references; a query may follow the path.
#[must_use]
pub fn uri_of(path: &str) -> String {
    format!("{BASE}{}", path.replace('%', "%25"))
}

/// Returns the path below the skill that a resolved reference names; nothing for one that leads out of it.
///
/// ```
/// assert_eq!(skills_schema::files::path_of("skill:/a%20b.json").as_deref(), Some("a b.json"));
/// assert_eq!(skills_schema::files::path_of(&skills_schema::files::uri_of("a%41")).as_deref(), Some("a%41"));
/// assert_eq!(skills_schema::files::path_of("https://example.com/a.json"), None);
/// ```
#[must_use]
pub fn path_of(uri: &str) -> Option<Cow<'_, str>> {
    uri.strip_prefix(BASE).map(percent_decoded_text)
}

/// Reads a schema that stands in a file of a skill, with the files of the skill that it refers to.
///
/// `path` is that of the file; the schema may be a part of it.
#[must_use]
pub fn schema_of(skill: Skill<'_>, path: &str, text: &str) -> Document {
    let uri = uri_of(&format!("{path}?schema"));
    Document::gather(text, &Options { uri: &uri, ..Options::default() }, &mut |uri| {
        Some(unmarked(skill.file(&path_of(uri)?)?.text()?).to_owned())
    })
}
