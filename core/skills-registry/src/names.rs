//! Names: of skills in the open standard, which does not allow `_`, and of plugins.

use std::borrow::Cow;

/// The maximum length of a name.
const LONGEST: usize = 64;

/// Returns `true` if a name is valid in the standard: words of lower-case letters and digits, separated by
/// single `-`, at most 64 characters in total.
///
/// ```
/// use skills_registry::is_standard_name;
/// assert!(is_standard_name("code-review") && !is_standard_name("code_review") && !is_standard_name("-"));
/// ```
pub fn is_standard_name(name: &str) -> bool {
    name.len() <= LONGEST && name.split('-').all(|word| !word.is_empty() && word.bytes().all(is_word_byte))
}

fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit()
}

/// Returns a key that is equal for two names that map to the same Rust identifier: `-` is replaced with `_`.
///
/// ```
/// assert_eq!(skills_registry::ident_key("code-review"), skills_registry::ident_key("code_review"));
/// ```
pub fn ident_key(name: &str) -> Cow<'_, str> {
    if name.contains('-') { Cow::Owned(name.replace('-', "_")) } else { Cow::Borrowed(name) }
}

/// Returns the name of a skill's directory in the standard: for a function, the name without `_`.
pub fn standard_name(name: &str, is_function: bool) -> Cow<'_, str> {
    if is_function { hyphenated(name) } else { Cow::Borrowed(name) }
}

/// Returns a key that is equal for two directory names that some file systems do not distinguish.
///
/// ```
/// use skills_registry::{same_directory, standard_name};
/// let of = |name| same_directory(&standard_name(name, true));
/// assert!(of("a__b") == of("a_b") && of("a_b") != of("ab"));
/// ```
pub fn same_directory(name: &str) -> String {
    name.to_lowercase()
}

/// Replaces each run of `_` and `-` in a name with one `-`.
pub(crate) fn hyphenated(name: &str) -> Cow<'_, str> {
    if !name.contains('_') {
        return Cow::Borrowed(name);
    }
    let (mut words, mut is_between) = (String::with_capacity(name.len()), false);
    for character in name.chars() {
        if matches!(character, '_' | '-') {
            is_between = !words.is_empty();
            continue;
        }
        words.push_str(if is_between { "-" } else { "" });
        words.push(character);
        is_between = false;
    }
    Cow::Owned(words)
}

/// Returns what is wrong with the name of a plugin, or `None` if it is valid (Agent Plugins 1.0, section
/// 5.5).
///
/// ```
/// use skills_registry::plugin_name_fault;
/// assert_eq!(plugin_name_fault("acme.-tools"), None);
/// assert_eq!(plugin_name_fault("a..b"), Some("has two periods in a row"));
/// ```
pub fn plugin_name_fault(name: &str) -> Option<&'static str> {
    let bytes = name.as_bytes();
    match (bytes.first(), bytes.last()) {
        (None, _) | (_, None) => Some("is empty"),
        _ if name.chars().count() > 64 => Some("has more than 64 characters"),
        _ if !bytes.iter().all(|byte| is_word_byte(*byte) || matches!(byte, b'-' | b'.')) => {
            Some("has a character other than `a-z`, `0-9`, `-` and `.`")
        }
        (Some(first), Some(last)) if !is_word_byte(*first) || !is_word_byte(*last) => {
            Some("must begin and end with a letter or a digit")
        }
        _ if name.contains("--") => Some("has two hyphens in a row"),
        _ if name.contains("..") => Some("has two periods in a row"),
        _ => None,
    }
}
