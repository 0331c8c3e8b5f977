//! Converts a syntax error of YAML to a diagnostic.

use std::ops::Range;

use granit_parser::ErrorKind;

use super::event::ScanFault;
use super::line::YamlLine;
use super::objection;
use super::text::{YamlText, quote};
use crate::rule::frontmatter as rule;
use crate::{Change, Diagnostic, Fix, known};

/// Returns `true` if a fault is an unclosed quote or bracket.
pub(super) fn is_open(kind: &ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::UnclosedQuotedScalar
            | ErrorKind::InvalidQuotedScalarIndent
            | ErrorKind::DocumentIndicatorInQuotedScalar
            | ErrorKind::UnclosedFlowCollection { .. }
            | ErrorKind::UnexpectedEofFlowSequence
            | ErrorKind::UnexpectedEofFlowMapping
            | ErrorKind::UnexpectedEofImplicitFlowMapping
    )
}

pub(super) fn is_tab(kind: &ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::TabNotAllowed
            | ErrorKind::TabInBlockIndentation
            | ErrorKind::TabInIndentation
            | ErrorKind::TabInPlainScalar
            | ErrorKind::TabAtBlockScalarStart
    )
}

fn syntax(text: &YamlText<'_>, range: Range<usize>, title: impl Into<String>) -> Diagnostic {
    rule::YAML_SYNTAX.report_at(text.span(range), title)
}

pub(super) fn unquoted_colon(text: &YamlText<'_>, value: Range<usize>, colon: usize) -> Diagnostic {
    if let Some(found) = glued_key(text, &value) {
        return found;
    }
    let line = YamlLine::containing(&text.text, value.start);
    let lead = text.text.get(line.start..value.start).unwrap_or_default();
    let folded: Vec<_> =
        text.written(value.clone()).lines().map(str::trim).filter(|l| !l.is_empty()).collect();
    let rest = YamlLine::containing(&text.text, value.end);
    let comment = text.text.get(value.end..rest.start + rest.text.len()).unwrap_or_default().trim();
    let space = if comment.is_empty() { "" } else { " " };
    let quoted = quote(&folded.join(" "));
    let fixed = format!("{lead}{quoted}{space}{comment}");
    let last = text.text[colon + 1..].chars().next().is_none_or(|next| next == '\n' || next == '\r');
    let label = if last { "a plain value cannot end with `:`" } else { "a plain value cannot contain `: `" };
    rule::YAML_UNQUOTED_COLON
        .report_at(text.span(colon..colon + 1), "mapping values are not allowed here")
        .label(label)
        .help(format!("quote it: {fixed}"))
        .fix(Change::replace(text.span(value), quoted).safe_fix())
}

/// Describes a key that stands behind the last sentence of a value, because a line break is missing: `Reads it.license:
/// MIT`. Quotes would make the key a part of the value.
fn glued_key(text: &YamlText<'_>, value: &Range<usize>) -> Option<Diagnostic> {
    const ENDS: [char; 12] = ['.', '。', '!', '！', '?', '？', ')', '）', '"', '\'', '”', '」'];
    let (before, word) = text.written(value.clone()).trim_end().rsplit_once(": ")?;
    let (sentence, key) = before.split_at(before.trim_end_matches(is_key_letter).len());
    let end = sentence.trim_end_matches([' ', '\t']);
    // The sentences of Chinese and Japanese continue in their own letters.
    let is_glued = end.len() == sentence.len() && end.ends_with(['。', '！', '？']);
    let is_key = known::find(key).is_some() || is_glued && key.starts_with(|c: char| c.is_ascii_lowercase());
    let is_word = !word.trim().is_empty() && !word.trim().contains(char::is_whitespace);
    let line = YamlLine::containing(&text.text, value.start);
    if !is_key || !is_word || !end.ends_with(ENDS) || line.lead.starts_with("- ") {
        return None;
    }
    let at = value.start + sentence.len();
    let (colon, word, indent) = (value.start + before.len(), word.trim(), " ".repeat(line.indent));
    let found = rule::YAML_UNQUOTED_COLON
        .report_at(text.span(colon..colon + 1), "mapping values are not allowed here")
        .label(format!("`{key}` is a key, but it does not begin a line"))
        .help(format!("begin a new line before `{key}: {word}`"))
        .fix(Change::replace(text.span(at..at), format!("\n{indent}")).unsafe_fix());
    Some(found)
}

fn is_key_letter(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_')
}

/// Describes the tabs in the indentation of a line.
pub(super) fn tab(text: &YamlText<'_>, line: usize) -> Diagnostic {
    let rest = &text.text[line..];
    let indent = &rest[..rest.len() - rest.trim_start_matches([' ', '\t']).len()];
    let tab = indent.find('\t').unwrap_or(0);
    let tabs = indent[tab..].len() - indent[tab..].trim_start_matches('\t').len();
    let content = rest.lines().next().unwrap_or_default().trim();
    let blanks = indent.replace('\t', "  ");
    rule::YAML_TAB
        .report_at(text.span(line + tab..line + tab + tabs), "a tab cannot indent YAML")
        .label("YAML is indented with spaces")
        .help(format!("use spaces instead: `{blanks}{content}`"))
        .fix(Change::replace(text.span(line..line + indent.len()), blanks).unsafe_fix())
}

pub(super) fn directive(text: &YamlText<'_>, at: usize) -> Diagnostic {
    let line = YamlLine::containing(&text.text, at);
    let found =
        rule::YAML_DIRECTIVE.report_at(text.span(line.range()), "a frontmatter cannot have YAML directives");
    found.label("a directive").help(format!("delete the line `{}`", line.text))
}

/// Describes a line that needs another indentation.
fn indentation(
    text: &YamlText<'_>,
    line: &YamlLine<'_>,
    indent: usize,
    title: String,
    action: &str,
) -> Diagnostic {
    let blanks = line.start - line.indent..line.start;
    let indent = " ".repeat(indent);
    syntax(text, blanks.clone(), title)
        .label("this indentation")
        .help(format!("{action}: `{indent}{}`", line.text))
        .fix(Change::replace(text.span(blanks), indent).unsafe_fix())
}

/// Describes a field that is indented as if it belonged to the value above.
pub(super) fn indented(text: &YamlText<'_>, value: usize, colon: usize) -> Diagnostic {
    let (line, above) = (YamlLine::containing(&text.text, colon), YamlLine::containing(&text.text, value));
    let title = format!("`{}` is indented, so it continues the value above", line.word().unwrap_or_default());
    indentation(text, &line, above.indent, title, "delete the spaces before it")
        .related(text.span(above.start..above.value.end), "the value above starts here")
}

/// Describes a first field that is indented more than the others.
pub(super) fn shifted(text: &YamlText<'_>, at: usize) -> Diagnostic {
    let line = YamlLine::containing(&text.text, at);
    let title = format!("`{}` is indented, but the fields below are not", line.word().unwrap_or(line.text));
    indentation(text, &line, 0, title, "delete the spaces before it")
}

/// Describes a top-level line that is not `key: value`.
pub(super) fn no_field(text: &YamlText<'_>, at: usize) -> Diagnostic {
    let line = YamlLine::containing(&text.text, at);
    let whole = line.range();
    if line.text.starts_with("---") {
        let span = text.span(whole);
        return rule::YAML_DOCUMENTS
            .report_at(span, "more than one YAML document in the frontmatter")
            .label("another document starts here")
            .help("delete this line")
            .fix(Change::DeleteLines(span).unsafe_fix());
    }
    if line.text.starts_with("- ") || line.text == "-" {
        return syntax(text, whole, "a list item without a key")
            .label("not in any field")
            .help("add a line with its key above it: `tags:`");
    }
    let key = line.text.find([':', '=']).filter(|end| *end > 0);
    let Some(end) = key else {
        let is_first = text.blank_above(line.start) == 0;
        // If the line starts with a known key, only the colon is missing.
        let first = line.text.split(' ').next().unwrap_or_default();
        let is_key = first.len() < line.text.len() && known::find(first).is_some();
        let help = match is_first {
            _ if is_key => format!("add a `:` after `{first}`"),
            true => format!("add a key, as in `key: {}`", line.text),
            false => format!("indent it to continue the value above: `  {}`", line.text),
        };
        let end = line.start + first.len();
        return syntax(text, whole, "this line is not `key: value`")
            .label("no `:` here")
            .help(help)
            .fix(is_key.then(|| Change::replace(text.span(end..end), ":").unsafe_fix()));
    };
    let (key, value) = (line.text[..end].trim_end(), line.text[end + 1..].trim_start());
    let at = line.start + end;
    let typed = format!("{key}: {value}");
    let (title, label) = match line.text[end..].starts_with('=') {
        true => (format!("`{key} = …` is TOML in a YAML frontmatter"), "YAML requires `: ` here"),
        false => (format!("no space after the colon of `{key}`"), "expected a space"),
    };
    syntax(text, at..at + 1, title)
        .label(label)
        .help(format!("write `{typed}`"))
        .fix(Change::replace(text.span(whole), typed).unsafe_fix())
}

/// Describes any other fault; `field` is the part of the text in which it was found.
pub(super) fn describe(text: &YamlText<'_>, field: Range<usize>, fault: &ScanFault) -> Diagnostic {
    let at = fault.at.min(field.end);
    // A fault after the last line belongs to that line.
    let until = field.start + text.text[field.start..at.max(field.start)].trim_end().len();
    let behind = text.text[until..at.max(until)].contains('\n') && text.text[at..field.end].trim().is_empty();
    let line = YamlLine::containing(&text.text, if behind { until } else { at });
    let first = YamlLine::containing(&text.text, field.start);
    if is_open(&fault.kind) || matches!(fault.kind, ErrorKind::InvalidColonPlacement) {
        return unclosed(text, &field, fault);
    }
    if is_tab(&fault.kind) {
        let tab = text.text[at..].find('\t').map_or(at, |tab| at + tab);
        let end = (tab + 1).min(text.text.len());
        return rule::YAML_TAB
            .report_at(text.span(tab..end), "a tab is not allowed here")
            .label("this tab")
            .help("replace the tab with a space")
            .fix(Change::replace(text.span(tab..end), " ").unsafe_fix());
    }
    let here = if at >= line.value.start && !line.lead.is_empty() { &line } else { &first };
    match &fault.kind {
        ErrorKind::SimpleKeyExpected => no_field(text, at),
        ErrorKind::MismatchedFlowCollectionEnd { open, close } => {
            let wanted = if *open == '[' { ']' } else { '}' };
            let end = text.text[at..].chars().next().map_or(at, |c| at + c.len_utf8());
            syntax(text, at..end, format!("`{open}` is closed by `{close}`"))
                .label("opened here")
                .help(format!("add `{wanted}` where it ends, before the `{close}`"))
        }
        ErrorKind::RecursionLimitExceeded => syntax(text, at..at, "lists and maps are nested too deeply")
            .label("level 65")
            .help("move some of them one level up: at most 64 levels are allowed"),
        ErrorKind::CommentInterceptedScalar => syntax(text, at..at + 1, "a comment inside a value")
            .label("the value continues after it")
            .help("move the comment to a line above the field; quote the value if the `#` belongs to it"),
        ErrorKind::ExpectedBlockMappingKey if line.indent == 0 && line.text.starts_with("- ") => {
            syntax(text, line.start..line.start + 1, "this list has no key")
                .label("the field above already has a value")
                .help("write the key of the list on a line above it, such as `tags:`")
        }
        ErrorKind::ExpectedBlockMappingKey | ErrorKind::InvalidIndentation if at <= line.start => {
            misindented(text, &line)
        }
        kind if objection::is_escape(kind) => objection::escape(text, at, field.end),
        ErrorKind::InvalidTrailingDoubleQuotedScalar | ErrorKind::InvalidTrailingSingleQuotedScalar
            if !quoted_on(&line, at) =>
        {
            let end = line.start + line.text.len();
            syntax(text, at..end.max(at), "text after the closing quote")
                .label("this is not part of the value")
                .help("delete it; add a backslash before the quote if the text continues")
        }
        kind => value_fault(text, here, at, kind),
    }
}

fn misindented(text: &YamlText<'_>, line: &YamlLine<'_>) -> Diagnostic {
    let above = YamlLine::containing(&text.text, text.blank_above(line.start - line.indent));
    let title = format!("the indentation of `{}` matches no line above it", line.word().unwrap_or(line.text));
    indentation(text, line, above.indent, title, "indent it like the line above")
        .related(text.span(above.range()), "the line above")
}

fn unclosed(text: &YamlText<'_>, field: &Range<usize>, fault: &ScanFault) -> Diagnostic {
    let inside = &text.text[field.clone()];
    let line = YamlLine::containing(&text.text, field.start);
    let opened = match &fault.kind {
        ErrorKind::UnclosedFlowCollection { .. } => fault.at,
        _ if line.value_text().starts_with(['"', '\'', '[', '{']) => line.value.start,
        _ => field.start + inside.find(['"', '\'', '[', '{']).unwrap_or(0),
    };
    let line = YamlLine::containing(&text.text, opened);
    let open = text.text[opened..].chars().next().unwrap_or('"');
    let close = match open {
        '[' => ']',
        '{' => '}',
        other => other,
    };
    let value = line.value_text();
    let is_line = line.value.start == opened && !(value.len() > 1 && value.ends_with(close));
    let help = if is_line {
        format!("close it: {}", line.with(&format!("{value}{close}")))
    } else {
        format!("add the missing `{close}`, and indent the lines between them")
    };
    let behind = text.span(line.value.end..line.value.end);
    let fix = is_line.then(|| Change::replace(behind, close).unsafe_fix());
    if fault.kind == ErrorKind::InvalidColonPlacement && text.text[opened..field.end].contains(close) {
        let end = text.text[fault.at..].chars().next().map_or(fault.at, |c| fault.at + c.len_utf8());
        return syntax(text, fault.at..end, "a key in the middle of a value")
            .label("the value before this key is not closed")
            .help(format!("add `,` after the value above, or the missing `{close}`"))
            .related(text.span(opened..opened + open.len_utf8()), "this list or map is not closed");
    }
    let end = (opened + open.len_utf8()).min(text.text.len());
    syntax(text, opened..end, format!("`{open}` is never closed")).label("opened here").help(help).fix(fix)
}

/// Describes a quoted value over several unindented lines, which YAML does not allow and some parsers reject.
pub(super) fn unindented(text: &YamlText<'_>, value: Range<usize>) -> Diagnostic {
    let opened = YamlLine::containing(&text.text, value.start);
    let mut at = opened.start;
    let mut starts = Vec::new();
    for line in text.text[value.start..value.end].trim_end().split_inclusive('\n') {
        let is_flush = !line.trim().is_empty() && !line.starts_with([' ', '\t']);
        if at > opened.start && is_flush {
            starts.push(at);
        }
        at += line.len();
    }
    let first = YamlLine::containing(&text.text, starts.first().copied().unwrap_or(value.start));
    let changes = starts.iter().map(|start| Change::replace(text.span(*start..*start), "  "));
    syntax(text, first.range(), "a line of a quoted value is not indented")
        .label("YAML requires spaces before it, and some parsers refuse it without them")
        .help("indent this line and each line up to the closing quote with two spaces")
        .fix(Fix::from_changes(changes.collect()))
        .related(text.span(opened.value.start..opened.value.start + 1), "opened here")
}

/// Describes an item of a list or map in brackets that begins with a character of YAML's syntax, such as `@`.
fn item_fault(text: &YamlText<'_>, line: &YamlLine<'_>, at: usize) -> Option<Diagnostic> {
    let rest = text.text.get(at..)?.lines().next().unwrap_or_default();
    let mark = rest.chars().next().filter(|mark| "@`%|>&*!".contains(*mark))?;
    let item = rest.split([',', ']', '}']).next().unwrap_or_default().trim_end();
    let quoted = quote(item);
    let end = at + item.len();
    let help = match text.text.get(line.value.start..at).zip(text.text.get(end..line.value.end)) {
        Some((before, behind)) => format!("quote it: {}", line.with(&format!("{before}{quoted}{behind}"))),
        None => format!("quote it: {quoted}"),
    };
    let found = syntax(text, at..at + mark.len_utf8(), format!("a plain value cannot start with `{mark}`"))
        .label("this character has a special meaning in YAML")
        .help(help)
        .fix(Change::replace(text.span(at..end), quoted).unsafe_fix());
    Some(found)
}

/// Returns `true` if a quoted value that ends at an offset also starts on that line.
fn quoted_on(line: &YamlLine<'_>, at: usize) -> bool {
    let before = line.value_text().get(..at.saturating_sub(line.value.start)).unwrap_or_default();
    before.starts_with(['"', '\'']) && before.matches(['"', '\'']).count() > 1
}

/// Describes a value whose first character, such as a quote or bracket, does not match the rest of the value.
fn value_fault(text: &YamlText<'_>, line: &YamlLine<'_>, at: usize, kind: &ErrorKind) -> Diagnostic {
    let value = line.value_text();
    let start = line.value.start;
    let whole = text.span(line.value.clone());
    let quoted = |value: &str| (line.with(&quote(value)), Change::replace(whole, quote(value)).unsafe_fix());
    let behind = |title: &str| {
        let start = at.clamp(line.value.start, line.value.end);
        let rest = &text.text[start..line.value.end];
        let before = value.get(..start - line.value.start).unwrap_or_default();
        // If a quote is in the middle of a word, as in 'it's', it was not meant to end the value.
        let is_inner = before.ends_with(['"', '\'']) && !rest.starts_with(':');
        let (help, fix) = match rest {
            "," => {
                let help = format!("delete the comma: {}", line.with(before));
                (help, Change::replace(whole, before).unsafe_fix())
            }
            _ => {
                let (typed, fix) = quoted(if is_inner { inner(value) } else { value });
                (format!("quote the whole value: {typed}"), fix)
            }
        };
        syntax(text, start..line.value.end, title).label("this is not part of the value").help(help).fix(fix)
    };
    let first = value.chars().next();
    match first {
        Some('"' | '\'') => behind("text after the closing quote"),
        Some('[' | '{') if is_list_fault(kind) => {
            if let Some(found) = item_fault(text, line, at) {
                return found;
            }
            let help = match at > line.value.end {
                true => {
                    "add `,` between the items, or the closing bracket at the end of the value".to_owned()
                }
                false => format!("quote the whole value: {}", quoted(value).0),
            };
            syntax(text, at..at, "this list or map is not closed")
                .label("expected `,` or the closing bracket")
                .help(help)
        }
        Some('[' | '{') => behind("text after the closing bracket"),
        Some(mark @ ('|' | '>')) => {
            let (typed, fix) = quoted(value);
            syntax(text, start..line.value.end, format!("text after `{mark}`"))
                .label(format!("the text of a `{mark}` value starts on the next line"))
                .help(format!("quote it: {typed}"))
                .fix(fix)
        }
        Some(mark @ ('@' | '`' | '%' | '*' | '&' | '!' | ',' | ']' | '}' | '-' | '?' | ':')) => {
            let title = format!("a plain value cannot start with `{mark}`");
            if let Some(indent) = indent_of_items_below(text, line) {
                let key = line.lead.trim_end();
                let gap = text.span(line.start + key.len()..start);
                return syntax(text, start..start + mark.len_utf8(), title)
                    .label("the first item of a list")
                    .help(format!("begin the list on the line below `{key}`"))
                    .fix(Change::replace(gap, format!("\n{indent}")).unsafe_fix());
            }
            let (typed, fix) = quoted(value);
            syntax(text, start..start + mark.len_utf8(), title)
                .label("this character has a special meaning in YAML")
                .help(format!("quote it: {typed}"))
                .fix(fix)
        }
        _ => {
            let end = text.text[at..].chars().next().map_or(at, |c| at + c.len_utf8());
            let (typed, fix) = quoted(value);
            let help = match line.lead {
                "" => "write `key: value`, with a plain key".to_owned(),
                _ if value.is_empty() => format!("write a value after `{}`", line.lead.trim_end()),
                _ => format!("quote it: {typed}"),
            };
            syntax(text, at..end, kind.to_string().replace('"', "`"))
                .label("here")
                .help(help)
                .fix(Some(fix).filter(|_| !line.lead.is_empty() && !value.is_empty()))
        }
    }
}

/// Returns the indentation of the items of a list on the next lines, if a line begins that list behind its key.
fn indent_of_items_below<'t>(text: &'t YamlText<'_>, line: &YamlLine<'_>) -> Option<&'t str> {
    let below =
        text.text[line.range().end..].lines().nth(1).filter(|_| line.value_text().starts_with("- "))?;
    let item = below.trim_start_matches(' ');
    item.starts_with("- ").then(|| &below[..below.len() - item.len()])
}

/// Returns the intended text of a badly quoted value: without the quotes, if they are around the whole value.
fn inner(value: &str) -> &str {
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''));
    quote
        .filter(|_| value.len() > 1)
        .and_then(|quote| value.strip_prefix(quote)?.strip_suffix(quote))
        .unwrap_or(value)
}

fn is_list_fault(kind: &ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::ExpectedFlowMappingSeparator
            | ErrorKind::ExpectedFlowSequenceSeparator
            | ErrorKind::ExpectedNodeContent
            | ErrorKind::BlockEntryInFlowCollection
            | ErrorKind::FlowMappingValueAdjacentCollection
            | ErrorKind::UnexpectedCharacter { .. }
    )
}
