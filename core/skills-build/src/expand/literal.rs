//! Reads the value of a string literal from its source.

/// Returns the value of a string literal, or `None` for any other literal.
pub(super) fn text(source: &str) -> Option<String> {
    if let Some(raw) = source.strip_prefix('r') {
        let inside = raw.trim_matches('#');
        return Some(inside.strip_prefix('"')?.strip_suffix('"')?.to_owned());
    }
    let mut rest = source.strip_prefix('"')?.strip_suffix('"')?;
    let mut text = String::new();
    while let Some(at) = rest.find('\\') {
        text.push_str(&rest[..at]);
        let mut characters = rest[at + 1..].chars();
        match characters.next()? {
            'n' => text.push('\n'),
            'r' => text.push('\r'),
            't' => text.push('\t'),
            '0' => text.push('\0'),
            '\n' => characters = characters.as_str().trim_start().chars(),
            'x' => {
                let code = characters.as_str().get(..2)?;
                text.push(char::from(u8::from_str_radix(code, 16).ok()?));
                characters = characters.as_str().get(2..)?.chars();
            }
            'u' => {
                let (code, behind) = characters.as_str().strip_prefix('{')?.split_once('}')?;
                text.push(char::from_u32(u32::from_str_radix(&code.replace('_', ""), 16).ok()?)?);
                characters = behind.chars();
            }
            other => text.push(other),
        }
        rest = characters.as_str();
    }
    text.push_str(rest);
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::text;

    #[test]
    fn string_literals_are_read_as_rust_reads_them() {
        for (source, value) in [
            (stringify!("skills/"), "skills/"),
            (stringify!("a\\b\"c\'\n\t\r\0\x41\u{e9}\u{1_F600}"), "a\\b\"c\'\n\t\r\0\x41\u{e9}\u{1_F600}"),
            (stringify!(r"a\b"), r"a\b"),
            (stringify!(r##"a"#b"##), r##"a"#b"##),
            ("\"a\\\n   b\"", "ab"),
        ] {
            assert_eq!(text(source).as_deref(), Some(value), "{source}");
        }
        for other in ["1", "b\"a\"", "c\"a\"", "'a'", "br\"a\"", "\"\\"] {
            assert_eq!(text(other), None, "{other}");
        }
    }
}
