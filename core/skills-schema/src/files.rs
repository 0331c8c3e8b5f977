//! References from a skill's schemas to its files: by paths, which may be percent-encoded.

use std::borrow::Cow;

use skills_text::{percent_decoded_text, unmarked};

use crate::document::{Document, DocumentOptions};

/// The base URI of paths in a skill while references are resolved. It does not occur outside of tables and
/// definitions.
const BASE: &str = "skill:/";

/// Returns the URI of a path below the skill. The path may have a query.
pub fn uri_of(path: &str) -> String {
    format!("{BASE}{}", path.replace('%', "%25"))
}

/// Returns the path below the skill that a resolved reference names, or `None` if it leads out of the skill.
///
/// ```
/// assert_eq!(skills_schema::files::path_of("skill:/a%20b.json").as_deref(), Some("a b.json"));
/// assert_eq!(skills_schema::files::path_of(&skills_schema::files::uri_of("a%41")).as_deref(), Some("a%41"));
/// assert_eq!(skills_schema::files::path_of("https://example.com/a.json"), None);
/// ```
pub fn path_of(uri: &str) -> Option<Cow<'_, str>> {
    uri.strip_prefix(BASE).map(percent_decoded_text)
}

/// Reads a schema from a file of a skill, with the other files of the skill that it refers to.
///
/// `path` is the path of the file, and `text_of` returns the text of the file with a path. `text` may be a part of the
/// file.
pub fn schema_of<'t>(path: &str, text: &str, text_of: &dyn Fn(&str) -> Option<&'t str>) -> Document {
    let uri = uri_of(&format!("{path}?schema"));
    Document::gather(text, &DocumentOptions { uri: &uri, ..DocumentOptions::default() }, &mut |uri| {
        Some(unmarked(text_of(&path_of(uri)?)?).to_owned())
    })
}
