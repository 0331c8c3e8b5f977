//! Creates the genai client of a model from a name, a base URL and a key. Used by programs without a genai
//! client of their own, such as the `skills` command.

use std::fmt;
use std::time::Duration;

use genai::adapter::AdapterKind;
use genai::chat::{ChatOptions, ReasoningEffort};
use genai::resolver::{AuthData, Endpoint};
use genai::{Headers, ModelIden, ModelSpec, ServiceTarget};
use reqwest::Url;

use crate::Genai;

const CONNECT: Duration = Duration::from_secs(30);

/// The options of a [`Genai`].
#[must_use]
pub struct Builder {
    model: String,
    base_url: Option<String>,
    key: Option<String>,
    idle: Duration,
}

impl Builder {
    pub(crate) fn new(model: String) -> Self {
        Self { model, base_url: None, key: None, idle: Duration::from_secs(600) }
    }

    /// Sets the base URL, such as `http://127.0.0.1:8080/v1`. The protocol appends its path.
    pub fn base_url(mut self, url: impl Into<String>) -> Self {
        self.base_url = Some(url.into());
        self
    }

    /// Sets the key. By default, it is read from the environment.
    pub fn key(mut self, key: impl Into<String>) -> Self {
        self.key = Some(key.into());
        self
    }

    /// Sets how long a server may be silent before a request fails. The default is 10 minutes.
    pub fn idle_timeout(mut self, idle: Duration) -> Self {
        self.idle = idle;
        self
    }

    /// Creates the model. Sends nothing.
    ///
    /// # Errors
    /// If the name does not determine a provider and a base URL is not set, if the base URL is invalid, or if
    /// a required key is missing.
    pub fn build(self) -> Result<Genai, ConfigError> {
        let provider =
            Provider::resolve(&self.model, self.base_url.as_deref(), self.key.as_deref(), &|name| {
                std::env::var(name).ok()
            })?;
        let mut http = reqwest::Client::builder()
            // A redirect would send the key, which is in a provider-specific header, to another host (SPEC 12.4).
            .redirect(reqwest::redirect::Policy::none())
            .connect_timeout(CONNECT)
            .tcp_nodelay(true);
        // No proxy can reach this machine.
        if provider.is_here() {
            http = http.no_proxy();
        }
        // Plain HTTP needs no certificates, and some machines have none.
        if provider.is_plain() {
            http = http.tls_certs_only([]);
        }
        let http = http
            .build()
            .map_err(|error| ConfigError::new(format!("no HTTP client: {}", error.without_url())))?;
        let mut options =
            ChatOptions::default().with_stream_header_timeout(self.idle).with_stream_read_timeout(self.idle);
        if provider.kind == AdapterKind::OpenAI && provider.base_url.is_some() {
            // genai would cut an ending such as `-max` or `-high` off the name and send it as an effort. If a
            // budget is set, genai leaves the name alone, and this protocol does not send the budget.
            options = options.with_reasoning_effort(ReasoningEffort::Budget(0));
        }
        let client = genai::Client::builder().with_reqwest(http).with_chat_options(options);
        let client = match provider.key.clone() {
            Some(key) => {
                client.with_auth_resolver_fn(move |_: ModelIden| Ok(Some(AuthData::from_single(&*key))))
            }
            None => client,
        };
        let client = client.build().map_err(|error| ConfigError::new(format!("no client: {error}")))?;
        Ok(Genai::named(client, provider.spec(), self.model))
    }
}

impl fmt::Debug for Builder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Builder").field("model", &self.model).finish_non_exhaustive()
    }
}

/// The protocol, name, address and key of a model.
struct Provider {
    kind: AdapterKind,
    model: String,
    base_url: Option<Url>,
    key: Option<String>,
}

impl Provider {
    /// Resolves the options; `variable` reads an environment variable.
    fn resolve(
        model: &str,
        base_url: Option<&str>,
        key: Option<&str>,
        variable: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, ConfigError> {
        if model.is_empty() {
            return Err(ConfigError::new("the name of a model is empty"));
        }
        let base_url = base_url.map(parse_url).transpose()?;
        let (kind, bare) = kind(model, base_url.is_some())?;
        let key = match key {
            Some(key) => Some(check_key(key)?),
            None => find_key(kind, base_url.is_some(), variable)?,
        };
        let needs_none = matches!(kind, AdapterKind::OpenAI | AdapterKind::Ollama | AdapterKind::Omlx);
        if key.is_none() && base_url.is_some() && !needs_none {
            return Err(ConfigError::new(format!(
                "no key for model `{model}`: give one, or set SKILLS_API_KEY for your own base URL"
            )));
        }
        Ok(Self { kind, model: bare.to_owned(), base_url, key })
    }

    /// Returns `true` if the server is on this machine.
    fn is_here(&self) -> bool {
        match &self.base_url {
            Some(url) => url.host_str().is_some_and(skills_text::is_loopback),
            None => matches!(self.kind, AdapterKind::Ollama | AdapterKind::Omlx),
        }
    }

    /// Returns `true` if the connection to the server is plain HTTP.
    fn is_plain(&self) -> bool {
        match &self.base_url {
            Some(url) => url.scheme() == "http",
            None => matches!(self.kind, AdapterKind::Ollama | AdapterKind::Omlx),
        }
    }

    fn spec(self) -> ModelSpec {
        let model = ModelIden::new(self.kind, self.model);
        let Some(url) = self.base_url else { return ModelSpec::Iden(model) };
        let auth = match self.key {
            Some(key) => AuthData::from_single(key),
            // Without this, genai demands a key even for servers that do not need one.
            None if self.kind == AdapterKind::OpenAI => {
                AuthData::RequestOverride { url: chat_url(&url).into(), headers: Headers::default() }
            }
            None => AuthData::None,
        };
        ModelSpec::Target(ServiceTarget { endpoint: Endpoint::from_owned(url.as_str()), auth, model })
    }
}

/// Finds the protocol of a name, and the name without its prefix.
fn kind(model: &str, has_base_url: bool) -> Result<(AdapterKind, &str), ConfigError> {
    if let Some((prefix, bare)) = model.split_once("::") {
        return match AdapterKind::from_lower_str(prefix) {
            None => Err(ConfigError::new(format!(
                "unknown provider `{prefix}` in model `{model}`: try `openai::`, `anthropic::`, `gemini::` or \
                 `ollama::`, or give the base URL of a server with OpenAI's API"
            ))),
            Some(_) if bare.is_empty() => Err(ConfigError::new(format!("model `{model}` has no name"))),
            Some(kind) => Ok((kind, bare)),
        };
    }
    if has_base_url {
        return Ok((AdapterKind::OpenAI, model));
    }
    match AdapterKind::from_model(model) {
        // genai takes each unknown name for a model of Ollama, but a typo must not cause a
        // connection.
        Ok(AdapterKind::Ollama) | Err(_) => Err(ConfigError::new(format!(
            "unknown model `{model}`: write `ollama::{model}`, or give a base URL"
        ))),
        Ok(kind) => Ok((kind, model)),
    }
}

/// Parses a base URL, and makes its path end with a slash.
fn parse_url(text: &str) -> Result<Url, ConfigError> {
    // The error does not repeat the text, which may contain a secret.
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

/// Returns the URL of OpenAI's Chat Completions below a base URL, keeping its query.
fn chat_url(base: &Url) -> Url {
    let mut url = base.clone();
    url.set_path(&format!("{}chat/completions", base.path()));
    url
}

/// Finds the key in the environment. The provider's own variable is only used for the provider's own address.
fn find_key(
    kind: AdapterKind,
    has_base_url: bool,
    variable: &dyn Fn(&str) -> Option<String>,
) -> Result<Option<String>, ConfigError> {
    let (name, is_needed) = match kind.default_key_env_name() {
        _ if has_base_url => ("SKILLS_API_KEY", false),
        Some(name) => (name, true),
        None => return Ok(None),
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

/// The reason why a model cannot be used: an unknown name, an invalid URL, or no key.
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

#[cfg(test)]
#[path = "builder_tests.rs"]
mod tests;
