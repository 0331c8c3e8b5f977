//! Converts faults of TOML to diagnostics, one for each cause.

use std::ops::Range;

use skills_registry::sort;

use super::fault::{Fault, Wrong};
use super::{Tree, is_bare, scalar};
use crate::diagnostic::Diagnostic;
use crate::edit::{Change, Fix};
use crate::known;
use crate::report::Report;
use crate::rule::frontmatter as rule;
use crate::tree::text::quote;

/// Reports every fault once; consequences on the same line are dropped.
pub(super) fn report(tree: &Tree<'_>, mut faults: Vec<Fault>, report: &mut Report) {
    sort(&mut faults, &|a, b| a.range.start.cmp(&b.range.start));
    let mut told: Option<(Range<usize>, Fault)> = None;
    for fault in faults {
        let at = fault.range.start;
        let same = told.as_ref().filter(|(line, _)| (line.start..=line.end).contains(&at));
        if same.is_some_and(|(_, last)| !fault.is_apart(last)) {
            continue;
        }
        let line = same.map_or_else(|| line_of(tree.text, at), |(line, _)| line.clone());
        report.push(describe(tree, &fault, line.clone()));
        told = Some((line, fault));
    }
}

/// Describes a fault of a line.
fn describe(tree: &Tree<'_>, fault: &Fault, line: Range<usize>) -> Diagnostic {
    let (text, title, range) = (tree.text, fault.title, fault.range.clone());
    let written = text.get(line.clone()).unwrap_or_default();
    let whole = written.trim();
    let found = text.get(range.clone()).unwrap_or_default();
    let syntax = |label: String, help: String| {
        rule::TOML_SYNTAX.at(tree.span(range.clone()), title).label(label).help(help)
    };
    let instead = |typed: &str| Change::replace(tree.span(range.clone()), typed).looked_at();
    match &fault.wrong {
        Wrong::Twice(first) | Wrong::NoTable(first) => duplicate(tree, fault, first.as_ref(), found),
        Wrong::Depth => {
            let help = "move part of this key one level up: at most 64 levels are allowed";
            syntax("level 65".to_owned(), help.to_owned())
        }
        Wrong::NoValue => {
            let help = "write a value after `=`: a quoted text, a number, `true` or `false`";
            syntax("expected a value".to_owned(), help.to_owned())
        }
        Wrong::Unquoted => {
            let help = match whole.split_once('=') {
                Some((key, value)) if value.trim() == found => {
                    format!("quote it: {} = {}", key.trim(), quote(found))
                }
                _ => format!("quote it: {}", quote(found)),
            };
            syntax("text without quotes".to_owned(), help).fix(instead(&quote(found)))
        }
        Wrong::NoEquals => no_equals(tree, title, line, range.start),
        Wrong::Instead(typed) => {
            let before = text.get(line.start..range.start).unwrap_or_default();
            let behind = text.get(range.end..line.end).unwrap_or_default();
            // A long line may have very many faults.
            let mended = match line.len() > 400 {
                true => typed.clone(),
                false => format!("{before}{typed}{behind}"),
            };
            syntax(format!("expected `{typed}`"), format!("write `{}`", mended.trim())).fix(instead(typed))
        }
        Wrong::Blank => {
            let code = found.chars().next().map_or(0, u32::from);
            let help = format!("replace U+{code:04X} with a space");
            syntax(format!("this is U+{code:04X}"), help).fix(instead(" "))
        }
        Wrong::Items => items(tree, title, range),
        Wrong::Inner => {
            let help = "write the text in double quotes, and `\\\"` for each quote inside it";
            syntax("an earlier quote ends the string".to_owned(), help.to_owned())
        }
        Wrong::Lines(quotes) => {
            let (first, last) = (range.start..range.start + 1, range.end - 1..range.end);
            let ends = [first, last].map(|end| Change::replace(tree.span(end), *quotes));
            syntax(
                "a string in single or double quotes ends with its line".to_owned(),
                format!("write `{quotes}` at both ends of the text"),
            )
            .fix(Fix::of(ends.to_vec()))
        }
        Wrong::Missing(sign) => {
            let sign = if sign.len() > 2 { (*sign).to_owned() } else { format!("`{sign}`") };
            syntax(format!("expected {sign}"), format!("add {sign} here"))
        }
        Wrong::Unclosed(quote) => {
            let end = line.start + written.trim_end().len();
            // A string that is not closed on its line should end with it.
            let fix = (quote.len() == 1).then(|| Change::replace(tree.span(end..end), *quote).looked_at());
            syntax(format!("expected `{quote}`"), format!("close it: {whole}{quote}")).fix(fix)
        }
        Wrong::Escape => {
            let help = "write a backslash as `\\\\`, or use single quotes";
            syntax("expected an escape sequence".to_owned(), help.to_owned())
        }
        Wrong::Line if found.is_empty() => {
            let help = "add a line break here, or a comma in a list";
            syntax("expected a line break".to_owned(), help.to_owned())
        }
        Wrong::Line => {
            let help = format!("replace `{}` with a line break", found.trim());
            syntax("expected a line break".to_owned(), help).fix(instead("\n"))
        }
        Wrong::Unwanted => {
            let fix = Change::delete(tree.span(range.clone())).looked_at();
            syntax("unexpected text".to_owned(), format!("delete it: {}", found.escape_debug())).fix(fix)
        }
        Wrong::Value => {
            syntax("invalid value".to_owned(), format!("correct this line or delete it: {whole}"))
        }
    }
}

/// Describes a line without `=`, which may be a field of YAML.
fn no_equals(tree: &Tree<'_>, title: &'static str, line: Range<usize>, at: usize) -> Diagnostic {
    let written = tree.text.get(line.clone()).unwrap_or_default();
    let whole = written.trim();
    let start = line.start + written.len() - written.trim_start().len();
    let whole_span = tree.span(start..start + whole.len());
    let Some((key, value)) = whole.split_once(':') else {
        let (first, rest) = whole.split_once([' ', '\t']).unwrap_or((whole, ""));
        let is_key = known::find(first).is_some() || scalar_of(rest).is_some();
        let (help, fix) = match is_key {
            true if rest.is_empty() => (format!("add `=` and a value after `{first}`"), None),
            true => {
                let typed = format!("{first} = {}", value_of(rest));
                (format!("write `{typed}`"), Some(Change::replace(whole_span, typed).looked_at()))
            }
            false => (format!("add a key before it, as in `key = {}`", quote(whole)), None),
        };
        return rule::TOML_SYNTAX.at(tree.span(at..at), title).label("expected `=`").help(help).fix(fix);
    };
    let (key, value) = (key.trim(), value.trim());
    let is_plain = key.chars().all(|c| is_bare(c) || c == '.') || key.starts_with(['"', '\'']);
    let key = if is_plain { key.to_owned() } else { quote(key) };
    let below = tree.text.get(line.end..).unwrap_or_default().trim_start_matches(['\r', '\n']);
    let colon = line.start + written.find(':').unwrap_or(0);
    let found = rule::TOML_SYNTAX
        .at(tree.span(colon..colon + 1), "found a colon instead of `=`")
        .label("TOML requires `=` here");
    if value.starts_with(['|', '>']) {
        let quotes = "\"\"\"";
        return found
            .help(format!("write `{key} = {quotes}`, and `{quotes}` after the last line of the text"));
    }
    let typed = match value {
        "" if below.starts_with([' ', '\t']) => {
            return found.help(format!("write `[{key}]` below all other keys, and `=` in its lines"));
        }
        "" => return found.help(format!("write `{key} =` and a value")),
        value => format!("{key} = {}", value_of(value)),
    };
    found.help(format!("write `{typed}`")).fix(Change::replace(whole_span, typed).looked_at())
}

/// Describes the items of a YAML list.
fn items(tree: &Tree<'_>, title: &'static str, range: Range<usize>) -> Diagnostic {
    let written = tree.text.get(range.clone()).unwrap_or_default();
    let items = written.lines().filter_map(|line| line.trim().strip_prefix('-'));
    let items: Vec<_> = items.map(|item| value_of(item.trim())).collect();
    let list = format!("[{}]", items.join(", "));
    let above = tree.text.get(..range.start).unwrap_or_default().trim_end();
    let start = above.rfind('\n').map_or(0, |end| end + 1);
    let key = above[start..].strip_suffix([':', '=']).map(str::trim);
    let found = rule::TOML_SYNTAX.at(tree.span(range.clone()), title).label("YAML list items");
    let Some(key) = key else { return found.help(format!("write it after its key: {list}")) };
    let typed = format!("{key} = {list}");
    found
        .help(format!("write `{typed}`"))
        .fix(Change::replace(tree.span(start..range.end), typed).looked_at())
}

/// Returns the text if it begins with a TOML value.
fn scalar_of(text: &str) -> Option<&str> {
    (scalar::kind(text).is_some() || text.starts_with(['"', '\'', '['])).then_some(text)
}

/// Formats a value of another language as a TOML value.
fn value_of(text: &str) -> String {
    scalar_of(text).map_or_else(|| quote(text), str::to_owned)
}

fn duplicate(tree: &Tree<'_>, fault: &Fault, first: Option<&Range<usize>>, key: &str) -> Diagnostic {
    let span = tree.span(fault.range.clone());
    let name = key.trim_matches(['"', '\'']);
    let is_twice = matches!(fault.wrong, Wrong::Twice(_));
    let (title, label) = match is_twice {
        true => (format!("the key `{name}` is given twice"), "given again here"),
        false => (format!("`{name}` is given as a value and as a table"), "used as a table here"),
    };
    let diagnostic = rule::TOML_DUPLICATE_KEY
        .at(span, title)
        .label(label)
        .help(format!("delete one of the two `{name}`"))
        .fix(is_twice.then(|| Change::DeleteLines(span).looked_at()));
    match first {
        Some(first) => diagnostic.related(tree.span(first.clone()), "first given here"),
        None => diagnostic,
    }
}

fn line_of(text: &str, at: usize) -> Range<usize> {
    let at = at.min(text.len());
    let at = if at == text.len() { text.trim_end().len() } else { at };
    let bytes = text.as_bytes();
    let start = bytes[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let end = bytes[at..].iter().position(|byte| *byte == b'\n').map_or(text.len(), |end| at + end);
    start..end
}
