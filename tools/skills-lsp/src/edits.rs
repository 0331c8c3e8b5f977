//! Applies the edits of one notification to a text. A notification can have very many edits, so the text is
//! converted to a rope, in which an edit is fast.

use lsp_types::TextDocumentContentChangeEvent;

use crate::convert::{Encoding, Lines};

/// Returns the text after all changes, which are applied in order. Each change replaces a range of the
/// current text, or the whole text.
pub(crate) fn apply(text: &str, changes: &[TextDocumentContentChangeEvent], encoding: Encoding) -> String {
    let mut lines = Lines::new(text, encoding);
    for change in changes {
        match change.range {
            Some(range) => {
                let start = lines.char(range.start);
                let end = lines.char(range.end).max(start);
                lines.rope.remove(start..end);
                lines.rope.insert(start, &change.text);
            }
            None => lines = Lines::new(&change.text, encoding),
        }
    }
    lines.rope.to_string()
}

#[cfg(test)]
mod tests {
    use lsp_types::{Position, Range, TextDocumentContentChangeEvent};

    use super::apply;
    use crate::convert::Encoding;

    fn edit(from: (u32, u32), to: (u32, u32), text: &str) -> TextDocumentContentChangeEvent {
        let range = Range::new(Position::new(from.0, from.1), Position::new(to.0, to.1));
        TextDocumentContentChangeEvent { range: Some(range), range_length: None, text: text.to_owned() }
    }

    // SPEC 17.10
    #[test]
    fn each_edit_sees_the_one_before() {
        let changes = [edit((0, 1), (0, 2), "x\ny"), edit((1, 1), (1, 1), "z"), edit((9, 0), (9, 9), "!")];
        assert_eq!(apply("abc", &changes, Encoding::Utf16), "ax\nyzc!");
        let new = TextDocumentContentChangeEvent { range: None, range_length: None, text: "new".to_owned() };
        assert_eq!(apply("abc", &[new, edit((0, 3), (0, 0), "er")], Encoding::Utf16), "newer");
        assert_eq!(apply("abc", &[], Encoding::Utf16), "abc");
    }

    // SPEC 12.10: 20,000 edits of 2 MB on one line. Searching each position from the start would take 80 GB of steps.
    #[test]
    fn many_edits_do_not_each_copy_the_text() {
        let places = (0..20_000_u32).map(|number| (0, number * 7_919 % 2_000_000));
        let changes: Vec<_> = places.map(|place| edit(place, place, "x")).collect();
        let changed = apply(&"a".repeat(2_000_000), &changes, Encoding::Utf16);
        assert_eq!((changed.len(), changed.matches('x').count()), (2_020_000, 20_000));
    }
}
