//! Names by the open standard, which has no `_` (SPEC 2.6, 9.7).

use std::borrow::Cow;

/// How long a name may be.
const LONGEST: usize = 64;

/// Tells whether a name is one of the standard: words of lower-case letters and digits with one `-` between them, together
/// at most 64 long.
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

/// Returns what two names have in common that are one Rust identifier: `-` is `_` (SPEC 1.5).
///
/// ```
/// assert_eq!(skills_registry::twin("code-review"), skills_registry::twin("code_review"));
/// ```
pub fn twin(name: &str) -> Cow<'_, str> {
    if name.contains('-') { Cow::Owned(name.replace('-', "_")) } else { Cow::Borrowed(name) }
}

/// Returns the name by which the standard's directory of a skill is called: of a function that without `_` (SPEC 9.7).
pub fn standard_name(name: &str, is_function: bool) -> Cow<'_, str> {
    if is_function { hyphenated(name) } else { Cow::Borrowed(name) }
}

/// Returns what two directories have in common that some file systems cannot tell apart (SPEC 1.4).
///
/// ```
/// use skills_registry::{same_directory, standard_name};
/// let of = |name| same_directory(&standard_name(name, true));
/// assert!(of("a__b") == of("a_b") && of("a_b") != of("ab"));
/// ```
pub fn same_directory(name: &str) -> String {
    name.to_lowercase()
}

/// Writes a name with `-` for each run of `_` and `-`.
pub(crate) fn hyphenated(name: &str) -> Cow<'_, str> {
    if !name.contains('_') {
        return Cow::Borrowed(name);
    }
    let words: Vec<&str> = name.split(['_', '-']).filter(|word| !word.is_empty()).collect();
    Cow::Owned(words.join("-"))
}
