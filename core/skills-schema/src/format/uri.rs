//! URIs (RFC 3986), IRIs (RFC 3987) and URI templates (RFC 6570).

use skills_text::is_digits;

use super::address;
use crate::uri::split;

/// Returns `true` if `text` consists of percent-encoded bytes and characters that `fits` accepts.
fn all(text: &str, fits: impl Fn(char) -> bool) -> bool {
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        let fits = match c {
            '%' => (0..2).all(|_| chars.next().is_some_and(|c| c.is_ascii_hexdigit())),
            c => fits(c),
        };
        if !fits {
            return false;
        }
    }
    true
}

/// Returns `true` if `text` consists of percent-encoded bytes, unreserved characters, and characters in
/// `also`.
fn made_of(text: &str, also: &str, international: bool) -> bool {
    all(text, |c| match c {
        c if c.is_ascii() => c.is_ascii_alphanumeric() || "-._~".contains(c) || also.contains(c),
        c => international && beyond(c),
    })
}

/// Returns `true` for `ucschar` of RFC 3987.
fn beyond(c: char) -> bool {
    let code = u32::from(c);
    matches!(code, 0xA0..=0xD7FF | 0xF900..=0xFDCF | 0xFDF0..=0xFFEF)
        || ((0x1_0000..0xE_0000).contains(&code) && code & 0xFFFF < 0xFFFE)
        || (0xE_1000..=0xE_FFFD).contains(&code)
}

/// Returns `true` for `iprivate` of RFC 3987.
fn private(c: char) -> bool {
    matches!(u32::from(c), 0xE000..=0xF8FF | 0xF_0000..=0xF_FFFD | 0x10_0000..=0x10_FFFD)
}

const PATH: &str = "!$&'()*+,;=:@/";
const QUERY: &str = "!$&'()*+,;=:@/?";

fn authority(text: &str, international: bool) -> bool {
    let (user, host) = text.rsplit_once('@').unwrap_or(("", text));
    if !made_of(user, "!$&'()*+,;=:", international) {
        return false;
    }
    let (host, port) = match host.strip_prefix('[') {
        Some(rest) => {
            let Some((literal, port)) = rest.split_once(']') else { return false };
            let future = literal.strip_prefix(['v', 'V']).and_then(|rest| rest.split_once('.'));
            let fits = match future {
                Some((version, rest)) => {
                    !version.is_empty()
                        && version.bytes().all(|b| b.is_ascii_hexdigit())
                        && !rest.is_empty()
                        && !rest.contains('%')
                        && made_of(rest, "!$&'()*+,;=:", false)
                }
                None => address::ipv6(literal),
            };
            let port = if port.is_empty() { Some("") } else { port.strip_prefix(':') };
            let Some(port) = port.filter(|_| fits) else { return false };
            ("", port)
        }
        None => host.split_once(':').unwrap_or((host, "")),
    };
    made_of(host, "!$&'()*+,;=", international) && is_digits(port)
}

pub(super) fn uri(text: &str, international: bool) -> bool {
    split(text).scheme.is_some() && reference(text, international)
}

pub(super) fn reference(text: &str, international: bool) -> bool {
    let (text, fragment) = text.split_once('#').unwrap_or((text, ""));
    let parts = split(text);
    // The first segment of a relative path must not contain a colon.
    let first = parts.path.split('/').next().unwrap_or_default();
    let is_relative = parts.scheme.is_none() && parts.authority.is_none();
    // The query of an IRI may also contain private characters.
    let mut query = parts.query.unwrap_or_default().split(|c| international && private(c));
    !(is_relative && first.contains(':'))
        && parts.authority.is_none_or(|authority| self::authority(authority, international))
        && made_of(parts.path, PATH, international)
        && query.all(|part| made_of(part, QUERY, international))
        && made_of(fragment, QUERY, international)
}

/// Checks a literal of a template: anything except controls, space and a few marks.
fn literal(text: &str) -> bool {
    all(text, |c| match c {
        '"' | '<' | '>' | '\\' | '^' | '`' | '{' | '|' | '}' | ' ' => false,
        c if c.is_ascii() => !c.is_ascii_control(),
        c => beyond(c) || private(c),
    })
}

fn variable(text: &str) -> bool {
    let name = match text.strip_suffix('*') {
        Some(name) => name,
        None => match text.split_once(':') {
            Some((name, length)) => {
                let digits = is_digits(length);
                if !digits || !(1..=4).contains(&length.len()) || length.starts_with('0') {
                    return false;
                }
                name
            }
            None => text,
        },
    };
    name.split('.').all(|part| !part.is_empty() && !part.contains(['-', '~']) && made_of(part, "_", false))
}

pub(super) fn template(text: &str) -> bool {
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        let Some((expression, behind)) = after.split_once('}') else { return false };
        let list = expression.strip_prefix(['+', '#', '.', '/', ';', '?', '&', '=', ',', '!', '@', '|']);
        if !literal(before) || !list.unwrap_or(expression).split(',').all(variable) {
            return false;
        }
        rest = behind;
    }
    literal(rest)
}
