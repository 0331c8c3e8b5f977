//! Places inside a JSON string: a byte of the decoded text becomes a byte of the file, escapes counted.

use crate::span::{SourceMap, Span};

/// Returns the place in the file of some bytes of the decoded string that stands at `literal`, quotes included.
pub(super) fn place(sources: &SourceMap, literal: Span, start: usize, end: usize) -> Span {
    let source = sources.text(literal);
    literal.part(offset(source, start), offset(source, end))
}

fn offset(source: &str, target: usize) -> usize {
    let mut decoded = 0;
    let mut rest = source.char_indices().skip(1).peekable();
    let mut high_surrogate = false;
    while let Some((at, c)) = rest.next() {
        if decoded >= target && !high_surrogate {
            return at;
        }
        if c != '\\' {
            decoded += c.len_utf8();
            continue;
        }
        match rest.next() {
            Some((_, 'u')) => {
                let digits: String = rest.by_ref().take(4).map(|(_, digit)| digit).collect();
                let unit = u32::from_str_radix(&digits, 16).unwrap_or(0);
                // The first half of a pair counts nothing, the second for the whole character.
                high_surrogate = (0xd800..0xdc00).contains(&unit);
                decoded += match unit {
                    0xd800..0xdc00 => 0,
                    0xdc00..0xe000 => 4,
                    unit => char::from_u32(unit).map_or(0, char::len_utf8),
                };
            }
            Some(_) => decoded += 1,
            None => break,
        }
    }
    source.len().saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::offset;

    // SPEC 5.5
    #[test]
    fn escapes_are_counted() {
        let source = r#""a\nb\u00e9c\ud83e\udd80d""#;
        let decoded = "a\nbéc🦀d";
        for (text, at) in [("a", 1), ("\n", 2), ("b", 4), ("é", 5), ("c", 11), ("🦀", 12), ("d", 24)] {
            assert_eq!(offset(source, decoded.find(text).unwrap()), at, "{text}");
        }
        assert_eq!(offset(source, decoded.len()), source.len() - 1);
        assert_eq!(offset("\"", 5), 0);
    }
}
