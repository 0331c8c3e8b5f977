//! The protocols that are spoken: where each is asked, how a key is shown, what is sent, and who reads what comes.

use reqwest::Url;
use reqwest::header::{AUTHORIZATION, HeaderName, HeaderValue};
use serde_json::Value;
use skills_runtime::model::{Answer, Request};

use crate::limits::TooMuch;
use crate::provider::ConfigError;
use crate::said::Reader;
use crate::{anthropic, chat, gemini, responses};

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

impl Target {
    /// The address below a base URL, whose query is kept.
    pub(crate) fn url(&self, base: &Url, is_stream: bool) -> Result<Url, ConfigError> {
        let mut url = base.clone();
        {
            let mut path = url
                .path_segments_mut()
                .map_err(|()| ConfigError::new("base URL: it must begin with `http://` or `https://`"))?;
            path.pop_if_empty();
            match self.protocol {
                Protocol::Chat => path.extend(["chat", "completions"]),
                Protocol::Responses => path.push("responses"),
                Protocol::Anthropic => path.push("messages"),
                Protocol::Gemini => {
                    let verb = if is_stream { "streamGenerateContent" } else { "generateContent" };
                    path.push("models").push(&format!("{}:{verb}", self.model))
                }
            };
        }
        if self.protocol == Protocol::Gemini && is_stream {
            url.query_pairs_mut().append_pair("alt", "sse");
        }
        Ok(url)
    }

    pub(crate) fn payload(&self, request: &Request, is_stream: bool) -> Value {
        match self.protocol {
            Protocol::Chat => chat::payload(self, request, is_stream),
            Protocol::Responses => responses::payload(self, request, is_stream),
            Protocol::Anthropic => anthropic::payload(self, request, is_stream),
            Protocol::Gemini => gemini::payload(self, request),
        }
    }

    /// Reads an answer; nothing where there is none.
    pub(crate) fn answer(&self, body: &Value) -> Result<Option<Answer>, TooMuch> {
        match self.protocol {
            Protocol::Chat => chat::answer(body),
            Protocol::Responses => responses::answer(body),
            Protocol::Anthropic => anthropic::answer(body),
            Protocol::Gemini => gemini::answer(body),
        }
    }

    pub(crate) fn reader(&self) -> Box<dyn Reader> {
        match self.protocol {
            Protocol::Chat => Box::<chat::Pieces>::default(),
            Protocol::Responses => Box::<responses::Items>::default(),
            Protocol::Anthropic => Box::<anthropic::Blocks>::default(),
            Protocol::Gemini => Box::<gemini::Parts>::default(),
        }
    }
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
