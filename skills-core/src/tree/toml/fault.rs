//! Faults of the TOML parser become diagnostics that say what to type.

use std::ops::Range;

use toml_parser::{Expected, ParseError};

use super::{Tree, document};
use crate::diagnostic::Diagnostic;
use skills_registry::Places;

use crate::edit::Change;
use crate::report::Report;
use crate::rule::frontmatter as rule;
use crate::span::Span;
use crate::tree::{Node, Value};

/// Reports every fault once: follow-ups on the same line are left out.
pub(super) fn report(tree: &Tree<'_>, root: &Node, errors: &[ParseError], report: &mut Report) {
    let mut keys = Keys::default();
    if !errors.is_empty() {
        collect_keys(root, &mut keys);
    }
    let (mut lines, mut told) = (Places::default(), Vec::<Vec<usize>>::new());
    for error in errors {
        let range = place(error);
        let line = line_of(tree.text, range.start);
        let separate = error.description().starts_with("string values");
        let at = lines.first(line.start.to_string(), told.len());
        if at == told.len() {
            told.push(Vec::new());
        }
        let known = &mut told[at];
        // Every word that wants quotes is a fault of its own; what else a line has is a follow-up.
        let follows = !known.is_empty() && (!separate || known.contains(&usize::MAX));
        if follows || known.contains(&range.start) {
            continue;
        }
        known.push(if separate { range.start } else { usize::MAX });
        report.push(describe(tree, &keys, &message(error), range, line));
    }
}

/// Finds the lines that the parser gave up on.
pub(super) fn lines_without_value(text: &str, errors: &[ParseError]) -> Vec<Range<usize>> {
    let gave_up = |error: &&ParseError| NO_VALUE.iter().any(|start| error.description().starts_with(start));
    errors.iter().filter(gave_up).map(|error| line_of(text, place(error).start)).collect()
}

const NO_VALUE: [&str; 2] = ["key with no value", "missing value for key"];

fn place(error: &ParseError) -> Range<usize> {
    error.unexpected().map_or(0..0, document::range)
}

/// Says what is wrong and what would be right: `…, expected A, B`, or `…, expected nothing`.
fn message(error: &ParseError) -> String {
    let mut message = error.description().to_owned();
    let Some(expected) = error.expected() else { return message };
    message.push_str(if expected.is_empty() { ", expected nothing" } else { ", expected " });
    for (at, expected) in expected.iter().enumerate() {
        message.push_str(if at == 0 { "" } else { ", " });
        match expected {
            Expected::Literal("\n") => message.push_str("newline"),
            Expected::Literal("`") => message.push_str("'`'"),
            Expected::Literal(sign) => message.push_str(&format!("`{sign}`")),
            Expected::Description(words) => message.push_str(words),
            _ => message.push_str("something else"),
        }
    }
    message
}

fn line_of(text: &str, at: usize) -> Range<usize> {
    let at = at.min(text.len());
    let at = if at == text.len() { text.trim_end().len() } else { at };
    let bytes = text.as_bytes();
    let start = bytes[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let end = bytes[at..].iter().position(|byte| *byte == b'\n').map_or(text.len(), |end| at + end);
    start..end
}

fn describe(
    tree: &Tree<'_>,
    keys: &Keys,
    message: &str,
    range: Range<usize>,
    line: Range<usize>,
) -> Diagnostic {
    let text = tree.text;
    let (title, expected) = message.split_once(", expected ").unwrap_or((message, ""));
    let whole = text.get(line.clone()).unwrap_or_default().trim();
    let found = text.get(range.clone()).unwrap_or_default();
    let syntax = |range: Range<usize>, title: &str, help: String| {
        rule::TOML_SYNTAX.at(tree.span(range), title).help(help)
    };
    if title == "duplicate key" || title.starts_with("cannot extend") {
        return duplicate(tree, keys, title, found, range);
    }
    if title.starts_with("string values") {
        let help = match (found.is_empty(), whole.split_once('=')) {
            (true, _) => format!("type a value: {whole} \"\""),
            (false, Some((key, value))) if value.trim() == found => {
                format!("quote it: {} = {}", key.trim(), quote(found))
            }
            _ => format!("quote it: {}", quote(found)),
        };
        let label = if found.is_empty() { "no value here" } else { "text without quotes" };
        let fix =
            (!found.is_empty()).then(|| Change::replace(tree.span(range.clone()), quote(found)).looked_at());
        return syntax(range, title, help).label(label).fix(fix);
    }
    if title == "key with no value" {
        let Some((key, value)) = whole.split_once(':') else {
            return syntax(range, title, format!("type `=` and a value: {whole} = \"\""))
                .label("expected `=`");
        };
        let (key, value) = (key.trim(), value.trim());
        let bare = value.parse::<f64>().is_ok()
            || matches!(value, "true" | "false")
            || value.starts_with(['"', '\'', '[']);
        let value = if bare { value.to_owned() } else { quote(value) };
        let colon = line.start + text[line.clone()].find(':').unwrap_or(0);
        let typed = format!("{key} = {value}");
        let indent = text[line.clone()].len() - text[line.clone()].trim_start().len();
        let place = tree.span(line.start + indent..line.start + indent + whole.len());
        return syntax(colon..colon + 1, "a colon in place of `=`", format!("type `{typed}`"))
            .label("TOML wants `=` here")
            .fix(Change::replace(place, typed).looked_at());
    }
    let help = match (title, expected) {
        ("missing escaped value" | "invalid escape sequence", _) => {
            "type `\\\\` for a backslash, or use single quotes".to_owned()
        }
        ("cannot recurse further; max recursion depth met", _) => "move some of it one level up".to_owned(),
        ("invalid boolean", _) => format!("type {expected}"),
        (_, "nothing") => format!("delete it: {found}"),
        (_, "newline, `#`") => "type a line break here, or a comma inside a list".to_owned(),
        (_, "") => format!("mend this line or delete it: {whole}"),
        _ if title.contains("string") && expected.len() <= 5 => {
            format!("close it: {whole}{}", expected.trim_matches('`'))
        }
        _ => format!("type {expected} here"),
    };
    let label = match expected {
        "" => "here".to_owned(),
        "nothing" => "this should not be here".to_owned(),
        expected => format!("expected {expected}"),
    };
    let is_open = title.contains("string") && matches!(expected, "`\"`" | "`'`");
    let fix = match expected {
        "nothing" => Some(Change::delete(tree.span(range.clone())).looked_at()),
        // A string that is not closed on its line was to end with it.
        quote if is_open => {
            let end = line.start + text[line.clone()].trim_end().len();
            Some(Change::replace(tree.span(end..end), quote.trim_matches('`')).looked_at())
        }
        _ => None,
    };
    syntax(range, title, help).label(label).fix(fix)
}

fn duplicate(tree: &Tree<'_>, keys: &Keys, title: &str, key: &str, range: Range<usize>) -> Diagnostic {
    let span = tree.span(range);
    let name = key.trim_matches(['"', '\'']);
    let (title, label) = match title {
        "duplicate key" => (format!("the key `{name}` is given twice"), "given again here"),
        _ => (format!("`{name}` is given as a value and as a table"), "used as a table here"),
    };
    let diagnostic = rule::TOML_DUPLICATE_KEY
        .at(span, title)
        .label(label)
        .help(format!("delete one of the two `{name}`"))
        .fix((label == "given again here").then(|| Change::DeleteLines(span).looked_at()));
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

fn quote(value: &str) -> String {
    format!("\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\"").replace('\t', "\\t"))
}
