//! Writes YAML: keys and texts with quotes if a parser could misread them. Also finds the start of a text, and the line
//! that opens a frontmatter.

/// Plain words that YAML 1.1 does not read as text.
const WORDS: [&str; 9] = ["false", "n", "no", "null", "off", "on", "true", "y", "yes"];

/// Writes a text as a value in a block: plain if it has no special meaning in YAML, otherwise quoted.
///
/// ```
/// use skills_text::yaml_text;
/// assert_eq!(yaml_text("Reads files, if there are any."), "Reads files, if there are any.");
/// assert_eq!(["Null", "1.0", "a: b"].map(yaml_text), [r#""Null""#, r#""1.0""#, r#""a: b""#]);
/// ```
pub fn yaml_text(text: &str) -> String {
    if text.starts_with(char::is_alphabetic)
        && !is_word(text)
        && !text.ends_with(' ')
        && text.chars().all(|c| c.is_alphanumeric() || " ,.-_()/'".contains(c))
    {
        return text.to_owned();
    }
    let mut quoted = String::new();
    push_yaml_quoted(&mut quoted, text);
    quoted
}

/// Appends a key: plain if it is one word, otherwise quoted.
pub fn push_yaml_key(out: &mut String, key: &str) {
    if key.starts_with(|c: char| c.is_ascii_alphabetic())
        && !is_word(key)
        && key.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
    {
        out.push_str(key);
    } else {
        push_yaml_quoted(out, key);
    }
}

/// Appends a text in double quotes of YAML 1.2, on one line.
///
/// ```
/// let mut out = String::new();
/// skills_text::push_yaml_quoted(&mut out, "a \"b\"\n\u{85}");
/// assert_eq!(out, r#""a \"b\"\n\u0085""#);
/// ```
pub fn push_yaml_quoted(out: &mut String, text: &str) {
    out.push('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => {
                out.push('\\');
                out.push(character);
            }
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            // Control characters, line breaks of older YAML, the byte order mark, and characters that YAML
            // calls not printable.
            '\0'..='\u{1f}'
            | '\u{7f}'..='\u{9f}'
            | '\u{2028}'
            | '\u{2029}'
            | '\u{feff}'
            | '\u{fffe}'
            | '\u{ffff}' => {
                out.push_str("\\u");
                out.push_str(&crate::hex(&(u32::from(character) as u16).to_be_bytes()));
            }
            _ => out.push(character),
        }
    }
    out.push('"');
}

fn is_word(text: &str) -> bool {
    text.len() <= 5 && WORDS.contains(&&*text.to_ascii_lowercase())
}

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
