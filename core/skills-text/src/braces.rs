//! Unescapes doubled braces in a prompt that is read as text and not rendered as a template.

use std::borrow::Cow;

/// Undoes the escapes of a prompt. Expressions stay as they are written.
///
/// ```
/// use skills_text::plain_braces;
///
/// assert_eq!(plain_braces("{{input.a}}: {{{{b}}}}, {{#raw}}{{c}}{{/raw}}"), "{{input.a}}: {{b}}, {{c}}");
/// assert_eq!(plain_braces("{a: {b: {}}}}"), "{a: {b: {}}}}", "text without templates");
/// ```
pub fn plain_braces(prompt: &str) -> Cow<'_, str> {
    if find_pair(prompt, b"{{").is_none() {
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

/// Returns the unescaped form of the token at the beginning of a text, and the token's length.
fn token(text: &str) -> (&str, usize) {
    for braces in ["{{{{", "}}}}"] {
        if text.starts_with(braces) {
            return (&braces[2..], 4);
        }
    }
    if let Some(block) = raw_block(text) {
        return block;
    }
    let length = match text.strip_prefix("{{") {
        Some(inside) => find_pair(inside, b"}}").map_or(2, |end| end + 4),
        None => 1,
    };
    (text.get(..length).unwrap_or(text), length)
}

/// Finds two bytes. The search of the standard library would add 1.5 KB to a program.
#[inline(never)]
fn find_pair(text: &str, pair: &[u8; 2]) -> Option<usize> {
    text.as_bytes().windows(2).position(|found| found == pair)
}

/// Returns the contents of the raw block at the beginning of a text, and the length of the block.
fn raw_block(text: &str) -> Option<(&str, usize)> {
    let inside = raw_tag(text, '#')?;
    let (end, behind) = raw_end(inside)?;
    Some((inside.get(..end)?, text.len() - inside.len() + behind))
}

/// Finds the closing tag `{{/raw}}` after an opening tag: where it begins and where it ends. As in every tag,
/// whitespace is allowed inside.
///
/// ```
/// assert_eq!(skills_text::raw_end("{{a}} {{ /raw }}."), Some((6, 16)));
/// ```
pub fn raw_end(text: &str) -> Option<(usize, usize)> {
    let tags = text.match_indices('{').filter_map(|(at, _)| Some((at, raw_tag(text.get(at..)?, '/')?)));
    tags.map(|(at, behind)| (at, text.len() - behind.len())).next()
}

/// Returns the text after a raw tag, `{{#raw}}` or `{{/raw}}`, at the beginning of a text.
#[inline(never)]
fn raw_tag(text: &str, mark: char) -> Option<&str> {
    let name = text.strip_prefix("{{")?.trim_start().strip_prefix(mark)?.trim_start();
    name.strip_prefix("raw")?.trim_start().strip_prefix("}}")
}

#[cfg(test)]
mod tests {
    use super::plain_braces;

    // SPEC 5.8
    #[test]
    fn blanks_in_the_tags_of_a_raw_block_change_nothing() {
        for open in ["{{#raw}}", "{{ #raw }}", "{{# raw}}", "{{\n# raw\t}}"] {
            for close in ["{{/raw}}", "{{ /raw }}", "{{/ raw}}"] {
                let prompt = format!("a {open}{{{{name}}}} {{{{{{{{ }}}}}}}}{close} {{{{{{{{b}}}}}}}}");
                assert_eq!(plain_braces(&prompt), "a {{name}} {{{{ }}}} {{b}}", "{prompt}");
            }
        }
        for kept in
            ["{{#raws}}a{{/raw}}", "{{#raw}}a", "{{ raw }}", "{{#if a}}b{{/if}}", "{{#raw}}a{{/rawx}}"]
        {
            assert_eq!(plain_braces(kept), kept);
        }
    }
}
