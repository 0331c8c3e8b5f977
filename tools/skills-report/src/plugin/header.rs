//! Validation of a server's HTTP headers (Agent Plugins 1.0, section 7.2.1; RFC 9110, section 5).

/// Returns the fault of a header; `None` if it is valid in HTTP.
pub(super) fn fault(name: &str, value: &str) -> Option<&'static str> {
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    if name.is_empty() || !name.bytes().all(is_token) {
        return Some("has a name that is not valid in HTTP");
    }
    if value.chars().any(|c| c.is_control() && c != '\t') {
        return Some("has a control character in its value");
    }
    if value.starts_with([' ', '\t']) || value.ends_with([' ', '\t']) {
        return Some("has a value that begins or ends with spaces");
    }
    None
}
