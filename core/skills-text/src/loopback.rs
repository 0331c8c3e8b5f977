//! Recognizes names and addresses of this machine. Connections to them need neither a proxy nor encryption.

use std::net::IpAddr;

/// Returns `true` if the host of a URL is `localhost` in any letter case, or a loopback address. An IPv6
/// address may be in brackets.
///
/// Does not resolve names.
///
/// ```
/// use skills_text::is_loopback;
/// assert!(is_loopback("LocalHost") && is_loopback("127.1.2.3") && is_loopback("[::1]"));
/// assert!(!is_loopback("localhost.example") && !is_loopback("10.0.0.1") && !is_loopback(""));
/// ```
pub fn is_loopback(host: &str) -> bool {
    let literal = host.trim_start_matches('[').trim_end_matches(']');
    host.eq_ignore_ascii_case("localhost")
        || literal.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}
