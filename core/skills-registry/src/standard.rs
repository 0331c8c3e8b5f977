//! Names in the open standard, which does not allow `_`.

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
    let is_word = |word: &str| {
        !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    name.len() <= LONGEST && name.split('-').all(is_word)
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
