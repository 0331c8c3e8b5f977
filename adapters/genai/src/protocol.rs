//! The differences between the protocols: URLs, bodies, and readers for responses.

use reqwest::Url;
use serde_json::Value;
use skills_call::model::Request;

use crate::config::ConfigError;
use crate::said::Reader;
use crate::target::{Protocol, Target};
use crate::{anthropic, chat, gemini, responses};

impl Target {
    /// Returns the URL below a base URL, keeping its query.
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

    pub(crate) fn reader(&self) -> Box<dyn Reader> {
        match self.protocol {
            Protocol::Chat => Box::<chat::Pieces>::default(),
            Protocol::Responses => Box::<responses::Items>::default(),
            Protocol::Anthropic => Box::<anthropic::Blocks>::default(),
            Protocol::Gemini => Box::<gemini::Parts>::default(),
        }
    }
}
