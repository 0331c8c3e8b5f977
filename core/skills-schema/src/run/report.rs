//! The violations of one check. Their number and size are bounded, even for a value with any number of violations.

use crate::Violation;
use skills_text::floor;

/// How many violations are kept.
const MAX_VIOLATIONS: usize = 100;

/// How many bytes their texts have together.
const BYTES: usize = 64 * 1024;

/// The maximum length of one text, in bytes; longer ones are cut. A text may quote patterns, names and keys.
const MAX_TEXT: usize = 4 * 1024;

/// The violations found so far.
#[derive(Default)]
pub(super) struct ViolationList {
    violations: Vec<Violation>,
    bytes: usize,
    /// How many were found beyond the bounds.
    more: usize,
}

impl ViolationList {
    /// Returns `true` if the bounds are exceeded, so that the check can stop.
    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.more > 0
    }

    /// Adds a violation if the report has room. Otherwise `make` is not called.
    pub(super) fn add(&mut self, violation: impl FnOnce() -> Violation) {
        if self.more > 0 || self.violations.len() == MAX_VIOLATIONS {
            self.more += 1;
            return;
        }
        let mut violation = violation();
        let Violation { pointer, expected, found, property, .. } = &mut violation;
        let texts = [pointer, expected, found].into_iter().chain(property);
        let size: usize = texts.map(|text| shorten(text).len()).sum();
        if self.bytes + size > BYTES {
            self.more += 1;
            return;
        }
        self.bytes += size;
        self.violations.push(violation);
    }

    /// Adds what a check of a part found.
    pub(super) fn extend(&mut self, other: Self) {
        other.violations.into_iter().for_each(|violation| self.add(|| violation));
        self.more += other.more;
    }

    /// Returns the violations that are kept.
    pub(super) fn violations(&self) -> &[Violation] {
        &self.violations
    }

    /// Returns the violations. If some were left out, the last entry says so.
    pub(super) fn into_violations(self) -> Vec<Violation> {
        let Self { mut violations, more, .. } = self;
        if more > 0 {
            let expected = format!("at most {MAX_VIOLATIONS} violations in {BYTES} bytes");
            violations.push(Violation::new("", "limit", expected, format!("at least {more} more")));
        }
        violations
    }
}

/// Cuts a text that is too long to be shown.
fn shorten(text: &mut String) -> &str {
    if text.len() > MAX_TEXT {
        text.truncate(floor(text, MAX_TEXT));
        text.push('…');
    }
    text
}
