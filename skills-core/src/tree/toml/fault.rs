//! Faults of TOML become diagnostics that say what to type.

use std::ops::Range;

use skills_registry::{Places, sort};

use super::{Tree, scalar};
use crate::diagnostic::Diagnostic;
use crate::edit::Change;
use crate::report::Report;
use crate::rule::frontmatter as rule;
use crate::span::Span;
use crate::tree::text::quote;
use crate::tree::{Node, Value};

/// What the grammar or the tables refuse, and where.
pub(super) struct Fault {
    pub(super) range: Range<usize>,
    pub(super) title: &'static str,
    pub(super) wrong: Wrong,
}

/// What mends a fault.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Wrong {
    /// A key or a table is given twice.
    Twice,
    /// A key of a path has a value that is no table.
    NoTable,
    /// Brackets and dots lead too deep.
    Depth,
    /// A text wants quotes.
    Unquoted,
    /// A line has no `=`.
    NoEquals,
    /// Something is missing here.
    Missing(&'static str),
    /// A string lacks its closing quotes.
    Unclosed(&'static str),
    /// A word was to be this one.
    Meant(&'static str),
    /// A backslash begins no escape sequence.
    Escape,
    /// The line was to end here.
    Line,
    /// Something may not stand here.
    Unwanted,
    /// A value is none.
    Value,
}

/// Reports every fault once: follow-ups on the same line are left out.
pub(super) fn report(tree: &Tree<'_>, root: &Node, mut faults: Vec<Fault>, report: &mut Report) {
    let mut keys = Keys::default();
    if !faults.is_empty() {
        collect_keys(root, &mut keys);
    }
    sort(&mut faults, &|a, b| a.range.start.cmp(&b.range.start));
    let mut told: Option<(Range<usize>, Wrong)> = None;
    for fault in faults {
        let at = fault.range.start;
        let same = told.as_ref().filter(|(line, _)| (line.start..=line.end).contains(&at));
        // Every word that wants quotes is a fault of its own; what else a line has is a follow-up.
        if same.is_some_and(|(_, wrong)| (*wrong, fault.wrong) != (Wrong::Unquoted, Wrong::Unquoted)) {
            continue;
        }
        let line = same.map_or_else(|| line_of(tree.text, at), |(line, _)| line.clone());
        told = Some((line.clone(), fault.wrong));
        report.push(describe(tree, &keys, &fault, line));
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

fn describe(tree: &Tree<'_>, keys: &Keys, fault: &Fault, line: Range<usize>) -> Diagnostic {
    let (text, title, range) = (tree.text, fault.title, fault.range.clone());
    let written = text.get(line.clone()).unwrap_or_default();
    let whole = written.trim();
    let found = text.get(range.clone()).unwrap_or_default();
    let syntax = |label: String, help: String| {
        rule::TOML_SYNTAX.at(tree.span(range.clone()), title).label(label).help(help)
    };
    match fault.wrong {
        Wrong::Twice | Wrong::NoTable => duplicate(tree, keys, fault, found),
        Wrong::Depth => {
            let help = "shorten this key, or move some of it one level up: 64 levels are allowed";
            syntax("the 65th level".to_owned(), help.to_owned())
        }
        Wrong::Unquoted if found.is_empty() => {
            syntax("no value here".to_owned(), format!("type a value: {whole} \"\""))
        }
        Wrong::Unquoted => {
            let help = match whole.split_once('=') {
                Some((key, value)) if value.trim() == found => {
                    format!("quote it: {} = {}", key.trim(), quote(found))
                }
                _ => format!("quote it: {}", quote(found)),
            };
            let fix = Change::replace(tree.span(range.clone()), quote(found)).looked_at();
            syntax("text without quotes".to_owned(), help).fix(fix)
        }
        Wrong::NoEquals => {
            let Some((key, value)) = whole.split_once(':') else {
                let help = format!("type `=` and a value: {whole} = \"\"");
                return syntax("expected `=`".to_owned(), help);
            };
            let (key, value) = (key.trim(), value.trim());
            let is_value = scalar::kind(value).is_some() || value.starts_with(['"', '\'', '[']);
            let value = if is_value { value.to_owned() } else { quote(value) };
            let typed = format!("{key} = {value}");
            let colon = line.start + written.find(':').unwrap_or(0);
            let start = line.start + written.len() - written.trim_start().len();
            rule::TOML_SYNTAX
                .at(tree.span(colon..colon + 1), "a colon in place of `=`")
                .label("TOML wants `=` here")
                .help(format!("type `{typed}`"))
                .fix(Change::replace(tree.span(start..start + whole.len()), typed).looked_at())
        }
        Wrong::Missing(sign) => {
            let sign = if sign.len() > 2 { sign.to_owned() } else { format!("`{sign}`") };
            syntax(format!("expected {sign}"), format!("type {sign} here"))
        }
        Wrong::Unclosed(quote) => {
            let end = line.start + written.trim_end().len();
            // A string that is not closed on its line was to end with it.
            let fix = (quote.len() == 1).then(|| Change::replace(tree.span(end..end), quote).looked_at());
            syntax(format!("expected `{quote}`"), format!("close it: {whole}{quote}")).fix(fix)
        }
        Wrong::Meant(word) => {
            let fix = Change::replace(tree.span(range.clone()), word).looked_at();
            syntax(format!("expected `{word}`"), format!("type `{word}`")).fix(fix)
        }
        Wrong::Escape => {
            let help = "type `\\\\` for a backslash, or use single quotes";
            syntax("expected an escape sequence".to_owned(), help.to_owned())
        }
        Wrong::Line => {
            let help = "type a line break here, or a comma inside a list";
            syntax("expected a line break".to_owned(), help.to_owned())
        }
        Wrong::Unwanted => {
            let fix = Change::delete(tree.span(range.clone())).looked_at();
            syntax("this should not be here".to_owned(), format!("delete it: {}", found.escape_debug()))
                .fix(fix)
        }
        Wrong::Value => syntax("here".to_owned(), format!("mend this line or delete it: {whole}")),
    }
}

fn duplicate(tree: &Tree<'_>, keys: &Keys, fault: &Fault, key: &str) -> Diagnostic {
    let span = tree.span(fault.range.clone());
    let name = key.trim_matches(['"', '\'']);
    let is_twice = fault.wrong == Wrong::Twice;
    let (title, label) = match is_twice {
        true => (format!("the key `{name}` is given twice"), "given again here"),
        false => (format!("`{name}` is given as a value and as a table"), "used as a table here"),
    };
    let diagnostic = rule::TOML_DUPLICATE_KEY
        .at(span, title)
        .label(label)
        .help(format!("delete one of the two `{name}`"))
        .fix(is_twice.then(|| Change::DeleteLines(span).looked_at()));
    let before = |known: &&Span| known.start < span.start;
    let known = keys.places.get(name).and_then(|at| keys.spans.get(at));
    match known.and_then(|spans| spans.iter().rfind(before)) {
        Some(first) => diagnostic.related(*first, "first given here"),
        None => diagnostic,
    }
}

/// Where every key of a tree stands, by name.
#[derive(Default)]
struct Keys {
    places: Places,
    spans: Vec<Vec<Span>>,
}

fn collect_keys(node: &Node, keys: &mut Keys) {
    match &node.value {
        Value::Map(entries) => {
            for entry in entries {
                let at = keys.places.first(entry.key.clone(), keys.spans.len());
                match keys.spans.get_mut(at) {
                    Some(spans) => spans.push(entry.key_span),
                    None => keys.spans.push(vec![entry.key_span]),
                }
                collect_keys(&entry.value, keys);
            }
        }
        Value::List(items) => items.iter().for_each(|item| collect_keys(item, keys)),
        Value::Scalar(_) => {}
    }
}
