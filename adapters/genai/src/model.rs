//! A model of a genai client, which implements [`LanguageModel`].

use std::fmt;
use std::time::Duration;

use futures_util::{Stream, StreamExt, stream};
use genai::adapter::AdapterKind;
use genai::{ModelSpec, ServiceTarget};
use skills_call::BoxFuture;
use skills_call::model::{Answer, BoxStream, Delta, LanguageModel, ModelError, Request};
use tokio::time::{Instant, timeout_at};

use crate::answer::{Assembly, TooMuch};
use crate::builder::{Builder, ConfigError};
use crate::failure::Origin;
use crate::reader::{ReadFault, Reader};
use crate::request;

/// How long an answer may take in all.
const TIMEOUT: Duration = Duration::from_secs(3600);

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
pub fn client(model: &str) -> Result<Genai, ConfigError> {
    Genai::builder(model).build()
}

/// A model of a [`genai::Client`]. Clones share the connections.
#[derive(Clone)]
pub struct Genai {
    client: genai::Client,
    spec: ModelSpec,
    name: String,
    timeout: Duration,
}

impl Genai {
    /// Creates a model of a client that the program already has. `model` is a name such as `gpt-5` or
    /// `groq::NAME`, or genai's own types.
    ///
    /// ```
    /// let model = skills_genai::Genai::new(genai::Client::new()?, "claude-sonnet-4-5");
    /// # Ok::<(), genai::Error>(())
    /// ```
    pub fn new(client: genai::Client, model: impl Into<ModelSpec>) -> Self {
        let spec = model.into();
        let name = match &spec {
            ModelSpec::Name(name) => name.to_string(),
            ModelSpec::Iden(model) => model.model_name.to_string(),
            ModelSpec::Target(target) => target.model.model_name.to_string(),
        };
        Self::named(client, spec, name)
    }

    pub(crate) fn named(client: genai::Client, spec: ModelSpec, name: String) -> Self {
        Self { client, spec, name, timeout: TIMEOUT }
    }

    /// Starts building a model with a client of its own.
    pub fn builder(model: impl Into<String>) -> Builder {
        Builder::new(model.into())
    }

    /// Sets how long an answer may take in all. The default is an hour.
    #[must_use]
    pub fn with_timeout(self, timeout: Duration) -> Self {
        Self { timeout, ..self }
    }

    fn kind(&self) -> Option<AdapterKind> {
        match &self.spec {
            ModelSpec::Name(name) => {
                self.client.adapter_kind().or_else(|| AdapterKind::from_model(name).ok())
            }
            ModelSpec::Iden(model) => Some(model.adapter_kind),
            ModelSpec::Target(target) => Some(target.model.adapter_kind),
        }
    }

    /// Requests an answer in pieces, on the first poll.
    fn pieces<'a>(
        &'a self,
        request: &'a Request,
    ) -> impl Stream<Item = Result<Delta, ModelError>> + Send + 'a {
        stream::unfold((State::Closed, Assembly::default()), async move |(mut state, mut assembly)| {
            loop {
                if let Some(delta) = assembly.pop() {
                    return Some((Ok(delta), (state, assembly)));
                }
                let failed = match state {
                    State::Done => return None,
                    State::Closed => match self.open(request).await {
                        Ok(open) => {
                            state = State::OpenStream(Box::new(open));
                            continue;
                        }
                        Err(error) => error,
                    },
                    State::OpenStream(mut open) => match open.read(&mut assembly).await {
                        Ok(is_end) => {
                            state = if is_end { State::Done } else { State::OpenStream(open) };
                            continue;
                        }
                        Err(error) => error,
                    },
                };
                // Partial answers are discarded.
                return Some((Err(failed), (State::Done, Assembly::default())));
            }
        })
    }

    async fn open(&self, request: &Request) -> Result<OpenStream, ModelError> {
        let deadline = Instant::now() + self.timeout;
        let nowhere = Origin::default();
        let target: ServiceTarget =
            timeout_at(deadline, self.client.resolve_service_target(self.spec.clone()))
                .await
                .map_err(|_| nowhere.timed_out())?
                .map_err(|error| nowhere.failure(error))?;
        let origin = Origin::new(&target);
        let kind = target.model.adapter_kind;
        let (_, model) = target.model.model_name.namespace_and_name();
        let options = request::options(request, kind, model);
        let chat = request::chat(request, kind);
        let opened = timeout_at(deadline, self.client.exec_chat_stream(target, chat, Some(&options))).await;
        match opened {
            Ok(Ok(opened)) => Ok(OpenStream { events: Reader::start(opened.stream), origin, deadline }),
            Ok(Err(error)) => Err(origin.failure(error)),
            Err(_) => Err(origin.timed_out()),
        }
    }
}

enum State {
    Closed,
    OpenStream(Box<OpenStream>),
    Done,
}

/// A stream from a server.
struct OpenStream {
    events: Reader,
    origin: Origin,
    deadline: Instant,
}

impl OpenStream {
    /// Reads the next event. Returns `true` if it is the last.
    async fn read(&mut self, assembly: &mut Assembly) -> Result<bool, ModelError> {
        match timeout_at(self.deadline, self.events.next()).await {
            Ok(Some(Ok(event))) => assembly.push(event).map_err(|fault| self.origin.fault(fault)),
            Ok(Some(Err(ReadFault::Genai(error)))) => Err(self.origin.failure(error)),
            Ok(Some(Err(ReadFault::TooMuch))) => Err(self.origin.fault(TooMuch::reading().into())),
            Ok(None) => Err(self.origin.broken_off()),
            Err(_) => Err(self.origin.timed_out()),
        }
    }
}

impl fmt::Debug for Genai {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Genai").field("model", &self.name).finish_non_exhaustive()
    }
}

impl LanguageModel for Genai {
    fn name(&self) -> &str {
        &self.name
    }

    fn provider(&self) -> Option<&str> {
        // The provider's name in the OpenTelemetry conventions, if it has one.
        Some(match self.kind()? {
            AdapterKind::OpenAIResp => "openai",
            AdapterKind::Gemini | AdapterKind::GeminiIx => "gcp.gemini",
            AdapterKind::Vertex => "gcp.vertex_ai",
            AdapterKind::BedrockApi => "aws.bedrock",
            AdapterKind::Mistral => "mistral_ai",
            AdapterKind::Xai => "x_ai",
            other => other.as_lower_str(),
        })
    }

    fn complete<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Answer, ModelError>> {
        // genai reads an unstreamed answer without any limit, so this answer is streamed too.
        Box::pin(async move {
            let mut pieces = std::pin::pin!(self.pieces(request));
            let mut answer = Answer::default();
            while let Some(piece) = pieces.next().await {
                answer.push(piece?);
            }
            Ok(answer)
        })
    }

    fn stream<'a>(&'a self, request: &'a Request) -> BoxStream<'a, Result<Delta, ModelError>> {
        Box::pin(self.pieces(request))
    }
}
