//! Finds the start of a file's text and the line that opens a frontmatter: for the checker, an editor, and
//! the conversion of files to skills.

/// Returns a text without its byte order mark, if it has one.
///
/// ```
/// assert_eq!(skills_text::unmarked("\u{feff}text"), "text");
/// ```
pub fn unmarked(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// Returns the tag of a line that opens a frontmatter, which is usually empty, or `None` for any other line.
/// The line must not include its line end.
///
/// ```
/// use skills_text::frontmatter_tag;
/// assert_eq!(["---", "--- yaml", "---TOML", "----", "--- a b"].map(frontmatter_tag), [Some(""), Some("yaml"), Some("TOML"), None, None]);
/// ```
pub fn frontmatter_tag(line: &str) -> Option<&str> {
    let tag = line.strip_prefix("---")?.trim_start_matches([' ', '\t']);
    let is_word = tag.starts_with(|c: char| c.is_ascii_alphabetic())
        && tag.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-._/".contains(&byte));
    (tag.is_empty() || is_word).then_some(tag)
}
