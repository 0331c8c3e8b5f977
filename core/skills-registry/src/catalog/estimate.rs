//! Estimates token counts, since no tokenizer is available.

/// Estimates how many tokens a text with this many bytes has: a quarter, rounded up. `skills weigh` reports
/// the error of the estimate.
///
/// ```
/// assert_eq!(skills_registry::estimated_tokens("Read pages.".len()), 3);
/// ```
pub const fn estimated_tokens(bytes: usize) -> usize {
    bytes.div_ceil(4)
}
