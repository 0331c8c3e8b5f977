//! Checks the name of a plugin: for the checker and for the commands that create plugins.

/// Returns what is wrong with the name of a plugin, or `None` if it is valid (Agent Plugins 1.0, section
/// 5.5).
///
/// ```
/// use skills_registry::plugin_name_fault;
/// assert_eq!(plugin_name_fault("acme.-tools"), None);
/// assert_eq!(plugin_name_fault("a..b"), Some("has two periods in a row"));
/// ```
pub fn plugin_name_fault(name: &str) -> Option<&'static str> {
    let is_word = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let bytes = name.as_bytes();
    match (bytes.first(), bytes.last()) {
        (None, _) | (_, None) => Some("is empty"),
        _ if name.chars().count() > 64 => Some("has more than 64 characters"),
        _ if !bytes.iter().all(|byte| is_word(*byte) || matches!(byte, b'-' | b'.')) => {
            Some("has a character other than `a-z`, `0-9`, `-` and `.`")
        }
        (Some(first), Some(last)) if !is_word(*first) || !is_word(*last) => {
            Some("must begin and end with a letter or a digit")
        }
        _ if name.contains("--") => Some("has two hyphens in a row"),
        _ if name.contains("..") => Some("has two periods in a row"),
        _ => None,
    }
}
