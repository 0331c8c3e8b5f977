//! Where TOML strings end and how deep tables lie: what must be known before TOML is parsed.

/// Returns the end of the multi-line string that covers an offset; none when no closed one does.
pub(crate) fn string_over(text: &str, offset: usize) -> Option<usize> {
    let mut at = 0;
    while at < offset {
        let (_, end) = token(text, at);
        let multiline = text[at..].starts_with("'''") || text[at..].starts_with("\"\"\"");
        if end > offset {
            return (multiline && end - at >= 6 && text[at..end].ends_with(&text[at..at + 3])).then_some(end);
        }
        at = end;
    }
    None
}

/// Returns where brackets and the dots of keys lead deeper than a limit.
pub(super) fn too_deep(text: &str, limit: usize) -> Option<usize> {
    let mut outer: Vec<usize> = Vec::new();
    let mut depth = 0;
    let mut at = 0;
    while at < text.len() {
        let (mark, end) = token(text, at);
        match mark {
            b'.' => depth += 1,
            b'[' | b'{' => {
                outer.push(depth);
                depth += 1;
            }
            b']' | b'}' => depth = outer.pop().unwrap_or(0),
            b',' | b'\n' => depth = outer.last().map_or(0, |outer| outer + 1),
            _ => {}
        }
        if depth > limit {
            return Some(at);
        }
        if mark == b'\n' && text[end..].starts_with(|c: char| c.is_ascii_alphabetic()) {
            // An unclosed bracket does not deepen the lines after it.
            outer.clear();
            depth = 0;
        }
        at = end;
    }
    None
}

/// Returns the first byte and the end of the string, comment or stretch that starts at an offset.
fn token(text: &str, at: usize) -> (u8, usize) {
    let rest = &text[at..];
    let mark = rest.as_bytes().first().copied().unwrap_or_default();
    let end = match mark {
        b'"' if rest.starts_with("\"\"\"") => quoted(rest, "\"\"\"", true),
        b'\'' if rest.starts_with("'''") => quoted(rest, "'''", false),
        b'"' => quoted(rest, "\"", true),
        b'\'' => quoted(rest, "'", false),
        b'#' => rest.find('\n').unwrap_or(rest.len()),
        b'.' | b'[' | b'{' | b']' | b'}' | b',' | b'\n' => 1,
        _ => rest.find(['"', '\'', '#', '.', '[', '{', ']', '}', ',', '\n']).unwrap_or(rest.len()),
    };
    (mark, at + end)
}

/// Returns the length of a string with its quotes; one of a single quote ends at the end of the line at the latest.
fn quoted(rest: &str, quote: &str, escapes: bool) -> usize {
    let bytes = rest.as_bytes();
    let mut at = quote.len();
    while let Some(byte) = bytes.get(at) {
        if escapes && *byte == b'\\' {
            at += 1;
        } else if *byte == b'\n' && quote.len() == 1 {
            return at;
        } else if rest.is_char_boundary(at) && rest[at..].starts_with(quote) {
            // Quotes directly before the closing ones belong to the text.
            let more = bytes[at..].iter().take_while(|next| **next == quote.as_bytes()[0]).count();
            return at + if quote.len() == 1 { 1 } else { more.min(5) };
        }
        at += 1;
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    // SPEC 2.1: a `---` inside a value never ends the frontmatter.
    #[test]
    fn strings_over_lines_are_found() {
        let text = "a = '''\n---\n'''\nb = 1\n---\n";
        assert_eq!(string_over(text, 8), Some(15));
        assert_eq!(string_over(text, 22), None);
        assert_eq!(string_over("a = \"\"\"\\\"\"\"\n---\n\"\"\"", 12), Some(19));
        assert_eq!(string_over("a = '''\n---\n", 8), None, "never closed");
        assert_eq!(string_over("a = \"x\n---\n\"", 7), None, "one quote ends with its line");
        assert_eq!(string_over("# '''\n---\n'''", 6), None, "a comment");
        assert_eq!(string_over("a = \"é\"\n---\n", 9), None);
    }

    // SPEC 12.1: no nesting is deep enough to exhaust the stack.
    #[test]
    fn depth_is_measured() {
        assert_eq!(too_deep("a.b.c = 1\n[x.y]\nz = {a.b = [1, 2]}\n", 5), None);
        assert_eq!(too_deep("a.b.c.d = 1\n", 2), Some(5));
        assert_eq!(too_deep(&"[".repeat(70), 64), Some(64));
        assert_eq!(too_deep("a = \"..........\" # ......\n", 3), None, "strings and comments have no depth");
    }
}
