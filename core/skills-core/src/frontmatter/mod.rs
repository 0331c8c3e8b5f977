//! Parses the text of a `SKILL.md` into a [`SkillDocument`]: marker lines, dialect, block and body.

mod advice;
mod document;
mod text_faults;
mod text_scan;

use std::ops::Range;
use std::sync::OnceLock;

use skills_text::{frontmatter_tag, unmarked};

use crate::rule::frontmatter as rule;
use crate::tree::{Node, toml, yaml};
use crate::{Change, Diagnostic, FileId, Fix, Report, SourceFile, SourceMap};
use advice::{BLANKS, FrontmatterLine, MARKER, advice, skip_blank_lines};
pub use document::{Dialect, Frontmatter, SkillDocument};
pub(crate) use text_faults::decode_windows_1252;
pub(crate) use text_scan::{TextScan, describe_hidden};

/// Splits a `SKILL.md` and parses its frontmatter.
///
/// A first line `---`, `---yaml` or `---toml` opens the frontmatter and a line `---` closes it. Both lines
/// may end in spaces, and spaces may precede the tag, whose letter case does not matter. Faults are reported,
/// and all readable fields are in the tree.
pub fn split(file: FileId, sources: &SourceMap, report: &mut Report) -> SkillDocument {
    let source = sources.file(file);
    let text = source.text.as_str();
    let start = text.len() - unmarked(text).len();
    let first = FrontmatterLine::containing(text, start);
    let text_scan = TextScan::scan(text);
    if text_scan.has_angle && text_faults::conflict(source, report) {
        let body = source.span(text.len()..text.len());
        let frontmatter = Some(broken(source, Dialect::Yaml, start..text.len()));
        return SkillDocument {
            file,
            frontmatter,
            misplaced: false,
            garbled: false,
            body,
            text_scan,
            markdown: OnceLock::new(),
        };
    }
    let garbled = !text_scan.is_plain && text_faults::garbled(source, sources, report);
    let mut misplaced = false;
    let (frontmatter, body) = match frontmatter_tag(first.text(text)) {
        // The first line would be a marker if lone carriage returns counted as line ends.
        None if first.text(text).strip_prefix(MARKER).is_some_and(|rest| rest.starts_with('\r')) => {
            report.push(carriage_returns(source, &first));
            (Some(broken(source, Dialect::Yaml, start..text.len())), text.len())
        }
        None => {
            let advice = advice(source, &first);
            misplaced = advice.is_some();
            advice.into_iter().for_each(|advice| report.push(advice));
            (None, start)
        }
        Some(tag) => enclosed(source, &first, tag, report),
    };
    let body = skip_blank_lines(text, body);
    let body = source.span(body..text.len());
    SkillDocument { file, frontmatter, misplaced, garbled, body, text_scan, markdown: OnceLock::new() }
}

fn enclosed(
    source: &SourceFile,
    first: &FrontmatterLine,
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
            // JSON is a subset of YAML.
            let fix = matches!(tag.to_ascii_lowercase().as_str(), "json" | "yml")
                .then(|| Change::replace(span, "yaml").unsafe_fix());
            rule::FRONTMATTER_TAG
                .report_at(span, format!("frontmatter in `{tag}` is not supported"))
                .label("neither `yaml` nor `toml`")
                .help("write `---` and the fields in YAML")
                .fix(fix)
                .add_to(report);
            let close = closing(text, first.next).unwrap_or(FrontmatterLine {
                start: first.next,
                end: text.len(),
                next: text.len(),
            });
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
    let (is_yaml, is_faulty) = (dialect == Dialect::Yaml, !found.diagnostics.is_empty());
    if is_yaml
        && is_faulty
        && let Some((frontmatter, body)) = unclosed(source, first, &close, report)
    {
        return (Some(frontmatter), body);
    }
    let plain = is_yaml && !is_faulty && sound && tag.is_empty() && first.start == 0;
    report.diagnostics.append(&mut found.diagnostics);
    (Some(Frontmatter { dialect, block: source.span(block), tree: tree.into(), sound, plain }), close.next)
}

/// Returns the fields of a faulty block whose last line `---` is only a horizontal rule in the body.
fn unclosed(
    source: &SourceFile,
    first: &FrontmatterLine,
    close: &FrontmatterLine,
    report: &mut Report,
) -> Option<(Frontmatter, usize)> {
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
            .help(format!("add a line `---` above `{}`", FrontmatterLine::containing(text, end).text(text)))
            .related(
                source.span(FrontmatterLine::containing(text, last).range(text)),
                "the last field is here",
            )
            .related(source.span(close.range(text)), "this line is a horizontal rule in the text"),
    );
    let block = source.span(first.next..end);
    let frontmatter =
        Frontmatter { dialect: Dialect::Yaml, block, tree: tree.into(), sound: false, plain: false };
    Some((frontmatter, end))
}

/// Finds the first Markdown heading after an empty line and a field.
fn heading(text: &str, mut at: usize, end: usize) -> Option<usize> {
    let (mut blank, mut field) = (false, false);
    while at < end {
        let line = FrontmatterLine::containing(text, at);
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

fn broken(source: &SourceFile, dialect: Dialect, block: Range<usize>) -> Frontmatter {
    let span = source.span(block);
    Frontmatter { dialect, block: span, tree: Node::empty(span.head()).into(), sound: false, plain: false }
}

/// Finds the next line `---`, searching from the start of a line.
fn closing(text: &str, mut at: usize) -> Option<FrontmatterLine> {
    loop {
        if text[at..].starts_with(MARKER) {
            let line = FrontmatterLine::containing(text, at);
            if line.text(text) == MARKER {
                return Some(line);
            }
        }
        at += text[at..].find("\n---")? + 1;
    }
}

/// Finds the next line `---` outside TOML strings; a YAML value cannot contain one.
fn closing_toml(text: &str, block: usize) -> Option<FrontmatterLine> {
    let mut from = block;
    let mut at = block;
    while let Some(line) = closing(text, at) {
        match toml::string_over(&text[from..], line.start - from) {
            None => return Some(line),
            Some(end) => from += end,
        }
        at = FrontmatterLine::containing(text, from).next;
    }
    // An unclosed string must not extend into the body.
    closing(text, block)
}

fn detect(text: &str, block: usize) -> Dialect {
    let mut at = block;
    while at < text.len() {
        let line = FrontmatterLine::containing(text, at);
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

fn unterminated(source: &SourceFile, first: &FrontmatterLine) -> Diagnostic {
    let text = source.text.as_str();
    let found = rule::FRONTMATTER_UNTERMINATED
        .report_at(source.span(first.range(text)), "the frontmatter is never closed")
        .label("opened here");
    let mut last_field = None;
    let mut at = first.next;
    while at < text.len() {
        let line = FrontmatterLine::containing(text, at);
        let span = source.span(line.range(text));
        let content = line.text(text).trim_start_matches(BLANKS);
        // Common mistakes for the closing line are an indented marker, a longer marker, and YAML's `...`.
        let is_long = content.starts_with(MARKER) && content.trim_start_matches('-').trim().is_empty();
        if content == "..." || is_long {
            return found
                .help("replace that line with `---` at the start of the line")
                .fix(Change::replace(span, MARKER).unsafe_fix())
                .related(span, "this line does not close it");
        }
        if content.is_empty() || content.starts_with("# ") {
            break;
        }
        last_field = Some(span);
        at = line.next;
    }
    let place = if last_field.is_some() { "after the last field" } else { "below it" };
    let at = last_field.unwrap_or(found.span);
    found
        .help(format!("add a line `---` {place}"))
        .fix(Change::InsertBelow { at, text: MARKER.to_owned() }.unsafe_fix())
}

fn carriage_returns(source: &SourceFile, first: &FrontmatterLine) -> Diagnostic {
    let cr = first.start + MARKER.len();
    let fix = source.text.match_indices('\r').map(|(at, _)| Change::replace(source.span(at..at + 1), "\n"));
    rule::FRONTMATTER_UNTERMINATED
        .report_at(source.span(cr..cr + 1), "the lines end in lone carriage returns")
        .label("this is not a line end")
        .help("save the file with LF line ends")
        .fix((!source.text.contains('\n')).then(|| Fix::from_changes(fix.collect())))
}
