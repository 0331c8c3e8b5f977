//! Recognizes the notations of documentation that no shell knows: placeholders, and groups of alternatives.

/// Returns the length of a placeholder such as `<FILE>` at the start of a text. `<in >out` is a redirection.
pub(super) fn placeholder(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('<')?;
    let inner = inner.get(..skills_text::floor(inner, LONGEST.min(inner.len())))?;
    let end = inner.find(['>', '\n', '<', ';', '&'])?;
    let inside = inner.get(..end)?;
    let is_name = inside.starts_with(|c: char| c.is_alphanumeric() || "-_./@[{:".contains(c));
    (inner[end..].starts_with('>') && is_name && !inside.ends_with(' ')).then_some(end + 2)
}

/// Returns the length of a group from its opening bracket to the closing one on the same line.
pub(super) fn group(text: &str, open: char, close: char) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices().take(LONGEST) {
        skills_text::work::count(1);
        match c {
            '\n' => return None,
            c if c == open => depth += 1,
            c if c == close => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at + c.len_utf8());
                }
            }
            _ => {}
        }
    }
    None
}

/// Returns `true` if a value stands for another: `FILE`, `<file>`, `YOUR_TOKEN`, `...`.
pub(crate) fn is_placeholder(value: &str) -> bool {
    let is_capitals =
        value.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || "_-.:,/[]|=".contains(c));
    value.starts_with(|c: char| c.is_ascii_uppercase() || c == '[') && is_capitals
        || value.contains(['<', '>', '{', '}', '|', '…'])
        || value.contains("...")
        || value.contains("xxx")
}

/// The maximum length of a notation. The limit keeps the time to read a text proportional to its length.
const LONGEST: usize = 200;
