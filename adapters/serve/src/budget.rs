//! The memory budget that all requests in flight share. The routes charge it for bodies, parsed values and answers.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A limit on the memory of all requests in flight together: their bodies, the values that are parsed from them, and
/// their answers until they are sent. Clones share it.
///
/// ```
/// let budget = skills_serve::Budget::new(64 << 20);
/// let share = budget.share();
/// assert!(share.grow_to(1 << 20));
/// assert_eq!(budget.used(), 1 << 20);
/// ```
#[derive(Clone, Debug)]
pub struct Budget(Arc<State>);

#[derive(Debug)]
struct State {
    total: usize,
    used: AtomicUsize,
}

/// How many copies of a text are in memory at once: in the buffer of the connection, as text, and in its
/// next form.
const COPIES: usize = 4;

/// The memory of a parsed value beside its text, in bytes: a tree node, its small allocation, and the spare room of the
/// list that it is in.
const VALUE: usize = 160;

impl Budget {
    /// Creates a budget of this many bytes.
    #[must_use]
    pub fn new(bytes: usize) -> Self {
        Self(Arc::new(State { total: bytes, used: AtomicUsize::new(0) }))
    }

    /// Returns how many bytes are in use.
    #[must_use]
    pub fn used(&self) -> usize {
        self.0.used.load(Ordering::Relaxed)
    }

    /// Returns `true` if a request of this many bytes fits into the whole budget.
    pub fn can_ever_hold(&self, bytes: usize) -> bool {
        bytes <= self.0.total
    }

    /// Creates an empty share of the budget, for one request.
    #[must_use]
    pub fn share(&self) -> Share {
        Share { budget: self.clone(), bytes: AtomicUsize::new(0) }
    }
}

/// Returns an upper bound for the memory that a JSON text takes while it is parsed.
pub fn parsed(text: &[u8]) -> usize {
    unparsed(text.len()).saturating_add(values(text).saturating_mul(VALUE))
}

/// Returns an upper bound for the memory that a text of this length takes.
pub fn unparsed(length: usize) -> usize {
    length.saturating_mul(COPIES)
}

/// Counts the values and keys of a JSON text without parsing it.
fn values(text: &[u8]) -> usize {
    let (mut count, mut is_text, mut is_escaped) = (1, false, false);
    for byte in text {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = is_text,
            b'"' => is_text = !is_text,
            b'[' | b'{' | b',' | b':' if !is_text => count += 1,
            _ => {}
        }
    }
    count
}

/// The part of a budget that one request uses. Dropping it returns the memory to the budget.
#[derive(Debug)]
pub struct Share {
    budget: Budget,
    bytes: AtomicUsize,
}

impl Share {
    /// Creates an empty share of the same budget.
    pub fn other(&self) -> Self {
        self.budget.share()
    }

    /// Takes more bytes. If the budget does not have them, takes nothing and returns `false`.
    #[must_use]
    pub fn grow(&self, bytes: usize) -> bool {
        let State { total, used } = &*self.budget.0;
        let fits = |used: usize| used.checked_add(bytes).filter(|sum| sum <= total);
        let taken = used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fits).is_ok();
        if taken {
            self.bytes.fetch_add(bytes, Ordering::Relaxed);
        }
        taken
    }

    /// Takes bytes like [`grow`](Self::grow) until the share has this many.
    pub fn grow_to(&self, bytes: usize) -> bool {
        self.grow(bytes.saturating_sub(self.bytes.load(Ordering::Relaxed)))
    }

    /// Takes bytes for an answer that already exists, even if they exceed the budget. Later requests are refused
    /// until these bytes are released.
    pub fn force_charge(&self, bytes: usize) {
        self.budget.0.used.fetch_add(bytes, Ordering::Relaxed);
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Returns all but this many bytes.
    pub fn shrink_to(&self, bytes: usize) {
        let before = self.bytes.fetch_min(bytes, Ordering::Relaxed);
        self.budget.0.used.fetch_sub(before.saturating_sub(bytes), Ordering::Relaxed);
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.shrink_to(0);
    }
}

#[cfg(test)]
mod tests {
    use super::{Budget, COPIES, VALUE, parsed, values};

    // SPEC 11.7
    #[test]
    fn shares_take_and_return_bytes() {
        let budget = Budget::new(100);
        let (one, two) = (budget.share(), budget.share());
        assert!(one.grow(60) && two.grow(40) && !two.grow(1));
        one.shrink_to(10);
        assert_eq!(budget.used(), 50);
        two.force_charge(1_000);
        assert!(!one.grow(1));
        drop(two);
        assert!(one.grow(90) && !one.grow(usize::MAX));
        drop(one);
        assert_eq!(budget.used(), 0);
    }

    // SPEC 11.7: for text, the budget is charged the size of the text and not of parsed values.
    #[test]
    fn values_are_counted_outside_texts() {
        for (text, count) in [
            ("", 1),
            ("1", 1),
            ("[1,2,3]", 4),
            (r#"{"a":1,"b":[2]}"#, 6),
            (r#""a,b,[c{d:e""#, 1),
            (r#"["\",\\",1]"#, 3),
        ] {
            assert_eq!(values(text.as_bytes()), count, "{text}");
        }
        assert_eq!(parsed(b"[1]"), 3 * COPIES + 2 * VALUE);
    }
}
