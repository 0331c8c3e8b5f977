//! The tokens of a text, estimated: what budgets are kept by, where no tokenizer is at hand (SPEC 2.11).

/// Estimates how many tokens a text of so many bytes has: a quarter, rounded up. `skills weigh` tells how far that is off
/// (SPEC 16.18).
///
/// ```
/// assert_eq!(skills_registry::estimated_tokens("Read pages.".len()), 3);
/// ```
pub const fn estimated_tokens(bytes: usize) -> usize {
    bytes.div_ceil(4)
}
