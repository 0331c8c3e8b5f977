//! Resolves the name of a model, a base URL and a key to a provider's protocol, address and credentials.

use reqwest::Url;

use crate::config::ConfigError;
use crate::known::{self, Known, OPENAI};
use crate::target::{Protocol, Target};

/// The address, protocol and credentials of a model.
pub(crate) struct Provider {
    /// The prefix before `::` in the names of its models.
    pub(crate) name: &'static str,
    pub(crate) target: Target,
    pub(crate) base_url: Url,
    pub(crate) key: Option<String>,
}

impl Provider {
    /// Resolves the options; `variable` reads an environment variable.
    pub(crate) fn resolve(
        model: &str,
        base_url: Option<&str>,
        key: Option<&str>,
        variable: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, ConfigError> {
        if model.is_empty() {
            return Err(ConfigError::new("the name of a model is empty"));
        }
        let given = base_url.map(parse_url).transpose()?;
        let (known, bare) = known(model, given.is_some())?;
        let key = match key {
            Some(key) => Some(check_key(key)?),
            None => find_key(known, given.as_ref(), variable)?,
        };
        if key.is_none() && known.protocol != Protocol::Chat {
            return Err(ConfigError::new(format!(
                "no key for model `{model}`: give one, or set SKILLS_API_KEY for your own base URL"
            )));
        }
        let base_url = given.map_or_else(|| parse_url(known.url), Ok)?;
        let target = Target {
            protocol: known.protocol,
            model: known::model_name(known, bare),
            holds_schemas: known.holds_schemas,
            max_tokens: known::max_tokens(known),
        };
        Ok(Self { name: known.name, target, base_url, key })
    }
}

/// Finds the provider of a name, and the name without its prefix.
fn known(model: &str, has_base_url: bool) -> Result<(&'static Known, &str), ConfigError> {
    if let Some((prefix, bare)) = model.split_once("::") {
        return match known::named(prefix) {
            None => Err(ConfigError::new(format!(
                "unknown provider `{prefix}` in model `{model}`: try `openai::`, `anthropic::`, `gemini::` or \
                 `ollama::`, or give the base URL of a server that speaks like OpenAI"
            ))),
            Some(_) if bare.is_empty() => Err(ConfigError::new(format!("model `{model}` has no name"))),
            Some(known) => Ok((known, bare)),
        };
    }
    if has_base_url {
        return Ok((&OPENAI, model));
    }
    // A typo must not connect to anyone.
    let unknown =
        || ConfigError::new(format!("unknown model `{model}`: write `ollama::{model}`, or give a base URL"));
    Ok((known::of_model(model).ok_or_else(unknown)?, model))
}

/// Parses a base URL, and makes its path end with a slash.
fn parse_url(text: &str) -> Result<Url, ConfigError> {
    // The text may contain a secret, so it is not repeated.
    let mut url = Url::parse(text.trim()).map_err(|error| ConfigError::new(format!("base URL: {error}")))?;
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none_or(str::is_empty) {
        return Err(ConfigError::new("base URL: it must begin with `http://` or `https://` and name a host"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(ConfigError::new("base URL: it contains a user or password; give the key separately"));
    }
    if !url.path().ends_with('/') {
        let path = format!("{}/", url.path());
        url.set_path(&path);
    }
    url.set_fragment(None);
    Ok(url)
}

/// Finds the key in the environment. The provider's own variable is only used for the provider's host.
fn find_key(
    known: &Known,
    base_url: Option<&Url>,
    variable: &dyn Fn(&str) -> Option<String>,
) -> Result<Option<String>, ConfigError> {
    let own = Url::parse(known.url).ok();
    let is_own = |url: &Url| {
        url.scheme() == "https" && own.as_ref().is_some_and(|own| own.host_str() == url.host_str())
    };
    let (name, is_needed) = match (known.key, base_url) {
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

fn check_key(key: &str) -> Result<String, ConfigError> {
    let key = key.trim();
    if key.is_empty() || !key.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(ConfigError::new(
            "the key is empty or contains characters that are not allowed in a header",
        ));
    }
    Ok(key.to_owned())
}

#[cfg(test)]
#[path = "provider_tests.rs"]
mod tests;
