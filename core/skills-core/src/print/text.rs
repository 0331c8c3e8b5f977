//! Prints a report as text in the style of rustc, for the terminal, for `compile_error!` and for golden
//! files.

use std::ops::Range;

use skills_text::sort;

use super::excerpt::{self, Mark};
pub use super::ink::Style;
use super::ink::{Line, Tone};
use super::{glyph, view};
use crate::diagnostic::Diagnostic;
use crate::report::Report;
use crate::span::{SourceFile, SourceMap, Span};

/// Prints all problems without colours, separated by empty lines; an empty text for an empty report.
pub fn print(report: &Report, sources: &SourceMap) -> String {
    print_styled(report, sources, Style::Plain)
}

/// Prints all problems as [`print()`] does, in a given style.
pub fn print_styled(report: &Report, sources: &SourceMap, style: Style) -> String {
    let mut out = String::new();
    for diagnostic in &report.diagnostics {
        if !out.is_empty() {
            out.push('\n');
        }
        for line in lines(diagnostic, sources, diagnostic.level.as_str()) {
            line.write(style, &mut out);
        }
    }
    out
}

/// Prints one problem without colours and without a final line feed.
pub fn one(diagnostic: &Diagnostic, sources: &SourceMap) -> String {
    plain(lines(diagnostic, sources, diagnostic.level.as_str()))
}

/// Prints one problem as [`one`] does, without its level, because rustc adds `error: ` to the text of
/// `compile_error!`.
pub fn without_level(diagnostic: &Diagnostic, sources: &SourceMap) -> String {
    plain(lines(diagnostic, sources, ""))
}

/// The number of problems from which a report ends with a summary by rule.
const MANY: usize = 50;

/// Summarizes a report with more than 50 problems: a line for each rule, the most frequent first; an empty text
/// for any other report.
pub fn by_rule(report: &Report) -> String {
    if report.diagnostics.len() <= MANY {
        return String::new();
    }
    let mut counts: Vec<(usize, &str)> = Vec::new();
    for diagnostic in &report.diagnostics {
        match counts.iter_mut().find(|(_, code)| *code == diagnostic.rule.code) {
            Some((count, _)) => *count += 1,
            None => counts.push((1, diagnostic.rule.code)),
        }
    }
    sort(&mut counts, &|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(b.1)));
    counts.iter().fold("\n".to_owned(), |text, (count, code)| text + &format!("{count:>6}  {code}\n"))
}

fn plain(lines: Vec<Line>) -> String {
    let mut out = String::new();
    for line in lines {
        line.write(Style::Plain, &mut out);
    }
    out.truncate(out.trim_end_matches('\n').len());
    out
}

/// Draws a problem; `word` precedes its code.
fn lines(diagnostic: &Diagnostic, sources: &SourceMap, word: &str) -> Vec<Line> {
    let level = Tone::Primary(diagnostic.level);
    let title = glyph::visible(&diagnostic.title);
    let mut lines = vec![
        Line::of(level, &format!("{word}[skills::{}]", diagnostic.rule.code))
            .and(Tone::Strong, &format!(": {title}")),
    ];

    let blocks = blocks(diagnostic, sources);
    let gutter = blocks.iter().map(|block| block.last_line().to_string().len()).max().unwrap_or(1);
    for (nth, block) in blocks.iter().enumerate() {
        if nth > 0 && block.has_excerpt() {
            lines.push(excerpt::bar(gutter));
        }
        let arrow = if nth == 0 { "-->" } else { ":::" };
        let (position, _) = sources.positions(block.span);
        let path = glyph::visible(&sources.display_path(block.span));
        lines.push(
            Line::of(Tone::Gutter, &format!("{:gutter$} {arrow} ", ""))
                .and(Tone::Plain, &format!("{path}:{}:{}", position.line, position.column)),
        );
        match block.shape {
            Shape::Lines => lines.extend(excerpt::draw_lines(block.file, &block.marks, gutter)),
            Shape::Span => {
                for mark in &block.marks {
                    lines.extend(excerpt::draw_block(block.file, mark, gutter));
                }
            }
            Shape::Bare => {
                for mark in &block.marks {
                    note("note", mark.label, gutter, &mut lines);
                }
            }
        }
    }
    note("help", &diagnostic.help, gutter, &mut lines);
    lines
}

/// Adds a note below the excerpt, with its further lines aligned with the first.
fn note(word: &str, text: &str, gutter: usize, lines: &mut Vec<Line>) {
    for (nth, part) in text.lines().enumerate() {
        let line = if nth == 0 {
            let line = Line::of(Tone::Gutter, &format!("{:gutter$}  = ", "")).and(Tone::Strong, word);
            line.and(Tone::Plain, ": ")
        } else {
            Line::of(Tone::Plain, &" ".repeat(gutter + word.len() + 6))
        };
        lines.push(line.and(Tone::Plain, &glyph::visible(part)));
    }
}

/// Marks shown below one arrow.
struct Block<'a> {
    span: Span,
    file: &'a SourceFile,
    marks: Vec<Mark<'a>>,
    shape: Shape,
}

/// The layout of the marks of a block.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// Each on its line.
    Lines,
    /// One mark over several lines.
    Span,
    /// Without text, as notes.
    Bare,
}

impl Block<'_> {
    fn has_excerpt(&self) -> bool {
        self.shape != Shape::Bare
    }

    /// Returns the largest line number shown.
    fn last_line(&self) -> usize {
        let last = |mark: &Mark<'_>| excerpt::rows(self.file, &mark.range).1.number;
        self.marks.iter().map(last).max().unwrap_or(1)
    }
}

/// Groups the places of a problem: one block for the file of the problem, one for each other place.
fn blocks<'a>(diagnostic: &'a Diagnostic, sources: &'a SourceMap) -> Vec<Block<'a>> {
    let mut blocks =
        vec![block(diagnostic.span, &diagnostic.label, Tone::Primary(diagnostic.level), sources)];
    for related in &diagnostic.related {
        let new = block(related.span, &related.label, Tone::Secondary, sources);
        match blocks.iter_mut().find(|block| joins(block, &new)) {
            Some(block) => block.marks.extend(new.marks),
            None => blocks.push(new),
        }
    }
    blocks
}

fn block<'a>(span: Span, label: &'a str, tone: Tone, sources: &'a SourceMap) -> Block<'a> {
    let file = sources.file_of(span);
    let text = file.text.as_str();
    let range = view::whole(text, sources.range(span));
    let shape = if text.is_empty() {
        Shape::Bare
    } else {
        let (first, last) = excerpt::rows(file, &range);
        if first.number == last.number { Shape::Lines } else { Shape::Span }
    };
    Block { span, file, marks: vec![Mark { range, label, tone }], shape }
}

/// Returns `true` if a place can be shown in a block: in the same file, and near enough if on the same line.
fn joins(block: &Block<'_>, new: &Block<'_>) -> bool {
    let is_same_file = std::ptr::eq(block.file, new.file);
    if !is_same_file || block.shape != Shape::Lines || new.shape != Shape::Lines {
        return false;
    }
    new.marks.iter().all(|mark| {
        let row = excerpt::row(new.file, mark.range.start);
        let on_row = |other: &&Mark<'_>| excerpt::row(block.file, other.range.start) == row;
        let mut ranges: Vec<Range<usize>> =
            block.marks.iter().filter(on_row).map(|other| other.range.clone()).collect();
        ranges.push(mark.range.clone());
        ranges.len() == 1 || view::fits(&new.file.text, row.range, &ranges)
    })
}
