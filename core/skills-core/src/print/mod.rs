//! Formats a [`Report`](crate::report::Report) for terminals and for cargo. `skills-report` has the formats
//! for other programs.
//!
//! Each printer has `print(report, sources)` and escapes all text from files by the rules of its format: in a terminal, characters that could
//! move the cursor, change the writing direction or hide text are shown as escapes.

pub mod cargo;
mod excerpt;
mod ink;
pub mod text;
mod view;

use skills_text::is_hidden;
pub use skills_text::visible;
use unicode_width::UnicodeWidthChar;

/// Returns the width in columns of a character in its shown form: a tab is four spaces, and a [hidden](is_hidden)
/// character is an escape such as `\u{202e}`.
fn columns_of(c: char) -> usize {
    match c {
        '\t' => 4,
        '\r' | '\n' => 2,
        c if is_hidden(c) => c.escape_unicode().len(),
        // The other control characters are hidden, so the default is never used.
        c => c.width().unwrap_or(1),
    }
}

/// Returns the width in columns of a shown text.
pub fn columns(text: &str) -> usize {
    text.chars().map(columns_of).sum()
}

/// Breaks a shown line at the ends of words so that it fits the columns, as [`skills_text::wrap`] does.
pub fn wrap(line: &str, most: Option<usize>, indent: usize) -> String {
    skills_text::wrap(line, most, indent, columns)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_characters_are_escaped() {
        for c in '\0'..=char::MAX {
            let shown = visible(c.encode_utf8(&mut [0; 4]));
            assert!(!shown.chars().any(is_hidden), "U+{:04X}", u32::from(c));
            if is_hidden(c) || c == '\t' {
                assert!(shown.is_ascii() && shown.len() == columns_of(c), "U+{:04X}", u32::from(c));
            }
        }
    }

    #[test]
    fn columns_are_counted_in_the_shown_text() {
        assert_eq!(visible("a\tb\u{1b}[31m\r\n"), "a    b\\u{1b}[31m\\r\\n");
        for (text, expected) in
            [("技能", 4), ("e\u{301}", 1), ("🦀", 2), ("\t", 4), ("\u{202e}", 8), ("\u{7f}", 6)]
        {
            assert_eq!(columns(text), expected, "{text:?}");
        }
    }
}
