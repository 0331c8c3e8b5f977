//! What a model answers: as a whole, or in pieces.

use super::ToolCall;

/// A whole answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// The text; may be empty.
    pub text: String,
    /// The tools that the model calls, in order.
    pub tool_calls: Vec<ToolCall>,
    /// Why the answer ends.
    pub finish: Finish,
    /// What it cost.
    pub usage: Usage,
}

/// A piece of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Delta {
    /// More text.
    Text(String),
    /// More of what the model thinks before it answers.
    Reasoning(String),
    /// A call of a tool begins.
    ToolCallStart {
        /// Its place among the calls of the answer.
        index: usize,
        /// What ties the answer to the call.
        id: String,
        /// The name of the tool.
        name: String,
    },
    /// More of the arguments of a call.
    ToolCallArguments {
        /// The place of the call among those of the answer.
        index: usize,
        /// The next piece of JSON text.
        text: String,
    },
    /// The answer ends: the last piece of a stream that did not fail.
    End {
        /// Why.
        finish: Finish,
        /// What it cost; zero where the provider does not say.
        usage: Usage,
    },
}

/// Why an answer ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Finish {
    /// The model was done.
    #[default]
    Stop,
    /// It calls tools and waits for their answers.
    ToolCalls,
    /// It reached the limit of tokens.
    Length,
    /// The provider refused to go on.
    ContentFilter,
    /// Anything else.
    Other,
}

/// The tokens of a request and its answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Tokens of what was asked.
    pub input_tokens: u64,
    /// Tokens of what was answered.
    pub output_tokens: u64,
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        self.input_tokens = self.input_tokens.saturating_add(other.input_tokens);
        self.output_tokens = self.output_tokens.saturating_add(other.output_tokens);
    }
}
