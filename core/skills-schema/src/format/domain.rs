//! Host names (RFC 1123) and internationalized host names (RFC 5890 and related RFCs).

use super::{bidi, idn};

/// Decodes an ASCII label. After `xn--`, it must be a valid international label.
fn ascii_label(text: &str) -> Option<String> {
    let plain = (1..=63).contains(&text.len())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
        && !text.starts_with('-')
        && !text.ends_with('-');
    let (prefix, coded) = text.split_at_checked(4).unwrap_or((text, ""));
    if !plain || !prefix.eq_ignore_ascii_case("xn--") {
        return (plain && text.get(2..4) != Some("--")).then(|| text.to_owned());
    }
    let decoded = idn::decode(coded)?;
    let canonical = idn::encode(&decoded).eq_ignore_ascii_case(coded);
    (canonical && !decoded.is_ascii() && idn::is_label(&decoded)).then_some(decoded)
}

fn label(text: &str) -> Option<String> {
    if text.is_ascii() {
        return ascii_label(text);
    }
    // The encoded form, including its prefix, must fit a label.
    (text.chars().count() < 63 && idn::is_label(text) && idn::encode(text).len() <= 63 - 4)
        .then(|| text.to_owned())
}

fn labels(text: &str, decode: fn(&str) -> Option<String>) -> bool {
    let labels: Option<Vec<String>> = text.split('.').map(decode).collect();
    labels.is_some_and(|labels| bidi::keeps(&labels))
}

pub(super) fn hostname(text: &str) -> bool {
    text.len() <= 253 && labels(text, ascii_label)
}

pub(super) fn idn_hostname(text: &str) -> bool {
    // The three characters that RFC 3490 treats as dots.
    let text = text.replace(['\u{3002}', '\u{FF0E}', '\u{FF61}'], ".");
    text.chars().count() <= 253 && labels(&text, label)
}
