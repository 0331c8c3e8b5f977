//! Answers of models, whole or in pieces.

use super::{Message, ToolCall};
use skills_runtime::__setters as setters;

/// A whole answer.
///
/// ```
/// use skills_call::model::{Answer, Finish, Usage};
///
/// let answer = Answer::new("Hello").with_usage(Usage { input_tokens: 3, output_tokens: 1 });
/// assert_eq!((answer.finish, answer.into_deltas().len()), (Finish::Stop, 2));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Answer {
    /// The text; may be empty.
    pub text: String,
    /// The tools that the model calls, in order.
    pub tool_calls: Vec<ToolCall>,
    /// The reason why the answer ended.
    pub finish: Finish,
    /// The tokens used.
    pub usage: Usage,
    /// The name of the model that answered, if the provider reports it.
    pub model: Option<String>,
}

impl Answer {
    /// Creates a text answer without usage.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// Adds tool calls. The answer then ends with them.
    #[must_use]
    pub fn with_tool_calls(self, tool_calls: Vec<ToolCall>) -> Self {
        Self { tool_calls, finish: Finish::ToolCalls, ..self }
    }

    setters! {
        /// Sets the reason why the answer ended.
        #[must_use]
        with_finish(finish: Finish) => finish = finish;
        /// Sets the tokens used.
        #[must_use]
        with_usage(usage: Usage) => usage = usage;
        /// Sets which model answered.
        #[must_use]
        with_model(model: impl Into<String>) => model = Some(model.into());
    }

    /// Splits the answer into deltas: its text in one piece, then its calls, then its end.
    pub fn into_deltas(self) -> Vec<Delta> {
        let text = Some(self.text).filter(|text| !text.is_empty()).map(Delta::Text);
        let calls = self.tool_calls.into_iter().enumerate().flat_map(|(index, call)| {
            let ToolCall { id, name, arguments } = call;
            [Delta::ToolCallStart { index, id, name }, Delta::ToolCallArguments { index, text: arguments }]
        });
        let end = Delta::End { finish: self.finish, usage: self.usage };
        text.into_iter().chain(calls).chain([end]).collect()
    }

    /// Adds the next piece. Reasoning is ignored.
    pub fn push(&mut self, delta: Delta) {
        match delta {
            Delta::Text(text) => self.text.push_str(&text),
            Delta::Reasoning(_) => {}
            Delta::ToolCallStart { id, name, .. } => {
                self.tool_calls.push(ToolCall { id, name, arguments: String::new() });
            }
            Delta::ToolCallArguments { index, text } => {
                if let Some(call) = self.tool_calls.get_mut(index) {
                    call.arguments.push_str(&text);
                }
            }
            Delta::End { finish, usage } => (self.finish, self.usage) = (finish, usage),
        }
    }

    /// Converts it to the next message of the conversation.
    pub fn into_message(self) -> Message {
        Message::assistant(self.text, self.tool_calls)
    }
}

/// A piece of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Delta {
    /// More text.
    Text(String),
    /// More of the model's reasoning before the answer.
    Reasoning(String),
    /// A call of a tool begins.
    ToolCallStart {
        /// The index of the call in the answer.
        index: usize,
        /// The id that the tool's result refers to.
        id: String,
        /// The name of the tool.
        name: String,
    },
    /// More of the arguments of a call.
    ToolCallArguments {
        /// The index of the call in the answer.
        index: usize,
        /// The next piece of JSON text.
        text: String,
    },
    /// The answer ends. This is the last piece of a stream that did not fail.
    End {
        /// The reason.
        finish: Finish,
        /// The tokens used; zero if the provider does not report them.
        usage: Usage,
    },
}

/// The reason why an answer ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Finish {
    /// The model was done.
    #[default]
    Stop,
    /// The model called tools and waits for their results.
    ToolCalls,
    /// The maximum number of tokens was reached.
    Length,
    /// The provider refused to continue.
    ContentFilter,
    /// Any other reason.
    Other,
}

skills_text::__named!(Finish, "reason for the end of an answer", {
    Stop = "stop",
    ToolCalls = "tool_calls",
    Length = "length",
    ContentFilter = "content_filter",
    Other = "other",
});

/// The tokens of a request and its answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Tokens of the request.
    pub input_tokens: u64,
    /// Tokens of the answer.
    pub output_tokens: u64,
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        self.input_tokens = self.input_tokens.saturating_add(other.input_tokens);
        self.output_tokens = self.output_tokens.saturating_add(other.output_tokens);
    }
}
