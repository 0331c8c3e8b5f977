//! Host names (RFC 1123) and internationalized host names (RFC 5890 and its kin).

use super::idn;

fn labels(text: &str, check: fn(&str) -> bool) -> bool {
    !text.is_empty() && text.split('.').all(check)
}

/// An ASCII label; one that begins with `xn--` must be the code of an international label.
fn label(text: &str) -> bool {
    let plain = (1..=63).contains(&text.len())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
        && !text.starts_with('-')
        && !text.ends_with('-');
    if !plain {
        return false;
    }
    match text.get(..4) {
        Some(prefix) if prefix.eq_ignore_ascii_case("xn--") => {
            idn::decode(&text[4..]).is_some_and(|decoded| !decoded.is_ascii() && idn::is_label(&decoded))
        }
        _ => text.get(2..4) != Some("--"),
    }
}

pub(super) fn hostname(text: &str) -> bool {
    text.len() <= 253 && labels(text, label)
}

fn idn_label(text: &str) -> bool {
    if text.is_ascii() {
        return label(text);
    }
    // The coded form, with its prefix, must fit a label.
    idn::is_label(text) && idn::coded_len(text) <= 63 - 4
}

pub(super) fn idn_hostname(text: &str) -> bool {
    // The three characters that RFC 3490 counts as dots.
    let text = text.replace(['\u{3002}', '\u{FF0E}', '\u{FF61}'], ".");
    text.chars().count() <= 253 && labels(&text, idn_label)
}
