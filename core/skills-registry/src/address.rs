//! Converts names and paths to `skill://` URIs and back. Each file has exactly one URI.

use skills_text::{percent_decoded, percent_encoded, percent_encoded_path};

/// The scheme of files of skills that are part of a program.
pub const SCHEME: &str = "skill://";

/// Returns the URI of a file of a skill, or of its directory if the path is empty.
///
/// ```
/// assert_eq!(skills_registry::skill_uri("pdf", "a b.md"), "skill://pdf/a%20b.md");
/// ```
pub fn skill_uri(name: &str, path: &str) -> String {
    let separator = if path.is_empty() { "" } else { "/" };
    format!("{SCHEME}{}{separator}{}", percent_encoded(name), percent_encoded_path(path))
}

/// Parses a URI into a name and a path.
///
/// Returns `None` for a URI that [`skill_uri`] does not create, such as one with unneeded or missing percent
/// encoding. So a URI cannot hide a separator or a `..`.
pub fn parse_skill_uri(uri: &str) -> Option<(String, String)> {
    let rest = uri.strip_prefix(SCHEME)?;
    let (name, path) = rest.split_once('/').unwrap_or((rest, ""));
    let (name, path) = (decode(name)?, decode(path)?);
    (skill_uri(&name, &path) == uri).then_some((name, path))
}

/// Decodes a text. Invalid encodings are kept. Encoding the result then gives a different text, by which the
/// caller detects them.
fn decode(text: &str) -> Option<String> {
    String::from_utf8(percent_decoded(text)).ok()
}

#[cfg(test)]
mod tests {
    use super::{parse_skill_uri, skill_uri};

    // SPEC 11.4
    #[test]
    fn an_address_survives_a_round_trip() {
        let pairs = [
            ("pdf", "SKILL.md", "skill://pdf/SKILL.md"),
            ("pdf", "", "skill://pdf"),
            ("pdf", "a b/c%d?.md", "skill://pdf/a%20b/c%25d%3F.md"),
            ("a/b", "c", "skill://a%2Fb/c"),
            ("名", "é", "skill://%E5%90%8D/%C3%A9"),
        ];
        for (name, path, uri) in pairs {
            assert_eq!(skill_uri(name, path), uri);
            assert_eq!(parse_skill_uri(uri), Some((name.to_owned(), path.to_owned())), "{uri}");
        }
    }

    // SPEC 11.4, 12.3
    #[test]
    fn other_spellings_are_not_addresses() {
        let paths = [
            "", "a%2fb", "a%+5", "a%5", "a%2Fb", "%2e%2e/x", "%2E%2E/x", "a b", "a?x", "a#x", "%", "%4",
            "%+1", "%FF",
        ];
        for path in paths {
            assert_eq!(parse_skill_uri(&format!("skill://pdf/{path}")), None, "{path}");
        }
        for uri in ["skill://p%64f/SKILL.md", "Skill://pdf/SKILL.md", "file:///etc/passwd", ""] {
            assert_eq!(parse_skill_uri(uri), None, "{uri}");
        }
    }
}
