//! Text that is meant as it stands: the doubled braces.

/// Escapes text so that a prompt or template prints it as it is (SPEC 5.8): every `{{` and `}}` is doubled.
///
/// ```
/// assert_eq!(skills_template::escape("a {{b}}"), "a {{{{b}}}}");
/// assert_eq!(skills_template::escape("{\"a\":{\"b\":{}}}"), "{\"a\":{\"b\":{}}}");
/// ```
pub fn escape(text: &str) -> String {
    if text.contains("{{") { escape_always(text) } else { text.to_owned() }
}

/// Escapes text that stands beside expressions, where `}}}}` is an escape even without any `{{`.
pub(crate) fn escape_always(text: &str) -> String {
    text.replace("{{", "{{{{").replace("}}", "}}}}")
}
