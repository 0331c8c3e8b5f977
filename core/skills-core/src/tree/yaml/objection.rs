//! Converts wrong keys, tags, aliases, documents and escapes of YAML to diagnostics.

use std::ops::Range;

use granit_parser::ErrorKind;

use super::anchor::Refusal;
use super::line::YamlLine;
use super::text::{YamlText, quote, shown};
use crate::rule::frontmatter as rule;
use crate::tree::Node;
use crate::{Change, Diagnostic, Span};

pub(super) fn no_key(text: &YamlText<'_>, colon: usize) -> Diagnostic {
    let end = (colon + 1).min(text.text.len());
    rule::YAML_KEY
        .report_at(text.span(colon..end), "this value has no key")
        .label("nothing before the colon")
        .help("add a key before the colon: `key: value`")
}

/// Describes a list or map as a key; `{{ … }}` is parsed as such a map, but is meant as text.
pub(super) fn collection_key(text: &YamlText<'_>, key: &Node) -> Diagnostic {
    let title = format!("{} cannot be a key", key.describe());
    let found = rule::YAML_KEY.report_at(key.span, title).label(format!("this is {}", key.describe()));
    match braces(text, key) {
        Some((span, braces)) => {
            let quoted = quote(braces);
            found
                .help(format!("quote the whole value: {quoted}"))
                .fix(Change::replace(span, quoted).unsafe_fix())
        }
        None => found
            .help("use a word as the key, or quote it if it is text")
            .fix(word(key).map(|word| Change::replace(key.span, word).unsafe_fix())),
    }
}

/// Returns the only word of a list used as a key.
fn word(key: &Node) -> Option<&str> {
    let [only] = key.as_list()? else { return None };
    let word = only.as_string()?;
    word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)).then_some(word)
}

/// Returns the `{{ … }}` around a map used as a key, with its position.
fn braces<'t>(text: &'t YamlText<'_>, key: &Node) -> Option<(Span, &'t str)> {
    let file = text.source.span(0..0).start;
    let start = usize::try_from(key.span.start.checked_sub(file)?).ok()?.checked_sub(1)?;
    let whole = text.source.text.get(start..)?;
    let end = whole.find("}}")? + 2;
    let braces = whole.get(..end).filter(|braces| braces.starts_with("{{") && !braces.contains('\n'))?;
    Some((text.source.span(start..start + end), braces))
}

pub(super) fn duplicate_key(name: &str, span: Span, first: Span) -> Diagnostic {
    let name = shown(name);
    rule::YAML_DUPLICATE_KEY
        .report_at(span, format!("the key `{name}` is given twice"))
        .label("given again here")
        .help(format!("delete one of the two `{name}`"))
        .fix(Change::DeleteLines(span).unsafe_fix().repeats(first))
        .related(first, "first given here")
}

/// Describes a tag that is not applied; `value` is the text of a scalar after it.
pub(super) fn tag(text: &YamlText<'_>, range: Range<usize>, value: Option<&str>) -> Diagnostic {
    let tag = text.written(range.clone());
    let quoted = value.map(|value| quote(&format!("{tag} {value}")));
    let line = YamlLine::containing(&text.text, range.start);
    // There is a fix only if the tag and its value are on one line.
    let value =
        line.value.start == range.start && value.is_some_and(|value| line.value_text().ends_with(value));
    let whole = text.span(line.value.clone());
    let fix = quoted.clone().filter(|_| value).map(|quoted| Change::replace(whole, quoted).unsafe_fix());
    let help =
        quoted.map_or_else(|| "delete the tag".to_owned(), |quoted| format!("quote the value: {quoted}"));
    rule::YAML_TAG
        .report_at(text.span(range), format!("the tag `{tag}` does not fit here"))
        .label("allowed are `!!str`, `!!int`, `!!float`, `!!bool`, `!!null`, `!!seq`, `!!map`, on matching values")
        .help(help)
        .fix(fix)
}

pub(super) fn alias(text: &YamlText<'_>, range: Range<usize>, refusal: Refusal) -> Diagnostic {
    let name = text.written(range.clone());
    let (fault, label) = match refusal {
        Refusal::Recursive => ("contains itself", "this alias is inside the value it names"),
        Refusal::TooMuch => ("expands to too much text", "the limit is 10,000 values, 1 MiB and 64 levels"),
    };
    let found = rule::YAML_ALIAS.report_at(text.span(range), format!("the alias `{name}` {fault}"));
    found.label(label).help(format!("write the value instead of `{name}`"))
}

pub(super) fn unknown_alias(text: &YamlText<'_>, range: Range<usize>, name: &str) -> Diagnostic {
    rule::YAML_ALIAS
        .report_at(text.span(range), format!("the alias `*{name}` is not defined"))
        .label(format!("no `&{name}` before this"))
        .write("quote it: ", &quote(&format!("*{name}")))
}

pub(super) fn second_document(text: &YamlText<'_>, range: Range<usize>) -> Diagnostic {
    // The second document starts at its own `---`, or at the `...` that ended the first document.
    let dots = text.text[..range.start].trim_end().rfind("\n...").map(|at| at + 1..at + 4);
    let dots = dots.or_else(|| text.text.starts_with("...").then_some(0..3));
    let range = if range.is_empty() { dots.unwrap_or(range) } else { range };
    let span = text.span(range.clone());
    rule::YAML_DOCUMENTS
        .report_at(span, "more than one YAML document in the frontmatter")
        .label("the first document ends here")
        .help(format!("delete the `{}`", text.written(range)))
        .fix(Change::DeleteLines(span).unsafe_fix())
}

/// Returns `true` if a fault is about a backslash in double quotes.
pub(super) fn is_escape(kind: &ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::UnknownQuotedScalarEscape
            | ErrorKind::InvalidQuotedScalarHexEscape
            | ErrorKind::InvalidLowSurrogateHexEscape
            | ErrorKind::InvalidLowSurrogate
            | ErrorKind::MissingLowSurrogate
            | ErrorKind::UnpairedLowSurrogate
            | ErrorKind::InvalidUnicodeEscape
    )
}

/// Describes the first invalid escape of the quoted value at `start`.
pub(super) fn escape(text: &YamlText<'_>, start: usize, end: usize) -> Diagnostic {
    let value = text.text.get(start..end).unwrap_or_default();
    let mut chars = value.char_indices().peekable();
    let mut found = 0..1;
    while let Some((at, c)) = chars.next() {
        let Some((_, next)) = (c == '\\').then(|| chars.next()).flatten() else { continue };
        let digits = match next {
            'x' => 2,
            'u' => 4,
            'U' => 8,
            '0' | 'a' | 'b' | 't' | '\t' | '\n' | '\r' | 'n' | 'v' | 'f' | 'r' | 'e' | ' ' | '"' | '/'
            | '\\' | 'N' | '_' | 'L' | 'P' => continue,
            _ => 0,
        };
        let start = at + 1 + next.len_utf8();
        let hex =
            value.get(start..start + digits).filter(|hex| hex.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let fine = hex.and_then(|hex| u32::from_str_radix(hex, 16).ok()).and_then(char::from_u32);
        found = at..hex.map_or(start, |_| start + digits);
        if fine.is_none() || digits == 0 {
            break;
        }
    }
    let bad = shown(value.get(found.clone()).unwrap_or_default());
    let span = text.span(start + found.start..start + found.end);
    rule::YAML_SYNTAX
        .report_at(span, format!("`{bad}` is not an escape sequence of YAML"))
        .label("unknown escape")
        .help(format!("write a literal backslash as `\\{bad}`"))
        .fix(Change::replace(span.head(), "\\").unsafe_fix())
}
