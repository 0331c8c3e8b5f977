//! Braces that a prompt doubles become the ones they mean, where the prompt is read and not rendered (SPEC 5.8, 8.2, 9.1).

use std::borrow::Cow;

/// Undoes the escapes of a prompt; expressions stay as they are written.
///
/// ```
/// use skills_registry::plain_braces;
///
/// assert_eq!(plain_braces("{{input.a}}: {{{{b}}}}, {{#raw}}{{c}}{{/raw}}"), "{{input.a}}: {{b}}, {{c}}");
/// assert_eq!(plain_braces("{a: {b: {}}}}"), "{a: {b: {}}}}", "text without templates");
/// ```
pub fn plain_braces(prompt: &str) -> Cow<'_, str> {
    if !prompt.contains("{{") {
        return Cow::Borrowed(prompt);
    }
    let mut text = String::with_capacity(prompt.len());
    let mut rest = prompt;
    while let Some(at) = rest.find(['{', '}']) {
        let (before, here) = rest.split_at(at);
        text.push_str(before);
        let (shown, length) = token(here);
        text.push_str(shown);
        rest = here.get(length..).unwrap_or_default();
    }
    text.push_str(rest);
    Cow::Owned(text)
}

/// Returns what stands for the text's beginning, and how long that is.
fn token(text: &str) -> (&str, usize) {
    const RAW: [&str; 2] = ["{{#raw}}", "{{/raw}}"];
    for braces in ["{{{{", "}}}}"] {
        if text.starts_with(braces) {
            return (&braces[2..], 4);
        }
    }
    if let Some((inside, _)) = text.strip_prefix(RAW[0]).and_then(|inside| inside.split_once(RAW[1])) {
        return (inside, RAW[0].len() + inside.len() + RAW[1].len());
    }
    let length = match text.strip_prefix("{{") {
        Some(inside) => inside.find("}}").map_or(2, |end| end + 4),
        None => 1,
    };
    (text.get(..length).unwrap_or(text), length)
}
