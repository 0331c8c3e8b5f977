//! Applies the edits of one notification to a text. A notification can have very many edits, so the text is
//! converted to a rope, in which an edit is fast.

use lsp_types::{Position, TextDocumentContentChangeEvent};
use ropey::Rope;

use crate::convert::Encoding;

/// Returns the text after all changes, which are applied in order. Each change replaces a range of the
/// current text, or the whole text.
pub(crate) fn apply(text: &str, changes: &[TextDocumentContentChangeEvent], encoding: Encoding) -> String {
    let mut rope = Rope::from_str(text);
    for change in changes {
        match change.range {
            Some(range) => {
                let start = offset(&rope, range.start, encoding);
                let end = offset(&rope, range.end, encoding).max(start);
                rope.remove(start..end);
                rope.insert(start, &change.text);
            }
            None => rope = Rope::from_str(&change.text),
        }
    }
    rope.to_string()
}

/// Converts a position to an offset in characters. [`Lines::offset`](crate::convert::Lines::offset) does the same in
/// bytes.
fn offset(rope: &Rope, position: Position, encoding: Encoding) -> usize {
    let size = |n: u32| usize::try_from(n).unwrap_or(usize::MAX);
    let (line, units) = (size(position.line), size(position.character));
    if line >= rope.len_lines() {
        return rope.len_chars();
    }
    let (start, line) = (rope.line_to_char(line), rope.line(line));
    let mut end = line.len_chars();
    while end.checked_sub(1).is_some_and(|last| matches!(line.char(last), '\n' | '\r')) {
        end -= 1;
    }
    let before = |at| match encoding {
        Encoding::Utf16 => line.char_to_utf16_cu(at),
        Encoding::Utf8 => line.char_to_byte(at),
    };
    if units >= before(end) {
        return start + end;
    }
    let at = match encoding {
        Encoding::Utf16 => line.utf16_cu_to_char(units),
        Encoding::Utf8 => line.byte_to_char(units),
    };
    // A position inside a character means the position after the character.
    start + at + usize::from(before(at) < units)
}

#[cfg(test)]
mod tests {
    use lsp_types::{Position, Range, TextDocumentContentChangeEvent};

    use super::{apply, offset};
    use crate::convert::Encoding;

    fn edit(from: (u32, u32), to: (u32, u32), text: &str) -> TextDocumentContentChangeEvent {
        let range = Range::new(Position::new(from.0, from.1), Position::new(to.0, to.1));
        TextDocumentContentChangeEvent { range: Some(range), range_length: None, text: text.to_owned() }
    }

    // SPEC 17.10, 17.21: both ways to find a position give the same result.
    #[test]
    fn positions_agree_with_other_requests() {
        for text in ["", "a", "a\n", "a\r\nb\rc\n\nd", "é😀\nb😀\r", "\u{2028}a\u{b}\u{85}b\nc", "\r\n\r\n"]
        {
            let rope = ropey::Rope::from_str(text);
            for (line, character) in (0..7).flat_map(|line| (0..6).map(move |character| (line, character))) {
                let position = Position::new(line, character);
                for encoding in [Encoding::Utf16, Encoding::Utf8] {
                    let bytes = rope.char_to_byte(offset(&rope, position, encoding));
                    assert_eq!(bytes, encoding.offset(text, position), "{text:?} {line} {character}");
                }
            }
        }
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
