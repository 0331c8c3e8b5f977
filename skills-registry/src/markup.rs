//! A text becomes one of XML and HTML: for catalogs, pictures and reports.

/// Returns what stands for a character that would be markup: one of `& < > " '`.
///
/// ```
/// assert_eq!(skills_registry::entity('<'), Some("&lt;"));
/// assert_eq!(skills_registry::entity('a'), None);
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
