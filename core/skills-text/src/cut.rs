//! Shortens long texts for messages, pictures and report lines.

/// Returns at most `most` characters from the start of a text, followed by `…` if it was cut.
///
/// ```
/// use skills_text::cut;
/// assert_eq!((cut("né", 2), cut("née", 2)), ("né".to_owned(), "né…".to_owned()));
/// ```
pub fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most).and_then(|(end, _)| text.get(..end)) {
        Some(head) => format!("{head}…"),
        None => text.to_owned(),
    }
}

/// Returns the largest character boundary that is at most `at`, or the end of the text.
///
/// ```
/// assert_eq!([1, 2, 3, 9].map(|at| skills_text::floor("né", at)), [1, 1, 3, 3]);
/// ```
pub fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default()
}
