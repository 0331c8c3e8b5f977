//! A long text becomes its beginning: for messages, pictures and lines of a report.

/// Returns the first characters of a text, at most so many, and `…` where more follow.
///
/// ```
/// use skills_registry::cut;
/// assert_eq!((cut("né", 2), cut("née", 2)), ("né".to_owned(), "né…".to_owned()));
/// ```
pub fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most).and_then(|(end, _)| text.get(..end)) {
        Some(head) => format!("{head}…"),
        None => text.to_owned(),
    }
}

/// Returns the last place up to `at` where a character of a text begins, or its end.
///
/// ```
/// assert_eq!([1, 2, 3, 9].map(|at| skills_registry::floor("né", at)), [1, 1, 3, 3]);
/// ```
pub fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default()
}
