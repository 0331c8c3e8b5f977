//! Converts a fault of JSON to a diagnostic: its rule, its place, its help and its fix.

use std::ops::Range;

use skills_schema::json::ErrorKind;
use skills_text::is_digits;

use crate::rule::manifest as rules;
use crate::{Change, Diagnostic, Fix, Span};

/// Returns the diagnostic; `span` converts byte ranges of the text to places.
pub(super) fn diagnose(
    kind: ErrorKind,
    text: &str,
    range: Range<usize>,
    span: &dyn Fn(Range<usize>) -> Span,
) -> Diagnostic {
    // The span covers an unknown word as a whole, not only from its first wrong letter.
    let range = word(kind, text, &range).unwrap_or(range);
    let place = span(range.clone());
    let found = text.get(range.clone()).unwrap_or_default();
    match kind {
        ErrorKind::Comment => rules::JSON_COMMENT
            .report_at(place, "JSON has no comments")
            .label("this comment")
            .help("delete the comment"),
        ErrorKind::TrailingComma => {
            let rest = text.get(range.end..).unwrap_or_default().trim_start();
            let title = match rest.starts_with(',') {
                true => "JSON requires a value between two commas",
                false => "JSON does not allow a trailing comma",
            };
            let found = rules::JSON_TRAILING_COMMA.report_at(place, title).label("no value after this comma");
            found.help("delete this comma").fix(Change::delete(place).safe_fix())
        }
        ErrorKind::DuplicateKey => {
            let mut diagnostic = rules::JSON_DUPLICATE_KEY
                .report_at(place, format!("the key {found} appears twice in one object"))
                .label("the second one")
                .help("keep one of the two");
            // The first of the two keys precedes it, with the same spelling in almost all cases.
            if let Some(at) = first_of(text, found, range.start) {
                let first = span(at..at + found.len());
                let fix = Change::DeleteMember(place).unsafe_fix().repeats(first);
                diagnostic = diagnostic.fix(fix).related(first, "the first one");
            }
            diagnostic
        }
        kind => {
            let (label, help) = advice(kind, text, &range);
            let fix = fix_for(kind, text, range.start, span);
            rules::JSON_SYNTAX.report_at(place, kind.to_string()).label(label).help(help).fix(fix)
        }
    }
}

/// Returns the place of the whole word if a value is expected.
fn word(kind: ErrorKind, text: &str, range: &Range<usize>) -> Option<Range<usize>> {
    fn is_part(c: char) -> bool {
        c.is_ascii_alphanumeric() || c == '_'
    }
    let before = text.get(..range.start)?;
    let start = before.trim_end_matches(is_part).len();
    let rest = &text[start..];
    let end = start + rest.find(|c| !is_part(c)).unwrap_or(rest.len());
    (kind == ErrorKind::ExpectedValue && start < end).then_some(start..end)
}

/// Returns the JSON literal for a word of another language, such as `None`, or for a misspelled literal.
fn literal(word: &str) -> Option<&'static str> {
    let word = word.to_ascii_lowercase();
    match word.as_str() {
        "yes" => Some("true"),
        "no" => Some("false"),
        "none" | "nil" | "undefined" => Some("null"),
        word => skills_text::nearest(word, ["true", "false", "null"]),
    }
}

/// Typographic quotes; JSON has only the straight one.
const CURLY: [char; 5] = ['“', '”', '„', '‟', '＂'];

/// Returns `true` if the JSON after a line end shows that a string should have ended on its line.
fn is_unclosed(text: &str, feed: usize) -> bool {
    let line = text[..feed].trim_end();
    let next = text[feed..].trim_start();
    next.is_empty()
        || line.ends_with(',') && next.starts_with(['"', '{', '['])
        || next.starts_with(['}', ']'])
}

/// Returns the range of the object inside other text: a code block of a chat assistant, or its sentences.
fn wrapped(text: &str, at: usize) -> Option<Range<usize>> {
    let is_first = text.get(..at)?.trim().is_empty();
    let start = text.match_indices('{').map(|(at, _)| at).find(|at| text[..*at].ends_with('\n'))?;
    let end = text.rfind('}')? + 1;
    (is_first && start < end).then_some(start..end)
}

fn insert(at: usize, text: &str, span: &dyn Fn(Range<usize>) -> Span) -> Fix {
    Change::replace(span(at..at), text).unsafe_fix()
}

fn is_of_number(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '.' | '+' | '-')
}

/// Returns a fix for a syntax error in one place, or one that deletes the text around the object.
fn fix_for(kind: ErrorKind, text: &str, at: usize, span: &dyn Fn(Range<usize>) -> Span) -> Option<Fix> {
    let rest = text.get(at..)?;
    if kind == ErrorKind::ExpectedValue
        && let Some(object) = wrapped(text, at)
    {
        return Some(Fix::from_changes(vec![
            Change::delete(span(0..object.start)),
            Change::delete(span(object.end..text.trim_end().len())),
        ]));
    }
    match kind {
        ErrorKind::ExpectedKey | ErrorKind::ExpectedValue if rest.starts_with(CURLY) => {
            let inner = rest.trim_start_matches(CURLY);
            let from = rest.len() - inner.len();
            let end = inner.find(|c| c == '"' || c == '\n' || CURLY.contains(&c))?;
            let close = inner[end..].chars().next().filter(|c| *c != '\n')?;
            let whole = span(at..at + from + end + close.len_utf8());
            Some(Change::replace(whole, format!("\"{}\"", &inner[..end])).unsafe_fix())
        }
        ErrorKind::ExpectedComma if rest.starts_with(['"', '{', '[']) => {
            Some(insert(text[..at].trim_end().len(), ",", span))
        }
        ErrorKind::ExpectedColon => Some(insert(text[..at].trim_end().len(), ":", span)),
        ErrorKind::ExpectedKey | ErrorKind::ExpectedValue if rest.starts_with(',') => {
            Some(Change::delete(span(at..at + 1)).unsafe_fix())
        }
        ErrorKind::ExpectedKey | ErrorKind::ExpectedValue if rest.starts_with('\'') => {
            let end = rest[1..].find(['\'', '\n']).filter(|end| rest[1 + end..].starts_with('\''))?;
            let word = rest[1..=end].replace("\\'", "'");
            Some(Change::string(span(at..at + end + 2), &word).unsafe_fix())
        }
        ErrorKind::ExpectedKey => {
            let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '$'))?;
            (end > 0).then(|| Change::string(span(at..at + end), &rest[..end]).unsafe_fix())
        }
        ErrorKind::ControlCharacter if rest.starts_with(['\n', '\r']) && is_unclosed(text, at) => {
            // The string should end with its line, before characters such as `,` that follow a value.
            Some(insert(text[..at].trim_end_matches([',', ']', '}', ' ', '\t']).len(), "\"", span))
        }
        ErrorKind::ControlCharacter => {
            let c = rest.chars().next()?;
            let escape = crate::tree::text::quote(c.encode_utf8(&mut [0; 4]));
            let escape = escape.trim_matches('"');
            Some(Change::replace(span(at..at + c.len_utf8()), escape).unsafe_fix())
        }
        ErrorKind::BadEscape => Some(insert(at, "\\", span)),
        ErrorKind::ExpectedValue => {
            let range = word(kind, text, &(at..at))?;
            let literal = literal(&text[range.clone()])?;
            Some(Change::replace(span(range), literal).unsafe_fix())
        }
        ErrorKind::BadNumber => {
            let start = text[..at].trim_end_matches(is_of_number).len();
            let end = at + rest.find(|c| !is_of_number(c)).unwrap_or(rest.len());
            let number = number(text.get(start..end)?)?;
            Some(Change::replace(span(start..end), number).unsafe_fix())
        }
        ErrorKind::UnexpectedEnd => Some(insert(text.trim_end().len(), &closing(text)?, span)),
        ErrorKind::TrailingData => Some(Change::delete(span(at..text.trim_end().len())).unsafe_fix()),
        _ => None,
    }
}

/// Formats a number as JSON: without superfluous zeros or signs, and with digits around its point.
fn number(text: &str) -> Option<String> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", text.trim_start_matches('+')),
    };
    let (whole, part) = digits.split_once('.').map_or((digits, None), |(whole, part)| (whole, Some(part)));
    if digits.len() < 2 || !is_digits(whole) || !part.is_none_or(is_digits) {
        return None;
    }
    let whole = whole.trim_start_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    let part = part.filter(|part| !part.is_empty()).map_or_else(String::new, |part| format!(".{part}"));
    Some(format!("{sign}{whole}{part}"))
}

/// Returns the missing closing brackets, in the layout of the opening ones.
fn closing(text: &str) -> Option<String> {
    let body = text.trim_end();
    let (mut open, mut quoted, mut escaped) = (Vec::new(), false, false);
    for (at, c) in body.char_indices() {
        match c {
            _ if escaped => {}
            '"' => quoted = !quoted,
            _ if quoted => {}
            '{' | '[' => open.push((at, if c == '{' { '}' } else { ']' })),
            '}' | ']' => drop(open.pop()),
            _ => {}
        }
        escaped = quoted && c == '\\' && !escaped;
    }
    if quoted || open.is_empty() || body.ends_with([',', ':', '{', '[']) {
        return None;
    }
    let mut out = String::new();
    while let Some((at, close)) = open.pop() {
        let rest = &body[at + 1..];
        let line = body[..at].rfind('\n').map_or(0, |feed| feed + 1);
        match rest.chars().next() {
            Some('\n' | '\r') => {
                let indent = body[line..].len() - body[line..].trim_start_matches([' ', '\t']).len();
                out.push_str(&format!("\n{}", &body[line..line + indent]));
            }
            Some(' ') => out.push(' '),
            _ => {}
        }
        out.push(close);
    }
    Some(out)
}

/// Finds the key of the same object before `end`: same text, followed by a colon, at the same depth.
fn first_of(text: &str, key: &str, end: usize) -> Option<usize> {
    let mut depth = 0_usize;
    let mut at = end;
    let bytes = text.as_bytes();
    while at > 0 {
        at -= 1;
        match bytes[at] {
            b'}' | b']' => depth += 1,
            b'{' | b'[' if depth == 0 => return None,
            b'{' | b'[' => depth -= 1,
            b'"' if depth == 0 => {
                let open = opening_quote(bytes, at)?;
                if text.get(open..=at) == Some(key) && text.get(at + 1..)?.trim_start().starts_with(':') {
                    return Some(open);
                }
                at = open;
            }
            b'"' => at = opening_quote(bytes, at)?,
            _ => {}
        }
    }
    None
}

fn opening_quote(bytes: &[u8], close: usize) -> Option<usize> {
    (0..close).rev().find(|at| {
        let slashes = bytes[..*at].iter().rev().take_while(|byte| **byte == b'\\').count();
        bytes[*at] == b'"' && slashes % 2 == 0
    })
}

/// Returns a label and a help for the place.
fn advice(kind: ErrorKind, text: &str, range: &Range<usize>) -> (String, String) {
    let at = range.start;
    let next = text.get(at..).and_then(|rest| rest.chars().next());
    let word = word(kind, text, range).map(|range| &text[range]);
    let found = match (next, word) {
        (_, Some(word)) => format!("found `{word}`"),
        (Some('\n' | '\r'), _) if kind == ErrorKind::ControlCharacter => {
            "the line ends in the string".to_owned()
        }
        (Some(c), _) if c.is_control() => format!("found `{}`", c.escape_debug()),
        (Some(c), _) => format!("found `{c}`"),
        (None, _) => "the file ends here".to_owned(),
    };
    if let Some(literal) = word.and_then(literal) {
        return (found, format!("write it as: {literal}"));
    }
    let help = match kind {
        ErrorKind::UnexpectedEnd if text.trim().is_empty() => "write a JSON object: `{ \"name\": … }`",
        ErrorKind::UnexpectedEnd => "add the missing quote, value or bracket",
        ErrorKind::ExpectedValue if wrapped(text, at).is_some() => match next {
            Some('`') => {
                "delete the two lines of the code block: the file must begin with `{` and end with `}`"
            }
            _ => "delete the text around the object: the file must begin with `{` and end with `}`",
        },
        ErrorKind::ExpectedKey | ErrorKind::ExpectedValue if next == Some(',') => {
            "delete this comma: there is no value before it"
        }
        ErrorKind::ExpectedKey | ErrorKind::ExpectedValue if next.is_some_and(|c| CURLY.contains(&c)) => {
            "use straight quotes: `\"`"
        }
        ErrorKind::ExpectedKey => "write the key in double quotes: `\"key\": value`",
        ErrorKind::ExpectedColon => "write a `:` between key and value",
        ErrorKind::ExpectedComma => "write a `,` before this, or close the bracket",
        ErrorKind::ControlCharacter if matches!(next, Some('\n' | '\r')) && is_unclosed(text, at) => {
            "add a `\"` at the end of the string"
        }
        ErrorKind::ControlCharacter => "write it as an escape: `\\n` for a line break, `\\t` for a tab",
        ErrorKind::BadEscape => {
            "use one of `\\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX`; write a backslash as `\\\\`"
        }
        ErrorKind::LoneSurrogate => "write the character itself, or both halves of the pair",
        ErrorKind::BadNumber => {
            "write a number such as `0`, `-1.5` or `2e3`, or put the text in double quotes"
        }
        ErrorKind::TooDeep => "flatten the value",
        ErrorKind::TrailingData => "delete everything after the value",
        _ if next == Some('\'') => "use double quotes for strings",
        _ => "write a value: a string in double quotes, a number, `true`, `false`, `null`, `[…]` or `{…}`",
    };
    (found, help.to_owned())
}

#[cfg(test)]
mod tests {
    use crate::tree::json::parse;
    use crate::{Report, SourceMap};

    // SPEC 3.3
    #[test]
    fn faults_of_syntax_have_a_correction() {
        let close = "add a `\"` at the end of the string";
        let straight = "use straight quotes: `\"`";
        let block = "delete the two lines of the code block: the file must begin with `{` and end with `}`";
        let around = "delete the text around the object: the file must begin with `{` and end with `}`";
        for (text, found, help) in [
            ("{\"a\": nul, \"b\": 1}", "nul", "write it as: null"),
            ("{\"a\": tru}", "tru", "write it as: true"),
            ("[False]", "False", "write it as: false"),
            ("[None]", "None", "write it as: null"),
            ("{\"a\": , \"b\": 1}", ",", "delete this comma: there is no value before it"),
            ("{“a”: 1}", "“", straight),
            ("{\"a\": “b”}", "“", straight),
            ("{\"a\": \"b,\n \"c\": 1}", "\n", close),
            ("{\"a\": \"b\n}", "\n", close),
            ("{\"a\": \"b\nc\"}", "\n", "write it as an escape: `\\n` for a line break, `\\t` for a tab"),
            ("```json\n{}\n```\n", "`", block),
            ("Here it is:\n{}", "Here", around),
        ] {
            let (mut sources, mut report) = (SourceMap::default(), Report::default());
            let id = sources.add("skill.json".to_owned(), text.to_owned(), None);
            parse(sources.file(id), &mut report);
            let [reported] = report.diagnostics.as_slice() else {
                panic!("{text}: {:?}", report.diagnostics)
            };
            assert_eq!((sources.text(reported.span), reported.help.as_str()), (found, help), "{text}");
        }
    }
}
