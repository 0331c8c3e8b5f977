//! A model as its protocol names it, and how a key is shown to that.

use reqwest::header::{AUTHORIZATION, HeaderName, HeaderValue};

use crate::config::ConfigError;

/// How a provider is spoken to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Protocol {
    /// OpenAI's chat completions, and what speaks like them.
    Chat,
    /// OpenAI's responses.
    Responses,
    /// Anthropic's messages.
    Anthropic,
    /// Gemini's `generateContent`.
    Gemini,
}

/// A model, as a protocol names it.
#[derive(Debug, Clone)]
pub(crate) struct Target {
    pub(crate) protocol: Protocol,
    pub(crate) model: String,
    /// Whether the provider takes a schema for its answers.
    pub(crate) holds_schemas: bool,
    /// How long answers are when nothing is said; absent where the provider has a word for that itself.
    pub(crate) max_tokens: Option<u32>,
}

impl Protocol {
    /// The headers besides the key.
    pub(crate) fn headers(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Anthropic => &[("anthropic-version", "2023-06-01")],
            _ => &[],
        }
    }

    /// The header that shows a key.
    pub(crate) fn credentials(self, key: &str) -> Result<(HeaderName, HeaderValue), ConfigError> {
        let (name, value) = match self {
            Self::Chat | Self::Responses => (AUTHORIZATION, format!("Bearer {key}")),
            Self::Anthropic => (HeaderName::from_static("x-api-key"), key.to_owned()),
            Self::Gemini => (HeaderName::from_static("x-goog-api-key"), key.to_owned()),
        };
        let mut value = HeaderValue::from_str(&value)
            .map_err(|_| ConfigError::new("the key holds characters that no header can carry"))?;
        value.set_sensitive(true);
        Ok((name, value))
    }
}
