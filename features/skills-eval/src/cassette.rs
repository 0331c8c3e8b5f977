//! Records exchanges with models in a file, and finds them again by the digest of the request.
//!
//! Each line is a JSON object: first the names of the models, then each long text once, then the exchanges in
//! the order of the cases. The order of lines is fixed, so that a new recording causes only a small
//! difference in a repository.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Map, Value, json};
use skills_call::model::{Answer, Finish, ToolCall, Usage};
use skills_text::hex;
use tokio::sync::OnceCell;

use super::Unread;

/// Why a cassette without a file cannot be replayed.
const NOT_RECORDED: &str = "nothing is recorded yet; first record the answers of a model: in a program, pass \
                            `Cassette::record` of this file to the trial, and call `save` after it ran; on the command \
                            line, use `--record` instead of `--replay`";

/// Texts longer than this, in bytes, are on their own line.
const MAX_INLINE: usize = 400;

/// The largest cassette that is read, in bytes.
const MAX_CASSETTE: u64 = 256 << 20;

/// Recorded and new exchanges. Clones share them.
#[derive(Clone, Debug)]
pub struct Cassette(Arc<Tape>);

#[derive(Debug)]
struct Tape {
    path: Option<PathBuf>,
    /// Whether to call a model for a missing exchange.
    asks: bool,
    recording: Mutex<Recording>,
}

#[derive(Debug, Default)]
struct Recording {
    models: BTreeMap<&'static str, String>,
    texts: BTreeMap<String, String>,
    exchanges: BTreeMap<Key, Exchange>,
    /// One cell for each pending or answered request, so that a request is sent only once, even if a run
    /// makes it several times.
    cells: BTreeMap<Key, Arc<OnceCell<Exchange>>>,
}

/// The digest of a request, the number of the run, and how many times the run had sent the same request
/// before.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    pub(super) digest: String,
    pub(super) run: u32,
    pub(super) nth: u32,
}

/// A request and its answer.
#[derive(Clone, Debug)]
pub(super) struct Exchange {
    /// The case that sent the request first, and its position there. Lines are sorted by this.
    pub(super) of: (String, u32),
    /// The request, with long texts replaced by their digests.
    ask: Value,
    pub(super) answer: Answer,
    pub(super) ms: u64,
}

/// The role of the model that answers.
pub(super) const MODEL: &str = "model";
/// The role of the model that grades.
pub(super) const JUDGE: &str = "judge";

impl Cassette {
    /// Creates a cassette without a file. Each request is sent, but only once if a run repeats it.
    pub fn none() -> Self {
        Self::from_parts(None, true, Recording::default())
    }

    /// Reads a file to replay. No model is called.
    ///
    /// # Errors
    /// If the file does not exist yet, cannot be read, or is not a cassette.
    pub fn replay(path: impl Into<PathBuf>) -> Result<Self, Unread> {
        let path = path.into();
        if !path.exists() {
            return Err(Unread::new(&path, NOT_RECORDED));
        }
        let recording = read(&path)?;
        Ok(Self::from_parts(Some(path), false, recording))
    }

    /// Reads a file if it exists. Missing exchanges are requested from the model, and [`Cassette::save`]
    /// writes them.
    ///
    /// # Errors
    /// If the file exists but cannot be read, or is not a cassette.
    pub fn record(path: impl Into<PathBuf>) -> Result<Self, Unread> {
        let path = path.into();
        let recording = if path.exists() { read(&path)? } else { Recording::default() };
        Ok(Self::from_parts(Some(path), true, recording))
    }

    /// Starts a new recording. [`Cassette::save`] replaces the file.
    pub fn record_anew(path: impl Into<PathBuf>) -> Self {
        Self::from_parts(Some(path.into()), true, Recording::default())
    }

    fn from_parts(path: Option<PathBuf>, asks: bool, recording: Recording) -> Self {
        Self(Arc::new(Tape { path, asks, recording: Mutex::new(recording) }))
    }

    /// Returns the number of exchanges.
    pub fn len(&self) -> usize {
        self.recording().exchanges.len()
    }

    /// Returns `true` if there are no exchanges.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Writes the file atomically. Does nothing for a cassette that only replays.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save(&self) -> Result<(), Unread> {
        let Some(path) = self.0.path.as_deref().filter(|_| self.0.asks) else { return Ok(()) };
        let text = self.recording().print();
        skills_files::replace(path, text.as_bytes(), None).map_err(|error| Unread::new(path, error))
    }

    pub(super) fn asks(&self) -> bool {
        self.0.asks
    }

    pub(super) fn path(&self) -> Option<&Path> {
        self.0.path.as_deref()
    }

    /// Returns the name of the model that was recorded for a role.
    pub(super) fn model(&self, role: &str) -> Option<String> {
        self.recording().models.get(role).cloned()
    }

    /// Records the name of the model for a role.
    pub(super) fn name(&self, role: &'static str, name: &str) -> Result<(), Unread> {
        let mut recording = self.recording();
        match recording.models.get(role) {
            Some(known) if known != name && self.0.asks && !recording.exchanges.is_empty() => {
                let path = self.0.path.as_deref().unwrap_or(Path::new(""));
                let why = format!("it was recorded with the {role} `{known}`, not `{name}`: record it again");
                Err(Unread::new(path, why))
            }
            Some(_) if !self.0.asks => Ok(()),
            _ => {
                recording.models.insert(role, name.to_owned());
                Ok(())
            }
        }
    }

    /// Returns the cell for the answer to a request.
    pub(super) fn cell(&self, key: &Key) -> Arc<OnceCell<Exchange>> {
        Arc::clone(self.recording().cells.entry(key.clone()).or_default())
    }

    pub(super) fn find(&self, key: &Key) -> Option<Exchange> {
        self.recording().exchanges.get(key).cloned()
    }

    /// Adds an exchange. `ask` is the whole request.
    pub(super) fn add(&self, key: &Key, of: (String, u32), ask: Value, answer: Answer, ms: u64) -> Exchange {
        let mut recording = self.recording();
        let ask = recording.shorten(ask);
        let exchange = Exchange { of, ask, answer, ms };
        recording.exchanges.insert(key.clone(), exchange.clone());
        exchange
    }

    /// Records that an exchange also belongs to another case. Its line is sorted by the case whose name comes
    /// first.
    pub(super) fn share(&self, key: &Key, of: &(String, u32)) {
        if let Some(exchange) =
            self.recording().exchanges.get_mut(key).filter(|found| self.0.asks && *of < found.of)
        {
            exchange.of = of.clone();
        }
    }

    /// Describes how a request differs from the recorded request at the same position.
    pub(super) fn compare(&self, of: &(String, u32), run: u32, ask: &Value) -> Option<String> {
        let mut recording = self.recording();
        let ask = recording.shorten(ask.clone());
        let role = ask.get("role");
        let there = recording
            .exchanges
            .iter()
            .find(|(key, exchange)| exchange.of == *of && key.run == run && exchange.ask.get("role") == role)?
            .1;
        let parts = [
            ("the system prompt", ask.pointer("/messages/0"), there.ask.pointer("/messages/0")),
            ("the tools", ask.get("tools"), there.ask.get("tools")),
            ("the messages", ask.get("messages"), there.ask.get("messages")),
        ];
        let changed =
            parts.into_iter().find(|(_, now, then)| now != then).map_or("the request", |part| part.0);
        Some(format!("{changed} changed since it was recorded"))
    }

    fn recording(&self) -> MutexGuard<'_, Recording> {
        // A panic cannot leave it in an invalid state, so poisoning is ignored.
        self.0.recording.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Recording {
    /// Moves long texts to their own lines.
    fn shorten(&mut self, value: Value) -> Value {
        match value {
            Value::String(text) if text.len() > MAX_INLINE => {
                let key = digest(&text);
                self.texts.entry(key.clone()).or_insert(text);
                json!({"sha256": key})
            }
            Value::Array(items) => items.into_iter().map(|item| self.shorten(item)).collect(),
            Value::Object(members) => {
                let short: Map<String, Value> =
                    members.into_iter().map(|(name, member)| (name, self.shorten(member))).collect();
                let text = Value::Object(short);
                // Schemas are long as a whole.
                let is_schema = text.get("parameters").is_some() && canonical(&text).len() > MAX_INLINE;
                if is_schema { self.shorten(Value::String(canonical(&text))) } else { text }
            }
            other => other,
        }
    }

    fn print(&self) -> String {
        let mut exchanges: Vec<(&Key, &Exchange)> = self.exchanges.iter().collect();
        // Sort by the order of the requests: the answers of a run, then its grades.
        exchanges.sort_by_key(|(key, exchange)| {
            let (case, turn) = &exchange.of;
            let is_judge = exchange.ask.get("role").and_then(Value::as_str) == Some(JUDGE);
            (case, key.run, is_judge, turn, &key.digest, key.nth)
        });
        let mut used = BTreeSet::new();
        let lines: Vec<Value> = exchanges
            .into_iter()
            .map(|(key, exchange)| {
                collect(&exchange.ask, &mut used);
                let Exchange { of: (case, turn), ask, answer, ms } = exchange;
                json!({
                    "case": case, "turn": turn, "digest": key.digest, "run": key.run, "nth": key.nth, "ms": ms,
                    "ask": ask, "answer": answer_value(answer),
                })
            })
            .collect();
        let head = json!({"cassette": 1, "models": self.models});
        let texts = self.texts.iter().filter(|(key, _)| used.contains(key.as_str()));
        let texts = texts.map(|(key, text)| json!({"sha256": key, "text": text}));
        let all = std::iter::once(head).chain(texts).chain(lines);
        all.map(|line| canonical(&line) + "\n").collect()
    }
}

/// Collects the digests of the texts that a request refers to.
fn collect<'a>(value: &'a Value, into: &mut BTreeSet<&'a str>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| collect(item, into)),
        Value::Object(members) => {
            into.extend(members.get("sha256").and_then(Value::as_str));
            members.values().for_each(|member| collect(member, into));
        }
        _ => {}
    }
}

fn read(path: &Path) -> Result<Recording, Unread> {
    let bytes = skills_files::read(path, MAX_CASSETTE).map_err(|error| Unread::new(path, error))?;
    let text = String::from_utf8(bytes).map_err(|error| Unread::new(path, error))?;
    let mut recording = Recording::default();
    let mut lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
    let (head, number) = lines
        .next()
        .map(|x0| parse_line(x0, path))
        .transpose()?
        .ok_or_else(|| Unread::new(path, "it is empty"))?;
    if head.get("cassette") != Some(&json!(1)) {
        return Err(reject_line(number, "this is not a cassette of version 1", path));
    }
    for role in [MODEL, JUDGE] {
        let name = head.pointer(&format!("/models/{role}")).and_then(Value::as_str);
        recording.models.extend(name.map(|name| (role, name.to_owned())));
    }
    for line in lines {
        let (mut value, number) = parse_line(line, path)?;
        if let (Some(key), Some(text)) = (text_of(&value, "sha256"), text_of(&value, "text")) {
            recording.texts.insert(key, text);
            continue;
        }
        let read = exchange(&mut value)
            .ok_or_else(|| reject_line(number, "this is neither a text nor an exchange", path))?;
        recording.exchanges.insert(read.0, read.1);
    }
    Ok(recording)
}

fn parse_line((line, number): (&str, i32), path: &Path) -> Result<(Value, i32), Unread> {
    let value =
        serde_json::from_str::<Value>(line).map_err(|error| reject_line(number, &error.to_string(), path))?;
    Ok((value, number))
}

fn reject_line(number: i32, what: &str, path: &Path) -> Unread {
    Unread::new(path, format!("line {number}: {what}"))
}

fn text_of(value: &Value, key: &str) -> Option<String> {
    value.get(key)?.as_str().map(str::to_owned)
}

fn exchange(value: &mut Value) -> Option<(Key, Exchange)> {
    let key = Key {
        digest: text_of(value, "digest")?,
        run: read_number("run", value)?,
        nth: read_number("nth", value)?,
    };
    let of = (text_of(value, "case")?, read_number("turn", value)?);
    let ms = value.get("ms")?.as_u64()?;
    let answer = answer_of(value.get("answer")?)?;
    let ask = value.get_mut("ask")?.take();
    Some((key, Exchange { of, ask, answer, ms }))
}

fn read_number(key: &str, value: &Value) -> Option<u32> {
    u32::try_from(value.get(key)?.as_u64()?).ok()
}

fn answer_value(answer: &Answer) -> Value {
    let calls: Vec<Value> = answer
        .tool_calls
        .iter()
        .map(|call| json!({"id": call.id, "name": call.name, "arguments": call.arguments}))
        .collect();
    json!({
        "text": answer.text, "calls": calls, "finish": answer.finish.as_str(),
        "input_tokens": answer.usage.input_tokens, "output_tokens": answer.usage.output_tokens,
    })
}

fn answer_of(value: &Value) -> Option<Answer> {
    let calls = value.get("calls")?.as_array()?;
    let calls: Option<Vec<ToolCall>> = calls
        .iter()
        .map(|call| {
            Some(ToolCall {
                id: text_of(call, "id")?,
                name: text_of(call, "name")?,
                arguments: text_of(call, "arguments")?,
            })
        })
        .collect();
    let usage = Usage {
        input_tokens: read_tokens("input_tokens", value)?,
        output_tokens: read_tokens("output_tokens", value)?,
    };
    let finish = value.get("finish")?.as_str()?.parse().unwrap_or(Finish::Other);
    let answer = Answer::new(text_of(value, "text")?).with_tool_calls(calls?);
    Some(answer.with_finish(finish).with_usage(usage))
}

fn read_tokens(key: &str, value: &Value) -> Option<u64> {
    value.get(key)?.as_u64()
}

/// Writes a value without whitespace, with the members of objects sorted.
pub(super) fn canonical(value: &Value) -> String {
    let mut sorted = value.clone();
    // serde_json keeps the source order if any crate of the program enables `preserve_order`.
    sorted.sort_all_objects();
    sorted.to_string()
}

/// Returns the digest of a text in hexadecimal digits.
pub(super) fn digest(text: &str) -> String {
    hex(&hmac_sha256::Hash::hash(text.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::{canonical, digest};

    // SPEC 16.13
    #[test]
    fn order_does_not_matter() {
        let of = |text: &str| canonical(&serde_json::from_str(text).expect("JSON"));
        assert_eq!(
            of(r#"{"b": [1, {"d": 2, "c": "x\""}], "a": null}"#),
            r#"{"a":null,"b":[1,{"c":"x\"","d":2}]}"#
        );
        assert_eq!(of(r#"{"a": 1, "b": 2}"#), of(r#"{"b": 2, "a": 1}"#));
        assert_eq!(&digest("")[..8], "e3b0c442");
    }
}
