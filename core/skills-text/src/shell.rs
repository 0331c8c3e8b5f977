//! Writes and reads the notation of shells: quotes words, splits lines into words, and reads the first line of scripts.

use std::borrow::Cow;
use std::path::Path;

/// Quotes a path if a shell would split or change it.
///
/// ```
/// assert_eq!(skills_text::shell_word("it's"), r"'it'\''s'");
/// ```
pub fn shell_word(path: &str) -> Cow<'_, str> {
    if path.starts_with('-') {
        return Cow::Owned(shell_word(&format!("./{path}")).into_owned());
    }
    if !path.is_empty() && path.chars().all(is_plain) {
        return Cow::Borrowed(path);
    }
    Cow::Owned(format!("'{}'", path.replace('\'', r"'\''")))
}

/// Returns `true` if no shell gives the character a meaning.
fn is_plain(c: char) -> bool {
    c.is_alphanumeric() || "/._-+,:@%=".contains(c) || (cfg!(windows) && c == '\\')
}

/// Quotes a path of this system like [`shell_word`].
pub fn shell_path(path: &Path) -> String {
    shell_word(&path.to_string_lossy()).into_owned()
}

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

/// Returns the interpreter in a script's `#!` line and its argument, which may be empty. Returns `None` if
/// the file is not a script.
///
/// ```
/// use skills_text::shebang;
/// assert_eq!(shebang(b"#! /bin/sh  -e -u \n exit"), Some((&b"/bin/sh"[..], &b"-e -u"[..])));
/// assert_eq!(shebang(b"exit"), None);
/// ```
pub fn shebang(script: &[u8]) -> Option<(&[u8], &[u8])> {
    let line = first_line(script)?;
    let end = line.iter().position(|byte| is_blank(*byte)).unwrap_or(line.len());
    let (interpreter, argument) = line.split_at(end);
    Some((interpreter, trim(argument)))
}

/// Returns `true` if the `#!` line of a script ends in CR LF. Unix systems take the CR as part of the
/// interpreter's name and do not find it.
///
/// ```
/// use skills_text::has_crlf_shebang;
/// assert!(has_crlf_shebang(b"#!/bin/sh\r\nexit\r\n") && has_crlf_shebang(b"#!/bin/sh\r"));
/// assert!(!has_crlf_shebang(b"#!/bin/sh\nexit\r\n") && !has_crlf_shebang(b"exit\r\n"));
/// ```
pub fn has_crlf_shebang(script: &[u8]) -> bool {
    first_line(script).is_some_and(|line| line.ends_with(b"\r"))
}

fn first_line(script: &[u8]) -> Option<&[u8]> {
    script.strip_prefix(b"#!")?.split(|byte| *byte == b'\n').next().map(trim)
}

/// Returns `true` for a space or tab, the separators that kernels accept.
fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

fn trim(line: &[u8]) -> &[u8] {
    let first = line.iter().position(|byte| !is_blank(*byte)).unwrap_or(line.len());
    let end = line.iter().rposition(|byte| !is_blank(*byte)).map_or(first, |last| last + 1);
    line.get(first..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn a_word_is_quoted_if_necessary() {
        for (path, expected) in [
            ("skills/pdf/SKILL.md", "skills/pdf/SKILL.md"),
            ("技能/é.md", "技能/é.md"),
            ("two words", "'two words'"),
            ("it's", r"'it'\''s'"),
            ("-rf", "./-rf"),
            ("-r f", "'./-r f'"),
            ("$(x)", "'$(x)'"),
            ("~", "'~'"),
        ] {
            assert_eq!(shell_word(path), expected);
            assert_eq!(shell_path(Path::new(path)), expected);
        }
    }

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
