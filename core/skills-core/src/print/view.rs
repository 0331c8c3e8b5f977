//! Converts one line of a source to its shown form: escaped, and cut to a window around its marks.

use std::ops::Range;

use super::{columns, columns_of};

/// The maximum number of columns shown of a source line if the width of the terminal is unknown.
pub(super) const LIMIT: usize = 120;
/// The minimum number of columns around a mark in a long line, if the terminal has room.
const MARGIN: usize = 20;

/// A line in its shown form.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct View {
    /// The text, with `…` where it was cut.
    pub(super) text: String,
    /// The columns of each mark, from 0; never empty.
    pub(super) marks: Vec<Range<usize>>,
}

/// Shows at most `limit` columns of a line with marks; all byte ranges must be on character boundaries. The work is
/// bounded by the shown part, however long the line is.
pub(super) fn view(text: &str, line: Range<usize>, marks: &[Range<usize>], limit: usize) -> View {
    let window = window(text, &line, marks, limit);
    let mut shown = String::new();
    let mut column = 0;
    if window.start > line.start {
        shown.push('…');
        column += 1;
    }
    // The start of each character, and the end of the shown part.
    let mut columns: Vec<(usize, usize)> = Vec::new();
    for (at, c) in text[window.clone()].char_indices() {
        columns.push((window.start + at, column));
        // A joiner would combine several characters into one glyph, whose width only the terminal knows.
        if c != '\u{200d}' {
            skills_text::push_visible(&mut shown, c);
            column += columns_of(c);
        }
    }
    if window.end < line.end {
        shown.push('…');
    }
    let mut places = Vec::new();
    for mark in marks {
        let [mut from, to] = [mark.start, mark.end].map(|offset| {
            let before = columns.partition_point(|(at, _)| *at < offset);
            columns.get(before).map_or(column, |(_, column)| *column)
        });
        // A mark on a character without width is shown below the character before it.
        if to <= from && !mark.is_empty() && mark.start < window.end {
            from = from.saturating_sub(1);
        }
        places.push(from..to.max(from + 1));
    }
    View { marks: places, text: shown }
}

/// Returns `true` if marks on one line are near enough to be shown together.
pub(super) fn fits(text: &str, line: Range<usize>, marks: &[Range<usize>], limit: usize) -> bool {
    let window = window(text, &line, marks, limit);
    marks.iter().all(|mark| mark.start >= window.start && mark.end <= window.end)
}

/// Returns the byte range to show: the whole line if it is short.
fn window(text: &str, line: &Range<usize>, marks: &[Range<usize>], limit: usize) -> Range<usize> {
    let whole = forward(text, line.start, line.end, limit);
    if whole == line.end {
        return line.clone();
    }
    let first = marks.iter().map(|mark| mark.start).min().unwrap_or(line.start);
    let first = first.clamp(line.start, line.end);
    let last = marks.iter().map(|mark| mark.end).max().unwrap_or(first).clamp(first, line.end);
    let marked = columns(&text[first..forward(text, first, last, limit)]);
    let before = (limit.saturating_sub(marked) / 2).max(MARGIN.min(limit / 4));
    let start = backward(text, first, line.start, before);
    let end = forward(text, start, line.end, limit);
    if end < line.end {
        return start..end;
    }
    backward(text, line.end, line.start, limit).min(start)..line.end
}

/// Returns the offset that is `room` columns after `from`, at most `to`.
fn forward(text: &str, from: usize, to: usize, room: usize) -> usize {
    let mut left = room;
    for (at, c) in text[from..].char_indices() {
        let width = columns_of(c);
        if from + at >= to || width > left {
            return from + at;
        }
        left -= width;
    }
    text.len()
}

/// Returns the offset that is `room` columns before `from`, at least `to`.
fn backward(text: &str, from: usize, to: usize, room: usize) -> usize {
    let mut left = room;
    let mut start = from;
    for (at, c) in text[to..from].char_indices().rev() {
        let width = columns_of(c);
        if width > left {
            break;
        }
        left -= width;
        start = to + at;
    }
    start
}

/// Widens a range to whole characters.
pub(super) fn whole(text: &str, range: Range<usize>) -> Range<usize> {
    let (mut start, mut end) = (range.start, range.end.min(text.len()));
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    while !text.is_char_boundary(end) {
        end += 1;
    }
    start..end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, mark: Range<usize>) -> (String, Range<usize>) {
        let view = view(text, 0..text.len(), &[mark], LIMIT);
        (view.text, view.marks[0].clone())
    }

    #[test]
    fn marks_are_counted_in_columns() {
        assert_eq!(shown("ab", 1..2), ("ab".into(), 1..2));
        assert_eq!(shown("", 0..0), (String::new(), 0..1), "an empty line");
        assert_eq!(shown("ab", 2..2), ("ab".into(), 2..3), "the end of a line");
        assert_eq!(shown("\tb", 1..2), ("    b".into(), 4..5), "a tab");
        assert_eq!(shown("技能x", 3..6), ("技能x".into(), 2..4), "wide characters");
        assert_eq!(shown("e\u{301}x", 1..3), ("e\u{301}x".into(), 0..1), "a combining mark");
        assert_eq!(shown("a\u{202e}b", 1..4), ("a\\u{202e}b".into(), 1..9), "a bidi override");
        assert_eq!(shown("👩\u{200d}🔬x", 11..12), ("👩🔬x".into(), 4..5), "a joined emoji");
    }

    #[test]
    fn a_long_line_is_windowed_around_its_mark() {
        let line = format!("{}NAME{}", "a".repeat(500), "b".repeat(500));
        let (text, mark) = shown(&line, 500..504);
        assert_eq!(&text.chars().collect::<String>().replace('…', ".")[mark], "NAME");
        assert!(text.starts_with('…') && text.ends_with('…'));
        assert_eq!(text.chars().count(), LIMIT + 2);

        let (text, mark) = shown(&line, 0..1);
        assert!(text.starts_with('a') && text.ends_with('…') && mark == (0..1));
        let (text, mark) = shown(&line, 1004..1004);
        assert!(text.starts_with('…') && text.ends_with('b') && mark == (121..122), "{mark:?}");
        let (text, mark) = shown(&line, 100..900);
        assert_eq!(mark, 21..121, "a mark longer than the window is cut: {text}");
    }

    #[test]
    fn a_range_inside_a_character_covers_the_character() {
        assert_eq!(whole("a技b", 2..3), 1..4);
        assert_eq!(whole("a技b", 1..1), 1..1);
        assert_eq!(whole("a技", 4..4), 4..4);
    }

    #[test]
    fn marks_far_apart_do_not_fit_together() {
        let line = "a".repeat(500);
        assert!(fits(&line, 0..500, &[200..201, 270..271], LIMIT));
        assert!(!fits(&line, 0..500, &[10..11, 490..491], LIMIT));
        assert!(fits(&line[..100], 0..100, &[0..1, 99..100], LIMIT));
    }
}
