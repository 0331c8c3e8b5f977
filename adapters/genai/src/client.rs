//! A client for a provider, which implements [`LanguageModel`].

use std::fmt;
use std::time::Duration;

use skills_call::BoxFuture;
use skills_call::model::{Answer, BoxStream, Delta, LanguageModel, ModelError, Request};

use crate::config::ConfigError;
use crate::exchange::Exchange;
use crate::failure::Origin;
use crate::http;
use crate::provider::Provider;

/// Creates a model from a name that determines its provider, with the key from the environment.
///
/// ```no_run
/// let model = skills_genai::client("gpt-5")?;
/// let asked_by_skills = model.clone(); // over the same connections
/// # Ok::<(), skills_genai::ConfigError>(())
/// ```
///
/// # Errors
/// If the name does not determine a provider, or if the key is missing.
pub fn client(model: &str) -> Result<Client, ConfigError> {
    Client::builder(model).build()
}

/// A model of a provider. Clones share the connections.
#[derive(Clone)]
pub struct Client {
    name: String,
    provider: &'static str,
    origin: Origin,
    exchange: Exchange,
}

impl Client {
    /// Starts building a model with more options.
    pub fn builder(model: impl Into<String>) -> Builder {
        Builder { model: model.into(), base_url: None, key: None, idle: Duration::from_secs(600) }
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = self.origin.place();
        formatter
            .debug_struct("Client")
            .field("model", &self.name)
            .field("at", &place)
            .finish_non_exhaustive()
    }
}

impl LanguageModel for Client {
    fn name(&self) -> &str {
        &self.name
    }

    fn provider(&self) -> Option<&str> {
        // The provider's name in the OpenTelemetry conventions, if it has one.
        Some(match self.provider {
            "openai_resp" => "openai",
            "gemini" => "gcp.gemini",
            "mistral" => "mistral_ai",
            "xai" => "x_ai",
            other => other,
        })
    }

    fn complete<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Answer, ModelError>> {
        Box::pin(self.exchange.complete(request, &self.origin))
    }

    fn stream<'a>(&'a self, request: &'a Request) -> BoxStream<'a, Result<Delta, ModelError>> {
        Box::pin(self.exchange.stream(request, &self.origin))
    }
}

/// The options of a [`Client`].
#[must_use]
pub struct Builder {
    model: String,
    base_url: Option<String>,
    key: Option<String>,
    idle: Duration,
}

impl Builder {
    /// Sets the base URL, such as `http://127.0.0.1:8080/v1`. The protocol appends its path
    /// (`chat/completions`, `responses`, `messages`, `models/NAME:generateContent`).
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
    pub fn build(self) -> Result<Client, ConfigError> {
        let variable = |name: &str| std::env::var(name).ok();
        let provider =
            Provider::resolve(&self.model, self.base_url.as_deref(), self.key.as_deref(), &variable)?;
        let Provider { name: known, target, base_url, key } = provider;
        let http = http::client(&base_url, self.idle)?;
        let exchange = Exchange::new(http, &base_url, key.as_deref(), target)?;
        Ok(Client { name: self.model, provider: known, origin: Origin::new(&base_url, key), exchange })
    }
}

impl fmt::Debug for Builder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Builder").field("model", &self.model).finish_non_exhaustive()
    }
}
