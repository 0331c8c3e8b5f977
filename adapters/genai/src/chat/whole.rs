//! The body of a chat completion becomes an [`Answer`].

use serde_json::Value;
use skills_runtime::model::{Answer, Finish, ToolCall, Usage};

use crate::answer;
use crate::limits::{self, TooMuch};

/// Reads an answer; nothing where there is none.
pub(crate) fn answer(body: &Value) -> Result<Option<Answer>, TooMuch> {
    let Some(choice) = body.pointer("/choices/0") else { return Ok(None) };
    let message = choice.get("message").unwrap_or(&Value::Null);
    let text = |key: &str| message.get(key).and_then(Value::as_str).unwrap_or_default();
    let calls = message.get("tool_calls").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    TooMuch::check_calls(calls.len())?;
    let Some(calls) = calls.iter().map(call).collect::<Option<Vec<ToolCall>>>() else { return Ok(None) };
    for call in &calls {
        TooMuch::check("the arguments of a call", call.arguments.len(), limits::ARGUMENTS)?;
    }
    let reason = choice.get("finish_reason").and_then(Value::as_str);
    let said = Answer::new(text("content")).with_usage(usage(body.get("usage")));
    let (is_empty, refusal) = (said.text.is_empty() && calls.is_empty(), text("refusal"));
    if is_empty && !refusal.is_empty() {
        return Ok(Some(Answer::new(refusal).with_finish(Finish::ContentFilter).with_usage(said.usage)));
    }
    let finish = finish(reason, !calls.is_empty());
    Ok((!is_empty || reason.is_some()).then(|| said.with_tool_calls(calls).with_finish(finish)))
}

fn call(value: &Value) -> Option<ToolCall> {
    Some(ToolCall {
        id: value.get("id")?.as_str()?.to_owned(),
        name: value.pointer("/function/name")?.as_str()?.to_owned(),
        arguments: answer::arguments(value.pointer("/function/arguments").unwrap_or(&Value::Null)),
    })
}

pub(super) fn finish(reason: Option<&str>, has_calls: bool) -> Finish {
    answer::finish(reason.map(|reason| reason.to_owned().into()).as_ref(), has_calls)
}

pub(super) fn usage(usage: Option<&Value>) -> Usage {
    let count =
        |key: &str| usage.and_then(|usage| usage.get(key)).and_then(Value::as_u64).unwrap_or_default();
    Usage { input_tokens: count("prompt_tokens"), output_tokens: count("completion_tokens") }
}
