//! The parsed text, its position in the file, and its repairs.

use std::cell::Cell;
use std::ops::Range;

use skills_text::push_yaml_quoted;

use crate::rule::frontmatter as rule;
use crate::{Change, Report, SourceFile, Span};

pub(super) struct YamlText<'a> {
    pub(super) source: &'a SourceFile,
    pub(super) base: usize,
    /// The text as parsed: as long as in the file, with every byte at the same offset.
    pub(super) text: String,
    /// The character that masks a `:` that a plain value may not contain.
    pub(super) mask: Option<char>,
    /// The range of whitespace that was found last, kept to avoid a second search.
    blanks: Cell<(usize, usize)>,
}

impl<'a> YamlText<'a> {
    pub(super) fn new(source: &'a SourceFile, block: Range<usize>) -> Self {
        let base = block.start;
        let text = source.text.get(block).unwrap_or_default().to_owned();
        Self { source, base, text, mask: None, blanks: Cell::default() }
    }

    pub(super) fn span(&self, range: Range<usize>) -> Span {
        self.source.span(self.base + range.start..self.base + range.end)
    }

    /// Returns the text of the file at a byte range.
    pub(super) fn written(&self, range: Range<usize>) -> &str {
        self.source.text.get(self.base + range.start..self.base + range.end).unwrap_or_default()
    }

    /// Returns the start of the whitespace and line ends before an offset.
    pub(super) fn blank_above(&self, at: usize) -> usize {
        let (known_start, known_end) = self.blanks.get();
        let mut start = at;
        while let Some(c) = self.text[..start].chars().next_back().filter(|c| c.is_whitespace()) {
            skills_text::work::count(1);
            start -= c.len_utf8();
            if known_start < start && start <= known_end {
                start = known_start;
            }
        }
        self.blanks.set((start, at));
        start
    }

    /// Puts one ASCII character in place of another.
    pub(super) fn replace(&mut self, at: usize, with: char) {
        self.text.replace_range(at..=at, with.encode_utf8(&mut [0; 4]));
    }

    /// Overwrites a range with spaces, but keeps its line ends.
    pub(super) fn blank(&mut self, range: Range<usize>) {
        let blanks =
            self.text[range.clone()].split_inclusive('\n').fold(String::new(), |mut blanks, line| {
                let content = line.strip_suffix('\n').unwrap_or(line);
                blanks.extend(std::iter::repeat_n(' ', content.len()));
                blanks.push_str(&line[content.len()..]);
                blanks
            });
        self.text.replace_range(range, &blanks);
    }

    /// Joins several lines, because a line end within quotes is read as a space anyway.
    pub(super) fn join_lines(&mut self, range: Range<usize>) {
        let end = range.start + self.text[range.clone()].trim_end().len();
        let ends: Vec<usize> =
            self.text[range.start..end].match_indices(['\n', '\r']).map(|(at, _)| range.start + at).collect();
        ends.into_iter().for_each(|at| self.replace(at, ' '));
    }

    /// Reports and overwrites hidden characters that YAML treats as the end of a line or of the text.
    pub(super) fn blank_controls(&mut self, report: &mut Report) {
        // YAML refuses them, and other rules report them. The replacement has the same byte length.
        if self.text.as_bytes().contains(&0xc2) && self.text.contains(is_control) {
            self.text = self.text.replace(is_control, "\u{a0}");
        }
        if !self.text.contains('\r') && !self.text.contains('\0') {
            return;
        }
        let bytes = self.text.as_bytes();
        let signs = self.text.match_indices(['\r', '\0']).map(|(at, _)| at);
        let lone =
            signs.filter(|at| bytes[*at] == b'\0' || bytes.get(at + 1).is_some_and(|byte| *byte != b'\n'));
        for at in lone.collect::<Vec<usize>>() {
            let cr = self.text.as_bytes()[at] == b'\r';
            let name = if cr { "carriage return" } else { "NUL character" };
            let span = self.span(at..at + 1);
            rule::FRONTMATTER_CONTROL
                .report_at(span, format!("a {name} in the frontmatter"))
                .label(if cr { "this is not a line end" } else { "read as a space" })
                .help("replace it with a space")
                .fix(Change::replace(span, " ").safe_fix())
                .add_to(report);
            self.replace(at, ' ');
        }
    }

    /// Returns a character that is allowed inside any plain value and does not occur in the text.
    pub(super) fn mask(&mut self) -> Option<char> {
        const MASKS: &str = "^~$=;<>_+/ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
        self.mask = self.mask.or_else(|| MASKS.chars().find(|mask| !self.text.contains(*mask)));
        self.mask
    }
}

/// Returns `true` if a character is a C1 control character, except for the line end among them.
fn is_control(c: char) -> bool {
    matches!(c, '\u{80}'..='\u{84}' | '\u{86}'..='\u{9f}')
}

/// Formats a value in double quotes.
pub(super) fn quote(value: &str) -> String {
    let mut quoted = String::new();
    push_yaml_quoted(&mut quoted, value);
    quoted
}

/// Formats a name on one line, whatever it contains.
pub(super) fn shown(name: &str) -> String {
    name.chars().fold(String::new(), |mut shown, c| {
        if c.is_control() {
            shown.extend(c.escape_default());
        } else {
            shown.push(c);
        }
        shown
    })
}
