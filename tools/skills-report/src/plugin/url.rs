//! Validation of a server's address (Agent Plugins 1.0, section 7.2.1).

use std::net::Ipv6Addr;

use skills_text::is_loopback;

/// Returns the fault of an address; `None` for an absolute HTTP or HTTPS URL without user and fragment, which
/// must be HTTPS unless its host is a loopback address.
pub(super) fn fault(url: &str) -> Option<&'static str> {
    let is_plain =
        |c: char| c.is_ascii_graphic() && !matches!(c, '\\' | '<' | '>' | '"' | '^' | '`' | '{' | '|' | '}');
    if url.is_empty() || !url.chars().all(is_plain) {
        return Some("is empty or has a character that is not allowed in a URL");
    }
    let Some((scheme, rest)) = url.split_once("://") else { return Some("is not an absolute URL") };
    let is_secure = match scheme.to_ascii_lowercase().as_str() {
        "https" => true,
        "http" => false,
        _ => return Some("is neither HTTP nor HTTPS"),
    };
    if rest.contains('#') {
        return Some("has a fragment");
    }
    let authority = rest.split(['/', '?']).next().unwrap_or_default();
    if authority.contains('@') {
        return Some("has user information");
    }
    if !escapes_are_sound(rest) {
        return Some("has a `%` without two hexadecimal digits");
    }
    let Some(host) = host(authority) else { return Some("has no host or an invalid port") };
    if !is_secure && !is_loopback(host) {
        return Some("must be HTTPS, because its host is not a loopback address");
    }
    None
}

/// Removes a valid port.
fn host(authority: &str) -> Option<&str> {
    let (host, port) = match authority.strip_prefix('[') {
        Some(rest) => {
            let (address, rest) = rest.split_once(']')?;
            address.parse::<Ipv6Addr>().ok()?;
            (authority.get(..address.len() + 2)?, rest.strip_prefix(':').or(rest.is_empty().then_some("")))
        }
        None => match authority.split_once(':') {
            Some((host, port)) => (host, Some(port)),
            None => (authority, Some("")),
        },
    };
    let port = port?;
    let is_port =
        port.is_empty() || (port.bytes().all(|byte| byte.is_ascii_digit()) && port.parse::<u16>().is_ok());
    let is_host = !host.is_empty() && (host.starts_with('[') || !host.contains(['[', ']', ':']));
    (is_port && is_host).then_some(host)
}

fn escapes_are_sound(text: &str) -> bool {
    text.split('%').skip(1).all(|rest| rest.bytes().take(2).filter(u8::is_ascii_hexdigit).count() == 2)
}
