//! Mail and network addresses.

use super::domain;
use std::net::{Ipv4Addr, Ipv6Addr};

pub(super) fn ipv4(text: &str) -> bool {
    text.parse::<Ipv4Addr>().is_ok()
}

pub(super) fn ipv6(text: &str) -> bool {
    text.parse::<Ipv6Addr>().is_ok()
}

/// Returns `true` for a mailbox of RFC 5321, or of RFC 6531 if `international`.
pub(super) fn email(text: &str, international: bool) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else { return false };
    local_part(local, international) && mail_domain(domain, international)
}

fn local_part(local: &str, international: bool) -> bool {
    if local.len() > 64 && !international {
        return false;
    }
    if let Some(quoted) = local.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        let mut chars = quoted.chars();
        while let Some(c) = chars.next() {
            let fits = match c {
                '\\' => chars.next().is_some_and(|c| matches!(c, ' '..='~')),
                '"' => false,
                c => matches!(c, ' '..='~') || (international && !c.is_ascii()),
            };
            if !fits {
                return false;
            }
        }
        return local.len() > 1;
    }
    local.split('.').all(|part| !part.is_empty() && part.chars().all(|c| is_atom(c, international)))
}

fn is_atom(c: char, international: bool) -> bool {
    c.is_ascii_alphanumeric() || "!#$%&'*+-/=?^_`{|}~".contains(c) || (international && !c.is_ascii())
}

fn mail_domain(domain: &str, international: bool) -> bool {
    if let Some(literal) = domain.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        return match literal.strip_prefix("IPv6:") {
            Some(address) => ipv6(address),
            None => ipv4(literal),
        };
    }
    if international { domain::idn_hostname(domain) } else { domain::hostname(domain) }
}
