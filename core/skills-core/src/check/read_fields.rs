//! Converts one value of a frontmatter to one typed value, or to a diagnostic that shows the right form.

use skills_text::yaml_text;

use super::draft::Draft;
use crate::known::Known;
use crate::rule::fields as rules;
use crate::tree::{MapEntry, Node, Value};
use crate::tree::{json, text::quote};
use crate::{Change, Diagnostic, Report, SourceMap, Spanned};

/// Reads a scalar as its text.
pub(super) fn text(
    draft: &Draft,
    known: &Known,
    entry: &MapEntry,
    sources: &SourceMap,
    report: &mut Report,
) -> Option<Spanned<String>> {
    if let Some(scalar) = entry.value.as_scalar() {
        return Some(Spanned { value: scalar.text.clone(), span: entry.value.span });
    }
    // YAML parses `{{ … }}` as a map whose key is a map. This was already reported.
    if entry.value.as_map().is_some_and(<[MapEntry]>::is_empty)
        && sources.text(entry.value.span).starts_with("{{")
    {
        return None;
    }
    let items = entry.value.as_list().unwrap_or_default();
    let texts: Vec<&str> = items.iter().filter_map(|item| Some(item.as_scalar()?.text.as_str())).collect();
    let text = if texts.is_empty() { "text".to_owned() } else { texts.join(", ") };
    let is_whole = !texts.is_empty() && texts.len() == items.len();
    // In a flow map a comma would end the value.
    let written = if draft.is_toml() || text.contains(',') { quote(&text) } else { yaml_text(&text) };
    let fix = is_whole.then(|| Change::replace(entry.value.span, written).looked_at());
    report.push(wrong(&entry.value, known.key, "a string", draft.line(known.key, &text)).fix(fix));
    None
}

/// Reads a list of scalars; a scalar counts as a list of one.
pub(super) fn list(
    draft: &Draft,
    known: &Known,
    entry: &MapEntry,
    report: &mut Report,
) -> Vec<Spanned<String>> {
    let Some(items) = entry.value.as_items() else {
        report.push(wrong(&entry.value, known.key, "a list", draft.line(known.key, "[one, two]")));
        return Vec::new();
    };
    let mut texts = Vec::new();
    for item in items {
        match item.as_scalar() {
            Some(scalar) if !scalar.text.trim().is_empty() => {
                texts.push(Spanned { value: scalar.text.trim().to_owned(), span: item.span });
            }
            Some(_) => {
                report.push(wrong(
                    item,
                    known.key,
                    "a list of non-empty strings",
                    "delete this item".to_owned(),
                ));
            }
            None => {
                report.push(wrong(item, known.key, "a list of strings", draft.line(known.key, "[one, two]")))
            }
        }
    }
    texts
}

/// Reads a map, or a string that holds a JSON object.
pub(super) fn map(draft: &Draft, known: &Known, entry: &MapEntry, report: &mut Report) {
    let is_map = match entry.value.as_string() {
        Some(text) => json::object_in(text).is_some(),
        None => entry.value.as_map().is_some(),
    };
    if !is_map {
        let form = draft.line(&format!("{}:\n  key", known.key), "value").replace(":\n  key = ", "]\nkey = ");
        let form = if form.contains('=') { format!("[{form}") } else { form };
        report.push(wrong(&entry.value, known.key, "a map", form));
    }
}

/// Reads a time limit in milliseconds.
pub(super) fn timeout(draft: &Draft, entry: &MapEntry, report: &mut Report) -> Option<Spanned<u64>> {
    let value = entry.value.as_scalar().and_then(|scalar| skills_text::parse_timeout(&scalar.text));
    if value.is_none() {
        let found = entry
            .value
            .as_scalar()
            .map_or_else(|| entry.value.describe().to_owned(), |scalar| format!("`{}`", scalar.text));
        rules::TIMEOUT_INVALID
            .at(entry.value.span, format!("{found} is not a time limit"))
            .label("expected a value such as `30000`, `300ms`, `1.5s`, `5m` or `1h30m`")
            .help(format!(
                "write milliseconds as a whole number above 0, or a duration: {}",
                draft.line("timeout", "5m")
            ))
            .fix(duration(entry).map(Change::looked_at))
            .add_to(report);
    }
    value.map(|value| Spanned { value, span: entry.value.span })
}

/// Returns a change that shortens the unit of `5 minutes` and similar texts.
fn duration(entry: &MapEntry) -> Option<Change> {
    let written = &entry.value.as_scalar()?.text;
    let digits = written.find(|c: char| !c.is_ascii_digit() && c != '.')?;
    let (number, word) = written.split_at(digits);
    let unit = match word.trim().to_ascii_lowercase().as_str() {
        "ms" | "msec" | "millisecond" | "milliseconds" => "ms",
        "s" | "sec" | "secs" | "second" | "seconds" => "s",
        "m" | "min" | "mins" | "minute" | "minutes" => "m",
        "h" | "hr" | "hrs" | "hour" | "hours" => "h",
        _ => return None,
    };
    skills_text::parse_timeout(&format!("{number}{unit}"))?;
    // Without escapes, the text is plain or has one quote on each side.
    let span = entry.value.span;
    let around = usize::try_from(span.end - span.start).ok()?.checked_sub(written.len())?;
    let start = match around {
        0 => digits,
        2 => digits + 1,
        _ => return None,
    };
    Some(Change::replace(span.part(start, start + word.len()), unit))
}

/// Reads a list of tools, or a text with several tools.
pub(super) fn tools(
    draft: &Draft,
    known: &Known,
    entry: &MapEntry,
    sources: &SourceMap,
    report: &mut Report,
) -> Vec<Spanned<String>> {
    let parts = match &entry.value.value {
        Value::Scalar(scalar) => split_tools(&scalar.text)
            .into_iter()
            .map(|tool| Spanned { value: tool, span: entry.value.span })
            .collect(),
        _ => list(draft, known, entry, report),
    };
    for tool in &parts {
        if tool.value == "*" && known.key == "allowed-tools" {
            let source = sources.text(tool.span);
            let at = source.find('*').map_or(0, |at| u32::try_from(at).unwrap_or(0));
            let span = crate::span::Span::new(tool.span.start + at, tool.span.start + at + 1);
            crate::rule::lints::ALLOWED_TOOLS_ANY
                .at(span, "`allowed-tools` allows every tool")
                .label("this allows everything")
                .help("name the tools the skill needs, such as `Read Bash(git:*)`")
                .add_to(report);
        }
    }
    parts
}

/// Returns the names of arguments in all forms that clients use: words of a text, items of a list, or their `name`.
/// Invalid names are ignored, including numbers, because `$1` has another meaning.
pub(super) fn argument_names(node: &Node) -> Vec<String> {
    let name = |node: &Node| node.as_scalar().map(|scalar| scalar.text.trim().to_owned());
    let mut names: Vec<String> = match &node.value {
        Value::Scalar(scalar) => scalar.text.split_whitespace().map(str::to_owned).collect(),
        Value::List(items) => {
            items.iter().filter_map(|item| name(item).or_else(|| item.get("name").and_then(name))).collect()
        }
        Value::Map(_) => Vec::new(),
    };
    names.retain(|name| name.starts_with(|c: char| c.is_alphabetic() || c == '_'));
    names
}

/// Returns the programs that openclaw requires in `metadata`.
pub(super) fn openclaw_bins(metadata: &Node) -> Vec<Spanned<String>> {
    let bins =
        metadata.get("openclaw").and_then(|node| node.get("requires")).and_then(|node| node.get("bins"));
    let items = bins.and_then(Node::as_list).unwrap_or_default();
    items.iter().filter_map(Node::spanned).collect()
}

fn wrong(node: &Node, key: &str, expected: &str, form: String) -> Diagnostic {
    let found = node.describe();
    rules::VALUE_TYPE
        .at(node.span, format!("`{key}` must be {expected}, found {found}"))
        .label(format!("expected {expected}"))
        .help(if form.contains(' ') || form.contains('=') { format!("write it as:\n{form}") } else { form })
}

/// Splits at spaces and commas outside parentheses, so that `Bash(git log:*)` stays one tool.
pub(super) fn split_tools(text: &str) -> Vec<String> {
    let tools = text.split(outside(|c| c == ',' || c.is_whitespace()));
    tools.filter(|tool| !tool.is_empty()).map(str::to_owned).collect()
}

/// Returns a predicate for the characters of a text in order: wanted ones outside parentheses.
pub(super) fn outside(is_wanted: fn(char) -> bool) -> impl FnMut(char) -> bool {
    let mut depth = 0_usize;
    move |c| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && is_wanted(c)
    }
}

#[cfg(test)]
mod tests {
    use super::split_tools;

    // SPEC 2.5
    #[test]
    fn tool_names_are_not_split() {
        assert_eq!(split_tools("Read, Bash(git log:*) Grep"), ["Read", "Bash(git log:*)", "Grep"]);
        assert_eq!(split_tools("Bash(jq:*),Read"), ["Bash(jq:*)", "Read"]);
        assert_eq!(split_tools("Bash(a, b"), ["Bash(a, b"]);
        assert_eq!(split_tools("  "), Vec::<String>::new());
    }
}
