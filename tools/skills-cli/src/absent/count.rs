//! Estimates the tokens of a text, without the feature `tokens`.

/// The name of the method that counts tokens.
pub(super) const BY: &str = "an estimate: this command was built without a tokenizer";

pub(super) fn tokens(text: &str) -> usize {
    skills_registry::estimated_tokens(text.len())
}
