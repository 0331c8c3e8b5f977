//! Escapes text for XML and HTML: in catalogs, pictures and reports.

/// Returns the entity for a character that has a meaning in markup: `& < > " '`.
///
/// ```
/// assert_eq!(skills_text::entity('<'), Some("&lt;"));
/// assert_eq!(skills_text::entity('a'), None);
/// ```
pub fn entity(character: char) -> Option<&'static str> {
    match character {
        '&' => Some("&amp;"),
        '<' => Some("&lt;"),
        '>' => Some("&gt;"),
        '"' => Some("&quot;"),
        '\'' => Some("&#x27;"),
        _ => None,
    }
}
