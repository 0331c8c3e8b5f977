//! Host names (RFC 1123) and internationalized host names (RFC 5890 and related RFCs). The rule for right-to-left labels
//! (RFC 5893) is approximated by ranges of scripts.

use super::idn;

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
    labels.is_some_and(|labels| keeps_bidi_rule(&labels))
}

pub(super) fn hostname(text: &str) -> bool {
    text.len() <= 253 && labels(text, ascii_label)
}

pub(super) fn idn_hostname(text: &str) -> bool {
    // The three characters that RFC 3490 treats as dots.
    let text = text.replace(['\u{3002}', '\u{FF0E}', '\u{FF61}'], ".");
    text.chars().count() <= 253 && labels(&text, label)
}

fn european(c: char) -> bool {
    c.is_ascii_digit() || matches!(u32::from(c), 0x6F0..=0x6F9)
}

fn arabic_digit(c: char) -> bool {
    matches!(u32::from(c), 0x660..=0x669 | 0x66B | 0x66C)
}

/// Returns `true` for a letter of a right-to-left script.
fn right_to_left(c: char) -> bool {
    let script = matches!(u32::from(c),
        0x590..=0x8FF | 0xFB1D..=0xFDFF | 0xFE70..=0xFEFF | 0x1_0800..=0x1_0FFF | 0x1_E800..=0x1_EFFF);
    script && !european(c) && !arabic_digit(c) && !idn::is_mark(c)
}

fn fits(label: &str) -> bool {
    let Some(first) = label.chars().next() else { return true };
    let Some(last) = label.chars().rev().find(|c| !idn::is_mark(*c)) else { return true };
    if right_to_left(first) {
        let has_both_digits = label.chars().any(european) && label.chars().any(arabic_digit);
        let has_other_letter =
            label.chars().any(|c| c.is_alphabetic() && !right_to_left(c) && !idn::is_mark(c));
        return !has_both_digits && !has_other_letter && last != '-';
    }
    first.is_alphabetic() && !label.chars().any(|c| right_to_left(c) || arabic_digit(c)) && last != '-'
}

/// Returns `true` if the decoded labels satisfy the rule. If one label has right-to-left letters, the rule
/// applies to all of them.
fn keeps_bidi_rule(labels: &[String]) -> bool {
    let mut chars = labels.iter().flat_map(|label| label.chars());
    let is_bidirectional = chars.any(|c| right_to_left(c) || arabic_digit(c));
    !is_bidirectional || labels.iter().all(|label| fits(label))
}
