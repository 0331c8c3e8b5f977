//! A model and its protocol, with the headers that the protocol needs.

use reqwest::header::{AUTHORIZATION, HeaderName, HeaderValue};

use crate::config::ConfigError;

/// The protocol of a provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Protocol {
    /// OpenAI's Chat Completions, and compatible servers.
    Chat,
    /// OpenAI's Responses.
    Responses,
    /// Anthropic's Messages.
    Anthropic,
    /// Gemini's `generateContent`.
    Gemini,
}

/// A model, as its protocol names it.
#[derive(Debug, Clone)]
pub(crate) struct Target {
    pub(crate) protocol: Protocol,
    pub(crate) model: String,
    /// Whether the provider can enforce a schema for its answers.
    pub(crate) holds_schemas: bool,
    /// The default maximum length of answers. `None` if the provider has a suitable default.
    pub(crate) max_tokens: Option<u32>,
}

impl Protocol {
    /// Returns the headers other than the key.
    pub(crate) fn headers(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Anthropic => &[("anthropic-version", "2023-06-01")],
            _ => &[],
        }
    }

    /// Returns the header with the key.
    pub(crate) fn credentials(self, key: &str) -> Result<(HeaderName, HeaderValue), ConfigError> {
        let (name, value) = match self {
            Self::Chat | Self::Responses => (AUTHORIZATION, format!("Bearer {key}")),
            Self::Anthropic => (HeaderName::from_static("x-api-key"), key.to_owned()),
            Self::Gemini => (HeaderName::from_static("x-goog-api-key"), key.to_owned()),
        };
        let mut value = HeaderValue::from_str(&value)
            .map_err(|_| ConfigError::new("the key contains characters that are not allowed in a header"))?;
        value.set_sensitive(true);
        Ok((name, value))
    }
}
