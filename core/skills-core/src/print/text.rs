//! Prints a report in the style of rustc, for the terminal, `compile_error!` and golden files.

use skills_text::sort;

use super::excerpt::{self, ExcerptMark, Frame};
pub use super::ink::Style;
use super::ink::{InkLine, Tone};
use super::{view, visible, wrap};
use crate::{Diagnostic, Report, SourceFile, SourceMap, Span};

/// How a report is printed: by default without colours, for any width.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReportLayout {
    /// Whether the report has colours.
    pub style: Style,
    /// The width of the terminal. If it is known, titles, labels and help wrap at the ends of words, and
    /// excerpts fit it. Otherwise lines do not wrap, and at most 120 columns of a source line are shown.
    pub columns: Option<usize>,
    /// Returns `true` for a problem that is marked with `[*]`, because a fix can be applied.
    pub is_fixable: Option<fn(&Diagnostic, &SourceMap) -> bool>,
}

/// Prints all problems without colours, separated by empty lines; an empty text for an empty report.
pub fn print(report: &Report, sources: &SourceMap) -> String {
    print_styled(report, sources, ReportLayout::default())
}

/// Prints all problems as [`print()`] does, in a given layout.
pub fn print_styled(report: &Report, sources: &SourceMap, layout: ReportLayout) -> String {
    let mut out = String::new();
    for diagnostic in &report.diagnostics {
        if !out.is_empty() {
            out.push('\n');
        }
        for line in lines(diagnostic, sources, diagnostic.level.as_str(), layout) {
            line.write(layout.style, &mut out);
        }
    }
    out
}

/// Prints one problem without colours and without a final line feed.
pub fn print_diagnostic(diagnostic: &Diagnostic, sources: &SourceMap) -> String {
    plain(lines(diagnostic, sources, diagnostic.level.as_str(), ReportLayout::default()))
}

/// Prints one problem without its level, because rustc adds `error: ` to the text of `compile_error!`.
pub fn without_level(diagnostic: &Diagnostic, sources: &SourceMap) -> String {
    plain(lines(diagnostic, sources, "", ReportLayout::default()))
}

/// A report with more problems than this ends with a summary by rule.
const SUMMARY_MIN: usize = 50;

/// Summarizes a report with more than 50 problems by rule; any other report gives an empty text.
pub fn by_rule(report: &Report) -> String {
    if report.diagnostics.len() <= SUMMARY_MIN {
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

fn plain(lines: Vec<InkLine>) -> String {
    let mut out = String::new();
    for line in lines {
        line.write(Style::Plain, &mut out);
    }
    out.truncate(out.trim_end_matches('\n').len());
    out
}

/// Draws a problem; `word` precedes its code.
fn lines(diagnostic: &Diagnostic, sources: &SourceMap, word: &str, layout: ReportLayout) -> Vec<InkLine> {
    let columns = layout.columns;
    let mut lines = Vec::new();
    let level = Tone::Primary(diagnostic.level);
    let head = format!("{word}[skills::{}]", diagnostic.rule.code);
    let is_fixable = layout.is_fixable.is_some_and(|is_fixable| is_fixable(diagnostic, sources));
    let mark = if is_fixable { "[*] " } else { "" };
    let title = format!("{head}: {mark}{}", visible(&diagnostic.title));
    for (nth, part) in wrap(&title, columns, 4).split('\n').enumerate() {
        lines.push(match part.strip_prefix(&head).filter(|_| nth == 0) {
            Some(rest) => InkLine::with_text(level, &head).and(Tone::Strong, rest),
            None => InkLine::with_text(Tone::Strong, part),
        });
    }

    let places = places(diagnostic, sources);
    let numbers = places
        .iter()
        .flat_map(|place| place.marks.iter().map(|mark| excerpt::rows(place.file, &mark.range).1.number));
    let gutter = numbers.max().unwrap_or(1).to_string().len();
    let frame = Frame { gutter, columns };
    let blocks = blocks(places, frame);
    for (nth, block) in blocks.iter().enumerate() {
        if nth > 0 && block.shape != Shape::Bare {
            lines.push(excerpt::bar(gutter));
        }
        let arrow = if nth == 0 { "-->" } else { ":::" };
        let (position, _) = sources.positions(block.span);
        let path = visible(&sources.display_path(block.span));
        lines.push(
            InkLine::with_text(Tone::Gutter, &format!("{:gutter$} {arrow} ", ""))
                .and(Tone::Plain, &format!("{path}:{}:{}", position.line, position.column)),
        );
        match block.shape {
            Shape::Lines => lines.extend(excerpt::draw_lines(block.file, &block.marks, frame)),
            Shape::Span => {
                lines
                    .extend(block.marks.iter().flat_map(|mark| excerpt::draw_block(block.file, mark, frame)));
            }
            Shape::Bare => block.marks.iter().for_each(|mark| note("note", mark.label, frame, &mut lines)),
        }
    }
    note("help", &diagnostic.help, frame, &mut lines);
    lines
}

/// Adds a note below the excerpt, with its further lines aligned with the first.
fn note(word: &str, text: &str, frame: Frame, lines: &mut Vec<InkLine>) {
    let indent = frame.gutter + word.len() + 6;
    let columns = frame.columns.map(|columns| columns.saturating_sub(indent));
    let mut head = InkLine::with_text(Tone::Gutter, &format!("{:1$}  = ", "", frame.gutter))
        .and(Tone::Strong, word)
        .and(Tone::Plain, ": ");
    for part in text.lines() {
        // Indented lines are examples, which do not wrap.
        let columns = columns.filter(|_| !part.starts_with(' '));
        for part in wrap(&visible(part), columns, 0).split('\n') {
            lines.push(head.and(Tone::Plain, part));
            head = InkLine::with_text(Tone::Plain, &" ".repeat(indent));
        }
    }
}

/// Marks shown below one arrow.
struct Block<'a> {
    span: Span,
    file: &'a SourceFile,
    marks: Vec<ExcerptMark<'a>>,
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

/// Returns the places of a problem, each as a block.
fn places<'a>(diagnostic: &'a Diagnostic, sources: &'a SourceMap) -> Vec<Block<'a>> {
    let own = block(diagnostic.span, &diagnostic.label, Tone::Primary(diagnostic.level), sources);
    let related = diagnostic.related.iter();
    let related = related.map(|place| block(place.span, &place.label, Tone::Secondary, sources));
    std::iter::once(own).chain(related).collect()
}

/// Groups places: one block for the file of the problem, one for each other place.
fn blocks(places: Vec<Block<'_>>, frame: Frame) -> Vec<Block<'_>> {
    let mut blocks: Vec<Block<'_>> = Vec::new();
    for new in places {
        match blocks.iter_mut().find(|block| joins(block, &new, frame)) {
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
    Block { span, file, marks: vec![ExcerptMark { range, label, tone }], shape }
}

/// Returns `true` if a place can be shown in a block: in the same file, and near enough if on the same line.
fn joins(block: &Block<'_>, new: &Block<'_>, frame: Frame) -> bool {
    let is_same_file = std::ptr::eq(block.file, new.file);
    if !is_same_file || block.shape != Shape::Lines || new.shape != Shape::Lines {
        return false;
    }
    new.marks.iter().all(|mark| {
        let row = excerpt::row(new.file, mark.range.start);
        let others = block.marks.iter().filter(|other| excerpt::row(block.file, other.range.start) == row);
        let mut ranges: Vec<_> = others.map(|other| other.range.clone()).collect();
        ranges.push(mark.range.clone());
        ranges.len() == 1 || view::fits(&new.file.text, row.range, &ranges, frame.limit())
    })
}
