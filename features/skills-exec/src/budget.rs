//! The limits for what a remote party sends: a model, an MCP server, an authorization server, or a git host.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How much a remote party may send. [`Meter`] counts it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The maximum number of bytes.
    pub bytes: u64,
    /// The maximum number of messages.
    pub messages: u64,
    /// The maximum number of items, such as the values of JSON or the files of a repository. A few bytes of text can
    /// be an item that takes many bytes of memory.
    pub items: u64,
    /// The maximum time.
    pub time: Duration,
}

impl Budget {
    /// A budget without limits, to set some of them.
    pub const UNLIMITED: Self =
        Self { bytes: u64::MAX, messages: u64::MAX, items: u64::MAX, time: Duration::MAX };
}

/// The limit of a [`Budget`] that a remote party exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Exhausted {
    /// More bytes than this.
    Bytes(u64),
    /// More messages than this.
    Messages(u64),
    /// More items than this.
    Items(u64),
    /// More time than this.
    Time(Duration),
}

impl fmt::Display for Exhausted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bytes(most) => write!(f, "more than {}", ByteCount(*most)),
            Self::Messages(most) => write!(f, "more than {most} messages"),
            Self::Items(most) => write!(f, "more than {most} values"),
            Self::Time(most) => write!(f, "more than {} s", most.as_secs_f32()),
        }
    }
}

impl std::error::Error for Exhausted {}

/// Counts what a remote party has sent, and refuses more than its [`Budget`].
///
/// ```
/// use skills_exec::{Budget, Exhausted, Meter};
/// let meter = Meter::new(Budget { bytes: 10, ..Budget::UNLIMITED });
/// assert_eq!(meter.add_bytes(10), Ok(()));
/// assert_eq!(meter.add_bytes(1), Err(Exhausted::Bytes(10)));
/// ```
#[derive(Debug)]
pub struct Meter {
    budget: Budget,
    start: Instant,
    bytes: AtomicU64,
    messages: AtomicU64,
    items: AtomicU64,
}

impl Meter {
    /// Creates a meter. Its time begins now.
    pub fn new(budget: Budget) -> Self {
        let zero = AtomicU64::default;
        Self { budget, start: Instant::now(), bytes: zero(), messages: zero(), items: zero() }
    }

    /// Counts bytes.
    ///
    /// # Errors
    /// Returns the limit if it is exceeded.
    pub fn add_bytes(&self, count: u64) -> Result<(), Exhausted> {
        add(&self.bytes, count, self.budget.bytes).map_err(Exhausted::Bytes)
    }

    /// Counts messages.
    ///
    /// # Errors
    /// Returns the limit if it is exceeded.
    pub fn add_messages(&self, count: u64) -> Result<(), Exhausted> {
        add(&self.messages, count, self.budget.messages).map_err(Exhausted::Messages)
    }

    /// Counts items.
    ///
    /// # Errors
    /// Returns the limit if it is exceeded.
    pub fn add_items(&self, count: u64) -> Result<(), Exhausted> {
        add(&self.items, count, self.budget.items).map_err(Exhausted::Items)
    }

    /// Returns the time that is left.
    ///
    /// # Errors
    /// Returns the limit if no time is left.
    pub fn time_left(&self) -> Result<Duration, Exhausted> {
        let left = self.budget.time.saturating_sub(self.start.elapsed());
        if left.is_zero() { Err(Exhausted::Time(self.budget.time)) } else { Ok(left) }
    }

    /// Counts bytes, messages and items from zero again. The time goes on.
    pub fn renew(&self) {
        for count in [&self.bytes, &self.messages, &self.items] {
            count.store(0, Ordering::Relaxed);
        }
    }
}

fn add(counter: &AtomicU64, count: u64, most: u64) -> Result<(), u64> {
    let order = Ordering::Relaxed;
    let before = counter.fetch_update(order, order, |before| Some(before.saturating_add(count)));
    let sum = before.unwrap_or_default().saturating_add(count);
    if sum > most { Err(most) } else { Ok(()) }
}

/// Prints a number of bytes with the largest unit that divides it.
struct ByteCount(u64);

impl fmt::Display for ByteCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(count) = self;
        if *count > 0 && count.is_multiple_of(1 << 20) {
            write!(f, "{} MiB", count >> 20)
        } else if *count > 0 && count.is_multiple_of(1 << 10) {
            write!(f, "{} KiB", count >> 10)
        } else {
            write!(f, "{count} bytes")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // SPEC 12.13
    #[test]
    fn each_limit_of_a_budget_is_named_when_it_is_exceeded() {
        let budget = Budget { bytes: 64 << 20, messages: 2, items: 3, time: Duration::ZERO };
        let meter = Meter::new(budget);
        assert_eq!(
            (meter.add_bytes(64 << 20), meter.add_messages(2), meter.add_items(3)),
            (Ok(()), Ok(()), Ok(()))
        );
        let exceeded = [
            meter.add_bytes(1).map_err(|error| error.to_string()),
            meter.add_messages(1).map_err(|error| error.to_string()),
            meter.add_items(1).map_err(|error| error.to_string()),
            meter.time_left().map(drop).map_err(|error| error.to_string()),
        ];
        let wanted = ["more than 64 MiB", "more than 2 messages", "more than 3 values", "more than 0 s"];
        assert_eq!(exceeded, wanted.map(|text| Err(text.to_owned())));
        meter.renew();
        assert_eq!(meter.add_bytes(1), Ok(()));
        assert_eq!(meter.add_bytes(u64::MAX), Err(Exhausted::Bytes(64 << 20)));
    }
}
