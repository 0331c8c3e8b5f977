//! Converts one value of `skill.json` to one typed value, or to a diagnostic that shows the right form.

use skills_text::{Decimal, is_digits, parse_timeout};

use crate::rule::manifest as rules;
use crate::tree::{MapEntry, Node, ScalarType, text};
use crate::{Change, Fix, Report, Span, Spanned};

pub(super) fn string(entry: &MapEntry, report: &mut Report) -> Option<Spanned<String>> {
    let text = entry.value.spanned();
    if text.is_none() {
        wrong(entry, Expected::Text, report);
    }
    text
}

pub(super) fn flag(entry: &MapEntry, report: &mut Report) -> Option<bool> {
    let scalar = entry.value.as_scalar().filter(|scalar| scalar.kind == ScalarType::Bool);
    if scalar.is_none() {
        wrong(entry, Expected::Flag, report);
    }
    scalar.map(|scalar| scalar.text == "true")
}

pub(super) fn strings(entry: &MapEntry, report: &mut Report) -> Vec<Spanned<String>> {
    let Some(items) = entry.value.as_list() else {
        wrong(entry, Expected::Texts, report);
        return Vec::new();
    };
    let mut texts = Vec::new();
    for item in items {
        match item.spanned() {
            Some(text) => texts.push(text),
            None => wrong_node(item, &entry.key, Expected::Texts, report),
        }
    }
    texts
}

/// Reads a count: a whole number, which may be written as `3.0`.
pub(super) fn whole(entry: &MapEntry, report: &mut Report) -> Option<u64> {
    number(entry, Expected::Number, "a whole number, 0 or more", "2", whole_number, report)
}

/// Reads a number of milliseconds with a minimum; a fraction is rounded up, so that no limit is rounded to 0.
pub(super) fn milliseconds(entry: &MapEntry, least: u64, report: &mut Report) -> Option<u64> {
    let range =
        if least == 0 { "a number of milliseconds, 0 or more" } else { "a number of milliseconds above 0" };
    number(
        entry,
        Expected::Milliseconds,
        range,
        "30000",
        |text| u64::try_from(Decimal::parse(text).times(1)?).ok().filter(|given| *given >= least),
        report,
    )
}

fn number(
    entry: &MapEntry,
    expected: Expected,
    range: &str,
    example: &str,
    read: impl Fn(&str) -> Option<u64>,
    report: &mut Report,
) -> Option<u64> {
    let scalar = entry.value.as_scalar().filter(|scalar| scalar.kind == ScalarType::Number);
    let Some(scalar) = scalar else {
        wrong(entry, expected, report);
        return None;
    };
    let value = read(&scalar.text);
    if value.is_none() {
        rules::MANIFEST_RANGE
            .report_at(entry.value.span, format!("`{}` must be {range}, found {}", entry.key, scalar.text))
            .label("out of range")
            .help(format!("write it as: \"{}\": {example}", entry.key))
            .add_to(report);
    }
    value
}

/// Reads a JSON number that is whole and at least 0, in any notation.
fn whole_number(text: &str) -> Option<u64> {
    Decimal::parse(text).whole().and_then(|value| value.try_into().ok())
}

#[derive(Clone, Copy)]
pub(super) enum Expected {
    Text,
    Texts,
    Number,
    Milliseconds,
    Flag,
    Object,
    Steps,
    Version,
}

impl Expected {
    /// Converts a scalar of another type to this type, if the conversion is obvious.
    fn convert(self, node: &Node) -> Option<String> {
        let scalar = node.as_scalar()?;
        match self {
            Self::Text => Some(text::quote(&scalar.text)).filter(|_| scalar.kind != ScalarType::Null),
            Self::Texts => {
                let text = node.as_string().filter(|text| !text.trim().is_empty())?;
                let parts: Vec<String> = text.split(',').map(|part| text::quote(part.trim())).collect();
                Some(format!("[{}]", parts.join(", ")))
            }
            Self::Number => {
                let text = node.as_string()?.trim();
                whole_number(text).filter(|_| is_digits(text)).map(|n| n.to_string())
            }
            Self::Milliseconds => parse_timeout(node.as_string()?).map(|time| time.to_string()),
            Self::Flag => {
                let text = scalar.text.to_ascii_lowercase();
                matches!(text.as_str(), "true" | "false").then_some(text)
            }
            Self::Version => three(&scalar.text).map(|version| text::quote(&version)),
            Self::Object | Self::Steps => None,
        }
    }

    fn describe(self) -> (&'static str, &'static str) {
        match self {
            Self::Text => ("a string", "\"text\""),
            Self::Texts => ("an array of strings", "[\"one\", \"two\"]"),
            Self::Number => ("a number", "1"),
            Self::Milliseconds => ("a number of milliseconds", "30000"),
            Self::Flag => ("true or false", "true"),
            Self::Object => ("an object", "{}"),
            Self::Steps => {
                ("an array of steps", "[{ \"step\": \"first\", \"skill\": \"NAME\", \"input\": {} }]")
            }
            Self::Version => ("a string", "\"1.0.0\""),
        }
    }
}

/// Reports a member with a value of the wrong type.
pub(super) fn wrong(entry: &MapEntry, expected: Expected, report: &mut Report) {
    wrong_node(&entry.value, &entry.key, expected, report);
}

/// Reports a value of the wrong type, with a fix if the conversion is obvious.
pub(super) fn wrong_node(node: &Node, key: &str, expected: Expected, report: &mut Report) {
    let found = node.describe_json();
    let converted = expected.convert(node);
    let is_step = matches!(expected, Expected::Steps) && node.get("skill").is_some();
    let (expected, example) = expected.describe();
    let written = converted.as_deref().unwrap_or(example);
    let wrong = rules::MANIFEST_TYPE
        .report_at(node.span, format!("`{key}` must be {expected}, found {found}"))
        .label(format!("expected {expected}"));
    report.push(match is_step {
        true => wrong.help("wrap it in `[` and `]`").fix(Fix::from_changes(vec![
            Change::replace(node.span.head(), "["),
            Change::replace(Span { start: node.span.end, ..node.span }, "]"),
        ])),
        false => wrong
            .help(format!("write it as: \"{key}\": {written}"))
            .fix(converted.map(|text| Change::replace(node.span, text).unsafe_fix())),
    });
}

/// Reads the version of a skill: three numbers, as in Semantic Versioning 2.0.0.
pub(super) fn version(entry: &MapEntry, report: &mut Report) -> Option<Spanned<String>> {
    let Some(version) = entry.value.spanned() else {
        wrong(entry, Expected::Version, report);
        return None;
    };
    check_version(&version, report);
    Some(version)
}

/// Checks the version of a skill.
pub(super) fn check_version(version: &Spanned<String>, report: &mut Report) {
    if !is_semver(&version.value) {
        let fixed = three(&version.value);
        let example = fixed.as_deref().unwrap_or("1.0.0");
        rules::VERSION_FORMAT
            .report_at(version.span, format!("`{}` is not a semantic version", version.value))
            .label("expected MAJOR.MINOR.PATCH")
            .help(format!("write three numbers: \"{example}\""))
            .fix(fixed.as_deref().map(|text| Change::string(version.span, text).unsafe_fix()))
            .add_to(report);
    }
}

/// Completes a version with fewer than three numbers, or with a leading `v`.
fn three(text: &str) -> Option<String> {
    let text = text.trim().trim_start_matches(['v', 'V']);
    let parts = text.split('.').count();
    let text = (parts..3).fold(text.to_owned(), |text, _| text + ".0");
    is_semver(&text).then_some(text)
}

fn is_semver(text: &str) -> bool {
    let (rest, build) = text.split_once('+').map_or((text, None), |(rest, build)| (rest, Some(build)));
    let (core, pre) = rest.split_once('-').map_or((rest, None), |(core, pre)| (core, Some(pre)));
    let core: Vec<&str> = core.split('.').collect();
    core.len() == 3
        && core.into_iter().all(is_version_number)
        && pre.is_none_or(|pre| {
            pre.split('.').all(|part| is_version_word(part) && (is_version_number(part) || !is_digits(part)))
        })
        && build.is_none_or(|build| build.split('.').all(is_version_word))
}

fn is_version_number(part: &str) -> bool {
    !part.is_empty() && is_digits(part) && (part == "0" || !part.starts_with('0'))
}

fn is_version_word(part: &str) -> bool {
    !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    // SPEC 3.1
    #[test]
    fn whole_numbers_may_be_written_in_any_form() {
        for (text, value) in
            [("3", 3), ("3.0", 3), ("3e2", 300), ("1.5e1", 15), ("0", 0), ("-0", 0), ("30E-1", 3)]
        {
            assert_eq!(whole_number(text), Some(value), "{text}");
        }
        for text in ["1.5", "-1", "1e-1", "1e99", "99999999999999999999"] {
            assert_eq!(whole_number(text), None, "{text}");
        }
    }

    // SPEC 3.1
    #[test]
    fn versions_are_semver() {
        for text in ["1.0.0", "0.1.0-alpha.1+build.5", "10.20.30", "1.0.0-0a", "1.0.0+001"] {
            assert!(is_semver(text), "{text}");
        }
        for text in ["", "1", "1.0", "1.0.0.0", "v1.0.0", "1.0.0-", "01.0.0", "1.0.0-01", "1.0.x", "1.0.0+"] {
            assert!(!is_semver(text), "{text}");
        }
    }
}
