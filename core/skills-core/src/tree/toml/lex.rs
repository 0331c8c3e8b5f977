//! Finds the ends of TOML strings. Used by the reader and to find the end of a frontmatter.

/// A string in quotes, at the start of a text.
pub(super) struct Quoted {
    /// `"`, `'`, or three of them.
    pub(super) quote: &'static str,
    /// Its end, including its quotes; a string in single or double quotes ends at the end of its line at the
    /// latest.
    pub(super) end: usize,
    pub(super) is_closed: bool,
}

/// Returns the end of the multi-line string that contains an offset; `None` if no closed one does.
pub(crate) fn string_over(text: &str, offset: usize) -> Option<usize> {
    let mut at = 0;
    while at < offset {
        let rest = &text[at..];
        let Some(quoted) = quoted(rest) else {
            let stop = if rest.starts_with('#') { rest.find('\n') } else { rest.find(['"', '\'', '#']) };
            at += stop.unwrap_or(rest.len());
            continue;
        };
        at += quoted.end;
        if at > offset {
            return (quoted.quote.len() > 1 && quoted.is_closed).then_some(at);
        }
    }
    None
}

/// Parses the string at the start of a text.
pub(super) fn quoted(text: &str) -> Option<Quoted> {
    let quote = ["\"\"\"", "'''", "\"", "'"].into_iter().find(|quote| text.starts_with(quote))?;
    let bytes = text.as_bytes();
    let mut at = quote.len();
    while let Some(byte) = bytes.get(at) {
        if *byte == b'\\' && quote.starts_with('"') && bytes.get(at + 1).is_some_and(|next| *next != b'\n') {
            at += 1;
        } else if *byte == b'\n' && quote.len() == 1 {
            break;
        } else if bytes[at..].starts_with(quote.as_bytes()) {
            // Quotes directly before the closing ones belong to the text.
            let more = bytes[at..].iter().take_while(|next| **next == bytes[0]).count();
            let end = at + if quote.len() == 1 { 1 } else { more.min(5) };
            return Some(Quoted { quote, end, is_closed: true });
        }
        at += 1;
    }
    let end = if quote.len() == 1 { text[..at].trim_end_matches('\r').len() } else { at };
    Some(Quoted { quote, end, is_closed: false })
}

/// Returns `true` if a character looks like a space but is not white space in TOML.
pub(super) fn is_false_blank(c: char) -> bool {
    c.is_whitespace() && !" \t\r\n".contains(c) || c == '\u{200b}' || c == '\u{feff}'
}

/// Returns the end of a text in quotes that TOML does not allow, as some word processors and keyboards write
/// them.
pub(super) fn false_quoted(text: &str, is_alone: bool) -> Option<usize> {
    let closes: &[char] = match text.chars().next()? {
        '“' | '„' | '”' => &['”', '“'],
        '‘' | '‚' | '’' => &['’', '‘'],
        '«' | '»' => &['»', '«'],
        '‹' | '›' => &['›', '‹'],
        '`' | '´' => &['`', '´'],
        _ => return None,
    };
    let open = text.chars().next()?.len_utf8();
    let stop = |c| c == '\n' || closes.contains(&c) && !is_alone;
    let line = &text[..text[open..].find(stop).map_or(text.len(), |stop| open + stop)];
    // In a text that is the only one on its line, an apostrophe does not end it.
    let close = if is_alone { line[open..].rfind(closes).map(|at| open + at) } else { Some(line.len()) };
    let close = close.filter(|at| text[*at..].starts_with(closes));
    let end = close.and_then(|at| Some(at + text[at..].chars().next()?.len_utf8()));
    Some(end.unwrap_or(line.trim_end().len()))
}

/// Returns `true` if a character is a quote, in TOML or in typography.
pub(super) fn is_quote(c: char) -> bool {
    "\"'“”„‘’‚«»‹›`´".contains(c)
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
}
