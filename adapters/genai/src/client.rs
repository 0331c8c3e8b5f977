//! A provider becomes a [`LanguageModel`]: a chat completion, or a call of genai for the other protocols.

use std::fmt;
use std::time::Duration;

use genai::adapter::AdapterKind;
use genai::resolver::{AuthData, Endpoint, ProviderConfig};
use genai::{ClientBuilder, ModelIden};
use skills_runtime::call::BoxFuture;
use skills_runtime::model::{Answer, BoxStream, Delta, LanguageModel, ModelError, Request};

use crate::chat::Chat;
use crate::failure::Origin;
use crate::provider::{ConfigError, Provider};
use crate::request::Call;
use crate::{answer, http, stream};

/// Makes a model of a name that says its provider, with the key from the environment.
///
/// # Errors
/// When the name says no provider, or there is no key.
pub fn client(model: &str) -> Result<Client, ConfigError> {
    Client::builder(model).build()
}

/// A model of a provider.
pub struct Client {
    name: String,
    origin: Origin,
    protocol: Protocol,
}

/// How a provider is spoken to.
enum Protocol {
    Chat(Chat),
    Genai(genai::Client, ModelIden),
}

impl Client {
    /// Begins a model with more than its name.
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

    fn complete<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Answer, ModelError>> {
        match &self.protocol {
            Protocol::Chat(chat) => Box::pin(chat.complete(request, &self.origin)),
            Protocol::Genai(client, target) => Box::pin(async move {
                let call = Call::new(target.adapter_kind, &self.name, request)?;
                let answered = client.exec_chat(target.clone(), call.chat, Some(&call.options)).await;
                answer::read(answered, &call.names, &self.origin)
            }),
        }
    }

    fn stream<'a>(&'a self, request: &'a Request) -> BoxStream<'a, Result<Delta, ModelError>> {
        let (client, target) = match &self.protocol {
            Protocol::Chat(chat) => return Box::pin(chat.stream(request, &self.origin)),
            Protocol::Genai(client, target) => (client, target),
        };
        let opening = async move {
            let call = Call::new(target.adapter_kind, &self.name, request)?;
            let opened = client.exec_chat_stream(target.clone(), call.chat, Some(&call.options)).await;
            let opened = opened.map_err(|error| self.origin.failure(error))?;
            Ok((opened.stream, call.names))
        };
        Box::pin(stream::deltas(opening, &self.origin, target.adapter_kind))
    }
}

/// What a [`Client`] is made of.
pub struct Builder {
    model: String,
    base_url: Option<String>,
    key: Option<String>,
    idle: Duration,
}

impl Builder {
    /// Sets where the server is, as `http://127.0.0.1:8080/v1`: up to what the protocol adds (`chat/completions`).
    #[must_use]
    pub fn base_url(mut self, url: impl Into<String>) -> Self {
        self.base_url = Some(url.into());
        self
    }

    /// Sets the key; without one it is read from the environment.
    #[must_use]
    pub fn key(mut self, key: impl Into<String>) -> Self {
        self.key = Some(key.into());
        self
    }

    /// Sets how long a server may be silent before a request fails; 10 minutes unless told.
    #[must_use]
    pub fn idle_timeout(mut self, idle: Duration) -> Self {
        self.idle = idle;
        self
    }

    /// Makes the model. Nothing is sent.
    ///
    /// # Errors
    /// When the name says no provider and there is no base URL, the base URL is none, or a key is needed and there is
    /// none.
    pub fn build(self) -> Result<Client, ConfigError> {
        let variable = |name: &str| std::env::var(name).ok();
        let provider =
            Provider::resolve(&self.model, self.base_url.as_deref(), self.key.as_deref(), &variable)?;
        let Provider { kind, model, base_url, key } = provider;
        let origin = Origin::new(kind, base_url.as_ref(), key.clone());
        let http = http::client(base_url.as_ref(), self.idle)?;
        let protocol = if kind == AdapterKind::OpenAI {
            Protocol::Chat(Chat::new(http, base_url.as_ref(), key.as_deref(), &model)?)
        } else {
            let key = key.ok_or_else(|| ConfigError::new("no key"))?;
            let mut config = ProviderConfig::from_auth(AuthData::from_single(key));
            config.endpoint = base_url.as_ref().map(|url| Endpoint::from_owned(url.as_str()));
            let builder = ClientBuilder::default().with_reqwest(http).append_provider_config(kind, config);
            let client = builder.build().map_err(|error| ConfigError::new(origin.failure(error).message))?;
            Protocol::Genai(client, ModelIden::new(kind, model))
        };
        Ok(Client { name: self.model, origin, protocol })
    }
}

impl fmt::Debug for Builder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Builder").field("model", &self.model).finish_non_exhaustive()
    }
}
