//! Answers the tool calls of a model, including calls that fail.

use serde_json::Value;
use skills_registry::NotFound;
use skills_schema::validate_str;
use skills_text::clean;

use super::FULL;
use super::loader::{ARGUMENTS, name_in};
use super::session::lock;
use crate::model::{Message, ToolCall, ToolResult};
use crate::run::state::RunnerState;
use crate::trace::Span;
use crate::{CallError, CallOptions, Called, ErrorKind};
use skills_runtime::tools::SearchSkillsTool;

/// The answer to a tool call.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ToolAnswer {
    /// The text for the model: the output (a string without its quotes), or an error that the model can act
    /// on.
    pub text: String,
    /// Whether the text is an error, for interfaces that mark results as errors.
    pub is_error: bool,
    /// The output; `None` if the call failed, or for JSON that cannot be represented as a value in memory.
    pub output: Option<Value>,
    /// The kind of the error: [`ErrorKind::NotFound`] if the tool does not exist.
    pub kind: Option<ErrorKind>,
    /// The full error for a log, if `text` omits the message of a model provider.
    pub reason: Option<String>,
    /// The tools that `search_skills` found, for interfaces that accept references to deferred tools, such as
    /// the `tool_reference` of Anthropic.
    pub tools: Vec<String>,
}

impl ToolAnswer {
    /// Converts the answer to a message for the model.
    pub fn into_message(self, call: &ToolCall) -> Message {
        Message::tool(ToolResult::new(&call.id, &call.name, self.text).with_error(self.is_error))
    }

    pub(super) fn read(text: String) -> Self {
        Self { output: Some(Value::String(text.clone())), text, ..Self::default() }
    }

    /// Creates the answer to a failed call, with a text that the model can act on.
    pub fn failed(kind: ErrorKind, text: impl Into<String>) -> Self {
        let text = clean(&text.into()).into_owned();
        Self { text, is_error: true, kind: Some(kind), ..Self::default() }
    }

    /// Creates the answer from the result of a call.
    pub(crate) fn from_result(result: Result<Called<String>, CallError>) -> Self {
        match result {
            Ok(outcome) => Self::from_json(outcome.output),
            Err(error) => Self::of_error(&error),
        }
    }

    pub(super) fn of_error(error: &CallError) -> Self {
        let (reason, text) = (error.to_string(), error.for_clients());
        if reason == text {
            return Self::failed(error.kind(), text);
        }
        tracing::error!(target: "skills", "{reason}");
        Self { reason: Some(reason), ..Self::failed(error.kind(), text) }
    }

    /// Creates an answer from JSON text.
    fn from_json(output: String) -> Self {
        match serde_json::from_str(&output) {
            Ok(Value::String(text)) => Self::read(text),
            other => Self { text: output, output: other.ok(), ..Self::default() },
        }
    }
}

/// Creates an answer within a span, which records errors.
fn answer_within(span: &Span, answer: impl FnOnce() -> ToolAnswer) -> ToolAnswer {
    let answer = span.inside(answer);
    answer.kind.inspect(|kind| span.fail(*kind));
    answer
}

impl RunnerState {
    /// Answers a call of a tool that calls no skill: the tools that load and find skills, and unknown ones. Returns `None` for a
    /// skill.
    pub(crate) fn answer_own_tool(
        &self,
        name: &str,
        arguments: &str,
        options: &CallOptions,
    ) -> Option<ToolAnswer> {
        if Some(name) == self.loader.name() {
            return Some(self.load(name, arguments, options));
        }
        if self.is_search(name) && self.has_search() {
            let span = Span::of_tool(self, SearchSkillsTool::NAME, None, options.trace.as_ref());
            return Some(answer_within(&span, || self.search_for(arguments, options)));
        }
        if self.is_tool(name) { None } else { Some(self.unknown(name)) }
    }

    /// Answers a call of the tool that loads skills.
    fn load(&self, name: &str, arguments: &str, options: &CallOptions) -> ToolAnswer {
        let Some(loading) = self.loading() else { return self.unknown(name) };
        let (asked, tool) = (name_in(arguments), loading.name());
        let skill = asked.split('/').next().and_then(|name| self.layers.get(name));
        let skill = skill.filter(|skill| skill.is_offered());
        let span = Span::of_tool(self, tool, Some((&asked, skill)), options.trace.as_ref());
        let mut session = options.session.as_deref().map(|session| lock(session));
        answer_within(&span, || {
            if let Err(invalid) = validate_str(&ARGUMENTS, arguments) {
                return ToolAnswer::of_error(&CallError::invalid_input(name, invalid));
            }
            let answer = match session.as_deref_mut() {
                Some(session) => loading.call_in(&asked, session),
                None => loading.call(&asked),
            };
            match answer.is_error {
                true => ToolAnswer::failed(ErrorKind::Failed, answer.text),
                false => ToolAnswer::read(answer.text),
            }
        })
    }

    /// Answers a call of a tool that does not exist: lists the tools, or names the nearest one.
    fn unknown(&self, name: &str) -> ToolAnswer {
        let skills = &self.layers;
        let loader = self.loading().and(self.loader.name());
        let functions = skills.iter().filter(|skill| self.tool(*skill, FULL).is_ok());
        let search = self.has_search().then_some(SearchSkillsTool::NAME);
        let own = loader.into_iter().chain(search);
        let names: Vec<&str> = own.chain(functions.map(|skill| skill.name())).collect();
        let missing = NotFound::new(name, names.iter().copied());
        let mut text = format!("There is no tool \"{name}\".");
        match (
            loader.and_then(|loader| skills.get(name).filter(|skill| skill.is_offered()).map(|_| loader)),
            missing.nearest,
        ) {
            (Some(loader), _) => text.push_str(&format!(" It is a skill to read: call {loader}.")),
            (None, Some(nearest)) => text.push_str(&format!(" Did you mean \"{nearest}\"?")),
            (None, None) => {}
        }
        if let Some(search) = search {
            text.push_str(&format!(" Find tools by {search}."));
            return ToolAnswer::failed(ErrorKind::NotFound, text);
        }
        let list = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        text.push_str(&format!(" Available tools: {list}"));
        ToolAnswer::failed(ErrorKind::NotFound, text)
    }
}
