//! Source positions. All texts share one space of offsets, so a span is two integers.

use std::ops::Range;
use std::sync::OnceLock;

/// A range of bytes in the offset space of a [`SourceMap`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte; equal to `start` for an empty span.
    pub end: u32,
}

impl Span {
    pub(crate) fn moved(self, distance: u32) -> Self {
        Self { start: self.start.saturating_add(distance), end: self.end.saturating_add(distance) }
    }

    /// Makes a span from its two ends.
    pub fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// Returns the empty span at the start of this one.
    pub fn head(self) -> Self {
        Self { start: self.start, end: self.start }
    }

    /// Returns the span of a byte range of the text of this one.
    pub fn part(self, start: usize, end: usize) -> Self {
        let [start, end] =
            [start, end].map(|offset| self.start.saturating_add(u32::try_from(offset).unwrap_or(u32::MAX)));
        Self { start, end }
    }

    /// Returns the span from the start of this one to the end of `other`.
    pub fn to(self, other: Self) -> Self {
        Self { start: self.start, end: other.end }
    }
}

/// A value with its source position.
#[derive(Clone, Debug)]
pub(crate) struct Spanned<T> {
    pub(crate) value: T,
    pub(crate) span: Span,
}

/// Identifies one file of a [`SourceMap`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(u32);

/// One file for diagnostics: a path, and the text if it has one.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// Path below the root, with `/` between its parts; `.` for the root itself.
    pub path: String,
    /// Whether the path does not begin at the root, as that of a `Cargo.toml` above the skills.
    pub is_elsewhere: bool,
    /// The text; empty for a file that is not a text or was not read.
    pub text: String,
    /// The skill the file belongs to: an index into the skills of the tree.
    pub skill: Option<usize>,
    base: u32,
    /// The number of offsets that are reserved for the file, including the offset after its last byte.
    room: u32,
    /// Created when the first position is computed, because most files have no problems.
    index: OnceLock<LineIndex>,
}

impl SourceFile {
    /// Returns the span of a byte range of the text.
    pub fn span(&self, range: Range<usize>) -> Span {
        Span { start: self.offset(range.start), end: self.offset(range.end) }
    }

    /// Returns the byte range of the text without its byte order mark.
    pub(crate) fn unmarked(&self) -> Range<usize> {
        self.text.len() - skills_text::unmarked(&self.text).len()..self.text.len()
    }

    /// Returns the number of the line that contains an offset, from 1, and the start of its text, after any
    /// byte order mark.
    pub fn line_at(&self, offset: usize) -> (usize, usize) {
        self.index().line(&self.text, offset)
    }

    fn index(&self) -> &LineIndex {
        self.index.get_or_init(|| LineIndex::new(&self.text))
    }

    fn offset(&self, at: usize) -> u32 {
        let at = at.min(self.text.len());
        self.base.saturating_add(u32::try_from(at).unwrap_or(u32::MAX))
    }
}

/// The start or the end of a span in lines and columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line, from 1. Only a line feed ends a line.
    pub line: usize,
    /// The column in characters, from 1. A byte order mark is not counted.
    pub column: usize,
}

/// All files that diagnostics can point into.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    /// The root as the user wrote it, for messages.
    pub root: String,
    files: Vec<SourceFile>,
    /// Whether space is reserved after texts, so that a text can grow without moving the spans of others.
    is_roomy: bool,
    /// Unused files, which can be reused for files with the same path.
    free: Vec<FileId>,
}

impl SourceMap {
    /// Makes an empty map for a root as the user wrote it.
    pub fn new(root: &str) -> Self {
        let root = if root.len() > 1 { root.trim_end_matches('/') } else { root };
        Self { root: root.to_owned(), ..Self::default() }
    }

    /// Makes an empty map in which texts may be replaced; see [`replace`](Self::replace).
    pub(crate) fn roomy(root: &str) -> Self {
        Self { is_roomy: true, ..Self::new(root) }
    }

    /// Adds a file after all files that were added before.
    pub fn add(&mut self, path: String, text: String, skill: Option<usize>) -> FileId {
        if let Some(id) = self.take_again(&path, &text, skill) {
            return id;
        }
        let base = self.files.last().map_or(0, |last| last.base.saturating_add(last.room));
        let room = if self.is_roomy { text.len().saturating_mul(2).saturating_add(1024) } else { text.len() };
        let room = u32::try_from(room).unwrap_or(u32::MAX).saturating_add(1);
        self.files.push(SourceFile {
            path,
            is_elsewhere: false,
            text,
            skill,
            base,
            room,
            index: OnceLock::new(),
        });
        FileId(u32::try_from(self.files.len() - 1).unwrap_or(u32::MAX))
    }

    /// Reuses an unused file with the same path and skill for a text.
    fn take_again(&mut self, path: &str, text: &str, skill: Option<usize>) -> Option<FileId> {
        let at = self.free.iter().position(|id| {
            let file = self.file(*id);
            file.path == path && file.skill == skill && text.len() < file.room as usize
        })?;
        let id = self.free.swap_remove(at);
        self.files.get_mut(id.0 as usize)?.text.push_str(text);
        Some(id)
    }

    /// Replaces the text of a file; returns `false` and changes nothing if there is not enough space.
    pub(crate) fn replace(&mut self, id: FileId, text: &str) -> bool {
        let Some(file) = self.files.get_mut(id.0 as usize) else { return false };
        let fits = text.len() < file.room as usize;
        if fits {
            text.clone_into(&mut file.text);
            file.index = OnceLock::new();
        }
        fits
    }

    /// Marks a file as unused, and returns its text.
    pub(crate) fn free(&mut self, id: FileId) -> String {
        let Some(file) = self.files.get_mut(id.0 as usize) else { return String::new() };
        file.index = OnceLock::new();
        self.free.push(id);
        std::mem::take(&mut file.text)
    }

    /// Cuts the text of a file, at the start of the character at `end`.
    pub(crate) fn cut(&mut self, id: FileId, end: usize) {
        let Some(file) = self.files.get_mut(id.0 as usize) else { return };
        file.index = OnceLock::new();
        file.text.truncate(skills_text::floor(&file.text, end));
        file.text.shrink_to_fit();
    }

    /// Returns `true` if the offsets of all files are still distinct.
    pub(crate) fn is_distinct(&self) -> bool {
        self.files.last().is_none_or(|last| last.base.checked_add(last.room).is_some())
    }

    /// Adds a path without a text and returns the span at its start.
    pub fn add_path(&mut self, path: &str, skill: Option<usize>) -> Span {
        let file = self.add(path.to_owned(), String::new(), skill);
        self.file(file).span(0..0)
    }

    /// Returns all files, in the order they were added.
    pub fn files(&self) -> &[SourceFile] {
        &self.files
    }

    /// Returns the identifiers of all files, in the order they were added.
    pub fn ids(&self) -> impl Iterator<Item = FileId> {
        (0..u32::try_from(self.files.len()).unwrap_or(u32::MAX)).map(FileId)
    }

    /// Returns a file of this map.
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    /// Returns the file that contains a span.
    pub fn file_of(&self, span: Span) -> &SourceFile {
        self.file(self.id_of(span))
    }

    /// Returns the identifier of the file that contains a span.
    pub fn id_of(&self, span: Span) -> FileId {
        let behind = self.files.partition_point(|file| file.base <= span.start);
        FileId(u32::try_from(behind.saturating_sub(1)).unwrap_or(u32::MAX))
    }

    /// Returns the text of a span.
    pub fn text(&self, span: Span) -> &str {
        let file = self.file_of(span);
        file.text.get(self.range(span)).unwrap_or_default()
    }

    /// Returns the byte range of a span in its file.
    pub fn range(&self, span: Span) -> Range<usize> {
        let file = self.file_of(span);
        let start = (span.start - file.base) as usize;
        let end = (span.end.max(span.start) - file.base) as usize;
        start.min(file.text.len())..end.min(file.text.len())
    }

    /// Returns the start and the end of a span.
    pub fn positions(&self, span: Span) -> (Position, Position) {
        let range = self.range(span);
        let file = self.file_of(span);
        let index = file.index();
        (index.position(&file.text, range.start), index.position(&file.text, range.end))
    }

    /// Adds the files of another map. `below` is its root below the root of this map, or `None` if its paths are kept as
    /// they are shown. `skills` is added to the numbers of its skills. Returns the distance by which its spans move.
    pub(crate) fn append(&mut self, other: SourceMap, below: Option<&str>, skills: usize) -> u32 {
        let moved = self.files.last().map_or(0, |last| last.base.saturating_add(last.room));
        let shown: Vec<String> = match below {
            Some(below) => other.files.iter().map(|file| path_at(below, &file.path)).collect(),
            None => other.files.iter().map(|file| other.display_path(file.span(0..0))).collect(),
        };
        for (file, path) in other.files.into_iter().zip(shown) {
            self.files.push(SourceFile {
                path,
                is_elsewhere: below.is_none(),
                skill: file.skill.map(|skill| skill + skills),
                base: file.base.saturating_add(moved),
                ..file
            });
        }
        moved
    }

    /// Returns the path of a span's file, prefixed with the root as the user wrote it.
    pub fn display_path(&self, span: Span) -> String {
        let file = self.file_of(span);
        if file.is_elsewhere { file.path.clone() } else { self.shown(&file.path) }
    }

    /// Returns a path below the root as it is seen from where the command runs.
    pub fn shown(&self, path: &str) -> String {
        match (self.root.as_str(), path) {
            (root, ".") => root.to_owned(),
            ("" | ".", path) => path.to_owned(),
            (root, path) if root.ends_with('/') => format!("{root}{path}"),
            (root, path) => format!("{root}/{path}"),
        }
    }
}

/// Returns the path below a root of a path below another root, which is `below` the first one.
pub(crate) fn path_at(below: &str, path: &str) -> String {
    match (below, path) {
        ("", path) => path.to_owned(),
        (below, ".") => below.to_owned(),
        (below, path) => format!("{below}/{path}"),
    }
}

/// The block size in bytes; characters are counted up to the start of each block.
const BLOCK: usize = 256;

/// The starts of lines, and the number of characters before each block.
#[derive(Clone, Debug, Default)]
struct LineIndex {
    /// The offset of each line except the first.
    lines: Vec<usize>,
    /// The number of characters before each block.
    chars: Vec<usize>,
}

impl LineIndex {
    fn new(text: &str) -> Self {
        let lines = text.match_indices('\n').map(|(at, _)| at + 1).collect();
        let mut before = 0;
        let blocks = text.as_bytes().chunks(BLOCK).map(|block| {
            let here = before;
            before += count(block);
            here
        });
        Self { lines, chars: blocks.collect() }
    }

    /// Returns the position of an offset in the text from which the index was made.
    fn position(&self, text: &str, offset: usize) -> Position {
        let (line, start) = self.line(text, offset);
        let column = self.chars_before(text, offset) - self.chars_before(text, start.min(offset)) + 1;
        Position { line, column }
    }

    /// Returns the line number of an offset, and the start of the line's text.
    fn line(&self, text: &str, offset: usize) -> (usize, usize) {
        let line = self.lines.partition_point(|start| *start <= offset);
        let start = match line.checked_sub(1).and_then(|line| self.lines.get(line)) {
            Some(start) => *start,
            None if text.starts_with('\u{feff}') => '\u{feff}'.len_utf8(),
            None => 0,
        };
        (line + 1, start)
    }

    fn chars_before(&self, text: &str, offset: usize) -> usize {
        let block = offset / BLOCK;
        let whole = self.chars.get(block).copied();
        let from = if whole.is_some() { block * BLOCK } else { (self.chars.len().max(1) - 1) * BLOCK };
        let whole = whole.or(self.chars.last().copied()).unwrap_or(0);
        whole + count(&text.as_bytes()[from..offset])
    }
}

/// Counts the characters that begin in these bytes of a text.
fn count(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte & 0xc0 != 0x80).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str, offset: usize) -> (usize, usize) {
        let mut map = SourceMap::new("skills/");
        map.add("first".into(), "abc".into(), None);
        let id = map.add("second".into(), text.into(), None);
        map.add("third".into(), String::new(), None);
        let span = map.file(id).span(offset..offset);
        assert_eq!(map.display_path(span), "skills/second");
        let (start, end) = map.positions(span);
        assert_eq!(start, end);
        (start.line, start.column)
    }

    #[test]
    fn positions_are_counted_in_characters() {
        assert_eq!(at("", 0), (1, 1), "an empty file");
        assert_eq!(at("a\nb", 0), (1, 1), "the first byte");
        assert_eq!(at("a\nb", 2), (2, 1), "a line start");
        assert_eq!(at("a\nb", 3), (2, 2), "the end of the file");
        assert_eq!(at("a\r\nb", 3), (2, 1), "behind CRLF");
        assert_eq!(at("a\rb", 2), (1, 3), "a lone CR ends no line");
        assert_eq!(at("技能x", 6), (1, 3), "wide characters");
        assert_eq!(at("\u{feff}ab", 4), (1, 2), "a byte order mark");
        assert_eq!(at("\u{feff}ab", 0), (1, 1), "the byte order mark itself");
        assert_eq!(at("\ta", 1), (1, 2), "a tab is one character");
    }

    #[test]
    fn long_lines_and_long_texts_are_counted_across_chunks() {
        let text = format!("{}{}", "ab\n".repeat(1000), "x".repeat(3000));
        for offset in 0..=text.len() {
            let before = &text[..offset];
            let column = before.rsplit('\n').next().map_or(0, str::len) + 1;
            assert_eq!(at(&text, offset), (before.matches('\n').count() + 1, column), "{offset}");
        }
        let text = "技🎉é\n".repeat(200);
        for (offset, _) in text.char_indices().chain([(text.len(), ' ')]) {
            let before = &text[..offset];
            let column = before.rsplit('\n').next().map_or(0, |line| line.chars().count()) + 1;
            assert_eq!(at(&text, offset), (before.matches('\n').count() + 1, column), "{offset}");
        }
    }

    #[test]
    fn a_path_without_text_has_a_place() {
        let mut map = SourceMap::new(".");
        map.add("a".into(), "text".into(), None);
        let span = map.add_path("big.bin", Some(3));
        assert_eq!((map.display_path(span).as_str(), map.file_of(span).skill), ("big.bin", Some(3)));
        assert_eq!(map.text(span), "");
    }
}
