//! Turns descriptions of skills into documentation of the generated items.

/// Returns Markdown that shows the description literally, without links, tags or code.
pub(crate) fn text(description: &str) -> String {
    let mut text = String::with_capacity(description.len() + 2);
    text.push(' ');
    for character in description.chars() {
        if matches!(character, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '|' | '&' | '~') {
            text.push('\\');
        }
        text.push(if matches!(character, '\n' | '\r') { ' ' } else { character });
    }
    text.replace("://", "\\://")
}

#[cfg(test)]
mod tests {
    use super::text;

    #[test]
    fn a_description_is_not_markup() {
        assert_eq!(text("a [b] <c>\n`d` https://e"), r" a \[b\] \<c\> \`d\` https\://e");
    }
}
