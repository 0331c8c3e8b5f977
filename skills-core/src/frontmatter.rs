//! The text of a `SKILL.md` becomes a [`Document`]: marker lines, dialect, block and body. `parse` calls it.

use std::ops::Range;

use crate::cause;
use crate::diagnostic::Diagnostic;
use crate::document::{Dialect, Document, Frontmatter};
use crate::edit::{Change, Fix};
use crate::report::Report;
use crate::rule::frontmatter as rule;
use crate::span::{FileId, SourceFile, SourceMap};
use crate::tree::{Node, Value, toml, yaml};

const MARKER: &str = "---";
const BLANKS: [char; 3] = [' ', '\t', '\r'];

/// Splits a `SKILL.md` and parses its frontmatter (SPEC 2.1, 2.2, 2.3, 2.8).
///
/// A first line `---`, `---yaml` or `---toml` opens the frontmatter and a line `---` closes it; blanks may follow
/// on both lines, and stand before the tag, whose letter case does not matter. Whatever is wrong is reported, and
/// what can be understood in spite of it is in the tree.
pub fn split(file: FileId, sources: &SourceMap, report: &mut Report) -> Document {
    let source = sources.file(file);
    let text = source.text.as_str();
    let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let first = Line::at(text, start);
    if cause::conflict(source, report) {
        let body = source.span(text.len()..text.len());
        let frontmatter = Some(broken(source, Dialect::Yaml, start..text.len()));
        return Document { file, frontmatter, misplaced: false, garbled: false, body };
    }
    let garbled = cause::garbled(source, sources, report);
    let mut misplaced = false;
    let (frontmatter, body) = match opening(first.text(text)) {
        Opening::None if ends_in_carriage_return(first.text(text)) => {
            report.push(carriage_returns(source, &first));
            (Some(broken(source, Dialect::Yaml, start..text.len())), text.len())
        }
        Opening::None => {
            let advice = advice(source, &first);
            misplaced = advice.is_some();
            advice.into_iter().for_each(|advice| report.push(advice));
            (None, start)
        }
        Opening::Tag(tag) => enclosed(source, &first, tag, report),
    };
    let body = skip_blank_lines(text, body);
    Document { file, frontmatter, misplaced, garbled, body: source.span(body..text.len()) }
}

/// One line: where it starts, where its text ends, where the next one starts.
struct Line {
    start: usize,
    end: usize,
    next: usize,
}

impl Line {
    fn at(text: &str, start: usize) -> Self {
        match text[start..].find('\n') {
            Some(length) => Self { start, end: start + length, next: start + length + 1 },
            None => Self { start, end: text.len(), next: text.len() },
        }
    }

    fn text<'a>(&self, text: &'a str) -> &'a str {
        text[self.start..self.end].trim_end_matches(BLANKS)
    }

    fn range(&self, text: &str) -> Range<usize> {
        self.start..self.start + self.text(text).len()
    }
}

enum Opening<'a> {
    None,
    Tag(&'a str),
}

fn opening(line: &str) -> Opening<'_> {
    let Some(rest) = line.strip_prefix(MARKER) else { return Opening::None };
    let tag = rest.trim_start_matches([' ', '\t']);
    let word = |tag: &str| {
        tag.starts_with(|c: char| c.is_ascii_alphabetic())
            && tag.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-._/".contains(&byte))
    };
    if tag.is_empty() || word(tag) { Opening::Tag(tag) } else { Opening::None }
}

fn enclosed(
    source: &SourceFile,
    first: &Line,
    tag: &str,
    report: &mut Report,
) -> (Option<Frontmatter>, usize) {
    let text = source.text.as_str();
    let tagged = match tag.to_ascii_lowercase().as_str() {
        "" => None,
        "yaml" => Some(Dialect::Yaml),
        "toml" => Some(Dialect::Toml),
        _ => {
            let end = first.range(text).end;
            let span = source.span(end - tag.len()..end);
            // JSON is YAML.
            let fix = matches!(tag.to_ascii_lowercase().as_str(), "json" | "yml")
                .then(|| Change::replace(span, "yaml").looked_at());
            rule::FRONTMATTER_TAG
                .at(span, format!("frontmatter in `{tag}` is not supported"))
                .label("neither `yaml` nor `toml`")
                .help("type `---` (YAML), `---yaml` or `---toml`, and write the fields in that language")
                .fix(fix)
                .add_to(report);
            let close = closing(text, first.next).unwrap_or(Line { start: first.next, ..end_of(text) });
            return (Some(broken(source, Dialect::Yaml, first.next..close.start)), close.next);
        }
    };
    let dialect = tagged.unwrap_or_else(|| detect(text, first.next));
    let close = match dialect {
        Dialect::Yaml => closing(text, first.next),
        Dialect::Toml => closing_toml(text, first.next),
    };
    let Some(close) = close else {
        report.push(unterminated(source, first));
        return (Some(broken(source, dialect, first.next..text.len())), text.len());
    };
    let block = first.next..close.start;
    let mut found = Report::default();
    let (tree, sound) = match dialect {
        Dialect::Yaml => yaml::parse(source, block.clone(), &mut found),
        Dialect::Toml => toml::parse(source, block.clone(), &mut found),
    };
    if let Some((frontmatter, body)) = unclosed(source, first, &close, dialect, &found, report) {
        return (Some(frontmatter), body);
    }
    let plain = dialect == Dialect::Yaml
        && first.start == 0
        && tag.is_empty()
        && sound
        && found.diagnostics.is_empty();
    report.diagnostics.append(&mut found.diagnostics);
    (Some(Frontmatter { dialect, block: source.span(block), tree, sound, plain }), close.next)
}

/// Finds out whether a faulty block is fields and then the body, up to a `---` that is a rule of Markdown (SPEC 2.15).
fn unclosed(
    source: &SourceFile,
    first: &Line,
    close: &Line,
    dialect: Dialect,
    found: &Report,
    report: &mut Report,
) -> Option<(Frontmatter, usize)> {
    if found.diagnostics.is_empty() || dialect == Dialect::Toml {
        return None;
    }
    let text = source.text.as_str();
    let end = heading(text, first.next, close.start)?;
    let mut trial = Report::default();
    let (tree, sound) = yaml::parse(source, first.next..end, &mut trial);
    if !sound || !trial.diagnostics.is_empty() || tree.as_map().is_none_or(<[_]>::is_empty) {
        return None;
    }
    let last = text[..end].trim_end().rfind('\n').map_or(first.next, |feed| feed + 1);
    report.push(
        unterminated(source, first)
            .help(format!("type `---` on a line of its own above `{}`", Line::at(text, end).text(text)))
            .related(source.span(Line::at(text, last).range(text)), "the last field")
            .related(source.span(close.range(text)), "this line, far below, is a rule in the text"),
    );
    Some((
        Frontmatter { dialect, block: source.span(first.next..end), tree, sound: false, plain: false },
        end,
    ))
}

/// Finds the first heading of Markdown behind a blank line and a field.
fn heading(text: &str, mut at: usize, end: usize) -> Option<usize> {
    let (mut blank, mut field) = (false, false);
    while at < end {
        let line = Line::at(text, at);
        let content = line.text(text);
        let marks = content.len() - content.trim_start_matches('#').len();
        if blank && field && (1..=6).contains(&marks) && content[marks..].starts_with(' ') {
            return Some(at);
        }
        blank = content.is_empty();
        field |= !blank && marks == 0;
        at = line.next;
    }
    None
}

fn end_of(text: &str) -> Line {
    Line { start: text.len(), end: text.len(), next: text.len() }
}

fn broken(source: &SourceFile, dialect: Dialect, block: Range<usize>) -> Frontmatter {
    let span = source.span(block);
    Frontmatter {
        dialect,
        block: span,
        tree: Node { span: span.head(), value: Value::Map(Vec::new()) },
        sound: false,
        plain: false,
    }
}

/// Finds the next line `---`, from the start of a line.
fn closing(text: &str, mut at: usize) -> Option<Line> {
    loop {
        if text[at..].starts_with(MARKER) {
            let line = Line::at(text, at);
            if line.text(text) == MARKER {
                return Some(line);
            }
        }
        at += text[at..].find("\n---")? + 1;
    }
}

/// Finds the next line `---` that is no part of a TOML string; in YAML no value has one.
fn closing_toml(text: &str, block: usize) -> Option<Line> {
    let mut from = block;
    let mut at = block;
    while let Some(line) = closing(text, at) {
        match toml::string_over(&text[from..], line.start - from) {
            None => return Some(line),
            Some(end) => from += end,
        }
        at = Line::at(text, from).next;
    }
    // A string that is never closed must not take the body with it.
    closing(text, block)
}

fn detect(text: &str, block: usize) -> Dialect {
    let mut at = block;
    while at < text.len() {
        let line = Line::at(text, at);
        let content = line.text(text).trim_start_matches(BLANKS);
        if content == MARKER {
            break;
        }
        if !content.is_empty() && !content.starts_with('#') {
            return if toml::opens(content) { Dialect::Toml } else { Dialect::Yaml };
        }
        at = line.next;
    }
    Dialect::Yaml
}

fn unterminated(source: &SourceFile, first: &Line) -> Diagnostic {
    let text = source.text.as_str();
    let mut fields = 0;
    let mut at = first.next;
    let mut almost = None;
    let mut field = source.span(first.range(text));
    while at < text.len() {
        let line = Line::at(text, at);
        let content = line.text(text).trim_start_matches(BLANKS);
        // An indented marker, a longer one and YAML's `...` are what people take for the closing line.
        if content == "..."
            || (content.starts_with(MARKER) && content.trim_start_matches('-').trim().is_empty())
        {
            almost = Some(line);
            break;
        }
        if content.is_empty() || content.starts_with("# ") {
            break;
        }
        fields += 1;
        field = source.span(line.range(text));
        at = line.next;
    }
    let fix = match &almost {
        Some(line) => Change::replace(source.span(line.range(text)), MARKER),
        None => Change::InsertBelow { at: field, text: MARKER.to_owned() },
    };
    let last = if fields == 0 { "under it" } else { "behind the last field" };
    let help = match almost.is_some() {
        true => "type `---`, without blanks before it, in place of that line".to_owned(),
        false => format!("type `---` on a line of its own {last}"),
    };
    let title = "the frontmatter is never closed";
    let diagnostic = rule::FRONTMATTER_UNTERMINATED
        .at(source.span(first.range(text)), title)
        .label("opened here")
        .help(help)
        .fix(fix.looked_at());
    match almost {
        Some(line) => diagnostic.related(source.span(line.range(text)), "this line does not close it"),
        None => diagnostic,
    }
}

/// Tells whether a first line is a marker, would a lone carriage return end lines (SPEC 2.1: it does not).
fn ends_in_carriage_return(line: &str) -> bool {
    line.strip_prefix(MARKER).is_some_and(|rest| rest.starts_with('\r'))
}

fn carriage_returns(source: &SourceFile, first: &Line) -> Diagnostic {
    let cr = first.start + MARKER.len();
    let help = "save the file with LF line ends (CRLF will do)";
    let title = "the lines end in carriage returns alone";
    let fix = source.text.match_indices('\r').map(|(at, _)| Change::replace(source.span(at..at + 1), "\n"));
    rule::FRONTMATTER_UNTERMINATED
        .at(source.span(cr..cr + 1), title)
        .label("this ends no line")
        .help(help)
        .fix((!source.text.contains('\n')).then(|| Fix::of(fix.collect())))
}

/// Says why a text that seems to have frontmatter has none.
fn advice(source: &SourceFile, first: &Line) -> Option<Diagnostic> {
    let text = source.text.as_str();
    let line = first.text(text);
    let rest = line.strip_prefix(MARKER);
    if let Some((late, help)) = late(text, first) {
        let blank = text[first.start..late.start].trim().is_empty();
        let fix = blank.then(|| Change::delete(source.span(first.start..late.start)).looked_at());
        let title = "frontmatter must start on the first line";
        return Some(
            rule::FRONTMATTER_LATE
                .at(source.span(late.range(text)), title)
                .label("read as part of the body")
                .help(help)
                .fix(fix),
        );
    }
    let dashes = line.len() > MARKER.len() && line.bytes().all(|byte| byte == b'-');
    if (dashes || line == "+++" || rest.is_some()) && has_fields(text, first.next, line) {
        let help = match line {
            "+++" => "type `---toml` here, and `---` on the closing line",
            _ => "type `---`, and nothing else, on this line and on the closing line",
        };
        let title = "this line does not open a frontmatter";
        let close = marked(text, first.next, line).or_else(|| marked(text, first.next, MARKER));
        let opens = if line == "+++" { "---toml" } else { MARKER };
        let mut changes = vec![Change::replace(source.span(first.range(text)), opens)];
        changes.extend(close.map(|close| Change::replace(source.span(close.range(text)), MARKER)));
        return Some(
            rule::FRONTMATTER_MARKER
                .at(source.span(first.range(text)), title)
                .label("read as part of the body")
                .help(help)
                .fix(Fix::of(changes)),
        );
    }
    is_unopened(source, first).then(|| {
        let span = source.span(first.range(text));
        rule::FRONTMATTER_MARKER
            .at(span, "the frontmatter is never opened")
            .label("a field, read as part of the body")
            .help("type `---` on a line of its own above it")
            .fix(Change::InsertAbove { at: span, text: MARKER.to_owned() }.looked_at())
    })
}

/// Tells whether a text begins with fields that a line `---` closes, and has no line that opens them (SPEC 2.15).
fn is_unopened(source: &SourceFile, first: &Line) -> bool {
    let text = source.text.as_str();
    if !["name:", "description:"].iter().any(|key| first.text(text).starts_with(key)) {
        return false;
    }
    let Some(close) = marked(text, first.start, MARKER) else { return false };
    let (tree, sound) = yaml::parse(source, first.start..close.start, &mut Report::default());
    sound && ["name", "description"].iter().all(|key| tree.get(key).is_some())
}

/// Finds frontmatter behind blank lines, comments or the start of a code block, and says what to do.
fn late(text: &str, first: &Line) -> Option<(Line, &'static str)> {
    let mut at = skip_blank_lines(text, first.start);
    let mut help = "delete the blank lines above it";
    if Line::at(text, at).text(text).starts_with("```") {
        at = Line::at(text, at).next;
        help = "delete the line above it, and the line that ends the code block";
    }
    while text[at..].starts_with("<!--") {
        let end = at + text[at..].find("-->")?;
        at = skip_blank_lines(text, Line::at(text, end).next);
        help = "move what is above it below its closing line";
    }
    let line = Line::at(text, at);
    let is_late = at > first.start && matches!(opening(line.text(text)), Opening::Tag(_));
    (is_late && has_fields(text, line.next, MARKER)).then_some((line, help))
}

/// Tells whether a field stands at a place, and a closing line somewhere behind it.
fn has_fields(text: &str, at: usize, close: &str) -> bool {
    let line = Line::at(text, at).text(text);
    let key = line.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    let field = key.len() < line.len() && key.trim_start().starts_with([':', '=']);
    field && (marked(text, at, close).is_some() || marked(text, at, MARKER).is_some())
}

/// Finds the next line that is a mark and nothing else.
fn marked(text: &str, at: usize, mark: &str) -> Option<Line> {
    let starts = text[at..].match_indices(mark).map(|(found, _)| at + found);
    let mut lines = starts.filter(|start| text[..*start].ends_with('\n')).map(|start| Line::at(text, start));
    lines.find(|line| line.text(text) == mark)
}

fn skip_blank_lines(text: &str, mut at: usize) -> usize {
    while at < text.len() {
        let line = Line::at(text, at);
        if !line.text(text).is_empty() {
            break;
        }
        at = line.next;
    }
    at
}
