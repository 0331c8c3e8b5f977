//! Writes texts as YAML values that YAML 1.1 and 1.2 parsers read as the same text: for edits, new skills and
//! published skills.

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
    let is_plain =
        |c: char| c.is_alphanumeric() || matches!(c, ' ' | ',' | '.' | '-' | '_' | '(' | ')' | '/' | '\'');
    if text.starts_with(char::is_alphabetic)
        && !is_word(text)
        && !text.ends_with(' ')
        && text.chars().all(is_plain)
    {
        return text.to_owned();
    }
    let mut quoted = String::new();
    push_yaml_quoted(&mut quoted, text);
    quoted
}

/// Appends a key: plain if it is one word, otherwise quoted.
pub fn push_yaml_key(out: &mut String, key: &str) {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    if key.starts_with(|c: char| c.is_ascii_alphabetic()) && !is_word(key) && key.chars().all(is_plain) {
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
