//! Where the text of a file begins, and which line opens a frontmatter (SPEC 2.1): for the checker, an editor, and files that
//! become skills.

/// Returns a text without the byte order mark that it may begin with.
///
/// ```
/// assert_eq!(skills_registry::unmarked("\u{feff}text"), "text");
/// ```
pub fn unmarked(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// Returns the tag of a line that opens a frontmatter, mostly an empty one; nothing for any other line. What follows the
/// text of the line is cut off before.
///
/// ```
/// use skills_registry::frontmatter_tag;
/// assert_eq!(["---", "--- yaml", "---TOML", "----", "--- a b"].map(frontmatter_tag), [Some(""), Some("yaml"), Some("TOML"), None, None]);
/// ```
pub fn frontmatter_tag(line: &str) -> Option<&str> {
    let tag = line.strip_prefix("---")?.trim_start_matches([' ', '\t']);
    let is_word = tag.starts_with(|c: char| c.is_ascii_alphabetic())
        && tag.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-._/".contains(&byte));
    (tag.is_empty() || is_word).then_some(tag)
}
