//! Counts the tokens of a text with the tokenizer of the feature `tokens`, or estimates them without it.

/// The name of the method that counts tokens.
#[cfg(feature = "tokens")]
pub(super) const BY: &str = "o200k_base";
/// The name of the method that counts tokens.
#[cfg(not(feature = "tokens"))]
pub(super) const BY: &str = "an estimate: this command was built without a tokenizer";

/// Counts the tokens of a text by the vocabulary of the newest OpenAI models. Text that looks like a special
/// token is counted as plain text, because it comes from a file.
#[cfg(feature = "tokens")]
pub(super) fn tokens(text: &str) -> usize {
    tiktoken_rs::o200k_base_singleton().count_ordinary(text)
}

/// Estimates the tokens of a text.
#[cfg(not(feature = "tokens"))]
pub(super) fn tokens(text: &str) -> usize {
    skills_registry::estimated_tokens(text.len())
}

#[cfg(all(test, feature = "tokens"))]
mod tests {
    use super::tokens;

    // SPEC 16.18: counts that the tokenizer's authors give
    #[test]
    fn tokens_are_counted() {
        for (text, count) in [
            ("", 0),
            ("hello world", 2),
            ("tiktoken is great!", 6),
            ("お誕生日おめでとう", 8),
            ("antidisestablishmentarianism", 6),
        ] {
            assert_eq!(tokens(text), count, "{text}");
        }
        assert!(tokens("<|endoftext|>") > 1, "what a file says is no control");
    }
}
