//! The parts of a UI message stream, as server-sent events.

use serde_json::{Value, json};

/// The end of every stream.
pub(super) const DONE: &str = "data: [DONE]\n\n";

/// A part. An absent optional field is left out, since clients refuse null.
#[derive(Clone, Debug)]
pub(super) enum StreamPart {
    Start { message: String },
    StartStep,
    BlockStart { block: Block, id: String },
    BlockDelta { block: Block, id: String, delta: String },
    BlockEnd { block: Block, id: String },
    InputStart { call: String, tool: String, is_dynamic: bool },
    InputDelta { call: String, delta: String },
    InputAvailable { call: String, tool: String, input: Value, is_dynamic: bool },
    Output { call: String, output: Value, is_preliminary: bool, is_dynamic: bool },
    OutputError { call: String, text: String, is_dynamic: bool },
    ApprovalRequest { call: String, approval: String },
    OutputDenied { call: String },
    FinishStep,
    Finish { reason: &'static str, usage: Value },
    Error { text: String },
}

/// A part that is sent in pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Block {
    Text,
    Reasoning,
}

impl Block {
    fn word(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Reasoning => "reasoning",
        }
    }
}

impl StreamPart {
    /// Returns the event as text.
    pub(super) fn text(self) -> String {
        format!("data: {}\n\n", self.json())
    }

    fn json(self) -> Value {
        match self {
            Self::Start { message } => json!({"type": "start", "messageId": message}),
            Self::StartStep => json!({"type": "start-step"}),
            Self::BlockStart { block, id } => json!({"type": format!("{}-start", block.word()), "id": id}),
            Self::BlockDelta { block, id, delta } => {
                json!({"type": format!("{}-delta", block.word()), "id": id, "delta": delta})
            }
            Self::BlockEnd { block, id } => json!({"type": format!("{}-end", block.word()), "id": id}),
            Self::InputStart { call, tool, is_dynamic } => {
                dynamic(json!({"type": "tool-input-start", "toolCallId": call, "toolName": tool}), is_dynamic)
            }
            Self::InputDelta { call, delta } => {
                json!({"type": "tool-input-delta", "toolCallId": call, "inputTextDelta": delta})
            }
            Self::InputAvailable { call, tool, input, is_dynamic } => dynamic(
                json!({"type": "tool-input-available", "toolCallId": call, "toolName": tool, "input": input}),
                is_dynamic,
            ),
            Self::Output { call, output, is_preliminary, is_dynamic } => {
                let mut part = json!({"type": "tool-output-available", "toolCallId": call, "output": output});
                if is_preliminary {
                    part["preliminary"] = Value::Bool(true);
                }
                dynamic(part, is_dynamic)
            }
            Self::OutputError { call, text, is_dynamic } => dynamic(
                json!({"type": "tool-output-error", "toolCallId": call, "errorText": text}),
                is_dynamic,
            ),
            Self::ApprovalRequest { call, approval } => {
                json!({"type": "tool-approval-request", "approvalId": approval, "toolCallId": call})
            }
            Self::OutputDenied { call } => json!({"type": "tool-output-denied", "toolCallId": call}),
            Self::FinishStep => json!({"type": "finish-step"}),
            Self::Finish { reason, usage } => {
                json!({"type": "finish", "finishReason": reason, "messageMetadata": {"usage": usage}})
            }
            Self::Error { text } => json!({"type": "error", "errorText": text}),
        }
    }
}

/// Marks a tool that the client has no code for.
fn dynamic(mut part: Value, is_dynamic: bool) -> Value {
    if is_dynamic {
        part["dynamic"] = Value::Bool(true);
    }
    part
}
