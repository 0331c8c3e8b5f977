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

/// Writes a name with `-` for each run of `_` and `-`.
pub(crate) fn hyphenated(name: &str) -> Cow<'_, str> {
    if !name.contains('_') {
        return Cow::Borrowed(name);
    }
    let words: Vec<&str> = name.split(['_', '-']).filter(|word| !word.is_empty()).collect();
    Cow::Owned(words.join("-"))
}
