//! Explains why a text that seems to have a frontmatter has none, and how to fix it.

use std::ops::Range;

use skills_text::frontmatter_tag;

use crate::rule::frontmatter as rule;
use crate::tree::{toml, yaml};
use crate::{Change, Diagnostic, Fix, Report, SourceFile};

pub(super) fn advice(source: &SourceFile, first: &FrontmatterLine) -> Option<Diagnostic> {
    let text = source.text.as_str();
    let line = first.text(text);
    let rest = line.strip_prefix(MARKER);
    if let Some((late, help)) = late(text, first).or_else(|| pasted(source, first)) {
        let fix = without_lead(source, first, &late);
        let found = rule::FRONTMATTER_LATE
            .report_at(source.span(late.range(text)), "frontmatter must start on the first line")
            .label("read as part of the body");
        return Some(found.help(help).fix(fix));
    }
    let dashes = line.len() > MARKER.len() && line.bytes().all(|byte| byte == b'-');
    if (dashes || line == "+++" || rest.is_some()) && has_fields(text, first.next, line) {
        let help = match line {
            "+++" => "write `---toml` here, and `---` on the closing line",
            _ => "write only `---` on this line and on the closing line",
        };
        let close = marked(text, first.next, line).or_else(|| marked(text, first.next, MARKER));
        let opens = if line == "+++" { "---toml" } else { MARKER };
        let mut changes = vec![Change::replace(source.span(first.range(text)), opens)];
        changes.extend(close.map(|close| Change::replace(source.span(close.range(text)), MARKER)));
        let found = rule::FRONTMATTER_MARKER
            .report_at(source.span(first.range(text)), "this line does not open a frontmatter")
            .label("read as part of the body");
        // TOML without a description gets no fix, because the fixed frontmatter would have other faults.
        let is_meant = opens == MARKER || is_described_toml(source, first.next, line);
        return Some(found.help(help).fix(is_meant.then(|| Fix::from_changes(changes))));
    }
    let is_field = ["name:", "description:"].iter().any(|key| line.starts_with(key));
    let close = marked(text, first.start, MARKER).filter(|_| is_field)?;
    let span = source.span(first.range(text));
    let found = rule::FRONTMATTER_MARKER
        .report_at(span, "the frontmatter is never opened")
        .label("a field, read as part of the body")
        .help("add a line `---` above it")
        .fix(Change::InsertAbove { at: span, text: MARKER.to_owned() }.unsafe_fix());
    is_whole(source, first.start..close.start).then_some(found)
}

/// Returns `true` if a block is YAML with the two keys that every skill has.
fn is_whole(source: &SourceFile, block: Range<usize>) -> bool {
    let (tree, sound) = yaml::parse(source, block, &mut Report::default());
    sound && ["name", "description"].iter().all(|key| tree.get(key).is_some())
}

/// Returns `true` if the lines up to the marker are TOML with a description.
fn is_described_toml(source: &SourceFile, block: usize, mark: &str) -> bool {
    let Some(close) = marked(&source.text, block, mark) else { return false };
    let (tree, sound) = toml::parse(source, block..close.start, &mut Report::default());
    sound && tree.get("description").is_some()
}

/// Finds a frontmatter after empty lines, comments or the start of a code block, and returns a help.
fn late(text: &str, first: &FrontmatterLine) -> Option<(FrontmatterLine, &'static str)> {
    let mut at = skip_blank_lines(text, first.start);
    let mut help = "delete the empty lines above it";
    if FrontmatterLine::containing(text, at).text(text).starts_with(CODE) {
        at = FrontmatterLine::containing(text, at).next;
        help = "delete the line above it and the line that ends the code block";
    }
    while text[at..].starts_with("<!--") {
        let end = at + text[at..].find("-->")?;
        at = skip_blank_lines(text, FrontmatterLine::containing(text, end).next);
        help = "move the text above it below its closing line";
    }
    let line = FrontmatterLine::containing(text, at);
    let is_late = at > first.start && frontmatter_tag(line.text(text)).is_some();
    (is_late && has_fields(text, line.next, MARKER)).then_some((line, help))
}

/// The maximum number of lines that a chat assistant writes above the skill.
const LEAD: usize = 12;

/// Finds a complete frontmatter below the text of a chat assistant, also in a code block, and returns a help.
fn pasted(source: &SourceFile, first: &FrontmatterLine) -> Option<(FrontmatterLine, &'static str)> {
    let text = source.text.as_str();
    let (mut at, mut in_code) = (first.start, false);
    for _ in 0..=LEAD {
        let line = FrontmatterLine::containing(text, at);
        if frontmatter_tag(line.text(text)).is_some() {
            let close = marked(text, line.next, MARKER)?;
            // A code block followed by other text is an example.
            let is_meant = !in_code || code_end(text, close.next).is_some();
            let help = match in_code {
                true => "delete the lines above it and the line that ends the code block",
                false => "delete the lines above it",
            };
            return (is_meant && is_whole(source, line.next..close.start)).then_some((line, help));
        }
        in_code ^= line.text(text).starts_with(CODE);
        at = line.next;
    }
    None
}

/// Finds the end of a code block that includes a body, and is followed by one paragraph at most.
fn code_end(text: &str, body: usize) -> Option<usize> {
    let rest = text[body..].trim_end();
    let at = rest.rfind(CODE_LINE)?;
    let behind = rest[at + CODE_LINE.len()..].trim();
    let is_end = rest[at + CODE_LINE.len()..].chars().next().is_none_or(|c| c.is_whitespace());
    (is_end && !rest[..at].trim().is_empty() && !behind.contains("\n\n")).then_some(body + at + 1)
}

const CODE: &str = "```";
const CODE_LINE: &str = "\n```";

/// Returns a fix that deletes the text above a frontmatter, and the end of a code block that was opened
/// there; text that may belong to the skill must be moved by hand.
fn without_lead(source: &SourceFile, first: &FrontmatterLine, late: &FrontmatterLine) -> Option<Fix> {
    let text = source.text.as_str();
    let lead = &text[first.start..late.start];
    if lead.trim_start().starts_with("<!--") {
        return None;
    }
    let mut changes = vec![Change::delete(source.span(first.start..late.start))];
    if lead.lines().any(|line| line.starts_with(CODE)) {
        changes.push(Change::delete(source.span(code_end(text, late.next)?..text.len())));
    }
    Some(Fix::from_changes(changes))
}

/// Returns `true` if there is a field at a place, and a closing line after it.
fn has_fields(text: &str, at: usize, close: &str) -> bool {
    let line = FrontmatterLine::containing(text, at).text(text);
    let key = line.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    let field = key.len() < line.len() && key.trim_start().starts_with([':', '=']);
    field && (marked(text, at, close).is_some() || marked(text, at, MARKER).is_some())
}

/// Finds the next line that contains only a marker.
fn marked(text: &str, at: usize, mark: &str) -> Option<FrontmatterLine> {
    let starts = text[at..].match_indices(mark).map(|(found, _)| at + found);
    let mut lines = starts
        .filter(|start| text[..*start].ends_with('\n'))
        .map(|start| FrontmatterLine::containing(text, start));
    lines.find(|line| line.text(text) == mark)
}

pub(super) const MARKER: &str = "---";
pub(super) const BLANKS: [char; 3] = [' ', '\t', '\r'];

/// One line: its start, the end of its text, and the start of the next line.
pub(super) struct FrontmatterLine {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) next: usize,
}

impl FrontmatterLine {
    pub(super) fn containing(text: &str, start: usize) -> Self {
        match text[start..].find('\n') {
            Some(length) => Self { start, end: start + length, next: start + length + 1 },
            None => Self { start, end: text.len(), next: text.len() },
        }
    }

    pub(super) fn text<'a>(&self, text: &'a str) -> &'a str {
        text[self.start..self.end].trim_end_matches(BLANKS)
    }

    pub(super) fn range(&self, text: &str) -> Range<usize> {
        self.start..self.start + self.text(text).len()
    }
}

pub(super) fn skip_blank_lines(text: &str, mut at: usize) -> usize {
    while at < text.len() {
        let line = FrontmatterLine::containing(text, at);
        if !line.text(text).is_empty() {
            break;
        }
        at = line.next;
    }
    at
}
