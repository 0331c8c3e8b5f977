//! Lays out text for a terminal: tables with aligned columns, lines that are cut, and paragraphs that wrap.

use skills_text::floor;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::look::{Ink, Tone};

/// A cell: its text without control characters, and its colour.
#[derive(Clone, Debug)]
pub struct Cell {
    text: String,
    tone: Tone,
    /// The length of the coloured part of the text.
    painted: usize,
}

/// Creates a cell. Escapes control characters.
pub fn cell(tone: Tone, text: impl AsRef<str>) -> Cell {
    Cell { text: skills_text::visible(text.as_ref()), tone, painted: usize::MAX }
}

/// Creates a cell whose text follows coloured marks.
pub fn marked(tone: Tone, marks: &str, text: impl AsRef<str>) -> Cell {
    let marks = skills_text::visible(marks);
    Cell { painted: marks.len(), text: marks + &skills_text::visible(text.as_ref()), tone }
}

/// How a column is aligned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    Left,
    Right,
}

/// Rows of cells in columns.
#[derive(Clone, Debug)]
pub struct Table {
    aligns: Vec<Align>,
    rows: Vec<Vec<Cell>>,
}

/// The space between two columns.
const GAP: &str = "  ";

impl Table {
    /// Creates an empty table. Columns beyond the given ones are aligned like the last.
    pub fn new(aligns: &[Align]) -> Self {
        Self { aligns: aligns.to_vec(), rows: Vec::new() }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = Cell>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// Returns the width of the widest row.
    pub fn width(&self) -> usize {
        let widths = self.widths();
        widths.iter().sum::<usize>() + GAP.len() * widths.len().saturating_sub(1)
    }

    fn widths(&self) -> Vec<usize> {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or_default();
        let mut widths = vec![0; columns];
        for row in &self.rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = cell.text.width().max(*width);
            }
        }
        widths
    }

    /// Returns the table as text. Each line is cut to `columns` if that is set.
    pub fn text(&self, columns: Option<usize>, ink: Ink) -> String {
        let widths = self.widths();
        let mut out = String::new();
        for row in &self.rows {
            let mut left = columns.unwrap_or(usize::MAX);
            let mut line = String::new();
            // Spaces are added only in front of the next cell, so that a line does not end with spaces.
            let mut blank = 0;
            for (at, (cell, width)) in row.iter().zip(&widths).enumerate() {
                let align = self.aligns.get(at).or(self.aligns.last()).copied().unwrap_or(Align::Left);
                let pad = width.saturating_sub(cell.text.width());
                let gap = if at == 0 { 0 } else { GAP.len() };
                blank += gap + if align == Align::Right { pad } else { 0 };
                if !cell.text.is_empty() && left > 0 {
                    let room = left.saturating_sub(blank);
                    let shown = if room == 0 { String::new() } else { fit(&cell.text, room) };
                    if !shown.is_empty() {
                        line.push_str(&" ".repeat(blank));
                        let (painted, plain) = shown.split_at(floor(&shown, cell.painted));
                        if !painted.is_empty() {
                            line.push_str(&ink.paint(cell.tone, painted));
                        }
                        line.push_str(plain);
                    }
                    left = if shown.len() == cell.text.len() { room - shown.width() } else { 0 };
                    blank = 0;
                }
                blank += if align == Align::Left { pad } else { 0 };
            }
            out.push_str(&line);
            out.push('\n');
        }
        out
    }
}

/// Cuts a line to the columns of a terminal and marks the cut with `…`.
pub fn fit(line: &str, columns: usize) -> String {
    if line.chars().filter_map(UnicodeWidthChar::width).sum::<usize>() <= columns {
        return line.to_owned();
    }
    // One column is reserved for the `…`.
    let mut left = columns.saturating_sub(1);
    let mut head = String::new();
    for c in line.chars() {
        let Some(rest) = left.checked_sub(c.width().unwrap_or(0)) else { break };
        left = rest;
        head.push(c);
    }
    format!("{}…", head.trim_end())
}

/// Breaks a line at the ends of words so that it fits the columns, as [`skills_text::wrap`] does.
pub fn wrap(line: &str, columns: Option<usize>, indent: usize) -> String {
    skills_text::wrap(line, columns, indent, UnicodeWidthStr::width)
}

#[cfg(test)]
mod tests {
    use super::*;

    // SPEC 11.15
    #[test]
    fn a_line_is_cut_to_columns_not_to_characters() {
        assert_eq!(fit("abcdef", 6), "abcdef");
        assert_eq!(fit("abcdef", 5), "abcd…");
        assert_eq!(fit("abc def", 5), "abc…", "no blank before the mark");
        assert_eq!(fit("读写读写", 8), "读写读写");
        assert_eq!(fit("读写读写", 7), "读写读…");
        assert_eq!(fit("读写读写", 6), "读写…", "a wide character is not cut in half");
        assert_eq!(fit("e\u{301}e\u{301}e\u{301}", 3), "e\u{301}e\u{301}e\u{301}", "marks take no column");
        assert_eq!((fit("ab", 1), fit("ab", 0)), ("…".to_owned(), "…".to_owned()));
    }

    // SPEC 11.27: a paragraph breaks at the end of a word, and a long path stays whole
    #[test]
    fn words_are_never_broken() {
        assert_eq!(wrap("a note of words", Some(8), 2), "a note\n  of\n  words");
        assert_eq!(wrap("a note of words", None, 2), "a note of words");
        assert_eq!(wrap("  = help: short words", Some(12), 4), "  = help:\n    short\n    words");
        assert_eq!(wrap("see /a/very/long/path now", Some(10), 0), "see\n/a/very/long/path\nnow");
        assert_eq!(wrap("读写 读写 读写", Some(9), 0), "读写 读写\n读写");
    }

    // SPEC 11.27: numbers are aligned to the right, and a table is cut to the terminal
    #[test]
    fn a_table_is_aligned_and_fits() {
        let mut table = Table::new(&[Align::Left, Align::Right]);
        table.row([cell(Tone::Heading, "skill"), cell(Tone::Heading, "tokens")]);
        table.row([cell(Tone::Name, "pdf"), cell(Tone::Plain, "12")]);
        table.row([cell(Tone::Name, "读写"), cell(Tone::Plain, "")]);
        assert_eq!(table.text(None, Ink::none()), "skill  tokens\npdf        12\n读写\n");
        assert_eq!(table.text(Some(9), Ink::none()), "skill  t…\npdf\n读写\n");
        assert_eq!(table.width(), 13);
    }
}
