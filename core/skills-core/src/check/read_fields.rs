//! Converts one value of a frontmatter to one typed value, or to a diagnostic that shows the right form.

use skills_text::yaml_text;

use super::draft::{Check, SkillDraft};
use crate::rule::{fields as rules, lints};
use crate::tree::{MapEntry, Node, Value, text::quote};
use crate::{Change, Diagnostic, Report, Spanned};

/// A known key of a frontmatter with its value.
#[derive(Clone, Copy)]
pub(super) struct Field<'f> {
    pub(super) draft: &'f SkillDraft,
    pub(super) key: &'static str,
    pub(super) value: &'f Node,
}

impl Field<'_> {
    pub(super) fn text(self, check: &mut Check<'_>) -> Option<Spanned<String>> {
        let sources = check.sources;
        let Self { draft, key, value } = self;
        if let Some(scalar) = value.as_scalar() {
            return Some(Spanned { value: scalar.text.clone(), span: value.span });
        }
        // YAML parses `{{ … }}` as a map whose key is a map. This was already reported.
        let is_empty = value.as_map().is_some_and(<[MapEntry]>::is_empty);
        if is_empty && sources.text(value.span).starts_with("{{") {
            return None;
        }
        let items = value.as_list().unwrap_or_default();
        let texts: Vec<&str> = items.iter().filter_map(|item| Some(&*item.as_scalar()?.text)).collect();
        let text = if texts.is_empty() { "text".to_owned() } else { texts.join(", ") };
        let is_whole = !texts.is_empty() && texts.len() == items.len();
        // In a flow map a comma would end the value.
        let written = if draft.is_toml() || text.contains(',') { quote(&text) } else { yaml_text(&text) };
        let fix = is_whole.then(|| Change::replace(value.span, written).unsafe_fix());
        check.report.push(self.wrong(value, "a string", draft.line(key, &text)).fix(fix));
        None
    }

    /// Reads a list of scalars; a scalar counts as a list of one.
    pub(super) fn list(self, report: &mut Report) -> Vec<Spanned<String>> {
        let example = self.draft.line(self.key, "[one, two]");
        let Some(items) = self.value.as_items() else {
            report.push(self.wrong(self.value, "a list", example));
            return Vec::new();
        };
        let mut texts = Vec::new();
        for item in items {
            match item.as_scalar().map(|scalar| scalar.text.trim()) {
                Some("") => {
                    let help = "delete this item".to_owned();
                    report.push(self.wrong(item, "a list of non-empty strings", help));
                }
                Some(text) => texts.push(Spanned { value: text.to_owned(), span: item.span }),
                None => report.push(self.wrong(item, "a list of strings", example.clone())),
            }
        }
        texts
    }

    /// Checks for a map, or a string that holds a JSON object.
    pub(super) fn map(self, report: &mut Report) {
        let is_map = match self.value.as_string() {
            Some(text) => skills_schema::json::object_in(text).is_some(),
            None => self.value.as_map().is_some(),
        };
        if !is_map {
            let form = match self.draft.is_toml() {
                true => format!("[{}]\nkey = \"value\"", self.key),
                false => format!("{}:\n  key: value", self.key),
            };
            report.push(self.wrong(self.value, "a map", form));
        }
    }

    /// Reads a time limit in milliseconds.
    pub(super) fn timeout(self, report: &mut Report) -> Option<Spanned<u64>> {
        let scalar = self.value.as_scalar();
        let value = scalar.and_then(|scalar| skills_text::parse_timeout(&scalar.text));
        if value.is_none() {
            let found = scalar.map(|scalar| format!("`{}`", scalar.text));
            let found = found.unwrap_or_else(|| self.value.describe().to_owned());
            let example = self.draft.line(self.key, "5m");
            rules::TIMEOUT_INVALID
                .report_at(self.value.span, format!("{found} is not a time limit"))
                .label("expected a value such as `30000`, `300ms`, `1.5s`, `5m` or `1h30m`")
                .help(format!("write milliseconds as a whole number above 0, or a duration: {example}"))
                .fix(duration(self.value).map(Change::unsafe_fix))
                .add_to(report);
        }
        value.map(|value| Spanned { value, span: self.value.span })
    }

    /// Reads a list of tools, or a text with several tools.
    pub(super) fn tools(self, check: &mut Check<'_>) -> Vec<Spanned<String>> {
        let sources = check.sources;
        let tools = match self.value.as_scalar().map(|scalar| split_tools(&scalar.text)) {
            Some(tools) => tools.into_iter().map(|value| Spanned { value, span: self.value.span }).collect(),
            None => self.list(check.report),
        };
        for tool in tools.iter().filter(|tool| tool.value == "*" && self.key == "allowed-tools") {
            let at = sources.text(tool.span).find('*').unwrap_or(0);
            lints::ALLOWED_TOOLS_ANY
                .report_at(tool.span.part(at, at + 1), "`allowed-tools` allows every tool")
                .label("this allows everything")
                .help("name the tools the skill needs, such as `Read Bash(git:*)`")
                .add_to(check.report);
        }
        tools
    }

    fn wrong(self, node: &Node, expected: &str, form: String) -> Diagnostic {
        rules::VALUE_TYPE
            .report_at(node.span, format!("`{}` must be {expected}, found {}", self.key, node.describe()))
            .label(format!("expected {expected}"))
            .help(if form.contains([' ', '=']) { format!("write it as:\n{form}") } else { form })
    }
}

/// Returns a change that shortens the unit of `5 minutes` and similar texts.
fn duration(value: &Node) -> Option<Change> {
    let written = &value.as_scalar()?.text;
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
    let span = value.span;
    let around = usize::try_from(span.end - span.start).ok()?.checked_sub(written.len())?;
    let start = match around {
        0 => digits,
        2 => digits + 1,
        _ => return None,
    };
    Some(Change::replace(span.part(start, start + word.len()), unit))
}

/// Returns the names of arguments in all forms that clients use: words of a text, items of a list, or their `name`.
/// Invalid names are ignored, including numbers, because `$1` has another meaning.
pub(super) fn argument_names(node: &Node) -> Vec<String> {
    let mut names: Vec<String> = match &node.value {
        Value::Scalar(scalar) => scalar.text.split_whitespace().map(str::to_owned).collect(),
        Value::List(items) => {
            let scalars =
                items.iter().filter_map(|item| item.as_scalar().or_else(|| item.get("name")?.as_scalar()));
            scalars.map(|scalar| scalar.text.trim().to_owned()).collect()
        }
        Value::Map(_) => Vec::new(),
    };
    names.retain(|name| name.starts_with(|c: char| c.is_alphabetic() || c == '_'));
    names
}

/// Returns a list of the requirements that openclaw declares in `metadata`.
pub(super) fn openclaw_requires<'n>(metadata: &'n Node, key: &str) -> &'n [Node] {
    let requires = metadata.get("openclaw").and_then(|node| node.get("requires"));
    requires.and_then(|node| node.get(key)?.as_list()).unwrap_or_default()
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

/// Reports a value in the format of another system, which has no effect.
pub(super) fn report_foreign(wanted: &str, entry: &MapEntry, report: &mut Report) {
    let (key, found) = (&entry.key, entry.value.describe());
    rules::KEY_FOREIGN
        .report_at(
            entry.key_span,
            format!("the value of `{key}` is {found}, which is the format of another system"),
        )
        .label(format!("kept as data without effect; expected {wanted}"))
        .help("ignore this if the other system reads the field")
        .add_to(report);
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
