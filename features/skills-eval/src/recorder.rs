//! A model that records or replays its exchanges, for one run of a case.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use serde_json::{Value, json};

use super::Cassette;
use super::cassette::Key;
use super::cassette::{canonical, digest};
use super::mask::Masks;
use skills_call::BoxFuture;
use skills_call::mcp::ToolServers;
use skills_call::model::{
    Answer, LanguageModel, Media, MediaSource, Message, ModelError, Part, Request, Usage,
};

/// A model for one run of one case.
pub(super) struct Recorder {
    pub(super) cassette: Cassette,
    /// The model itself. `None` if there is only the cassette.
    pub(super) model: Option<Arc<dyn LanguageModel>>,
    /// The MCP servers themselves. `None` if there is only the cassette.
    pub(super) servers: Option<Arc<dyn ToolServers>>,
    /// The role: answering or grading.
    pub(super) role: &'static str,
    pub(super) name: String,
    /// The case that sends the requests.
    pub(super) case: String,
    pub(super) run: u32,
    pub(super) masks: Arc<Masks>,
    pub(super) spent: Mutex<Spent>,
}

/// The usage of a run so far.
#[derive(Debug, Default)]
pub(super) struct Spent {
    asked: HashMap<String, u32>,
    turns: u32,
    pub(super) usage: Usage,
    pub(super) ms: u64,
    /// The reason why the model could not be called. The run then has no result.
    pub(super) failure: Option<String>,
}

impl Recorder {
    fn spent(&self) -> MutexGuard<'_, Spent> {
        self.spent.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns and resets the usage since the last call.
    pub(super) fn take(&self) -> Spent {
        std::mem::take(&mut *self.spent())
    }

    async fn ask(&self, request: &Request) -> Result<Answer, ModelError> {
        let make = self.model.as_ref().map(|model| model.complete(request));
        self.exchange(value(request, self.role), make).await
    }

    /// Finds a recorded exchange, or makes it.
    pub(super) async fn exchange(
        &self,
        ask: Value,
        make: Option<BoxFuture<'_, Result<Answer, ModelError>>>,
    ) -> Result<Answer, ModelError> {
        let answered = self.find_or_make(ask, make).await;
        // A later attempt that succeeds clears the failure.
        self.spent().failure = answered.as_ref().err().map(ToString::to_string);
        answered
    }

    async fn find_or_make(
        &self,
        ask: Value,
        make: Option<BoxFuture<'_, Result<Answer, ModelError>>>,
    ) -> Result<Answer, ModelError> {
        let ask = self.masks.mask_value(ask);
        let digest = digest(&canonical(&ask));
        let (nth, turn) = {
            let mut spent = self.spent();
            spent.turns += 1;
            let turn = spent.turns;
            let nth = spent.asked.entry(digest.clone()).or_default();
            *nth += 1;
            (*nth - 1, turn)
        };
        let key = Key { digest, run: self.run, nth };
        let of = (self.case.clone(), turn);
        let cell = self.cassette.cell(&key);
        let made = cell.get_or_try_init(|| async {
            if let Some(recorded) = self.cassette.find(&key) {
                return Ok(recorded);
            }
            let Some(make) = make.filter(|_| self.cassette.asks()) else {
                return Err(self.missing(&of, &ask));
            };
            let start = Instant::now();
            let answer = make.await.map_err(|error| self.masked_error(error))?;
            let ms = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
            Ok(self.cassette.add(&key, of.clone(), ask.clone(), self.masked(answer, Masks::mask), ms))
        });
        let exchange = made.await?;
        self.cassette.share(&key, &of);
        let mut spent = self.spent();
        spent.usage += exchange.answer.usage;
        spent.ms = spent.ms.saturating_add(exchange.ms);
        drop(spent);
        Ok(self.masked(exchange.answer.clone(), Masks::unmask))
    }

    /// Returns an error that says which exchange is missing, why, and how to record it.
    fn missing(&self, of: &(String, u32), ask: &Value) -> ModelError {
        let (case, turn) = of;
        let place = format!("run {} of {case}, request {turn}", self.run);
        let role = ask.get("role").and_then(Value::as_str).unwrap_or(self.role);
        let Some(path) = self.cassette.path() else {
            return ModelError::new(format!("there is no {role} to ask ({place})"));
        };
        let why = self.cassette.compare(of, self.run, ask).map(|why| format!(" ({why})")).unwrap_or_default();
        let path = path.display();
        ModelError::new(format!(
            "{path} has no answer of the {role} for {place}{why}; record it: with `skills eval --record {path} --model MODEL`, or in a test with `Cassette::record`"
        ))
    }

    /// Masks the message of an error, since a provider may repeat a key in it.
    fn masked_error(&self, mut error: ModelError) -> ModelError {
        error.message = self.masks.mask(&error.message);
        error.source = None;
        error
    }

    fn masked(&self, mut answer: Answer, mask: fn(&Masks, &str) -> String) -> Answer {
        answer.text = mask(&self.masks, &answer.text);
        for call in &mut answer.tool_calls {
            call.arguments = mask(&self.masks, &call.arguments);
        }
        answer
    }
}

impl LanguageModel for Recorder {
    fn name(&self) -> &str {
        &self.name
    }

    fn complete<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Answer, ModelError>> {
        Box::pin(self.ask(request))
    }
}

/// Returns a request as JSON, as written to the cassette and used for the digest.
fn value(request: &Request, role: &str) -> Value {
    let messages: Vec<Value> = request.messages.iter().map(message).collect();
    let mut value = json!({"role": role, "messages": messages});
    if !request.tools.is_empty() {
        value["tools"] = request.tools.iter().map(|tool| json!({"name": tool.name, "description": tool.description, "parameters": tool.parameters})).collect();
    }
    if let Some(schema) = &request.response_schema {
        value["schema"] = schema.schema.clone();
    }
    if let Some(limit) = request.max_tokens {
        value["max_tokens"] = limit.into();
    }
    if let Some(temperature) = request.temperature {
        value["temperature"] = temperature.into();
    }
    value
}

fn message(message: &Message) -> Value {
    let parts: Vec<Value> = message.parts.iter().map(part).collect();
    json!({"role": message.role.as_str(), "parts": parts})
}

fn part(part: &Part) -> Value {
    match part {
        Part::Text(text) => Value::String(text.clone()),
        Part::ToolCall(call) => json!({"call": call.id, "name": call.name, "arguments": call.arguments}),
        Part::ToolResult(result) => json!({
            "answers": result.call_id, "name": result.name, "content": result.content, "is_error": result.is_error,
        }),
        Part::Media(Media { media_type, name, source, .. }) => {
            let (MediaSource::Base64(source) | MediaSource::Url(source)) = source;
            json!({"media": media_type, "name": name, "source": source})
        }
        Part::Other(other) => json!({"other": other}),
    }
}
