//! Converts an invalid escape in a quoted value to a diagnostic. Used by `fault`.

use granit_parser::ErrorKind;

use super::shown;
use super::text::Text;
use crate::rule::frontmatter as rule;
use crate::{Change, Diagnostic};

/// Returns `true` if a fault is about a backslash in double quotes.
pub(super) fn is_escape(kind: &ErrorKind) -> bool {
    use ErrorKind as K;
    matches!(
        kind,
        K::UnknownQuotedScalarEscape
            | K::InvalidQuotedScalarHexEscape
            | K::InvalidLowSurrogateHexEscape
            | K::InvalidLowSurrogate
            | K::MissingLowSurrogate
            | K::UnpairedLowSurrogate
            | K::InvalidUnicodeEscape
    )
}

/// Describes the first invalid escape of the quoted value at `start`.
pub(super) fn describe(text: &Text<'_>, start: usize, end: usize) -> Diagnostic {
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
        .at(span, format!("`{bad}` is not an escape sequence of YAML"))
        .label("unknown escape")
        .help(format!("write a literal backslash as `\\{bad}`"))
        .fix(Change::replace(span.head(), "\\").looked_at())
}
