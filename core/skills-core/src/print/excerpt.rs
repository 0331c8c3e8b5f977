//! Draws marks on one file as source excerpts in the style of rustc. Used by the text printer.

use std::ops::Range;

use skills_text::sort;

use super::ink::{InkLine, Tone};
use super::view::{self, View};
use super::{columns, visible, wrap};
use crate::SourceFile;

#[derive(Clone, Debug)]
pub(super) struct ExcerptMark<'a> {
    /// Its range, in bytes of the text.
    pub(super) range: Range<usize>,
    pub(super) label: &'a str,
    /// `Primary` for the place itself, `Secondary` for a related place.
    pub(super) tone: Tone,
}

/// The space for an excerpt.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    /// The width of the line numbers.
    pub(super) gutter: usize,
    pub(super) columns: Option<usize>,
}

impl Frame {
    /// Returns the number of columns to the right of the line numbers.
    fn room(self) -> usize {
        self.columns.map_or(usize::MAX, |columns| columns.saturating_sub(self.gutter + 4).max(NARROW))
    }

    /// Returns the maximum number of columns shown of a source line. Five columns are reserved: for a `…` on
    /// both sides, for the bar beside the lines of a mark, and for its pointer.
    pub(super) fn limit(self) -> usize {
        if self.columns.is_some() { self.room() - 5 } else { view::LIMIT }
    }
}

/// The minimum number of columns: a narrower terminal is treated as if it had this many.
const NARROW: usize = 20;

/// The number of columns that a long label needs beside its mark. With fewer columns beside the mark, it starts
/// further to the left, and takes at most twice this number of columns.
const LABEL: usize = 30;

/// A longer mark is shown by its first [`HEAD`] and its last [`TAIL`] lines.
const MAX_LINES: usize = 6;
const HEAD: usize = 3;
const TAIL: usize = 2;

/// One line of a text: its number from 1, and its bytes without line end and byte order mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) number: usize,
    pub(super) range: Range<usize>,
}

/// Returns the line that contains an offset.
pub(super) fn row(file: &SourceFile, offset: usize) -> Row {
    let (number, start) = file.line_at(offset.min(file.text.len()));
    row_at(&file.text, number, start)
}

fn row_at(text: &str, number: usize, start: usize) -> Row {
    let rest = text.get(start..).unwrap_or_default();
    let line = rest.find('\n').map_or(rest, |end| rest[..end].strip_suffix('\r').unwrap_or(&rest[..end]));
    Row { number, range: start..start + line.len() }
}

fn below(text: &str, row: &Row) -> Row {
    let feed = text[row.range.end..].find('\n').map_or(text.len(), |at| row.range.end + at + 1);
    row_at(text, row.number + 1, feed)
}

/// Returns the first and the last line of a range. A line feed belongs to the line that it ends.
pub(super) fn rows(file: &SourceFile, range: &Range<usize>) -> (Row, Row) {
    let first = row(file, range.start);
    let end = if range.end > range.start && file.text.as_bytes().get(range.end - 1) == Some(&b'\n') {
        range.end - 1
    } else {
        range.end
    };
    let last = if end <= first.range.end { first.clone() } else { row(file, end) };
    (first, last)
}

/// Draws marks that each lie on one line.
pub(super) fn draw_lines(file: &SourceFile, marks: &[ExcerptMark<'_>], frame: Frame) -> Vec<InkLine> {
    let text = file.text.as_str();
    let mut placed: Vec<_> = marks.iter().map(|mark| (row(file, mark.range.start), mark)).collect();
    sort(&mut placed, &|(a, _), (b, _)| a.number.cmp(&b.number));
    let gutter = frame.gutter;
    let mut lines = vec![bar(gutter)];
    let mut shown: Option<Row> = None;
    for group in placed.chunk_by(|(a, _), (b, _)| a.number == b.number) {
        let Some((row, _)) = group.first() else { continue };
        if let Some(last) = shown {
            match row.number - last.number {
                1 => {}
                2 => {
                    let between = below(text, &last);
                    let source = view::view(text, between.range.clone(), &[], frame.limit()).text;
                    lines.push(numbered(between.number, gutter).and(Tone::Plain, &source));
                }
                _ => lines.push(InkLine::with_text(Tone::Gutter, "...")),
            }
        }
        let ranges: Vec<Range<usize>> = group.iter().map(|(_, mark)| mark.range.clone()).collect();
        let View { text: source, marks: columns } =
            view::view(text, row.range.clone(), &ranges, frame.limit());
        lines.push(numbered(row.number, gutter).and(Tone::Plain, &source));
        let spots = columns.into_iter().zip(group).map(|(columns, (_, mark))| Spot { columns, mark });
        draw_spots(spots.collect(), frame, &mut lines);
        shown = Some(row.clone());
    }
    lines
}

/// A mark as columns.
struct Spot<'a> {
    columns: Range<usize>,
    mark: &'a ExcerptMark<'a>,
}

impl Spot<'_> {
    fn is_primary(&self) -> bool {
        self.mark.tone != Tone::Secondary
    }
}

/// Draws the marks below their line: only the rightmost label is beside its mark.
fn draw_spots(mut spots: Vec<Spot<'_>>, frame: Frame, lines: &mut Vec<InkLine>) {
    sort(&mut spots, &|a, b| (a.columns.start, a.is_primary()).cmp(&(b.columns.start, b.is_primary())));
    let mut cells = Cells::default();
    for spot in spots.iter().filter(|spot| !spot.is_primary()) {
        cells.fill(spot.columns.clone(), '-', spot.mark.tone);
    }
    for spot in spots.iter().filter(|spot| spot.is_primary()) {
        cells.fill(spot.columns.clone(), '^', spot.mark.tone);
    }
    let mut hung: Vec<&Spot<'_>> = spots.iter().filter(|spot| !spot.mark.label.is_empty()).collect();
    let beside = hung.pop_if(|last| {
        let others = spots.iter().filter(|spot| !std::ptr::eq(*spot, *last));
        others.clone().all(|spot| spot.columns.end <= last.columns.start)
    });
    match beside {
        Some(spot) => label(cells, spot.columns.end + 1, spot.mark, frame, lines),
        None => lines.push(cells.line(frame.gutter)),
    }
    if !hung.is_empty() {
        lines.push(hangers(&hung).line(frame.gutter));
    }
    while let Some(spot) = hung.pop() {
        let column = spot.columns.start;
        let left: Vec<_> = hung.iter().filter(|other| other.columns.start < column).copied().collect();
        label(hangers(&left), column, spot.mark, frame, lines);
    }
}

fn hangers(spots: &[&Spot<'_>]) -> Cells {
    let mut cells = Cells::default();
    for spot in spots {
        cells.fill(spot.columns.start..spot.columns.start + 1, '|', spot.mark.tone);
    }
    cells
}

/// Writes a label after cells, or further to the left below them if it does not fit.
fn label(cells: Cells, column: usize, mark: &ExcerptMark<'_>, frame: Frame, lines: &mut Vec<InkLine>) {
    let room = frame.room();
    let width = mark.label.split('\n').map(columns).max().unwrap_or(0);
    let (mut cells, mut column) = (Some(cells), column);
    if width > 0 && column + width.min(LABEL) > room {
        column = room.saturating_sub(width.min(2 * LABEL));
        if let Some(marks) = cells.take_if(|cells| cells.0.len() >= column) {
            lines.push(marks.line(frame.gutter));
        }
    }
    for part in mark.label.split('\n') {
        for part in wrap(&visible(part), Some(room.saturating_sub(column)), 0).split('\n') {
            let mut cells = cells.take().unwrap_or_default();
            cells.fill(column..column, ' ', Tone::Plain);
            lines.push(cells.line(frame.gutter).and(mark.tone, part));
        }
    }
}

/// Draws a mark that spans several lines.
pub(super) fn draw_block(file: &SourceFile, mark: &ExcerptMark<'_>, frame: Frame) -> Vec<InkLine> {
    let text = file.text.as_str();
    let (first, last) = rows(file, &mark.range);
    let count = last.number - first.number + 1;
    let gutter = frame.gutter;
    let mut lines = vec![bar(gutter)];

    let start = mark.range.start..mark.range.start;
    let View { text: source, marks } = view::view(text, first.range.clone(), &[start], frame.limit());
    let column = marks.first().map_or(0, |mark| mark.start);
    let before = text.get(first.range.start..mark.range.start).unwrap_or_default();
    if before.trim().is_empty() && !source.starts_with('…') {
        lines.push(numbered(first.number, gutter).and(mark.tone, "/ ").and(Tone::Plain, &source));
    } else {
        lines.push(numbered(first.number, gutter).and(Tone::Plain, &format!("  {source}")));
        lines.push(bar(gutter).and(mark.tone, &format!("  {}{}", "_".repeat(column + 1), pointer(mark))));
    }

    let mut row = first;
    for nth in 1..count.saturating_sub(1) {
        row = below(text, &row);
        if count <= MAX_LINES || nth < HEAD || nth + TAIL >= count {
            let source = view::view(text, row.range.clone(), &[], frame.limit()).text;
            lines.push(numbered(row.number, gutter).and(mark.tone, "| ").and(Tone::Plain, &source));
        } else if nth == HEAD {
            lines.push(
                InkLine::with_text(Tone::Gutter, &format!("{:<1$}", "...", gutter + 4)).and(mark.tone, "|"),
            );
        }
    }

    let end = mark.range.end.min(last.range.end);
    let at =
        text[last.range.start..end].char_indices().next_back().map_or(end, |(at, _)| last.range.start + at);
    let tail = at..end;
    let View { text: source, marks } = view::view(text, last.range.clone(), &[tail], frame.limit());
    let column = marks.first().map_or(0, |mark| mark.end.saturating_sub(1));
    lines.push(numbered(last.number, gutter).and(mark.tone, "| ").and(Tone::Plain, &source));
    let mut cells = Cells::default();
    cells.fill(0..1, '|', mark.tone);
    cells.fill(1..column + 2, '_', mark.tone);
    cells.fill(column + 2..column + 3, pointer(mark), mark.tone);
    label(cells, column + 4, mark, frame, &mut lines);
    lines
}

fn pointer(mark: &ExcerptMark<'_>) -> char {
    if mark.tone == Tone::Secondary { '-' } else { '^' }
}

/// Returns the start of a line without a number.
pub(super) fn bar(gutter: usize) -> InkLine {
    InkLine::with_text(Tone::Gutter, &format!("{:gutter$}  |", ""))
}

fn numbered(number: usize, gutter: usize) -> InkLine {
    InkLine::with_text(Tone::Gutter, &format!(" {number:>gutter$} |")).and(Tone::Plain, " ")
}

/// A line of marks, column by column.
#[derive(Default)]
struct Cells(Vec<(Tone, char)>);

impl Cells {
    /// Fills columns, and any gap before them with spaces.
    fn fill(&mut self, columns: Range<usize>, with: char, tone: Tone) {
        let reach = self.0.len().max(columns.end);
        self.0.resize(reach, (Tone::Plain, ' '));
        self.0[columns].fill((tone, with));
    }

    fn line(self, gutter: usize) -> InkLine {
        let line = bar(gutter).and(Tone::Plain, " ");
        self.0.into_iter().fold(line, |line, (tone, cell)| line.and(tone, cell.encode_utf8(&mut [0; 4])))
    }
}
