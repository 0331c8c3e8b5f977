//! Repairs faulty YAML field by field: each top-level field is parsed separately, so one fault does not hide the next.
//!
//! An unquoted `: ` is masked, so that the value is read as if it
//! were quoted; tabs in an indentation are replaced with spaces; any other faulty text is reported and
//! overwritten with spaces. No byte moves, so all spans stay valid.

use std::ops::Range;

use granit_parser::{ErrorKind, Event, ScalarStyle};

use super::event::{ScanFault, ScannedEvent, scan};
use super::fault;
use super::line::{YamlLine, colon, comment};
use super::text::YamlText;
use crate::{Report, known};

/// Repairs a text; returns `true` if all of it could be kept.
pub(super) fn repair(work: &mut YamlText<'_>, report: &mut Report) -> bool {
    let mut effort = 8 * work.text.len() + (1 << 20);
    let mut sound = true;
    let mut spoilt = false;
    let fields = fields(&work.text);
    let indents: Vec<usize> =
        fields.iter().map(|field| YamlLine::containing(&work.text, field.start).indent).collect();
    let base = indents.iter().copied().min().unwrap_or(0);
    let mut next = 0;
    while let Some(field) = fields.get(next).cloned() {
        let continues = YamlLine::containing(&work.text, field.start).word().is_none();
        if spoilt && continues {
            // This field is the rest of a value whose quote or bracket is never closed.
            work.blank(field);
            next += 1;
            continue;
        }
        if indents[next] > base {
            report.push(fault::shifted(work, field.start));
            work.blank(field);
            (sound, spoilt) = (false, false);
            next += 1;
            continue;
        }
        let (range, count) = match quoted(&work.text, &fields[next..]) {
            Some((range, count)) => {
                report.push(fault::unindented(work, range.clone()));
                work.join_lines(range.clone());
                (range, count)
            }
            None => bracketed(&work.text, &fields[next..]).unwrap_or((field, 1)),
        };
        let kept = Field { work, range, colons: Vec::new(), is_reported: false, lossy: false }
            .repair_all(&mut effort, report);
        spoilt = kept == Kept::Open;
        sound &= kept == Kept::All;
        next += count;
    }
    sound
}

/// Returns the number of fields that form a list or map in brackets with unindented lines.
fn bracketed(text: &str, fields: &[Range<usize>]) -> Option<(Range<usize>, usize)> {
    const MAX_FIELDS: usize = 32;
    let first = fields.first()?;
    let close = match YamlLine::containing(text, first.start).value_text() {
        value if value.starts_with('[') => ']',
        value if value.starts_with('{') => '}',
        _ => return None,
    };
    let mut near = fields.iter().take(MAX_FIELDS);
    let last = near.position(|field| text[field.clone()].lines().any(|line| line.starts_with(close)))?;
    let count = last + 1;
    let range = first.start..fields[count - 1].end;
    (count > 1 && scan(&text[range.clone()]).fault.is_none()).then_some((range, count))
}

/// Returns the fields up to the one that closes a quote, unless a known key comes before.
fn quoted(text: &str, fields: &[Range<usize>]) -> Option<(Range<usize>, usize)> {
    const MAX_FIELDS: usize = 256;
    let first = fields.first()?;
    let line = YamlLine::containing(text, first.start);
    line.word()?;
    let quote = line.value_text().chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let last = fields.get(MAX_FIELDS.min(fields.len()) - 1)?;
    let start = line.value.start + 1;
    let close = start + closing_quote(text.get(start..last.end)?, quote)?;
    let count = fields.iter().position(|field| field.contains(&close))? + 1;
    let behind = text[close + 1..].lines().next().unwrap_or_default().trim();
    let is_one = behind.is_empty() || behind.starts_with('#');
    let has_key = fields[1..count].iter().any(|field| {
        YamlLine::containing(text, field.start).word().is_some_and(|word| known::find(word).is_some())
    });
    (count > 1 && is_one && !has_key).then(|| (first.start..fields[count - 1].end, count))
}

/// Finds the quote that ends a quoted value, searching after the opening one.
fn closing_quote(text: &str, quote: char) -> Option<usize> {
    let mut characters = text.char_indices().peekable();
    while let Some((at, c)) = characters.next() {
        if c == '\\' && quote == '"'
            || c == quote && characters.peek().is_some_and(|(_, next)| *next == '\'' && c == '\'')
        {
            characters.next();
        } else if c == quote {
            return Some(at);
        }
    }
    None
}

/// Splits a text before every line that is indented no more than the first.
fn fields(text: &str) -> Vec<Range<usize>> {
    let mut starts: Vec<usize> = Vec::new();
    let mut base = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let content = line.trim_start_matches([' ', '\t']);
        let indent = line.len() - content.len();
        let content = content.trim_end();
        // Such lines continue the field before them.
        let goes_on = content.starts_with(['#', ']', '}', ','])
            || content == "-"
            || content == ":"
            || content.starts_with("- ")
            || content.starts_with(": ");
        if !content.is_empty() && indent <= *base.get_or_insert(indent) && (!goes_on || starts.is_empty()) {
            starts.push(at);
        }
        at += line.len();
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts.iter().copied().zip(ends).map(|(start, end)| start..end).collect()
}

#[derive(PartialEq, Eq)]
enum Kept {
    All,
    Some,
    /// The value was never closed.
    Open,
}

struct Field<'a, 'w> {
    work: &'a mut YamlText<'w>,
    range: Range<usize>,
    /// Values with an unquoted colon: the start of the value, and the colon.
    colons: Vec<(usize, usize)>,
    /// Whether a fault was reported that may cause the next one.
    is_reported: bool,
    /// Whether a part of the field was overwritten with spaces.
    lossy: bool,
}

/// The parser's result for one field; offsets refer to the whole text.
struct Probe {
    fault: Option<ScanFault>,
    plain: Vec<Range<usize>>,
    after_plain: bool,
    /// Whether it is a map, or empty.
    is_map: bool,
}

impl Field<'_, '_> {
    fn repair_all(mut self, effort: &mut usize, report: &mut Report) -> Kept {
        loop {
            let probe = self.probe();
            let Some(found) = &probe.fault else {
                self.report_colons(&probe, report);
                if probe.is_map {
                    return if self.lossy { Kept::Some } else { Kept::All };
                }
                report.push(fault::no_field(self.work, self.range.start));
                return self.give_up();
            };
            let tired = *effort < self.range.len();
            *effort = effort.saturating_sub(self.range.len());
            if !tired && self.repair(&probe, found, report) {
                continue;
            }
            self.report_colons(&probe, report);
            if !self.is_reported {
                report.push(fault::describe(self.work, self.range.clone(), found));
            }
            let open = fault::is_open(&found.kind);
            let kept = self.give_up();
            return if open { Kept::Open } else { kept };
        }
    }

    fn probe(&self) -> Probe {
        let base = self.range.start;
        skills_text::work::count(self.range.len());
        let scan = scan(&self.work.text[self.range.clone()]);
        let first = scan.events.iter().find(|item| item.event.is_node());
        Probe {
            after_plain: scan.events.last().is_some_and(is_plain),
            is_map: first.is_none_or(|item| matches!(item.event, Event::MappingStart(..))),
            plain: scan
                .events
                .iter()
                .filter(|item| is_plain(item))
                .map(|item| base + item.range.start..base + item.range.end)
                .collect(),
            fault: scan.fault.map(|fault| ScanFault { at: base + fault.at, ..fault }),
        }
    }

    /// Removes a fault from the text and reports it.
    fn repair(&mut self, probe: &Probe, found: &ScanFault, report: &mut Report) -> bool {
        match &found.kind {
            ErrorKind::MappingValueNotAllowed if probe.after_plain => self.mask(probe, found, report),
            kind if fault::is_tab(kind) => self.untab(found, report),
            ErrorKind::DirectiveDisallowed => {
                report.push(fault::directive(self.work, found.at));
                self.work.blank(self.range.clone());
                true
            }
            _ => false,
        }
    }

    fn mask(&mut self, probe: &Probe, found: &ScanFault, report: &mut Report) -> bool {
        let text = &self.work.text;
        let Some(value) = probe.plain.last() else { return false };
        let at = value.end + text[value.end..].len() - text[value.end..].trim_start().len();
        if at != found.at || !text[at..].starts_with(':') {
            return false;
        }
        let line = YamlLine::containing(text, at);
        if line.start > value.start && line.word().and_then(known::find).is_some() {
            // A known field may be indented by mistake. It does not belong to the value above it.
            report.push(fault::indented(self.work, value.start, at));
            let rest = line.start..self.range.end;
            self.work.blank(rest);
            (self.is_reported, self.lossy) = (true, true);
            return true;
        }
        let end = line.start + line.text.len();
        let Some(mask) = self.work.mask() else { return false };
        let rest = &self.work.text[at..end];
        let rest = comment(rest).map_or(rest, |comment| &rest[..comment]);
        let mut colons = Vec::new();
        let mut from = 0;
        while let Some(colon) = colon(&rest[from..]) {
            colons.push(at + from + colon);
            from += colon + 1;
        }
        for colon in colons {
            self.work.replace(colon, mask);
        }
        if self.colons.last().is_none_or(|(known, _)| *known != value.start) {
            self.colons.push((value.start, at));
        }
        true
    }

    fn untab(&mut self, found: &ScanFault, report: &mut Report) -> bool {
        let mut at = self.work.text[..found.at].rfind('\n').map_or(0, |at| at + 1).max(self.range.start);
        let mut tabs = Vec::new();
        let lines = self.work.text[at..self.range.end].to_owned();
        for line in lines.split_inclusive('\n') {
            let indent = &line[..line.len() - line.trim_start_matches([' ', '\t']).len()];
            if indent.contains('\t') && !line.trim().is_empty() {
                report.push(fault::tab(self.work, at));
                tabs.extend(indent.match_indices('\t').map(|(tab, _)| at + tab));
            }
            at += line.len();
        }
        let any = !tabs.is_empty();
        self.is_reported |= any;
        for tab in tabs {
            self.work.replace(tab, ' ');
        }
        any
    }

    fn report_colons(&self, probe: &Probe, report: &mut Report) {
        for (start, colon) in &self.colons {
            let whole = probe.plain.iter().find(|value| value.start == *start).map(|value| value.end);
            let end = whole.unwrap_or_else(|| YamlLine::containing(&self.work.text, *colon).value.end);
            report.push(fault::unquoted_colon(self.work, *start..end.max(*start), *colon));
        }
    }

    fn give_up(self) -> Kept {
        self.work.blank(self.range);
        Kept::Some
    }
}

/// Returns `true` if an event is a scalar without quotes.
fn is_plain(item: &ScannedEvent<'_>) -> bool {
    matches!(item.event, Event::Scalar(_, ScalarStyle::Plain, ..))
}
