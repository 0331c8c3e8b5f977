//! The name of a model, a base URL and a key become a provider's protocol, address and credentials; `Builder` asks.

use std::fmt;

use genai::adapter::AdapterKind;
use reqwest::Url;

/// What a model cannot be reached with: an unknown name, a bad URL, no key.
#[derive(Debug)]
pub struct ConfigError(String);

impl ConfigError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for ConfigError {}

/// Where a model is and how it is spoken to.
pub(crate) struct Provider {
    pub(crate) kind: AdapterKind,
    /// The name as genai wants it.
    pub(crate) model: String,
    /// Absent where genai's own address is meant.
    pub(crate) base_url: Option<Url>,
    pub(crate) key: Option<String>,
}

impl Provider {
    /// Resolves what was given; `variable` looks into the environment.
    pub(crate) fn resolve(
        model: &str,
        base_url: Option<&str>,
        key: Option<&str>,
        variable: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, ConfigError> {
        if model.is_empty() {
            return Err(ConfigError::new("the name of a model is empty"));
        }
        let base_url = base_url.map(parse_url).transpose()?;
        let (named, bare) = protocol(model, base_url.is_some())?;
        let key = match key {
            Some(key) => Some(check_key(key)?),
            None => find_key(named, base_url.as_ref(), variable)?,
        };
        let (kind, model, base_url) = if named == AdapterKind::Ollama {
            let url = base_url.map_or_else(|| parse_url(OLLAMA), Ok)?;
            (AdapterKind::OpenAI, bare, Some(url))
        } else {
            (named, model, base_url)
        };
        if key.is_none() && kind != AdapterKind::OpenAI {
            return Err(ConfigError::new(format!(
                "no key for model `{model}`: give one, or set SKILLS_API_KEY for a base URL of your own"
            )));
        }
        Ok(Self { kind, model: model.to_owned(), base_url, key })
    }
}

/// The native API takes no schema through genai; this one does.
const OLLAMA: &str = "http://localhost:11434/v1/";

/// Finds the protocol that a name means, and the name without its prefix.
fn protocol(model: &str, has_base_url: bool) -> Result<(AdapterKind, &str), ConfigError> {
    if let Some((prefix, bare)) = model.split_once("::") {
        return match AdapterKind::from_lower_str(prefix) {
            // Numbered ones take their address from variables; a base URL says it openly.
            None | Some(AdapterKind::Custom(_)) => Err(ConfigError::new(format!(
                "unknown provider `{prefix}` in model `{model}`: try `openai::`, `anthropic::`, `gemini::` or `ollama::`"
            ))),
            Some(_) if bare.is_empty() => Err(ConfigError::new(format!("model `{model}` has no name"))),
            Some(kind) => Ok((kind, bare)),
        };
    }
    if has_base_url {
        return Ok((AdapterKind::OpenAI, model));
    }
    match AdapterKind::from_model(model) {
        // What genai means by Ollama is "unknown": a slip of the pen would connect to whatever listens there.
        Err(_) | Ok(AdapterKind::Ollama) => Err(ConfigError::new(format!(
            "unknown model `{model}`: write `ollama::{model}`, or give a base URL"
        ))),
        Ok(kind) => Ok((kind, model)),
    }
}

/// Reads a base URL; genai replaces what follows the last slash, so one is added.
fn parse_url(text: &str) -> Result<Url, ConfigError> {
    // The text may hold a secret: it is not repeated.
    let mut url = Url::parse(text.trim()).map_err(|error| ConfigError::new(format!("base URL: {error}")))?;
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none_or(str::is_empty) {
        return Err(ConfigError::new("base URL: it must begin with `http://` or `https://` and name a host"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(ConfigError::new("base URL: it holds a user or password; give the key by itself"));
    }
    if !url.path().ends_with('/') {
        let path = format!("{}/", url.path());
        url.set_path(&path);
    }
    url.set_fragment(None);
    Ok(url)
}

/// Finds the key in the environment: the provider's own only for the provider's host (SPEC 12.4).
fn find_key(
    kind: AdapterKind,
    base_url: Option<&Url>,
    variable: &dyn Fn(&str) -> Option<String>,
) -> Result<Option<String>, ConfigError> {
    let is_own = |url: &Url| url.host_str() == own_host(kind) && url.scheme() == "https";
    let (name, is_needed) = match (kind.default_key_env_name(), base_url) {
        (Some(name), None) => (name, true),
        (Some(name), Some(url)) if is_own(url) => (name, true),
        (_, Some(_)) => ("SKILLS_API_KEY", false),
        (None, None) => return Ok(None),
    };
    match variable(name).filter(|key| !key.trim().is_empty()) {
        Some(key) => check_key(&key).map(Some),
        None if is_needed => Err(ConfigError::new(format!("no key: set {name}, or give one"))),
        None => Ok(None),
    }
}

fn own_host(kind: AdapterKind) -> Option<&'static str> {
    match kind {
        AdapterKind::OpenAI | AdapterKind::OpenAIResp => Some("api.openai.com"),
        AdapterKind::Anthropic => Some("api.anthropic.com"),
        AdapterKind::Gemini => Some("generativelanguage.googleapis.com"),
        _ => None,
    }
}

fn check_key(key: &str) -> Result<String, ConfigError> {
    let key = key.trim();
    if key.is_empty() || !key.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(ConfigError::new("the key is empty or holds characters that no header can carry"));
    }
    Ok(key.to_owned())
}

#[cfg(test)]
#[path = "provider_tests.rs"]
mod tests;
