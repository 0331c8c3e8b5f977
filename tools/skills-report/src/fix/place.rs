//! Converts a change in spans to edits of texts or to one file operation.

use std::ops::Range;

use skills_core::edit::{Change, Fix};
use skills_core::span::{SourceFile, SourceMap, Span};

/// One edit of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextEdit {
    /// The replaced text.
    pub span: Span,
    /// The new text, with the line ends of the file.
    pub text: String,
}

/// One step of a fix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FixStep {
    /// An edit of a text.
    Text(TextEdit),
    /// Renames a file; both are paths below the root.
    Rename(String, String),
    /// Renames a directory; both are paths below the root.
    RenameDirectory(String, String),
    /// Sets the executable bit of the file at a path below the root.
    Executable(String),
    /// Writes a file.
    Write(String, String),
    /// Adds a line to a file.
    AddLine(String, String),
}

impl FixStep {
    pub(super) fn text(&self) -> Option<&TextEdit> {
        if let Self::Text(edit) = self { Some(edit) } else { None }
    }
}

/// Returns the steps of a fix, in the order of its changes.
pub fn steps(fix: &Fix, sources: &SourceMap) -> Vec<FixStep> {
    fix.changes.iter().map(|change| step(change, sources)).collect()
}

/// Returns the edits of a fix that changes only texts, and `None` for any other fix.
pub fn edits(fix: &Fix, sources: &SourceMap) -> Option<Vec<TextEdit>> {
    steps(fix, sources).iter().map(|step| step.text().cloned()).collect()
}

fn step(change: &Change, sources: &SourceMap) -> FixStep {
    let (file, range, text) = match change {
        Change::Replace { span, text } => (*span, sources.range(*span), text.clone()),
        Change::DeleteLines(span) => (*span, lines(sources, *span), String::new()),
        Change::InsertAbove { at, text } => {
            let start = line_start(&sources.file_of(*at).text, sources.range(*at).start);
            (*at, start..start, format!("{text}\n"))
        }
        Change::InsertBelow { at, text } => {
            let whole = &sources.file_of(*at).text;
            let end = line_end(whole, sources.range(*at).end);
            (*at, end..end, format!("\n{text}"))
        }
        Change::DeleteMember(span) => {
            (*span, member(&sources.file_of(*span).text, sources.range(*span)), String::new())
        }
        Change::AddMember { to, text } => {
            let (at, text) = added(&sources.file_of(*to).text, sources.range(*to), text);
            (*to, at..at, text)
        }
        Change::InsertMember { beside, is_before, text } => {
            let whole = &sources.file_of(*beside).text;
            let (at, text) = beside_member(whole, sources.range(*beside), *is_before, text);
            (*beside, at..at, text)
        }
        Change::Rename { file, to } => {
            let path = sources.file_of(*file).path.clone();
            let above = path.rfind('/').map_or("", |at| &path[..=at]);
            let to = format!("{above}{to}");
            return FixStep::Rename(path, to);
        }
        Change::RenameDirectory { path, to } => {
            let above = path.rfind('/').map_or("", |at| &path[..=at]);
            return FixStep::RenameDirectory(path.clone(), format!("{above}{to}"));
        }
        Change::Executable { path } => return FixStep::Executable(path.clone()),
        Change::Write { path, text } => return FixStep::Write(path.clone(), text.clone()),
        Change::AddLine { path, line } => return FixStep::AddLine(path.clone(), line.clone()),
    };
    let file = sources.file_of(file);
    FixStep::Text(TextEdit { span: file.span(range), text: ended(file, text) })
}

/// Returns the text that a deletion of the same kind would delete at another place; `None` if the change is
/// not a deletion.
pub(super) fn deleted<'s>(change: &Change, place: Span, sources: &'s SourceMap) -> Option<&'s str> {
    let text = sources.file_of(place).text.as_str();
    let range = match change {
        Change::DeleteLines(_) => lines(sources, place),
        Change::DeleteMember(_) => whole(text, sources.range(place)),
        _ => return None,
    };
    text.get(range)
}

/// Converts a text to the line ends of its file.
fn ended(file: &SourceFile, text: String) -> String {
    let first = file.text.find('\n').map(|at| file.text[..at].ends_with('\r'));
    if first == Some(true) { text.replace("\r\n", "\n").replace('\n', "\r\n") } else { text }
}

/// Returns the start of a line's text, after any byte order mark.
fn line_start(text: &str, at: usize) -> usize {
    let first = text.len() - skills_text::unmarked(text).len();
    text[..at.min(text.len())].rfind('\n').map_or(first, |feed| feed + 1)
}

/// Returns the end of a line's text, before its line end.
fn line_end(text: &str, at: usize) -> usize {
    let at = at.min(text.len());
    let end = text[at..].find('\n').map_or(text.len(), |feed| at + feed);
    if end > at && text[..end].ends_with('\r') { end - 1 } else { end }
}

/// Returns the whole lines that a span touches, including their line ends.
fn lines(sources: &SourceMap, span: Span) -> Range<usize> {
    let text = &sources.file_of(span).text;
    let range = sources.range(span);
    let start = line_start(text, range.start);
    // A block scalar ends after its last line feed.
    let last =
        if range.end > range.start && text[..range.end].ends_with('\n') { range.end - 1 } else { range.end };
    let end = text[last..].find('\n').map_or(text.len(), |feed| last + feed + 1);
    start..end
}

/// Extends a range of JSON to a whole member, including a comma and the white space to delete with it. The
/// range may be a key, a value, both, or an item of an array.
fn member(text: &str, range: Range<usize>) -> Range<usize> {
    let range = whole(text, range);
    let after = range.end + blanks(&text[range.end..]);
    if text[after..].starts_with(',') {
        // The following member takes its place.
        let next = after + 1 + blanks(&text[after + 1..]);
        return range.start..next;
    }
    let before = text[..range.start].trim_end_matches(BLANKS);
    if before.ends_with(',') { before.len() - 1..range.end } else { range }
}

/// Finds the value of a key, or the key of a value.
fn whole(text: &str, range: Range<usize>) -> Range<usize> {
    let behind = range.end + blanks(&text[range.end..]);
    if text[behind..].starts_with(':') {
        let start = behind + 1 + blanks(&text[behind + 1..]);
        return range.start..value_end(text, start);
    }
    let before = text[..range.start].trim_end_matches(BLANKS);
    let Some(key) = before.strip_suffix(':').map(|key| key.trim_end_matches(BLANKS)) else { return range };
    let quoted = key.strip_suffix('"').unwrap_or(key);
    // A quote after an odd number of backslashes is part of the key.
    let is_open = |at: &usize| quoted[..*at].bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 0;
    match quoted.rmatch_indices('"').map(|(at, _)| at).find(is_open) {
        Some(open) => open..range.end,
        None => range,
    }
}

/// Finds the end of the value that starts at an offset.
fn value_end(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    let (mut at, mut depth, mut quoted) = (start, 0_usize, false);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' if quoted => at += 1,
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b'[' | b'{' => depth += 1,
            b']' | b'}' | b',' if depth == 0 => break,
            b']' | b'}' => depth -= 1,
            _ => {}
        }
        at += 1;
    }
    start + text.get(start..at).unwrap_or_default().trim_end_matches(BLANKS).len()
}

const BLANKS: [char; 4] = [' ', '\t', '\r', '\n'];

fn blanks(text: &str) -> usize {
    text.len() - text.trim_start_matches(BLANKS).len()
}

/// Returns the offset at which to add a member next to another, and the text to insert.
fn beside_member(text: &str, range: Range<usize>, is_before: bool, member: &str) -> (usize, String) {
    let before = text[..range.start].trim_end_matches(BLANKS);
    let lead = &text[before.len()..range.start];
    if is_before {
        return (range.start, format!("{member},{lead}"));
    }
    let end = range.end + blanks(&text[range.end..]);
    match text[end..].starts_with(',') {
        true => (end + 1, format!("{}{member},", if lead.is_empty() { " " } else { lead })),
        false => (range.end, format!(",{}{member}", if lead.is_empty() { " " } else { lead })),
    }
}

/// Returns the offset at which to add a member to an object or array, and the text to insert, in the layout
/// of the first member.
fn added(text: &str, range: Range<usize>, member: &str) -> (usize, String) {
    let range = if range.is_empty() { range.start..value_end(text, range.start) } else { range };
    let inside = text.get(range.start + 1..range.end.saturating_sub(1)).unwrap_or_default();
    let last = inside.trim_end_matches(BLANKS);
    let at = range.start + 1 + last.len();
    if last.is_empty() {
        let braces = text[range.start..].starts_with('{');
        return (range.start + 1, if braces { format!(" {member} ") } else { member.to_owned() });
    }
    let comma = if last.ends_with(',') { "" } else { "," };
    let lead = &inside[..blanks(inside)];
    let space = match lead.rfind('\n') {
        Some(feed) => format!("\n{}", &lead[feed + 1..]),
        None => " ".to_owned(),
    };
    (at, format!("{comma}{space}{member}"))
}
