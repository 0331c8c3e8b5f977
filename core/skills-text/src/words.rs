//! Splits a line into words like a POSIX shell: for `mcp-NAME:` values and for arguments.

/// Splits at whitespace, with quotes and backslashes as in a POSIX shell. Nothing is expanded or run.
///
/// Returns `None` if a quote is not closed, or if a backslash is at the end.
///
/// ```
/// use skills_text::split_words;
/// assert_eq!(split_words(r#"fix 'two words' "a \"b\"""#).unwrap_or_default(), ["fix", "two words", "a \"b\""]);
/// assert_eq!(split_words("it's"), None);
/// ```
pub fn split_words(text: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            c if c.is_whitespace() => words.extend(word.take()),
            '\\' => word.get_or_insert_default().push(chars.next()?),
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next()? {
                        '\'' => break,
                        c => word.push(c),
                    }
                }
            }
            '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next()? {
                        '"' => break,
                        '\\' => match chars.next()? {
                            c @ ('"' | '\\' | '$' | '`') => word.push(c),
                            c => word.extend(['\\', c]),
                        },
                        c => word.push(c),
                    }
                }
            }
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    Some(words)
}

#[cfg(test)]
mod tests {
    use super::split_words;

    // SPEC 2.10, 8.5
    #[test]
    fn words_split_as_in_a_shell() {
        assert_eq!(
            split_words("npx  -y 'a b' \"c \\\" d\" e\\ f").unwrap(),
            ["npx", "-y", "a b", "c \" d", "e f"]
        );
        assert_eq!(split_words("a ''").unwrap(), ["a", ""]);
        assert_eq!(split_words("a 'b"), None);
        assert_eq!(split_words("a \\"), None);
    }
}
