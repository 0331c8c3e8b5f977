//! Text that is meant as it stands: the doubled braces, and the end of a raw block.

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

/// Finds `{{/raw}}`: where it begins and where it ends.
pub(super) fn raw_end(text: &str) -> Option<(usize, usize)> {
    let mut at = 0;
    loop {
        at += text.get(at..)?.find("{{")?;
        let name = text.get(at + 2..)?.trim_start().strip_prefix('/').map(str::trim_start);
        let close = name.and_then(|rest| rest.strip_prefix("raw")).map(str::trim_start);
        if let Some(rest) = close.and_then(|rest| rest.strip_prefix("}}")) {
            return Some((at, text.len() - rest.len()));
        }
        at += 1;
    }
}
