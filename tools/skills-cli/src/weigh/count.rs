//! Counts the tokens of a text with the tokenizer of the feature `tokens`.

/// The name of the method that counts tokens.
pub(super) const BY: &str = "o200k_base";

/// Counts the tokens of a text by the vocabulary of the newest OpenAI models. Text that looks like a special
/// token is counted as plain text, because it comes from a file.
pub(super) fn tokens(text: &str) -> usize {
    tiktoken_rs::o200k_base_singleton().count_ordinary(text)
}

#[cfg(test)]
mod tests {
    use super::tokens;

    // SPEC 16.18: counts published by the authors of the tokenizer
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
