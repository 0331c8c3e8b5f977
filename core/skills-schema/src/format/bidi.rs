//! The rule for host names with right-to-left labels (RFC 5893), approximated by ranges of scripts.

use super::idn;

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
pub(super) fn keeps(labels: &[String]) -> bool {
    let mut chars = labels.iter().flat_map(|label| label.chars());
    let is_bidirectional = chars.any(|c| right_to_left(c) || arabic_digit(c));
    !is_bidirectional || labels.iter().all(|label| fits(label))
}
