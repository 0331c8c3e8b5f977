//! Quotes paths for the shell commands in help texts, so that users can copy the commands.

use std::borrow::Cow;
use std::path::Path;

/// Quotes a path if a shell would split or change it.
///
/// ```
/// assert_eq!(skills_text::shell_word("it's"), r"'it'\''s'");
/// ```
pub fn shell_word(path: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+,:@%=".contains(c) || (cfg!(windows) && c == '\\');
    if path.starts_with('-') {
        return Cow::Owned(shell_word(&format!("./{path}")).into_owned());
    }
    if !path.is_empty() && path.chars().all(is_plain) {
        return Cow::Borrowed(path);
    }
    Cow::Owned(format!("'{}'", path.replace('\'', r"'\''")))
}

/// Quotes a path of this system like [`shell_word`].
pub fn shell_path(path: &Path) -> String {
    shell_word(&path.to_string_lossy()).into_owned()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{shell_path, shell_word};

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
}
