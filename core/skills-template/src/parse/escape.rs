//! Escapes literal text by doubling its braces.

/// Escapes text so that a prompt or template prints it literally: every `{{` and `}}` is doubled.
///
/// ```
/// assert_eq!(skills_template::escape("a {{b}}"), "a {{{{b}}}}");
/// assert_eq!(skills_template::escape("{\"a\":{\"b\":{}}}"), "{\"a\":{\"b\":{}}}");
/// ```
pub fn escape(text: &str) -> String {
    if text.contains("{{") { escape_always(text) } else { text.to_owned() }
}

/// Escapes text next to expressions, where `}}}}` is an escape even without any `{{`.
pub fn escape_always(text: &str) -> String {
    text.replace("{{", "{{{{").replace("}}", "}}}}")
}
