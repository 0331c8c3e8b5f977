//! A path becomes one word of a command that a help line shows, so that the command can be typed as it stands.

use std::borrow::Cow;

/// Quotes a path where a shell would take it apart.
pub(crate) fn word(path: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+,:@%=".contains(c);
    if path.starts_with('-') {
        return Cow::Owned(word(&format!("./{path}")).into_owned());
    }
    if !path.is_empty() && path.chars().all(is_plain) {
        return Cow::Borrowed(path);
    }
    Cow::Owned(format!("'{}'", path.replace('\'', r"'\''")))
}

#[cfg(test)]
mod tests {
    use super::word;

    #[test]
    fn a_word_is_quoted_where_it_must_be() {
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
            assert_eq!(word(path), expected);
        }
    }
}
