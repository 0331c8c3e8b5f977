//! Converts between the types of the protocol and the project's own: positions in lines from 0 and units of
//! the negotiated encoding, `file:` URIs, edits.

use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use lsp_types::{
    Location, Position, PositionEncodingKind, Range as LineRange, TextDocumentContentChangeEvent, TextEdit,
    Uri,
};
use ropey::{Rope, RopeSlice};
use skills_core::span::Span;
use skills_report::fix::Checked;
use skills_text::{percent_decoded, percent_encoded_path};

use crate::root::Root;

/// The units in which the positions of a session count the characters of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// UTF-16 units, which every client understands.
    #[default]
    Utf16,
    /// Bytes.
    Utf8,
}

impl Encoding {
    /// Chooses UTF-8 if the client offers it, because then no text has to be counted.
    pub(crate) fn negotiate(offered: &[PositionEncodingKind]) -> Self {
        if offered.contains(&PositionEncodingKind::UTF8) { Self::Utf8 } else { Self::Utf16 }
    }

    /// Returns the name of the encoding in the protocol.
    pub(crate) fn kind(self) -> PositionEncodingKind {
        match self {
            Self::Utf16 => PositionEncodingKind::UTF16,
            Self::Utf8 => PositionEncodingKind::UTF8,
        }
    }

    /// Returns the length of a text in units.
    pub(crate) fn length(self, text: &str) -> usize {
        match self {
            Self::Utf16 => text.encode_utf16().count(),
            Self::Utf8 => text.len(),
        }
    }

    /// Returns the number of units before a character of a text.
    fn units(self, text: RopeSlice<'_>, at: usize) -> usize {
        match self {
            Self::Utf16 => text.char_to_utf16_cu(at),
            Self::Utf8 => text.char_to_byte(at),
        }
    }

    /// Converts a byte range of a text to a range.
    pub(crate) fn range(self, text: &str, range: Range<usize>) -> LineRange {
        TextLines::new(text, self).range(range)
    }

    /// Converts a position to an offset of a text.
    pub(crate) fn offset(self, text: &str, position: Position) -> usize {
        TextLines::new(text, self).offset(position)
    }

    /// Converts a range to a byte range.
    pub(crate) fn bytes(self, text: &str, range: LineRange) -> Range<usize> {
        let lines = TextLines::new(text, self);
        let start = lines.offset(range.start);
        start..lines.offset(range.end).max(start)
    }

    /// Creates an edit that replaces a byte range of a text.
    pub(crate) fn edit(self, text: &str, replaced: Range<usize>, new: impl Into<String>) -> TextEdit {
        TextEdit::new(self.range(text, replaced), new.into())
    }
}

/// The lines of a text. A line ends with a line feed, a carriage return, or both.
pub(crate) struct TextLines {
    pub(crate) rope: Rope,
    encoding: Encoding,
}

/// The lines of texts, each text split once.
pub(crate) struct Texts<'t> {
    encoding: Encoding,
    lines: BTreeMap<usize, TextLines>,
    /// All texts outlive this value, so that no two of them have the same address.
    texts: PhantomData<&'t str>,
}

impl<'t> Texts<'t> {
    pub(crate) fn new(encoding: Encoding) -> Self {
        Self { encoding, lines: BTreeMap::new(), texts: PhantomData }
    }

    /// Converts a byte range of a text to a range.
    pub(crate) fn range(&mut self, text: &'t str, range: Range<usize>) -> LineRange {
        // Two texts can begin at the same address only if they are empty.
        let lines = self.lines.entry(text.as_ptr().addr());
        lines.or_insert_with(|| TextLines::new(text, self.encoding)).range(range)
    }
}

impl TextLines {
    pub(crate) fn new(text: &str, encoding: Encoding) -> Self {
        Self { rope: Rope::from_str(text), encoding }
    }

    /// Converts an offset in bytes to a position.
    pub(crate) fn position(&self, offset: usize) -> Position {
        let at = self.rope.byte_to_char(offset.min(self.rope.len_bytes()));
        let line = self.rope.char_to_line(at);
        let (text, start) = (self.rope.slice(..), self.rope.line_to_char(line));
        let units = self.encoding.units(text, at) - self.encoding.units(text, start);
        Position::new(number(line), number(units))
    }

    /// Converts a byte range to a range.
    pub(crate) fn range(&self, range: Range<usize>) -> LineRange {
        LineRange::new(self.position(range.start), self.position(range.end))
    }

    /// Converts a position to an offset in bytes; a position beyond a line or the text is its end.
    pub(crate) fn offset(&self, position: Position) -> usize {
        self.rope.char_to_byte(self.char(position))
    }

    /// Converts a position to an offset in characters. A position inside a character means the position after it.
    pub(crate) fn char(&self, position: Position) -> usize {
        let line = usize::try_from(position.line).unwrap_or(usize::MAX);
        let units = usize::try_from(position.character).unwrap_or(usize::MAX);
        if line >= self.rope.len_lines() {
            return self.rope.len_chars();
        }
        let (start, line) = (self.rope.line_to_char(line), self.rope.line(line));
        let mut end = line.len_chars();
        while end.checked_sub(1).is_some_and(|last| matches!(line.char(last), '\n' | '\r')) {
            end -= 1;
        }
        if units >= self.encoding.units(line, end) {
            return start + end;
        }
        let at = match self.encoding {
            Encoding::Utf16 => line.utf16_cu_to_char(units),
            Encoding::Utf8 => line.byte_to_char(units),
        };
        start + at + usize::from(self.encoding.units(line, at) < units)
    }
}

/// Converts a count to a number of the protocol.
pub(crate) fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// Converts a span of a directory's files to a location.
pub(crate) fn location(root: &Root, span: Span) -> Location {
    location_in(root, span, &mut Texts::new(root.encoding))
}

/// Converts one of many spans to a location.
pub(crate) fn location_in<'r>(root: &'r Root, span: Span, texts: &mut Texts<'r>) -> Location {
    let sources = root.checked.sources();
    let file = sources.file_of(span);
    Location::new(root.uri_of(file), texts.range(&file.text, sources.range(span)))
}

/// Returns the text after all changes, which are applied in order. Each change replaces a range of the
/// current text, or the whole text. A notification can have very many changes, so they are made in a rope, in which
/// an edit is fast.
pub(crate) fn apply_changes(
    text: &str,
    changes: &[TextDocumentContentChangeEvent],
    encoding: Encoding,
) -> String {
    let mut lines = TextLines::new(text, encoding);
    for change in changes {
        match change.range {
            Some(range) => {
                let start = lines.char(range.start);
                let end = lines.char(range.end).max(start);
                lines.rope.remove(start..end);
                lines.rope.insert(start, &change.text);
            }
            None => lines = TextLines::new(&change.text, encoding),
        }
    }
    lines.rope.to_string()
}

/// Converts a `file:` URI to a path.
pub(crate) fn path(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    let rest = rest.strip_prefix("localhost").unwrap_or(rest);
    let text = String::from_utf8(percent_decoded(rest)).ok()?;
    // `/C:/x` is a Windows path.
    let drive = text.strip_prefix('/').filter(|rest| cfg!(windows) && rest.as_bytes().get(1) == Some(&b':'));
    Some(PathBuf::from(drive.unwrap_or(&text)))
}

/// Converts a path to a `file:` URI.
pub(crate) fn uri(path: &Path) -> Uri {
    let text = path.to_string_lossy().replace('\\', "/");
    let lead = if text.starts_with('/') { "" } else { "/" };
    let uri = Uri::from_str(&format!("file://{lead}{}", percent_encoded_path(&text)));
    uri.expect("a percent-encoded path is a valid path of a URI")
}

#[cfg(test)]
mod tests {
    use super::*;

    // SPEC 17.10
    #[test]
    fn positions_are_counted_in_utf16() {
        let text = "a\n技🎉é\r\nz";
        let position = |text: &str, at: usize| TextLines::new(text, Encoding::Utf16).position(at);
        let offset = |text: &str, at: Position| Encoding::Utf16.offset(text, at);
        for (at, line, character) in
            [(0, 0, 0), (2, 1, 0), (5, 1, 1), (9, 1, 3), (11, 1, 4), (13, 2, 0), (14, 2, 1)]
        {
            let place = Position::new(line, character);
            assert_eq!(position(text, at), place, "{at}");
            assert_eq!(offset(text, place), at);
        }
        assert_eq!(offset(text, Position::new(1, 99)), 11);
        assert_eq!(offset(text, Position::new(9, 0)), text.len());
        // In the protocol a lone carriage return ends a line, also between other line ends.
        assert_eq!(position("a\rb\r\r\nc\r", 2), Position::new(1, 0));
        assert_eq!(position("a\rb\r\r\nc\r", 7), Position::new(3, 1));
        assert_eq!(offset("a\rb\r\r\nc\r", Position::new(4, 7)), 8);
        assert_eq!(offset("a🎉b", Position::new(0, 2)), 5, "within a pair");
        assert_eq!(position("a\r\nb", 2), Position::new(0, 2), "within a line end");
        assert_eq!(
            position("\u{2028}a\u{b}\u{85}b\nc", 9),
            Position::new(1, 0),
            "other characters end no line"
        );
    }

    // SPEC 17.21: converts bytes; a position within a character moves behind it
    #[test]
    fn positions_are_bytes_if_the_client_offers_it() {
        let offered = [PositionEncodingKind::UTF16, PositionEncodingKind::UTF8];
        assert_eq!(Encoding::negotiate(&offered), Encoding::Utf8);
        assert_eq!(Encoding::negotiate(&offered[..1]), Encoding::Utf16);
        let text = "a\n技🎉é\r\nz";
        let offset = |line, character| Encoding::Utf8.offset(text, Position::new(line, character));
        for (at, line, character) in [(0, 0, 0), (2, 1, 0), (5, 1, 3), (9, 1, 7), (11, 1, 9), (14, 2, 1)] {
            assert_eq!(TextLines::new(text, Encoding::Utf8).position(at), Position::new(line, character));
            assert_eq!(offset(line, character), at);
        }
        assert_eq!((offset(1, 4), offset(1, 99), offset(9, 0)), (9, 11, text.len()));
    }

    #[test]
    fn paths_survive_a_round_trip() {
        for text in ["/a b/ä%/c#d.md", "/plain/SKILL.md"] {
            assert_eq!(path(uri(Path::new(text)).as_str()).as_deref(), Some(Path::new(text)));
        }
        assert_eq!(path("untitled:1"), None);
        let (coded, plain) = ("file:///a/b%20c%+5%2B.md", "/a/b c%+5+.md");
        assert_eq!(path(coded).as_deref(), Some(Path::new(plain)), "a sign is not a digit");
    }

    fn edit(from: (u32, u32), to: (u32, u32), text: &str) -> TextDocumentContentChangeEvent {
        let range = LineRange::new(Position::new(from.0, from.1), Position::new(to.0, to.1));
        TextDocumentContentChangeEvent { range: Some(range), range_length: None, text: text.to_owned() }
    }

    // SPEC 17.10
    #[test]
    fn each_edit_sees_the_one_before() {
        let changes = [edit((0, 1), (0, 2), "x\ny"), edit((1, 1), (1, 1), "z"), edit((9, 0), (9, 9), "!")];
        assert_eq!(apply_changes("abc", &changes, Encoding::Utf16), "ax\nyzc!");
        let new = TextDocumentContentChangeEvent { range: None, range_length: None, text: "new".to_owned() };
        assert_eq!(apply_changes("abc", &[new, edit((0, 3), (0, 0), "er")], Encoding::Utf16), "newer");
        assert_eq!(apply_changes("abc", &[], Encoding::Utf16), "abc");
    }

    // SPEC 12.10: 20,000 edits of 2 MB on one line. Searching each position from the start would take 80 GB of steps.
    #[test]
    fn many_edits_do_not_each_copy_the_text() {
        let places = (0..20_000_u32).map(|number| (0, number * 7_919 % 2_000_000));
        let changes: Vec<_> = places.map(|place| edit(place, place, "x")).collect();
        let changed = apply_changes(&"a".repeat(2_000_000), &changes, Encoding::Utf16);
        assert_eq!((changed.len(), changed.matches('x').count()), (2_020_000, 20_000));
    }
}
